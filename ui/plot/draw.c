/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a plot with cairo: frames, ticks, curves, mark, cursor, and the box that is being zoomed to. */
#include "ui/plot/plot-private.h"

#include <math.h>

#define GAP GANTRY_PLOT_GAP

/* Lines of a pixel's width stand on pixels, those of a figure where they belong. */
static double snap(const GantryPlotTheme *theme, double place) {
  return theme->paper ? place : floor(place) + 0.5;
}

static void label_tick(const GantryPlotFrame *frame, int panel, int tick, const GantryPlotTheme *theme,
                       PangoContext *context, cairo_t *cr) {
  const double value = gantry_axis_tick(&frame->panel[panel].y, tick);
  char text[64];
  double w, h;
  gantry_axis_format(&frame->panel[panel].y, value, text, sizeof text);
  gantry_plot_text_size(context, text, &w, &h);
  gantry_plot_draw_text(cr, context, text, &theme->dim, frame->left - GAP,
                        snap(theme, gantry_plot_place_y(frame, panel, value)) - h / 2, 1);
}

/* Labels upwards (step 1) or downwards (-1) from a tick that has one, as far as none touches the one before. */
static void label_from(const GantryPlotFrame *frame, int panel, int from, int step, const GantryPlotTheme *theme,
                       PangoContext *context, cairo_t *cr) {
  const GantryAxis *axis = &frame->panel[panel].y;
  double before = gantry_plot_place_y(frame, panel, gantry_axis_tick(axis, from)), w, h;
  gantry_plot_text_size(context, "0", &w, &h);
  for (int i = from + step; i >= 0 && i < axis->count; i += step) {
    const double y = gantry_plot_place_y(frame, panel, gantry_axis_tick(axis, i));
    if (fabs(y - before) < h) continue;
    label_tick(frame, panel, i, theme, context, cr);
    before = y;
  }
}

/* In a low panel not all ticks have room for their labels: zero has its own, else the first. */
static void draw_ordinate(const GantryPlotFrame *frame, int panel, const GantryPlotTheme *theme, PangoContext *context,
                          cairo_t *cr) {
  const GantryAxis *axis = &frame->panel[panel].y;
  int anchor = 0;
  for (int i = 0; i < axis->count; i++) {
    const double value = gantry_axis_tick(axis, i), y = snap(theme, gantry_plot_place_y(frame, panel, value));
    if (value == 0) anchor = i;
    gdk_cairo_set_source_rgba(cr, value == 0 ? &theme->dim : &theme->grid);
    cairo_set_line_width(cr, value == 0 ? 0.6 : 1);
    cairo_move_to(cr, frame->left, y);
    cairo_line_to(cr, frame->left + frame->width, y);
    cairo_stroke(cr);
  }
  if (!axis->count) return;
  label_tick(frame, panel, anchor, theme, context, cr);
  label_from(frame, panel, anchor, 1, theme, context, cr);
  label_from(frame, panel, anchor, -1, theme, context, cr);
}

static void draw_abscissa(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                          PangoContext *context, cairo_t *cr) {
  const GantryPanelFrame *lowest = &frame->panel[frame->panels - 1];
  const double bottom = lowest->top + lowest->height;
  char text[64];
  double w, h;
  g_autofree char *title = gantry_plot_with_unit(data->x_title, data->x_unit);
  const double last = gantry_axis_tick(&frame->x, frame->x.count - 1);
  gantry_plot_text_size(context, title, &w, &h);
  if (frame->title_below)
    gantry_plot_draw_text(cr, context, title, &theme->dim, frame->left + frame->width / 2, bottom + GAP + h, 0.5);
  else
    gantry_plot_draw_text(cr, context, title, &theme->dim,
                          gantry_plot_place_x(frame, last) - gantry_plot_last_gap(frame) / 2, bottom + GAP, 0.5);
  cairo_set_line_width(cr, 1);
  for (int i = 0; i < frame->x.count; i++) {
    const double value = gantry_axis_tick(&frame->x, i), x = snap(theme, gantry_plot_place_x(frame, value));
    gdk_cairo_set_source_rgba(cr, &theme->grid);
    for (int p = 0; p < frame->panels; p++) {
      cairo_move_to(cr, x, frame->panel[p].top);
      cairo_line_to(cr, x, frame->panel[p].top + frame->panel[p].height);
      cairo_stroke(cr);
    }
    gantry_axis_format(&frame->x, value, text, sizeof text);
    gantry_plot_draw_text(cr, context, text, &theme->dim, x, bottom + GAP, 0.5);
  }
}

