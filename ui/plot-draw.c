/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a plot with cairo: frame, ticks, curves, mark, and above the frame the legend, which turns into the readout of
 * the values at the cursor. */
#include "ui/plot-private.h"

#include <math.h>

#define GAP 6.0

static GdkRGBA colour(const char *text) {
  GdkRGBA rgba;
  gdk_rgba_parse(&rgba, text);
  return rgba;
}

void gantry_plot_theme(GantryPlotTheme *theme, gboolean dark) {
  *theme = (GantryPlotTheme){
      .foreground = colour(dark ? "rgba(255,255,255,0.92)" : "rgba(0,0,0,0.85)"),
      .dim = colour(dark ? "rgba(255,255,255,0.62)" : "rgba(0,0,0,0.60)"),
      .grid = colour(dark ? "rgba(255,255,255,0.09)" : "rgba(0,0,0,0.08)"),
      .background = colour(dark ? "#1e1e1e" : "#ffffff"),
      .mark = colour(dark ? "#f8e45c" : "#a87900"),
      .curves =
          {
              [GANTRY_CURVE_A] = colour(dark ? "#78aeed" : "#1c71d8"),
              [GANTRY_CURVE_B] = colour(dark ? "#ffa348" : "#c64600"),
              [GANTRY_CURVE_DIFFERENCE] = colour(dark ? "#dc8add" : "#813d9c"),
              [GANTRY_CURVE_OTHER] = colour(dark ? "#8ff0a4" : "#1b8553"),
              colour(dark ? "#f66151" : "#b81d29"),
              colour(dark ? "#6fd8dd" : "#0a7c88"),
              colour(dark ? "#f5c211" : "#8f6a00"),
              colour(dark ? "#c0bfbc" : "#5e5c64"),
          },
  };
}

void gantry_plot_set_pen(const GantryPlotTheme *theme, guint curve, cairo_t *cr) {
  const double dashes[] = {6, 3};
  gdk_cairo_set_source_rgba(cr, &theme->curves[curve % GANTRY_CURVE_COLOURS]);
  cairo_set_dash(cr, dashes, curve < GANTRY_CURVE_COLOURS ? 0 : 2, 0);
}

static PangoLayout *make_text(PangoContext *context, const char *text) {
  PangoLayout *layout = pango_layout_new(context);
  PangoFontDescription *font = pango_font_description_copy(pango_context_get_font_description(context));
  const double size = pango_font_description_get_size(font) * 0.86;
  if (pango_font_description_get_size_is_absolute(font))
    pango_font_description_set_absolute_size(font, size);
  else
    pango_font_description_set_size(font, (int)size);
  PangoAttrList *attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
  pango_layout_set_font_description(layout, font);
  pango_layout_set_attributes(layout, attributes);
  pango_layout_set_text(layout, text, -1);
  pango_attr_list_unref(attributes);
  pango_font_description_free(font);
  return layout;
}

static void text_size(PangoContext *context, const char *text, double *width, double *height) {
  g_autoptr(PangoLayout) layout = make_text(context, text);
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout, NULL, &box);
  *width = box.width, *height = box.height;
}

/* Draws with the point (x, y) at `align` of the text's width (0 left, 0.5 middle, 1 right) and its top; returns the
 * width. */
static double draw_text(cairo_t *cr, PangoContext *context, const char *text, const GdkRGBA *rgba, double x, double y,
                        double align) {
  g_autoptr(PangoLayout) layout = make_text(context, text);
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout, NULL, &box);
  gdk_cairo_set_source_rgba(cr, rgba);
  cairo_move_to(cr, floor(x - align * box.width), floor(y));
  pango_cairo_show_layout(cr, layout);
  return box.width;
}

/* A short piece of a curve's line. */
static void stroke_sample(const GantryPlotTheme *theme, int curve, double x, double y, cairo_t *cr) {
  gantry_plot_set_pen(theme, (guint)curve, cr);
  cairo_set_line_width(cr, 2.4);
  cairo_move_to(cr, x, floor(y) + 0.5);
  cairo_line_to(cr, x + 12, floor(y) + 0.5);
  cairo_stroke(cr);
  cairo_set_dash(cr, NULL, 0, 0);
}

static char *with_unit(const char *title, const char *unit) {
  if (!title || !*title) return g_strdup(unit ? unit : "");
  return unit && *unit ? g_strdup_printf("%s (%s)", title, unit) : g_strdup(title);
}

