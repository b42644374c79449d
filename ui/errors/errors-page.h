/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Errors page: a curve of the errors of A against B, to be chosen, and their numbers. */
#pragma once

#include <gtk/gtk.h>

#include "ui/errors/report.h"
#include "ui/plot/plot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_ERRORS_PAGE (gantry_errors_page_get_type())
G_DECLARE_FINAL_TYPE(GantryErrorsPage, gantry_errors_page, GANTRY, ERRORS_PAGE, GtkWidget)

/* Signal "slice-clicked" (int): the user clicked at that axial slice. The buttons beside the numbers name the actions
 * win.worst-first, win.worst-next and win.copy-error-numbers. */
GtkWidget *gantry_errors_page_new(void);
/* Of values, "1/mm" at first; borrowed for good. */
void gantry_errors_page_set_unit(GantryErrorsPage *self, const char *unit);
/* Takes the report; NULL: there is none, `instead` says why or what to do. What is chosen and zoomed to stays. */
void gantry_errors_page_take(GantryErrorsPage *self, GantryErrorReport *report, const char *instead);
/* NULL: none; borrowed. */
const GantryErrorReport *gantry_errors_page_get_report(GantryErrorsPage *self);
/* By the id of a curve; others change nothing. */
void gantry_errors_page_choose(GantryErrorsPage *self, const char *id);
GantryPlot *gantry_errors_page_get_plot(GantryErrorsPage *self);
/* The numbers as a table, CSV: g_free; empty without a report. */
char *gantry_errors_page_numbers_to_csv(GantryErrorsPage *self);

G_END_DECLS
