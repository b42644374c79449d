/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plot shows, as plain data, and the one routine that draws it: on the widget, into a PNG and into an SVG. */
#pragma once

#include "ui/plot.h"

typedef struct {
  char *title;
  double *x, *y;
  gsize count;
} GantryCurveData;

typedef struct {
  char *x_title, *x_unit, *y_title, *y_unit;
  GantryScale x_scale, y_scale;
  double extent[2];             /* of the abscissa at least; NAN: of the curves alone */
  gboolean legend, wrap_legend; /* wrap: on as many lines as it needs */
  GantryCurveData curves[GANTRY_CURVES];
  double mark; /* NAN: none */
  char *mark_label;
  char *empty_text;
  double cursor; /* abscissa under the pointer or chosen by the keyboard; NAN: none */
} GantryPlotData;

typedef struct {
  GdkRGBA foreground, dim, grid, background, mark;
  GdkRGBA curves[GANTRY_CURVE_COLOURS];
} GantryPlotTheme;

/* The frame inside the margins, in the units of the cairo context, and the axes that fill it. */
typedef struct {
  double left, top, width, height;
  GantryAxis x, y;
  gboolean empty;
} GantryPlotFrame;

const GantryPlotData *gantry_plot_get_data(GantryPlot *self);
void gantry_plot_theme(GantryPlotTheme *theme, gboolean dark);
void gantry_plot_layout(const GantryPlotData *data, PangoContext *context, double width, double height,
                        GantryPlotFrame *frame);
void gantry_plot_draw(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                      double width, double height);
/* Colour and dashes of a curve for what is stroked next. */
void gantry_plot_set_pen(const GantryPlotTheme *theme, guint curve, cairo_t *cr);
/* The curve's value at x by linear interpolation; NAN outside or in a gap. */
double gantry_curve_value(const GantryCurveData *curve, double x);
/* Quoted where CSV needs it. */
void gantry_csv_append_field(GString *csv, const char *text);
