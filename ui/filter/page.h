/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Filter": the filter on the left, what it makes of a row on the right. Signal "edited" (double cutoff, int
 * ramp): the user chose another cut-off or ramp. */
#pragma once

#include <gtk/gtk.h>

#include "ui/filter/report.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_FILTER_PAGE (gantry_filter_page_get_type())
G_DECLARE_FINAL_TYPE(GantryFilterPage, gantry_filter_page, GANTRY, FILTER_PAGE, GtkBox)

GtkWidget *gantry_filter_page_new(void);
/* Takes the report; NULL: there is none, `instead` says why. */
void gantry_filter_page_take(GantryFilterPage *self, GantryFilterReport *report, const char *instead);

G_END_DECLS
