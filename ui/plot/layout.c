/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the frames of a plot lie and what their axes show. */
#include "ui/plot/plot-private.h"

#include <math.h>

#define GAP GANTRY_PLOT_GAP
/* Of the height that two panels have. */
#define LOWER_SHARE 0.36

gboolean gantry_plot_can_show(const GantryPlotData *data, int panel, double x, double y) {
  return isfinite(x) && isfinite(y) && (data->x_scale != GANTRY_SCALE_LOG || x > 0) &&
         (data->panels[panel].scale != GANTRY_SCALE_LOG || y > 0);
}

double gantry_plot_place_x(const GantryPlotFrame *frame, double value) {
  return frame->left + frame->width * gantry_axis_place(&frame->x, value);
}

double gantry_plot_place_y(const GantryPlotFrame *frame, int panel, double value) {
  const GantryPanelFrame *each = &frame->panel[panel];
  return each->top + each->height * (1 - gantry_axis_place(&each->y, value));
}

double gantry_plot_last_gap(const GantryPlotFrame *frame) {
  const int last = frame->x.count - 1;
  return frame->width * (gantry_axis_place(&frame->x, gantry_axis_tick(&frame->x, last)) -
                         gantry_axis_place(&frame->x, gantry_axis_tick(&frame->x, last - 1)));
}

double gantry_curve_value(const GantryCurveData *curve, double x) {
  if (curve->count == 1 && curve->x[0] == x) return curve->y[0];
  for (gsize i = 0; i + 1 < curve->count; i++) {
    const double x0 = curve->x[i], x1 = curve->x[i + 1];
    if (!((x0 <= x && x <= x1) || (x1 <= x && x <= x0))) continue;
    return x1 == x0 ? curve->y[i] : curve->y[i] + (curve->y[i + 1] - curve->y[i]) * (x - x0) / (x1 - x0);
  }
  return NAN;
}

/* Half the distance of its points beyond the first and the last, which bars take. */
static double overhang(const GantryCurveData *curve) {
  if (curve->style != GANTRY_CURVE_BARS || curve->count < 2) return 0;
  return fabs(curve->x[1] - curve->x[0]) / 2;
}

static gboolean find_abscissa(const GantryPlotData *data, double x[2]) {
  x[0] = INFINITY, x[1] = -INFINITY;
  for (int p = 0; p < GANTRY_PANELS; p++) {
    for (int c = 0; c < GANTRY_CURVES; c++) {
      const GantryCurveData *curve = &data->panels[p].curves[c];
      const double beyond = data->x_scale == GANTRY_SCALE_LOG ? 0 : overhang(curve);
      for (gsize i = 0; i < curve->count; i++) {
        if (!gantry_plot_can_show(data, p, curve->x[i], curve->y[i])) continue;
        x[0] = fmin(x[0], curve->x[i] - beyond), x[1] = fmax(x[1], curve->x[i] + beyond);
      }
    }
  }
  if (!(x[0] <= x[1])) return FALSE;
  if (isfinite(data->extent[0]) && isfinite(data->extent[1]))
    x[0] = fmin(x[0], data->extent[0]), x[1] = fmax(x[1], data->extent[1]);
  return TRUE;
}

/* Of the curves where they are shown, and where they enter and leave that range. */
static gboolean find_ordinate(const GantryPlotData *data, int panel, const double x[2], double y[2]) {
  y[0] = INFINITY, y[1] = -INFINITY;
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const GantryCurveData *curve = &data->panels[panel].curves[c];
    for (gsize i = 0; i < curve->count; i++) {
      if (curve->x[i] < x[0] || curve->x[i] > x[1]) continue;
      if (!gantry_plot_can_show(data, panel, curve->x[i], curve->y[i])) continue;
      y[0] = fmin(y[0], curve->y[i]), y[1] = fmax(y[1], curve->y[i]);
    }
    for (int end = 0; end < 2 && curve->style == GANTRY_CURVE_LINE; end++) {
      const double value = gantry_curve_value(curve, x[end]);
      if (gantry_plot_can_show(data, panel, x[end], value)) y[0] = fmin(y[0], value), y[1] = fmax(y[1], value);
    }
  }
  return y[0] <= y[1];
}

static gboolean has_bars(const GantryPanelData *panel) {
  for (int c = 0; c < GANTRY_CURVES; c++)
    if (panel->curves[c].count && panel->curves[c].style == GANTRY_CURVE_BARS) return TRUE;
  return FALSE;
}

/* A little air for the line's width, not a whole step. */
static void add_air(const GantryPanelData *panel, double y[2]) {
  if (panel->scale == GANTRY_SCALE_LOG) {
    if (has_bars(panel)) y[0] /= 2;
    const double air = pow(y[1] / y[0], 0.03);
    y[0] /= air, y[1] *= air;
    return;
  }
  if (panel->symmetric) {
    const double most = fmax(fabs(y[0]), fabs(y[1]));
    y[0] = -most, y[1] = most;
  }
  if (has_bars(panel)) y[0] = fmin(y[0], 0);
  const double air = 0.03 * (y[1] - y[0]);
  if (y[0] != 0) y[0] -= air;
  if (y[1] != 0) y[1] += air;
}

