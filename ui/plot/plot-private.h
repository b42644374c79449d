/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plot shows, as plain data, and the one routine that draws it: on the widget, into a PNG and into an SVG. */
#pragma once

#include "ui/plot/plot.h"

typedef struct {
  char *title;
  double *x, *y;
  gsize count;
  GantryCurveStyle style;
} GantryCurveData;

typedef struct {
  char *title, *unit; /* of the ordinate */
  GantryScale scale;
  gboolean symmetric; /* linear: about 0 */
  double shown[2];    /* range chosen by zooming; NAN: what the curves need where they are shown */
  GantryCurveData curves[GANTRY_CURVES];
} GantryPanelData;

/* Shares of the frame: 0 left and bottom, 1 right and top. */
typedef struct {
  double x[2], y[2];
} GantryPlotBox;

typedef struct {
  char *x_title, *x_unit;
  GantryScale x_scale;
  double extent[2];             /* of the abscissa at least; NAN: of the curves alone */
  double shown[2];              /* of the abscissa, chosen by zooming; NAN: all */
  gboolean legend, wrap_legend; /* wrap: on as many lines as it needs */
  GantryPanelData panels[GANTRY_PANELS];
  double mark; /* NAN: none */
  char *mark_label;
  char *empty_text;
  double cursor;         /* abscissa under the pointer or chosen by the keyboard; NAN: none */
  GantryPanel box_panel; /* of the box that is being drawn to be zoomed to */
  gboolean has_box;
  GantryPlotBox box;
} GantryPlotData;

typedef struct {
  GdkRGBA foreground, dim, grid, background, mark;
  GdkRGBA curves[GANTRY_CURVE_COLOURS];
  gboolean paper; /* every curve has dashes of its own, nothing is moved to whole pixels, ordinates are named upright */
} GantryPlotTheme;

typedef struct {
  double top, height;
  GantryAxis y;
  double whole[2]; /* of the ordinate, without zooming it */
} GantryPanelFrame;

/* The frame inside the margins, in the units of the cairo context, and the axes that fill it. */
typedef struct {
  double left, width;
  GantryAxis x;
  double whole[2]; /* of the abscissa, without zooming */
  int panels;      /* 1, or 2 with curves in the lower one */
  GantryPanelFrame panel[GANTRY_PANELS];
  gboolean title_below; /* of the abscissa: there is no room for it between the numbers */
  gboolean empty;
} GantryPlotFrame;

struct _GantryPlot {
  GtkWidget parent_instance;
  GantryPlotData data;
  GtkWidget *show_all, *menu;
  GMenuModel *commands;    /* of the page; NULL: none */
  double pointer[2];       /* where it was last */
  double begin[2];         /* of a drag, or where the last step of a pan was */
  GantryPanel begin_panel; /* that it began in */
  gboolean drags_mark;
};

const GantryPlotData *gantry_plot_get_data(GantryPlot *self);
void gantry_plot_theme(GantryPlotTheme *theme, gboolean dark);
/* Black on white, for paper. */
void gantry_plot_theme_of_paper(GantryPlotTheme *theme);
/* Colour and dashes of a curve for what is stroked next. */
void gantry_plot_set_pen(const GantryPlotTheme *theme, guint curve, cairo_t *cr);

/* layout.c. theme: NULL is that of the screen. */
void gantry_plot_layout(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, double width,
                        double height, GantryPlotFrame *frame);
double gantry_plot_place_x(const GantryPlotFrame *frame, double value);
double gantry_plot_place_y(const GantryPlotFrame *frame, int panel, double value);
/* Between the last two ticks of the abscissa, in the units of the cairo context. */
double gantry_plot_last_gap(const GantryPlotFrame *frame);
/* Whether the axes have a place for the point. */
gboolean gantry_plot_can_show(const GantryPlotData *data, int panel, double x, double y);
/* The curve's value at x by linear interpolation; NAN outside or in a gap. */
double gantry_curve_value(const GantryCurveData *curve, double x);

/* text.c */
#define GANTRY_PLOT_GAP 6.0
char *gantry_plot_with_unit(const char *title, const char *unit);
PangoLayout *gantry_plot_make_text(PangoContext *context, const char *text);
void gantry_plot_text_size(PangoContext *context, const char *text, double *width, double *height);
/* Draws with the point (x, y) at `align` of the text's width (0 left, 0.5 middle, 1 right) and its top; returns the
 * width. */
double gantry_plot_draw_text(cairo_t *cr, PangoContext *context, const char *text, const GdkRGBA *rgba, double x,
                             double y, double align);
/* Upwards, with its middle at (x, y). */
void gantry_plot_draw_upright(cairo_t *cr, PangoContext *context, const char *text, const GdkRGBA *rgba, double x,
                              double y);

/* legend.c: lines that the names of the curves take, and, drawn on a context, the names. */
int gantry_plot_wrap_legend(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context,
                            cairo_t *cr, double left, double width);
/* What the ordinate is, the curves by name, and with a cursor their values there. */
void gantry_plot_draw_header(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                             PangoContext *context, cairo_t *cr);

void gantry_plot_draw(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                      double width, double height);

/* zoom.c: `place` and `shift` in shares of the frame. The abscissa never shows more than all. */
gboolean gantry_plot_is_zoomed(const GantryPlotData *data);
void gantry_plot_zoom_x(GantryPlotData *data, const GantryPlotFrame *frame, double place, double factor);
void gantry_plot_zoom_y(GantryPlotData *data, const GantryPlotFrame *frame, GantryPanel panel, double place,
                        double factor);
void gantry_plot_zoom_to(GantryPlotData *data, const GantryPlotFrame *frame, GantryPanel panel,
                         const GantryPlotBox *box);
void gantry_plot_pan(GantryPlotData *data, const GantryPlotFrame *frame, GantryPanel panel, double shift_x,
                     double shift_y);
void gantry_plot_show_all(GantryPlotData *data);

/* pointer.c: what the pointer and the keyboard do, and the menu. */
void gantry_plot_add_controllers(GantryPlot *self);
void gantry_plot_install_actions(GtkWidgetClass *class);
/* plot.c: after the zoom or the box changed. */
void gantry_plot_shown_changed(GantryPlot *self);
void gantry_plot_find_frame(GantryPlot *self, GantryPlotFrame *frame);
void gantry_plot_set_cursor(GantryPlot *self, double x);
void gantry_plot_emit_clicked(GantryPlot *self, double x);

/* Quoted where CSV needs it. */
void gantry_csv_append_field(GString *csv, const char *text);
