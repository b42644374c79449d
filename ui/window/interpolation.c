/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row is the one of the page "Filter"; while neither is on screen nothing is wanted. */
#include "ui/window/interpolation.h"

#define PAGE "interpolation"

struct _GantryInterpolationPart {
  GantryPlots *plots;
  GantryInterpolationPage *page;
  GantryInterpolationListener listener;
  gboolean shown;
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

void gantry_interpolation_part_take(GantryInterpolationPart *self, const GantryFilterReport *report,
                                    const char *instead) {
  gantry_interpolation_page_take(self->page, report, instead);
}

static void edited(GantryInterpolationPage *page, int interp, GantryInterpolationPart *self) {
  self->listener.edited(self->listener.user, interp);
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryInterpolationPart *self = user;
  gantry_plots_show(self->plots, PAGE);
  gtk_widget_child_focus(GTK_WIDGET(self->page), GTK_DIR_TAB_FORWARD);
}

GantryInterpolationPart *gantry_interpolation_part_new(GtkWidget *window, GantryPlots *plots,
                                                       const GantryInterpolationListener *listener) {
  static const GActionEntry entries[] = {{.name = "show-interpolation", .activate = show_page}};
  GantryInterpolationPart *self = g_new0(GantryInterpolationPart, 1);
  self->plots = plots;
  self->listener = *listener;
  self->page = GANTRY_INTERPOLATION_PAGE(gantry_interpolation_page_new());
  gantry_plots_add_alone(plots, GTK_WIDGET(self->page), PAGE, "Interpolation");
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->page, "edited", G_CALLBACK(edited), self);
  gantry_interpolation_part_take(self, NULL, "Open a scan, and its filtered rows are shown here.");
  return self;
}

void gantry_interpolation_part_free(GantryInterpolationPart *self) {
  g_free(self);
}