/* Whether the axes have a place for the point. */
static gboolean can_show(const GantryPlotData *data, double x, double y) {
  return isfinite(x) && isfinite(y) && (data->x_scale != GANTRY_SCALE_LOG || x > 0) &&
         (data->y_scale != GANTRY_SCALE_LOG || y > 0);
}

static gboolean find_ranges(const GantryPlotData *data, double x[2], double y[2]) {
  x[0] = y[0] = INFINITY, x[1] = y[1] = -INFINITY;
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const GantryCurveData *curve = &data->curves[c];
    for (gsize i = 0; i < curve->count; i++) {
      if (!can_show(data, curve->x[i], curve->y[i])) continue;
      x[0] = fmin(x[0], curve->x[i]), x[1] = fmax(x[1], curve->x[i]);
      y[0] = fmin(y[0], curve->y[i]), y[1] = fmax(y[1], curve->y[i]);
    }
  }
  if (!(x[0] <= x[1])) return FALSE;
  if (isfinite(data->extent[0]) && isfinite(data->extent[1]))
    x[0] = fmin(x[0], data->extent[0]), x[1] = fmax(x[1], data->extent[1]);
  return TRUE;
}

static double place_x(const GantryPlotFrame *frame, double value) {
  return frame->left + frame->width * gantry_axis_place(&frame->x, value);
}

static double place_y(const GantryPlotFrame *frame, double value) {
  return frame->top + frame->height * (1 - gantry_axis_place(&frame->y, value));
}

/* Between the last two ticks, in the units of the cairo context. */
static double last_gap(const GantryPlotFrame *frame) {
  const int last = frame->x.count - 1;
  return frame->width * (gantry_axis_place(&frame->x, gantry_axis_tick(&frame->x, last)) -
                         gantry_axis_place(&frame->x, gantry_axis_tick(&frame->x, last - 1)));
}

/* With as many ticks as leave room for the title between the last two numbers. */
static void fit_abscissa(const GantryPlotData *data, PangoContext *context, GantryPlotFrame *frame, const double x[2],
                         int most) {
  double title, number, unused;
  char text[64];
  g_autofree char *full_title = with_unit(data->x_title, data->x_unit);
  text_size(context, full_title, &title, &unused);
  for (; most >= 2; most--) {
    gantry_axis_fit_scale(&frame->x, data->x_scale, x[0], x[1], most);
    gantry_axis_format(&frame->x, gantry_axis_tick(&frame->x, frame->x.count - 1), text, sizeof text);
    text_size(context, text, &number, &unused);
    if (last_gap(frame) >= title + number + 2 * GAP) return;
  }
}

/* Lines that the names of the curves take, and, drawn on a context, the names. */
static int wrap_legend(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                       double left, double width) {
  double x = left, w, h;
  int line = 1;
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const GantryCurveData *curve = &data->curves[c];
    if (!curve->count) continue;
    text_size(context, curve->title, &w, &h);
    const double entry = 12 + GAP + w;
    if (x > left && x + entry > left + width) x = left, line++;
    const double top = GAP / 2 + line * (h + GAP / 2);
    if (cr) {
      draw_text(cr, context, curve->title, &theme->foreground, x + 12 + GAP, top, 0);
      stroke_sample(theme, c, x, top + h / 2, cr);
    }
    x += entry + 2.5 * GAP;
  }
  return line;
}

void gantry_plot_layout(const GantryPlotData *data, PangoContext *context, double width, double height,
                        GantryPlotFrame *frame) {
  double x[2], y[2], line, unused, label = 0;
  char text[64];
  text_size(context, "0", &unused, &line);
  frame->empty = !find_ranges(data, x, y);
  frame->top = line + 2 * GAP;
  if (data->wrap_legend)
    frame->top += wrap_legend(data, NULL, context, NULL, 2 * GAP, width - 4 * GAP) * (line + GAP / 2);
  frame->height = fmax(height - frame->top - line - 2 * GAP, 8);
  /* A little air for the line's width, not a whole step. */
  if (data->y_scale == GANTRY_SCALE_LOG) {
    const double air = pow(y[1] / y[0], 0.03);
    y[0] /= air, y[1] *= air;
  } else {
    const double air = 0.03 * (y[1] - y[0]);
    if (y[0] != 0) y[0] -= air;
    if (y[1] != 0) y[1] += air;
  }
  gantry_axis_fit_scale(&frame->y, data->y_scale, y[0], y[1], CLAMP((int)(frame->height / (2.2 * line)) + 1, 2, 9));
  for (int i = 0; i < frame->y.count; i++) {
    double w, h;
    text_size(context, gantry_axis_format(&frame->y, gantry_axis_tick(&frame->y, i), text, sizeof text), &w, &h);
    label = fmax(label, w);
  }
  frame->left = ceil(label) + 2 * GAP;
  frame->width = fmax(width - frame->left - 2 * GAP, 8);
  fit_abscissa(data, context, frame, x, CLAMP((int)(frame->width / (3.4 * line)), 2, 14));
  /* A tick at the very end keeps its whole number. */
  const double last = gantry_axis_tick(&frame->x, frame->x.count - 1);
  text_size(context, gantry_axis_format(&frame->x, last, text, sizeof text), &label, &unused);
  const double beyond = place_x(frame, last) + label / 2 - (width - 2);
  if (beyond > 0) frame->width = fmax(frame->width - ceil(beyond), 8);
}

