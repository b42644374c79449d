/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands above a panel. Left: what the ordinate is. Right: the curves by name; with a cursor, their values there.
 */
#include "ui/plot/plot-private.h"

#include <math.h>

#define GAP GANTRY_PLOT_GAP
#define SAMPLE 12.0
#define PAPER_SAMPLE 22.0 /* long enough for its dashes */

static double sample_width(const GantryPlotTheme *theme) {
  return theme && theme->paper ? PAPER_SAMPLE : SAMPLE;
}

/* A short piece of a curve's line. */
static void stroke_sample(const GantryPlotTheme *theme, const GantryCurveData *curve, int number, double x, double y,
                          cairo_t *cr) {
  gantry_plot_set_pen(theme, (guint)number, cr);
  if (curve->style == GANTRY_CURVE_POINTS) {
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_arc(cr, x + sample_width(theme) / 2, y, 3, 0, 2 * G_PI);
    cairo_fill(cr);
    return;
  }
  cairo_set_line_width(cr, theme->paper ? 1.1 : 2.4);
  cairo_move_to(cr, x, floor(y) + 0.5);
  cairo_line_to(cr, x + sample_width(theme), floor(y) + 0.5);
  cairo_stroke(cr);
  cairo_set_dash(cr, NULL, 0, 0);
}

/* The curve in the upper panel, or the one of that number in the lower one. */
static const GantryCurveData *find_curve(const GantryPlotData *data, int number) {
  const GantryCurveData *upper = &data->panels[GANTRY_PANEL_UPPER].curves[number],
                        *lower = &data->panels[GANTRY_PANEL_LOWER].curves[number];
  return upper->count ? upper : lower->count ? lower : NULL;
}

int gantry_plot_wrap_legend(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context,
                            cairo_t *cr, double left, double width) {
  /* Without a context the theme is not known: the longer sample is counted where it may be the one. */
  const double sample = theme ? sample_width(theme) : PAPER_SAMPLE;
  double x = left, w, h;
  int line = 1;
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const GantryCurveData *curve = find_curve(data, c);
    if (!curve) continue;
    gantry_plot_text_size(context, curve->title, &w, &h);
    const double entry = PAPER_SAMPLE + GAP + w;
    if (x > left && x + entry > left + width) x = left, line++;
    const double top = theme && theme->paper ? GAP / 2 + (line - 1) * (h + GAP / 2) : GAP / 2 + line * (h + GAP / 2);
    if (cr) {
      gantry_plot_draw_text(cr, context, curve->title, &theme->foreground, x + sample + GAP, top, 0);
      stroke_sample(theme, curve, c, x, top + h / 2, cr);
    }
    x += entry + 2.5 * GAP;
  }
  return line;
}

static char *value_text(const GantryPlotData *data, const GantryPanelFrame *frame, const GantryCurveData *curve) {
  char value[64] = "—";
  const double y = gantry_curve_value(curve, data->cursor);
  if (isfinite(y)) gantry_axis_format_fine(&frame->y, y, value, sizeof value);
  return g_strdup(value);
}

/* From the right to the left as far as there is room; returns where it ended. */
static double draw_entries(const GantryPlotData *data, const GantryPlotFrame *frame, int panel,
                           const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr, double start, double top) {
  const gboolean reading = isfinite(data->cursor);
  double right = frame->left + frame->width, w, h;
  for (int c = GANTRY_CURVES - 1; c >= 0; c--) {
    const GantryCurveData *curve = &data->panels[panel].curves[c];
    if (!curve->count || (panel == GANTRY_PANEL_LOWER && !reading)) continue;
    g_autofree char *value = reading ? value_text(data, &frame->panel[panel], curve) : NULL;
    g_autofree char *label = reading ? g_strdup_printf("%s %s", curve->title, value) : g_strdup(curve->title);
    gantry_plot_text_size(context, label, &w, &h);
    if (right - w - 20 < start) break;
    gantry_plot_draw_text(cr, context, label, &theme->foreground, right, top, 1);
    right -= w + GAP;
    stroke_sample(theme, curve, c, right - SAMPLE, top + h / 2, cr);
    right -= SAMPLE + 2.5 * GAP;
  }
  return right;
}

static void draw_titles_upright(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                                PangoContext *context, cairo_t *cr) {
  double w, h;
  gantry_plot_text_size(context, "0", &w, &h);
  for (int p = 0; p < frame->panels; p++) {
    g_autofree char *title = gantry_plot_with_unit(data->panels[p].title, data->panels[p].unit);
    gantry_plot_draw_upright(cr, context, title, &theme->foreground, GAP / 2 + h / 2,
                             frame->panel[p].top + frame->panel[p].height / 2);
  }
}

static void draw_place(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                       PangoContext *context, cairo_t *cr, double start, double right) {
  char value[64];
  double w, h;
  gantry_axis_format_fine(&frame->x, data->cursor, value, sizeof value);
  g_autofree char *place = data->x_unit && *data->x_unit
                               ? g_strdup_printf("%s %s", value, data->x_unit)
                               : g_strdup_printf("%s %s", data->x_title ? data->x_title : "", value);
  gantry_plot_text_size(context, place, &w, &h);
  if (right - w > start) gantry_plot_draw_text(cr, context, place, &theme->foreground, right, GAP / 2, 1);
}

void gantry_plot_draw_header(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                             PangoContext *context, cairo_t *cr) {
  if (data->wrap_legend)
    gantry_plot_wrap_legend(data, theme, context, cr, 2 * GAP, frame->left + frame->width - 2 * GAP);
  if (theme->paper) {
    draw_titles_upright(data, frame, theme, context, cr);
    return;
  }
  for (int p = 0; p < frame->panels; p++) {
    double w, h, right = frame->left + frame->width;
    g_autofree char *title = gantry_plot_with_unit(data->panels[p].title, data->panels[p].unit);
    gantry_plot_text_size(context, title, &w, &h);
    const double top = p ? frame->panel[p].top - h - GAP / 3 : GAP / 2, start = frame->left + w + 2 * GAP;
    gantry_plot_draw_text(cr, context, title, &theme->dim, frame->left, top, 0);
    if (data->legend && !data->wrap_legend) right = draw_entries(data, frame, p, theme, context, cr, start, top);
    if (!p && isfinite(data->cursor)) draw_place(data, frame, theme, context, cr, start, right);
  }
}
