/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small chart with the theme's colours: curves over a common x in one panel or two, readable ticks, units on all
 * axes, pointer readout, zoom and pan, copy as CSV, saved as on screen or for paper. Drawn with cairo, so that the
 * saved file is the same picture. Wheel: zoom x at the pointer, with Ctrl or Shift y; left drag: zoom to a box (flat
 * ones x alone, narrow ones y alone); middle drag: pan; double-click: all. Keys: Left and Right move the place that is
 * read (Shift: faster), Return clicks there, + and - zoom x, with Ctrl y, Ctrl+arrows pan, Home or 0 shows all, Menu or
 * Shift+F10 the menu. In something that scrolls the wheel zooms while the plot has the keyboard. */
#pragma once

#include <gtk/gtk.h>

#include "recon/base/error.h"
#include "ui/plot/axis.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PLOT (gantry_plot_get_type())
G_DECLARE_FINAL_TYPE(GantryPlot, gantry_plot, GANTRY, PLOT, GtkWidget)

/* Two panels, one above the other, share the abscissa; the lower one is there while it has curves, with a third of the
 * height and a scale of its own. */
typedef enum { GANTRY_PANEL_UPPER, GANTRY_PANEL_LOWER, GANTRY_PANELS } GantryPanel;

typedef enum {
  GANTRY_CURVE_LINE,
  GANTRY_CURVE_BARS,   /* from the bottom up to each value, as wide as the points are apart */
  GANTRY_CURVE_POINTS, /* not joined */
} GantryCurveStyle;

/* Signals: "clicked" (double x): the user clicked at that abscissa. "cursor-moved" (double x): values are read there,
 * by the pointer or the keyboard; NAN: no longer. "mark-dragged" (double x): where it is listened to, the user can drag
 * the mark. Actions of the widget: plot.zoom-in, plot.zoom-out, plot.show-all. */
GtkWidget *gantry_plot_new(void);
/* y: of the upper panel. */
void gantry_plot_set_axes(GantryPlot *self, const char *x_title, const char *x_unit, const char *y_title,
                          const char *y_unit);
void gantry_plot_set_scales(GantryPlot *self, GantryScale x, GantryScale y); /* linear until told otherwise */
/* The lower panel's ordinate; symmetric: as far below 0 as above. */
void gantry_plot_set_lower(GantryPlot *self, const char *title, const char *unit, GantryScale scale,
                           gboolean symmetric);
/* The abscissa shows at least low .. high, so that a curve that grows leaves its axis alone; NAN: what the curves need.
 */
void gantry_plot_set_extent(GantryPlot *self, double low, double high);
/* Whether the curves' names stand above the plot (they do until told otherwise), where nothing else names them. */
void gantry_plot_set_legend(GantryPlot *self, gboolean legend);
/* What the plot's menu offers besides zooming; NULL: nothing. */
void gantry_plot_set_commands(GantryPlot *self, GMenuModel *commands);

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
/* The same in a panel. */
void gantry_plot_set_panel_curve(GantryPlot *self, GantryPanel panel, guint curve, const char *title, const double *x,
                                 const double *y, gsize count);
/* Of a curve that is there. */
void gantry_plot_set_style(GantryPlot *self, guint curve, GantryCurveStyle style);
void gantry_plot_clear(GantryPlot *self); /* every curve */
gboolean gantry_plot_has_curves(GantryPlot *self);
/* A short piece of the curve's line, for a legend elsewhere. */
GtkWidget *gantry_plot_swatch_new(guint curve);
/* A vertical mark with a label; NAN removes. */
void gantry_plot_set_mark(GantryPlot *self, double x, const char *label);
void gantry_plot_set_empty_text(GantryPlot *self, const char *text);
char *gantry_plot_to_csv(GantryPlot *self);

/* A figure of that size, mm, black on white with letters of 8 points, curves told apart by dashes as well as colours.
 */
typedef struct {
  double width, height;
} GantryPaper;
/* .png (on paper 300 dots to the inch), .svg or .pdf, with what is zoomed to; paper NULL: as large as on screen, in
 * light colours. CT_ERROR_ARGUMENT: another suffix. */
gboolean gantry_plot_save(GantryPlot *self, const char *path, const GantryPaper *paper, ct_error **error);

G_END_DECLS