/* A figure's frames are closed; on screen there are the lines of the grid alone, and one above the lower panel. */
static void draw_borders(const GantryPlotFrame *frame, const GantryPlotTheme *theme, cairo_t *cr) {
  for (int p = 0; p < frame->panels && theme->paper; p++) {
    gdk_cairo_set_source_rgba(cr, &theme->foreground);
    cairo_set_line_width(cr, 0.6);
    cairo_rectangle(cr, frame->left, frame->panel[p].top, frame->width, frame->panel[p].height);
    cairo_stroke(cr);
  }
}

static void add_line(const GantryPlotData *data, const GantryPlotFrame *frame, int panel, const GantryCurveData *curve,
                     cairo_t *cr) {
  gboolean pen_down = FALSE;
  for (gsize i = 0; i < curve->count; i++) {
    if (!gantry_plot_can_show(data, panel, curve->x[i], curve->y[i])) {
      pen_down = FALSE;
      continue;
    }
    const double x = gantry_plot_place_x(frame, curve->x[i]), y = gantry_plot_place_y(frame, panel, curve->y[i]);
    if (pen_down)
      cairo_line_to(cr, x, y);
    else
      cairo_move_to(cr, x, y);
    pen_down = TRUE;
  }
}

static void draw_points(const GantryPlotData *data, const GantryPlotFrame *frame, int panel,
                        const GantryCurveData *curve, double radius, cairo_t *cr) {
  for (gsize i = 0; i < curve->count; i++) {
    if (!gantry_plot_can_show(data, panel, curve->x[i], curve->y[i])) continue;
    cairo_arc(cr, gantry_plot_place_x(frame, curve->x[i]), gantry_plot_place_y(frame, panel, curve->y[i]), radius, 0,
              2 * G_PI);
    cairo_fill(cr);
  }
}

static void draw_bars(const GantryPlotData *data, const GantryPlotFrame *frame, int panel, const GantryCurveData *curve,
                      cairo_t *cr) {
  const GantryPanelFrame *each = &frame->panel[panel];
  const double zero = gantry_axis_place(&each->y, 0), bottom = each->top + each->height;
  const double base = isfinite(zero) ? CLAMP(gantry_plot_place_y(frame, panel, 0), each->top, bottom) : bottom;
  for (gsize i = 0; i < curve->count; i++) {
    if (!gantry_plot_can_show(data, panel, curve->x[i], curve->y[i])) continue;
    const gsize next = i + 1 < curve->count ? i + 1 : i;
    const double half = next ? fabs(curve->x[next] - curve->x[next - 1]) / 2 : 0.5;
    const double left = gantry_plot_place_x(frame, curve->x[i] - half),
                 right = gantry_plot_place_x(frame, curve->x[i] + half),
                 top = gantry_plot_place_y(frame, panel, curve->y[i]);
    cairo_rectangle(cr, left, fmin(top, base), fmax(right - left, 0.7) + 0.15, fabs(base - top));
  }
  cairo_fill(cr);
}

static void draw_curve(const GantryPlotData *data, const GantryPlotFrame *frame, int panel,
                       const GantryCurveData *curve, const GantryPlotTheme *theme, cairo_t *cr) {
  if (!curve->count) return;
  if (curve->style == GANTRY_CURVE_BARS) {
    draw_bars(data, frame, panel, curve, cr);
  } else if (curve->style == GANTRY_CURVE_POINTS) {
    draw_points(data, frame, panel, curve, 3, cr);
  } else {
    cairo_set_line_width(cr, theme->paper ? 0.9 : 1.6);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    add_line(data, frame, panel, curve, cr);
    cairo_stroke(cr);
    const double span =
        fabs(gantry_plot_place_x(frame, curve->x[curve->count - 1]) - gantry_plot_place_x(frame, curve->x[0]));
    if (span >= 9 * (double)(curve->count - 1)) draw_points(data, frame, panel, curve, theme->paper ? 1.4 : 2.2, cr);
  }
}

