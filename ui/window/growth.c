/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While the page is not on screen nothing is wanted of it, and it stands still. */
#include "ui/window/growth.h"

#include "ui/window/vacant.h"

#define PAGE "growth"

struct _GantryGrowthPart {
  GantryGrowthPartParts with;
  GantryGrowthPage *page;
  gboolean shown, vacant;
  char *doing; /* while it is vacant; NULL: nothing */
};

gboolean gantry_growth_part_get_wish(GantryGrowthPart *self, GantryGrowthWish *wish) {
  if (!gantry_plots_is_shown(self->with.plots, PAGE)) return FALSE;
  gantry_growth_page_get_wish(self->page, wish);
  return TRUE;
}

void gantry_growth_part_refresh(GantryGrowthPart *self) {
  const gboolean shown = gantry_plots_is_shown(self->with.plots, PAGE);
  if (shown == self->shown) return;
  self->shown = shown;
  if (!shown) gantry_growth_page_play(self->page, FALSE);
  self->with.wanted(self->with.user);
}

static void show_vacant(GantryGrowthPart *self) {
  g_autofree char *words = gantry_vacant_words(self->doing, "its slice grows here view by view");
  gantry_growth_page_take(self->page, NULL, words);
}

void gantry_growth_part_wait(GantryGrowthPart *self, const char *doing) {
  gantry_vacant_set(&self->doing, doing);
  if (self->vacant) show_vacant(self);
}

void gantry_growth_part_take(GantryGrowthPart *self, GantryGrowthReport *report, const char *instead) {
  self->vacant = !report && !instead;
  if (self->vacant)
    show_vacant(self);
  else
    gantry_growth_page_take(self->page, report, instead);
}

static void wanted(GantryGrowthPart *self) {
  self->with.wanted(self->with.user);
}

static void view_shown(GantryGrowthPage *page, int view, GantryGrowthPart *self) {
  if (self->shown) gantry_fourth_show_projection(self->with.fourth, view);
}

static void show(GantryGrowthPart *self) {
  gantry_plots_show(self->with.plots, PAGE);
}

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryGrowthPart *self = user;
  show(self);
  gantry_growth_page_focus(self->page);
}

static void play(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryGrowthPart *self = user;
  show(self);
  gantry_growth_page_toggle(self->page);
}

static void step(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_growth_page_step(((GantryGrowthPart *)user)->page, 1);
}

static void back(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_growth_page_step(((GantryGrowthPart *)user)->page, -1);
}

GantryGrowthPart *gantry_growth_part_new(const GantryGrowthPartParts *parts) {
  static const GActionEntry entries[] = {{.name = "show-view-by-view", .activate = show_page},
                                         {.name = "play-views", .activate = play},
                                         {.name = "next-view", .activate = step},
                                         {.name = "previous-view", .activate = back}};
  GantryGrowthPart *self = g_new0(GantryGrowthPart, 1);
  self->with = *parts;
  self->page = GANTRY_GROWTH_PAGE(gantry_growth_page_new(parts->display));
  gantry_plots_add_alone(parts->plots, GTK_WIDGET(self->page), PAGE, "View by View");
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect_swapped(self->page, "wanted", G_CALLBACK(wanted), self);
  g_signal_connect(self->page, "view-shown", G_CALLBACK(view_shown), self);
  gantry_growth_part_take(self, NULL, NULL);
  return self;
}

void gantry_growth_part_free(GantryGrowthPart *self) {
  g_free(self->doing);
  g_free(self);
}