static void fit_ordinate(const GantryPlotData *data, int panel, const double x[2], double line,
                         GantryPanelFrame *frame) {
  const GantryPanelData *each = &data->panels[panel];
  double *whole = frame->whole;
  if (find_ordinate(data, panel, x, whole))
    add_air(each, whole);
  else
    whole[0] = each->scale == GANTRY_SCALE_LOG ? 0.1 : 0, whole[1] = 1;
  const double *y = each->shown[0] < each->shown[1] ? each->shown : whole;
  gantry_axis_fit_scale(&frame->y, each->scale, y[0], y[1], CLAMP((int)(frame->height / (2.2 * line)) + 1, 2, 9));
}

/* With as many ticks as leave room for the title between the last two numbers; FALSE: two leave none. */
static gboolean fit_abscissa(const GantryPlotData *data, PangoContext *context, GantryPlotFrame *frame,
                             const double x[2], int most) {
  double title, number, unused;
  char text[64];
  g_autofree char *full_title = gantry_plot_with_unit(data->x_title, data->x_unit);
  gantry_plot_text_size(context, full_title, &title, &unused);
  if (frame->title_below) title = 0;
  for (; most >= 2; most--) {
    gantry_axis_fit_scale(&frame->x, data->x_scale, x[0], x[1], most);
    gantry_axis_format(&frame->x, gantry_axis_tick(&frame->x, frame->x.count - 1), text, sizeof text);
    gantry_plot_text_size(context, text, &number, &unused);
    if (gantry_plot_last_gap(frame) >= title + number + 2 * GAP) return TRUE;
  }
  return FALSE;
}

static gboolean has_lower(const GantryPlotData *data) {
  for (int c = 0; c < GANTRY_CURVES; c++)
    if (data->panels[GANTRY_PANEL_LOWER].curves[c].count) return TRUE;
  return FALSE;
}

/* The legend above, the lower panel's title between, the numbers of the abscissa below. */
static void divide_height(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context,
                          const double size[2], double line, GantryPlotFrame *frame) {
  const gboolean paper = theme && theme->paper;
  double top = paper ? GAP : line + 2 * GAP;
  if (data->wrap_legend)
    top += gantry_plot_wrap_legend(data, NULL, context, NULL, 2 * GAP, size[0] - 4 * GAP) * (line + GAP / 2);
  const double bottom = size[1] - (frame->title_below ? 2 : 1) * line - 2 * GAP;
  frame->panels = has_lower(data) ? 2 : 1;
  frame->panel[0].top = top;
  frame->panel[0].height = fmax(bottom - top, 8);
  if (frame->panels == 1) return;
  const double between = paper ? 2 * GAP : line + GAP, room = fmax(bottom - top - between, 16);
  frame->panel[1].height = round(LOWER_SHARE * room);
  frame->panel[0].height = room - frame->panel[1].height;
  frame->panel[1].top = top + frame->panel[0].height + between;
}

/* FALSE: the title of the abscissa has no room. */
static gboolean lay_out(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context,
                        const double size[2], GantryPlotFrame *frame) {
  double x[2], line, w, h, label = 0;
  char text[64];
  gantry_plot_text_size(context, "0", &w, &line);
  frame->empty = !find_abscissa(data, x);
  frame->whole[0] = x[0], frame->whole[1] = x[1];
  /* A zoom that other curves have left behind counts no more. */
  if (data->shown[0] < data->shown[1] && data->shown[0] < x[1] && data->shown[1] > x[0])
    x[0] = data->shown[0], x[1] = data->shown[1];
  divide_height(data, theme, context, size, line, frame);
  for (int p = 0; p < frame->panels; p++) {
    GantryPanelFrame *panel = &frame->panel[p];
    fit_ordinate(data, p, x, line, panel);
    for (int i = 0; i < panel->y.count; i++) {
      gantry_axis_format(&panel->y, gantry_axis_tick(&panel->y, i), text, sizeof text);
      gantry_plot_text_size(context, text, &w, &h);
      label = fmax(label, w);
    }
  }
  frame->left = ceil(label) + 2 * GAP + (theme && theme->paper ? line + GAP / 2 : 0);
  frame->width = fmax(size[0] - frame->left - 2 * GAP, 8);
  const gboolean fits = fit_abscissa(data, context, frame, x, CLAMP((int)(frame->width / (3.4 * line)), 2, 14));
  /* A tick at the very end keeps its whole number. */
  const double last = gantry_axis_tick(&frame->x, frame->x.count - 1);
  gantry_plot_text_size(context, gantry_axis_format(&frame->x, last, text, sizeof text), &w, &h);
  const double beyond = gantry_plot_place_x(frame, last) + w / 2 - (size[0] - 2);
  if (beyond > 0) frame->width = fmax(frame->width - ceil(beyond), 8);
  return fits;
}

void gantry_plot_layout(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, double width,
                        double height, GantryPlotFrame *frame) {
  const double size[2] = {width, height};
  *frame = (GantryPlotFrame){0};
  if (lay_out(data, theme, context, size, frame) || frame->empty) return;
  *frame = (GantryPlotFrame){.title_below = TRUE};
  lay_out(data, theme, context, size, frame);
}
