/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small chart with the theme's colours: lines over a common x, readable ticks, units on both axes, pointer readout, copy as CSV,
 * save as PNG or SVG. Drawn with cairo, so that the saved file is the same picture. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_PLOT (gantry_plot_get_type())
G_DECLARE_FINAL_TYPE(GantryPlot, gantry_plot, GANTRY, PLOT, GtkWidget)

/* Signal "clicked" (double x): the user clicked at that abscissa. */
GtkWidget *gantry_plot_new(void);
void gantry_plot_set_axes(GantryPlot *self, const char *x_title, const char *x_unit, const char *y_title, const char *y_unit);
/* Up to four curves; y[count] copied, NAN leaves a gap; count 0 removes. The role picks the theme colour. */
typedef enum { GANTRY_CURVE_A, GANTRY_CURVE_B, GANTRY_CURVE_DIFFERENCE, GANTRY_CURVE_OTHER, GANTRY_CURVES } GantryCurve;
void gantry_plot_set_curve(GantryPlot *self, GantryCurve curve, const char *title, const double *x, const double *y, gsize count);
/* A vertical mark with a label; NAN removes. */
void gantry_plot_set_mark(GantryPlot *self, double x, const char *label);
void gantry_plot_set_empty_text(GantryPlot *self, const char *text);
char *gantry_plot_to_csv(GantryPlot *self);
gboolean gantry_plot_save(GantryPlot *self, const char *path, GError **error); /* .png or .svg */

G_END_DECLS