static void draw_axes(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                      PangoContext *context, cairo_t *cr) {
  char text[64];
  double w, h;
  const double bottom = frame->top + frame->height;
  cairo_set_line_width(cr, 1);
  for (int i = 0; i < frame->y.count; i++) {
    const double value = gantry_axis_tick(&frame->y, i), y = floor(place_y(frame, value)) + 0.5;
    gdk_cairo_set_source_rgba(cr, value == 0 ? &theme->dim : &theme->grid);
    cairo_set_line_width(cr, value == 0 ? 0.6 : 1);
    cairo_move_to(cr, frame->left, y);
    cairo_line_to(cr, frame->left + frame->width, y);
    cairo_stroke(cr);
    gantry_axis_format(&frame->y, value, text, sizeof text);
    text_size(context, text, &w, &h);
    draw_text(cr, context, text, &theme->dim, frame->left - GAP, y - h / 2, 1);
  }
  g_autofree char *title = with_unit(data->x_title, data->x_unit);
  const double last = gantry_axis_tick(&frame->x, frame->x.count - 1);
  draw_text(cr, context, title, &theme->dim, place_x(frame, last) - last_gap(frame) / 2, bottom + GAP, 0.5);
  cairo_set_line_width(cr, 1);
  for (int i = 0; i < frame->x.count; i++) {
    const double value = gantry_axis_tick(&frame->x, i), x = floor(place_x(frame, value)) + 0.5;
    gdk_cairo_set_source_rgba(cr, &theme->grid);
    cairo_move_to(cr, x, frame->top);
    cairo_line_to(cr, x, bottom);
    cairo_stroke(cr);
    gantry_axis_format(&frame->x, value, text, sizeof text);
    text_size(context, text, &w, &h);
    draw_text(cr, context, text, &theme->dim, x, bottom + GAP, 0.5);
  }
}

static void draw_curve(const GantryPlotData *data, const GantryCurveData *curve, const GantryPlotFrame *frame,
                       cairo_t *cr) {
  gboolean pen_down = FALSE;
  cairo_set_line_width(cr, 1.6);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  for (gsize i = 0; i < curve->count; i++) {
    if (!can_show(data, curve->x[i], curve->y[i])) {
      pen_down = FALSE;
      continue;
    }
    const double x = place_x(frame, curve->x[i]), y = place_y(frame, curve->y[i]);
    if (pen_down)
      cairo_line_to(cr, x, y);
    else
      cairo_move_to(cr, x, y);
    pen_down = TRUE;
  }
  cairo_stroke(cr);
  if (!curve->count) return;
  const double span = fabs(place_x(frame, curve->x[curve->count - 1]) - place_x(frame, curve->x[0]));
  if (span < 9 * (double)(curve->count - 1)) return;
  for (gsize i = 0; i < curve->count; i++) {
    if (!can_show(data, curve->x[i], curve->y[i])) continue;
    cairo_arc(cr, place_x(frame, curve->x[i]), place_y(frame, curve->y[i]), 2.2, 0, 2 * G_PI);
    cairo_fill(cr);
  }
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

static void draw_mark(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                      PangoContext *context, cairo_t *cr) {
  const double place = gantry_axis_place(&frame->x, data->mark);
  if (!isfinite(data->mark) || place < 0 || place > 1) return;
  const double x = floor(place_x(frame, data->mark)) + 0.5;
  const double dashes[] = {4, 3};
  gdk_cairo_set_source_rgba(cr, &theme->mark);
  cairo_set_line_width(cr, 1.4);
  cairo_set_dash(cr, dashes, 2, 0);
  cairo_move_to(cr, x, frame->top);
  cairo_line_to(cr, x, frame->top + frame->height);
  cairo_stroke(cr);
  cairo_set_dash(cr, NULL, 0, 0);
  if (!data->mark_label) return;
  draw_text(cr, context, data->mark_label, &theme->mark, place < 0.5 ? x + 4 : x - 4, frame->top + 2,
            place < 0.5 ? 0 : 1);
}

static void draw_cursor(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                        cairo_t *cr) {
  const double x = floor(place_x(frame, data->cursor)) + 0.5;
  gdk_cairo_set_source_rgba(cr, &theme->dim);
  cairo_set_line_width(cr, 1);
  cairo_move_to(cr, x, frame->top);
  cairo_line_to(cr, x, frame->top + frame->height);
  cairo_stroke(cr);
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const double value = gantry_curve_value(&data->curves[c], data->cursor);
    if (!can_show(data, data->cursor, value)) continue;
    gantry_plot_set_pen(theme, (guint)c, cr);
    cairo_arc(cr, x, place_y(frame, value), 3.4, 0, 2 * G_PI);
    cairo_fill(cr);
  }
}