/* What the text covers of the curves. */
static void draw_plate(const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr, const char *text, double x,
                       double y, double align) {
  g_autoptr(PangoLayout) layout = gantry_plot_make_text(context, text);
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout, NULL, &box);
  gdk_cairo_set_source_rgba(cr, &theme->background);
  cairo_rectangle(cr, floor(x - align * box.width) - 2, floor(y), box.width + 4, box.height);
  cairo_fill(cr);
}

/* Whether a curve passes a box, by the boxes of its pieces. */
static gboolean meets_curve(const GantryPlotData *data, const GantryPlotFrame *frame, int panel, const double box[4]) {
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const GantryCurveData *curve = &data->panels[panel].curves[c];
    for (gsize i = 0; i < curve->count; i++) {
      const gsize k = i + 1 < curve->count ? i + 1 : i;
      if (!gantry_plot_can_show(data, panel, curve->x[i], curve->y[i]) ||
          !gantry_plot_can_show(data, panel, curve->x[k], curve->y[k]))
        continue;
      const double x[2] = {gantry_plot_place_x(frame, curve->x[i]), gantry_plot_place_x(frame, curve->x[k])},
                   y[2] = {gantry_plot_place_y(frame, panel, curve->y[i]),
                           gantry_plot_place_y(frame, panel, curve->y[k])};
      if (fmax(x[0], x[1]) >= box[0] && fmin(x[0], x[1]) <= box[2] && fmax(y[0], y[1]) >= box[1] &&
          fmin(y[0], y[1]) <= box[3])
        return TRUE;
    }
  }
  return FALSE;
}

/* At the top beside the mark, or at the foot where it would lie on a curve there and not here. */
static void label_mark(const GantryPlotData *data, const GantryPlotFrame *frame, double x, const GantryPlotTheme *theme,
                       PangoContext *context, cairo_t *cr) {
  const GantryPanelFrame *each = &frame->panel[0];
  const double align = gantry_axis_place(&frame->x, data->mark) < 0.5 ? 0 : 1, at = align > 0 ? x - 4 : x + 4;
  double w, h;
  gantry_plot_text_size(context, data->mark_label, &w, &h);
  const double left = at - align * w, top = each->top + 2, foot = each->top + each->height - h - 2;
  const gboolean down = meets_curve(data, frame, 0, (const double[]){left, top, left + w, top + h}) &&
                        !meets_curve(data, frame, 0, (const double[]){left, foot, left + w, foot + h});
  draw_plate(theme, context, cr, data->mark_label, at, down ? foot : top, align);
  gantry_plot_draw_text(cr, context, data->mark_label, &theme->mark, at, down ? foot : top, align);
}

static void draw_mark(const GantryPlotData *data, const GantryPlotFrame *frame, int panel, const GantryPlotTheme *theme,
                      PangoContext *context, cairo_t *cr) {
  const GantryPanelFrame *each = &frame->panel[panel];
  const double place = gantry_axis_place(&frame->x, data->mark);
  if (!isfinite(data->mark) || place < 0 || place > 1) return;
  const double x = snap(theme, gantry_plot_place_x(frame, data->mark));
  const double dashes[] = {4, 3};
  gdk_cairo_set_source_rgba(cr, &theme->mark);
  cairo_set_line_width(cr, 1.4);
  cairo_set_dash(cr, dashes, 2, 0);
  cairo_move_to(cr, x, each->top);
  cairo_line_to(cr, x, each->top + each->height);
  cairo_stroke(cr);
  cairo_set_dash(cr, NULL, 0, 0);
  if (data->mark_label && !panel) label_mark(data, frame, x, theme, context, cr);
}

