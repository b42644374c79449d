/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convergence page: the curve of an iterative run as it grows, those of earlier runs beside it, and a list that
 * names them and reads their values. */
#pragma once

#include <gtk/gtk.h>

#include "recon/solve/iterative/iterate.h"
#include "ui/plot/plot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_CONVERGENCE_PAGE (gantry_convergence_page_get_type())
G_DECLARE_FINAL_TYPE(GantryConvergencePage, gantry_convergence_page, GANTRY, CONVERGENCE_PAGE, GtkWidget)

/* Signal "changed": runs came or went, or got points. */
GtkWidget *gantry_convergence_page_new(void);
/* Of the RMSE, "1/mm" at first; borrowed for good. */
void gantry_convergence_page_set_unit(GantryConvergencePage *self, const char *unit);
/* A run with a name ("OS-SART 10 subsets") and its parameters as text; returns its number, never 0. The oldest is
 * removed when there are no more colours. */
guint gantry_convergence_page_add(GantryConvergencePage *self, const char *name, const char *recipe);
/* The whole curve so far, copied; `planned`: iterations that the run is to have in all, 0 when it is over. A run that
 * is no longer there is left alone. */
void gantry_convergence_page_set_points(GantryConvergencePage *self, guint run, const ct_iteration *points, gsize count,
                                        int planned);
/* The run was cancelled with the points that it has: the list, the legend and the table say so. */
void gantry_convergence_page_mark_cancelled(GantryConvergencePage *self, guint run);
gboolean gantry_convergence_page_has_run(GantryConvergencePage *self, guint run);
void gantry_convergence_page_remove(GantryConvergencePage *self, guint run);
void gantry_convergence_page_clear(GantryConvergencePage *self); /* all runs */
gboolean gantry_convergence_page_has_points(GantryConvergencePage *self);
/* One row for each iteration of each run, with all that is known of it. */
char *gantry_convergence_page_to_csv(GantryConvergencePage *self);
GantryPlot *gantry_convergence_page_get_plot(GantryConvergencePage *self);

G_END_DECLS
