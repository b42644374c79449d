/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While the page is not on screen nothing is wanted of it. */
#include "ui/window/spectrum.h"

#include "ui/window/vacant.h"

#define PAGE "spectrum"

struct _GantrySpectrumPart {
  GantryPlots *plots;
  GantryFourth *fourth;
  GantrySpectrumPage *page;
  void (*wanted)(gpointer user);
  gpointer user;
  gboolean shown, vacant;
  char *doing; /* while it is vacant; NULL: nothing */
};

gboolean gantry_spectrum_part_get_view(GantrySpectrumPart *self, int *view) {
  *view = gantry_fourth_get_projection(self->fourth);
  return gantry_plots_is_shown(self->plots, PAGE);
}

void gantry_spectrum_part_refresh(GantrySpectrumPart *self) {
  const gboolean shown = gantry_plots_is_shown(self->plots, PAGE);
  if (shown == self->shown) return;
  self->shown = shown;
  self->wanted(self->user);
}

static void show_vacant(GantrySpectrumPart *self) {
  g_autofree char *words = gantry_vacant_words(self->doing, "the spectrum of its slice is shown here");
  gantry_spectrum_page_take(self->page, NULL, words);
}

void gantry_spectrum_part_wait(GantrySpectrumPart *self, const char *doing) {
  gantry_vacant_set(&self->doing, doing);
  if (self->vacant) show_vacant(self);
}

void gantry_spectrum_part_take(GantrySpectrumPart *self, GantrySpectrumReport *report, const char *instead) {
  self->vacant = !report && !instead;
  if (self->vacant)
    show_vacant(self);
  else
    gantry_spectrum_page_take(self->page, report, instead);
}

static void view_chosen(GantrySpectrumPage *page, int view, GantrySpectrumPart *self) {
  gantry_fourth_show_projection(self->fourth, view);
  self->wanted(self->user);
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantrySpectrumPart *self = user;
  gantry_plots_show(self->plots, PAGE);
  gantry_spectrum_page_focus(self->page);
}

GantrySpectrumPart *gantry_spectrum_part_new(GtkWidget *window, GantryPlots *plots, GantryFourth *fourth,
                                             void (*wanted)(gpointer user), gpointer user) {
  static const GActionEntry entries[] = {{.name = "show-spectrum", .activate = show_page}};
  GantrySpectrumPart *self = g_new0(GantrySpectrumPart, 1);
  self->plots = plots;
  self->fourth = fourth;
  self->wanted = wanted;
  self->user = user;
  self->page = GANTRY_SPECTRUM_PAGE(gantry_spectrum_page_new());
  gantry_plots_add_alone(plots, GTK_WIDGET(self->page), PAGE, "Spectrum");
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->page, "view-chosen", G_CALLBACK(view_chosen), self);
  gantry_spectrum_part_take(self, NULL, NULL);
  return self;
}

void gantry_spectrum_part_free(GantrySpectrumPart *self) {
  g_free(self->doing);
  g_free(self);
}
