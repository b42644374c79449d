/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "View by View": a player of back-projection. On the left the sum of the first views and what the last of
 * them added, on the right the error over the number of views. Signals: "wanted": another number, order or kind of
 * views is to be shown; "view-shown" (int view): that view is the last one of the sum on screen. */
#pragma once

#include <gtk/gtk.h>

#include "ui/display.h"
#include "ui/growth/report.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_GROWTH_PAGE (gantry_growth_page_get_type())
G_DECLARE_FINAL_TYPE(GantryGrowthPage, gantry_growth_page, GANTRY, GROWTH_PAGE, GtkBox)

/* The display's grey window and units are those of the pictures. */
GtkWidget *gantry_growth_page_new(GantryDisplay *display);
/* Gives its first control the keyboard, at once or when there is a report. */
void gantry_growth_page_focus(GantryGrowthPage *self);
void gantry_growth_page_get_wish(GantryGrowthPage *self, GantryGrowthWish *wish);
/* Takes the report; NULL: there is none, `instead` says why. */
void gantry_growth_page_take(GantryGrowthPage *self, GantryGrowthReport *report, const char *instead);
/* The player, as its buttons do. */
void gantry_growth_page_play(GantryGrowthPage *self, gboolean play);
void gantry_growth_page_toggle(GantryGrowthPage *self);
void gantry_growth_page_step(GantryGrowthPage *self, int views);

G_END_DECLS
