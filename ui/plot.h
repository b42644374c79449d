/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small chart with the theme's colours: lines over a common x, readable ticks, units on both axes, pointer readout,
 * copy as CSV, save as PNG or SVG. Drawn with cairo, so that the saved file is the same picture. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/error.h"
#include "ui/plot-axis.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PLOT (gantry_plot_get_type())
G_DECLARE_FINAL_TYPE(GantryPlot, gantry_plot, GANTRY, PLOT, GtkWidget)

/* Signals: "clicked" (double x): the user clicked at that abscissa. "cursor-moved" (double x): values are read there,
 * by the pointer or the keyboard; NAN: no longer. */
GtkWidget *gantry_plot_new(void);
void gantry_plot_set_axes(GantryPlot *self, const char *x_title, const char *x_unit, const char *y_title,
                          const char *y_unit);
void gantry_plot_set_scales(GantryPlot *self, GantryScale x, GantryScale y); /* linear until told otherwise */
/* The abscissa shows at least low .. high, so that a curve that grows leaves its axis alone; NAN: what the curves need.
 */
void gantry_plot_set_extent(GantryPlot *self, double low, double high);
/* Whether the curves' names stand above the plot (they do until told otherwise), where nothing else names them. */
void gantry_plot_set_legend(GantryPlot *self, gboolean legend);

/* Curves by number: each has its place among the theme's colours, the second half of them drawn dashed. The first are
 * those of A, of B and of their difference. y[count] is copied, NAN leaves a gap, count 0 removes. */
enum {
  GANTRY_CURVE_A,
  GANTRY_CURVE_B,
  GANTRY_CURVE_DIFFERENCE,
  GANTRY_CURVE_OTHER,
  GANTRY_CURVE_COLOURS = 8,
  GANTRY_CURVES = 16,
};
void gantry_plot_set_curve(GantryPlot *self, guint curve, const char *title, const double *x, const double *y,
                           gsize count);
void gantry_plot_clear(GantryPlot *self); /* every curve */
/* A short piece of the curve's line, for a legend elsewhere. */
GtkWidget *gantry_plot_swatch_new(guint curve);
/* A vertical mark with a label; NAN removes. */
void gantry_plot_set_mark(GantryPlot *self, double x, const char *label);
void gantry_plot_set_empty_text(GantryPlot *self, const char *text);
char *gantry_plot_to_csv(GantryPlot *self);
gboolean gantry_plot_save(GantryPlot *self, const char *path, ct_error **error); /* .png or .svg */

G_END_DECLS
