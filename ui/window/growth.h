/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "View by View" below the views: the commands show-view-by-view, play-views, next-view and
 * previous-view; the gantry turns along. */
#pragma once

#include "ui/growth/page.h"
#include "ui/window/fourth.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct {
  GtkWidget *window;
  GantryDisplay *display;
  GantryPlots *plots;
  GantryFourth *fourth;
  void (*wanted)(gpointer user); /* something else is to be shown, or the page came on screen, or went */
  gpointer user;
} GantryGrowthPartParts;

typedef struct _GantryGrowthPart GantryGrowthPart;
/* The parts are borrowed. */
GantryGrowthPart *gantry_growth_part_new(const GantryGrowthPartParts *parts);
void gantry_growth_part_free(GantryGrowthPart *self);
void gantry_growth_part_refresh(GantryGrowthPart *self);
/* FALSE: the page is not on screen. */
gboolean gantry_growth_part_get_wish(GantryGrowthPart *self, GantryGrowthWish *wish);
/* What is under way; NULL: nothing. A page with nothing to show says so. */
void gantry_growth_part_wait(GantryGrowthPart *self, const char *doing);
/* Without report and reason there is no scan. */
void gantry_growth_part_take(GantryGrowthPart *self, GantryGrowthReport *report, const char *instead);

G_END_DECLS
