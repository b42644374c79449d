/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While the page is not on screen nothing is wanted of it. */
#include "ui/window/filter.h"

#include "ui/tab.h"
#include "ui/window/vacant.h"

#define PAGE "filter"

struct _GantryFilterPart {
  GantryPlots *plots;
  GantryFilterPage *page;
  GantryFilterListener listener;
  gboolean shown, vacant;
  char *doing; /* while it is vacant; NULL: nothing */
};

gboolean gantry_filter_part_is_shown(GantryFilterPart *self) {
  return gantry_plots_is_shown(self->plots, PAGE);
}

void gantry_filter_part_refresh(GantryFilterPart *self) {
  const gboolean shown = gantry_filter_part_is_shown(self);
  if (shown == self->shown) return;
  self->shown = shown;
  self->listener.wanted(self->listener.user);
}

static void show_vacant(GantryFilterPart *self) {
  g_autofree char *words = gantry_vacant_words(self->doing, "its filter is shown here");
  gantry_filter_page_take(self->page, NULL, words);
}

void gantry_filter_part_wait(GantryFilterPart *self, const char *doing) {
  gantry_vacant_set(&self->doing, doing);
  if (self->vacant) show_vacant(self);
}

void gantry_filter_part_take(GantryFilterPart *self, GantryFilterReport *report, const char *instead) {
  self->vacant = !report && !instead;
  if (self->vacant)
    show_vacant(self);
  else
    gantry_filter_page_take(self->page, report, instead);
}

static void edited(GantryFilterPage *page, double cutoff, int ramp, GantryFilterPart *self) {
  self->listener.edited(self->listener.user, cutoff, (ct_ramp)ramp);
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryFilterPart *self = user;
  gantry_plots_show(self->plots, PAGE);
  gantry_tab_begin(GTK_WIDGET(self->page));
}

GantryFilterPart *gantry_filter_part_new(GtkWidget *window, GantryPlots *plots, const GantryFilterListener *listener) {
  static const GActionEntry entries[] = {{.name = "show-filter", .activate = show_page}};
  GantryFilterPart *self = g_new0(GantryFilterPart, 1);
  self->plots = plots;
  self->listener = *listener;
  self->page = GANTRY_FILTER_PAGE(gantry_filter_page_new());
  gantry_plots_add_alone(plots, GTK_WIDGET(self->page), PAGE, "Filter");
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->page, "edited", G_CALLBACK(edited), self);
  gantry_filter_part_take(self, NULL, NULL);
  return self;
}

void gantry_filter_part_free(GantryFilterPart *self) {
  g_free(self->doing);
  g_free(self);
}