static void draw_cursor(const GantryPlotData *data, const GantryPlotFrame *frame, int panel,
                        const GantryPlotTheme *theme, cairo_t *cr) {
  const GantryPanelFrame *each = &frame->panel[panel];
  const double x = snap(theme, gantry_plot_place_x(frame, data->cursor));
  gdk_cairo_set_source_rgba(cr, &theme->dim);
  cairo_set_line_width(cr, 1);
  cairo_move_to(cr, x, each->top);
  cairo_line_to(cr, x, each->top + each->height);
  cairo_stroke(cr);
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const double value = gantry_curve_value(&data->panels[panel].curves[c], data->cursor);
    if (!gantry_plot_can_show(data, panel, data->cursor, value)) continue;
    gantry_plot_set_pen(theme, (guint)c, cr);
    cairo_arc(cr, x, gantry_plot_place_y(frame, panel, value), 3.4, 0, 2 * G_PI);
    cairo_fill(cr);
  }
}

static void draw_box(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                     cairo_t *cr) {
  const GantryPanelFrame *panel = &frame->panel[data->box_panel];
  const GantryPlotBox *box = &data->box;
  cairo_rectangle(cr, frame->left + box->x[0] * frame->width, panel->top + (1 - box->y[0]) * panel->height,
                  (box->x[1] - box->x[0]) * frame->width, (box->y[0] - box->y[1]) * panel->height);
  gdk_cairo_set_source_rgba(cr, &theme->grid);
  cairo_fill_preserve(cr);
  gdk_cairo_set_source_rgba(cr, &theme->dim);
  cairo_set_line_width(cr, 1);
  cairo_stroke(cr);
}

/* Below lies what is drawn first. On screen the first curve is on top of those without dashes, and dashed
 * ones lie on it: it shows between the dashes. In print the dashes of the others lie on it. */
static void draw_panel(const GantryPlotData *data, const GantryPlotFrame *frame, int panel,
                       const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr) {
  const GantryPanelFrame *each = &frame->panel[panel];
  cairo_save(cr);
  cairo_rectangle(cr, frame->left - 2, each->top - 2, frame->width + 4, each->height + 4);
  cairo_clip(cr);
  for (int i = 0; i < GANTRY_CURVES; i++) {
    const int c = theme->paper ? i : (GANTRY_CURVES - 1 - i + GANTRY_CURVE_COLOURS) % GANTRY_CURVES;
    gantry_plot_set_pen(theme, (guint)c, cr);
    draw_curve(data, frame, panel, &data->panels[panel].curves[c], theme, cr);
  }
  cairo_set_dash(cr, NULL, 0, 0);
  draw_mark(data, frame, panel, theme, context, cr);
  if (isfinite(data->cursor)) draw_cursor(data, frame, panel, theme, cr);
  cairo_restore(cr);
}

static void draw_empty(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                       double width, double height) {
  if (!data->empty_text) return;
  g_autoptr(PangoLayout) layout = gantry_plot_make_text(context, data->empty_text);
  PangoRectangle box;
  pango_layout_set_width(layout, (int)(fmin(width - 4 * GAP, 420) * PANGO_SCALE));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_extents(layout, NULL, &box);
  gdk_cairo_set_source_rgba(cr, &theme->dim);
  cairo_move_to(cr, floor((width - box.width) / 2 - box.x), floor((height - box.height) / 2));
  pango_cairo_show_layout(cr, layout);
}

void gantry_plot_draw(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                      double width, double height) {
  GantryPlotFrame frame;
  gantry_plot_layout(data, theme, context, width, height, &frame);
  if (frame.empty) {
    draw_empty(data, theme, context, cr, width, height);
    return;
  }
  draw_abscissa(data, &frame, theme, context, cr);
  for (int p = 0; p < frame.panels; p++) {
    draw_ordinate(&frame, p, theme, context, cr);
    draw_panel(data, &frame, p, theme, context, cr);
  }
  draw_borders(&frame, theme, cr);
  if (data->has_box && (int)data->box_panel < frame.panels) draw_box(data, &frame, theme, cr);
  gantry_plot_draw_header(data, &frame, theme, context, cr);
}
