/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row is the one of the page "Filter"; while neither is on screen nothing is wanted. */
#include "ui/window/interpolation.h"

#include "ui/window/vacant.h"

#define PAGE "interpolation"

struct _GantryInterpolationPart {
  GantryDisplay *display;
  GantryPlots *plots;
  GantryInterpolationPage *page;
  GantryInterpolationListener listener;
  gboolean shown, vacant;
  char *doing; /* while it is vacant; NULL: nothing */
};

gboolean gantry_interpolation_part_is_shown(GantryInterpolationPart *self) {
  return gantry_plots_is_shown(self->plots, PAGE);
}

void gantry_interpolation_part_refresh(GantryInterpolationPart *self) {
  const gboolean shown = gantry_interpolation_part_is_shown(self);
  if (shown == self->shown) return;
  self->shown = shown;
  self->listener.wanted(self->listener.user);
}

static void show_vacant(GantryInterpolationPart *self) {
  g_autofree char *words = gantry_vacant_words(self->doing, "its filtered rows are shown here");
  gantry_interpolation_page_take(self->page, NULL, words);
}

void gantry_interpolation_part_wait(GantryInterpolationPart *self, const char *doing) {
  gantry_vacant_set(&self->doing, doing);
  if (self->vacant) show_vacant(self);
}

void gantry_interpolation_part_take(GantryInterpolationPart *self, const GantryFilterReport *report,
                                    const char *instead) {
  self->vacant = !report && !instead;
  if (self->vacant)
    show_vacant(self);
  else
    gantry_interpolation_page_take(self->page, report, instead);
}

gboolean gantry_interpolation_part_get_wish(GantryInterpolationPart *self, GantryMagnifiedWish *wish) {
  if (!gantry_interpolation_part_is_shown(self) || !gantry_interpolation_page_is_magnified(self->page)) return FALSE;
  GantryMarks *marks = gantry_display_get_marks(self->display);
  const GantryMark *mark = gantry_marks_find(marks, gantry_marks_get_chosen(marks));
  gantry_display_get_cross(self->display, wish->cross);
  wish->has_rectangle = mark && mark->kind == GANTRY_MARK_RECTANGLE && mark->plane == CT_AXIAL && !mark->oblique;
  for (int i = 0; wish->has_rectangle && i < 2; i++)
    for (int axis = 0; axis < 2; axis++) wish->corners[i][axis] = mark->points[i][axis];
  return TRUE;
}

void gantry_interpolation_part_take_magnified(GantryInterpolationPart *self, GantryMagnified *picture,
                                              const char *instead) {
  if (picture)
    gantry_interpolation_page_take_magnified(self->page, picture);
  else
    gantry_interpolation_page_clear_magnified(self->page, instead);
}

static void moved(GantryInterpolationPart *self) {
  if (self->shown && gantry_interpolation_page_is_magnified(self->page)) self->listener.wanted(self->listener.user);
}

static void magnified(GantryInterpolationPart *self) {
  self->listener.wanted(self->listener.user);
}

static void edited(GantryInterpolationPage *page, int interp, GantryInterpolationPart *self) {
  self->listener.edited(self->listener.user, interp);
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryInterpolationPart *self = user;
  gantry_plots_show(self->plots, PAGE);
  gantry_interpolation_page_focus(self->page);
}

GantryInterpolationPart *gantry_interpolation_part_new(GtkWidget *window, GantryDisplay *display, GantryPlots *plots,
                                                       const GantryInterpolationListener *listener) {
  static const GActionEntry entries[] = {{.name = "show-interpolation", .activate = show_page}};
  GantryInterpolationPart *self = g_new0(GantryInterpolationPart, 1);
  self->display = display;
  self->plots = plots;
  self->listener = *listener;
  self->page = GANTRY_INTERPOLATION_PAGE(gantry_interpolation_page_new(display));
  gantry_plots_add_alone(plots, GTK_WIDGET(self->page), PAGE, "Interpolation");
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->page, "edited", G_CALLBACK(edited), self);
  g_signal_connect_swapped(self->page, "magnified", G_CALLBACK(magnified), self);
  g_signal_connect_swapped(display, "cross-moved", G_CALLBACK(moved), self);
  g_signal_connect_swapped(gantry_display_get_marks(display), "chosen", G_CALLBACK(moved), self);
  g_signal_connect_swapped(gantry_display_get_marks(display), "changed", G_CALLBACK(moved), self);
  gantry_interpolation_part_take(self, NULL, NULL);
  return self;
}

void gantry_interpolation_part_free(GantryInterpolationPart *self) {
  g_signal_handlers_disconnect_by_data(gantry_display_get_marks(self->display), self);
  g_signal_handlers_disconnect_by_data(self->display, self);
  g_free(self->doing);
  g_free(self);
}