/* Left: what the ordinate is. Right: the curves by name; with a cursor, their values there. */
static void draw_header(const GantryPlotData *data, const GantryPlotFrame *frame, const GantryPlotTheme *theme,
                        PangoContext *context, cairo_t *cr) {
  const gboolean reading = isfinite(data->cursor);
  char value[64];
  g_autofree char *title = with_unit(data->y_title, data->y_unit);
  double right = frame->left + frame->width;
  const double start = frame->left + draw_text(cr, context, title, &theme->dim, frame->left, GAP / 2, 0) + 2 * GAP;
  if (data->wrap_legend) wrap_legend(data, theme, context, cr, 2 * GAP, frame->left + frame->width - 2 * GAP);
  for (int c = GANTRY_CURVES - 1; c >= 0 && data->legend && !data->wrap_legend; c--) {
    const GantryCurveData *curve = &data->curves[c];
    if (!curve->count) continue;
    const double y = reading ? gantry_curve_value(curve, data->cursor) : NAN;
    double w, h;
    if (reading && isfinite(y))
      gantry_axis_format_fine(&frame->y, y, value, sizeof value);
    else
      g_strlcpy(value, "—", sizeof value);
    g_autofree char *label = reading ? g_strdup_printf("%s %s", curve->title, value) : g_strdup(curve->title);
    text_size(context, label, &w, &h);
    if (right - w - 20 < start) break;
    draw_text(cr, context, label, &theme->foreground, right, GAP / 2, 1);
    right -= w + GAP;
    stroke_sample(theme, c, right - 12, GAP / 2 + h / 2, cr);
    right -= 12 + 2.5 * GAP;
  }
  if (!reading) return;
  gantry_axis_format_fine(&frame->x, data->cursor, value, sizeof value);
  g_autofree char *place = data->x_unit && *data->x_unit
                               ? g_strdup_printf("%s %s", value, data->x_unit)
                               : g_strdup_printf("%s %s", data->x_title ? data->x_title : "", value);
  double w, h;
  text_size(context, place, &w, &h);
  if (right - w > start) draw_text(cr, context, place, &theme->foreground, right, GAP / 2, 1);
}

static void draw_empty(const GantryPlotData *data, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                       double width, double height) {
  if (!data->empty_text) return;
  g_autoptr(PangoLayout) layout = make_text(context, data->empty_text);
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
  gantry_plot_layout(data, context, width, height, &frame);
  if (frame.empty) {
    draw_empty(data, theme, context, cr, width, height);
    return;
  }
  draw_axes(data, &frame, theme, context, cr);
  cairo_save(cr);
  cairo_rectangle(cr, frame.left - 2, frame.top - 2, frame.width + 4, frame.height + 4);
  cairo_clip(cr);
  draw_mark(data, &frame, theme, context, cr);
  for (int c = GANTRY_CURVES - 1; c >= 0; c--) {
    gantry_plot_set_pen(theme, (guint)c, cr);
    draw_curve(data, &data->curves[c], &frame, cr);
  }
  cairo_set_dash(cr, NULL, 0, 0);
  if (isfinite(data->cursor)) draw_cursor(data, &frame, theme, cr);
  cairo_restore(cr);
  draw_header(data, &frame, theme, context, cr);
}
