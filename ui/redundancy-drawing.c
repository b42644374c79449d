/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Along the angles a band of the arc, with what a short scan needs of it, and the weights of each view; below the
 * picture those of each column; over it a tint where rays count less than the most, and a line round those that are
 * measured twice. */
#include "ui/redundancy-drawing.h"

#include <gdk/gdk.h>
#include <math.h>

/* Units. GAP lies between picture and strip, BAND is the arc's, and MARGIN beside it. */
enum { GAP = 3, STRIP = 24, BAND = 5, MARGIN = 2 };
/* Borders of cells beyond which the outline would be a net: views in no order. */
enum { MOST_BORDERS = 20000 };
static const GdkRGBA night = {0.10, 0.12, 0.15, 1}, day = {0.92, 0.94, 0.96, 1}, night_ink = {0.45, 0.78, 1, 1},
                     day_ink = {0.05, 0.35, 0.65, 1}, outline = {1, 0.72, 0.25, 1}, casing = {0, 0, 0, 0.7},
                     half_turn = {0.35, 0.80, 0.45, 1}, of_fan = {1, 0.72, 0.25, 1}, beyond = {0.75, 0.75, 0.75, 1};

double gantry_redundancy_left_room(double unit) {
  return (GAP + STRIP + MARGIN + BAND) * unit;
}

double gantry_redundancy_lower_room(double unit) {
  return (GAP + STRIP) * unit;
}

/* Where the map is below the largest weight, premultiplied; NULL: nowhere. cairo_surface_destroy. */
static cairo_surface_t *tint_of(const GantryRedundancy *r) {
  if (r->largest - r->least <= 1e-3 * r->largest) return NULL;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, r->columns, r->rows);
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(surface);
    return NULL;
  }
  const int stride = cairo_image_surface_get_stride(surface);
  guint8 *bytes = cairo_image_surface_get_data(surface);
  for (int row = 0; row < r->rows; row++) {
    guint32 *out = (guint32 *)(void *)(bytes + (gsize)row * (gsize)stride);
    for (int i = 0; i < r->columns; i++) {
      const guint32 alpha = 175u * (255u - r->map[(gsize)row * (gsize)r->columns + (gsize)i]) / 255u;
      out[i] = alpha << 24 | (alpha * 20 / 255) << 16 | (alpha * 80 / 255) << 8 | alpha * 190 / 255;
    }
  }
  cairo_surface_mark_dirty(surface);
  return surface;
}

static void draw_tint(const GantryRedundancy *r, cairo_t *cr, const double place[4]) {
  cairo_surface_t *surface = tint_of(r);
  if (!surface) return;
  cairo_save(cr);
  cairo_translate(cr, place[0], place[3]);
  cairo_scale(cr, (place[2] - place[0]) / r->columns, -(place[3] - place[1]) / r->rows);
  cairo_set_source_surface(cr, surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
  cairo_rectangle(cr, 0, 0, r->columns, r->rows);
  cairo_fill(cr);
  cairo_restore(cr);
  cairo_surface_destroy(surface);
}

/* The borders between cells measured twice and others. FALSE: too many. */
static gboolean add_outline(const GantryRedundancy *r, cairo_t *cr, const double place[4]) {
  const double wide = (place[2] - place[0]) / r->columns, high = (place[3] - place[1]) / r->rows;
  int borders = 0;
  for (int row = 0; row < r->rows && borders <= MOST_BORDERS; row++)
    for (int i = 0; i < r->columns; i++) {
      const guint8 *cell = r->twice + (gsize)row * (gsize)r->columns + (gsize)i;
      const double x = place[0] + (i + 1) * wide, y = place[3] - (row + 1) * high;
      if (i + 1 < r->columns && cell[0] != cell[1]) {
        cairo_move_to(cr, x, y);
        cairo_rel_line_to(cr, 0, high);
        borders++;
      }
      if (row + 1 < r->rows && cell[0] != cell[r->columns]) {
        cairo_move_to(cr, x, y);
        cairo_rel_line_to(cr, -wide, 0);
        borders++;
      }
    }
  return borders <= MOST_BORDERS;
}

static void draw_outline(const GantryRedundancy *r, cairo_t *cr, const GantryRedundancyFrame *frame) {
  cairo_new_path(cr);
  if (add_outline(r, cr, frame->place)) {
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, 3.5 * frame->unit);
    gdk_cairo_set_source_rgba(cr, &casing);
    cairo_stroke_preserve(cr);
    cairo_set_line_width(cr, 1.5 * frame->unit);
    gdk_cairo_set_source_rgba(cr, &outline);
    cairo_stroke(cr);
  }
  cairo_new_path(cr);
}

static void rectangle(cairo_t *cr, const GdkRGBA *colour, double x0, double y0, double x1, double y1) {
  gdk_cairo_set_source_rgba(cr, colour);
  cairo_rectangle(cr, x0, y0, x1 - x0, y1 - y0);
  cairo_fill(cr);
}

static void fill_under(cairo_t *cr, const GdkRGBA *ink) {
  cairo_set_source_rgba(cr, ink->red, ink->green, ink->blue, 0.4);
  cairo_fill(cr);
}

static void stroke(cairo_t *cr, const GantryRedundancyFrame *frame, const GdkRGBA *ink) {
  gdk_cairo_set_source_rgba(cr, ink);
  cairo_set_line_width(cr, 1.5 * frame->unit);
  cairo_stroke(cr);
}

/* Units from 0 to the largest weight. */
static double scale_of(const GantryRedundancy *r, const GantryRedundancyFrame *frame) {
  return r->largest > 0 ? (STRIP - 2) * frame->unit / r->largest : 0;
}

/* From 0 on the left (`zero`) to the largest weight: an area from the least to the largest of a view, and the mean. */
static void draw_views(const GantryRedundancy *r, const GantryRedundancyFrame *frame, cairo_t *cr, double zero) {
  const GdkRGBA *ink = frame->paper ? &day_ink : &night_ink;
  const double *place = frame->place, scale = scale_of(r, frame), step = (place[3] - place[1]) / r->views;
  for (int view = 0; view < r->views; view++)
    cairo_line_to(cr, zero + scale * (double)r->high[view], place[3] - (view + 0.5) * step);
  for (int view = r->views - 1; view >= 0; view--)
    cairo_line_to(cr, zero + scale * (double)r->low[view], place[3] - (view + 0.5) * step);
  fill_under(cr, ink);
  for (int view = 0; view < r->views; view++)
    cairo_line_to(cr, zero + scale * (double)r->mean[view], place[3] - (view + 0.5) * step);
  stroke(cr, frame, ink);
}

/* From 0 at the foot up to the largest weight. */
static void draw_columns(const GantryRedundancy *r, const GantryRedundancyFrame *frame, cairo_t *cr, double zero) {
  const GdkRGBA *ink = frame->paper ? &day_ink : &night_ink;
  const double *place = frame->place, scale = scale_of(r, frame), step = (place[2] - place[0]) / r->rays;
  for (int k = 0; k < r->rays; k++) cairo_line_to(cr, place[0] + (k + 0.5) * step, zero - scale * (double)r->across[k]);
  cairo_line_to(cr, place[2] - 0.5 * step, zero);
  cairo_line_to(cr, place[0] + 0.5 * step, zero);
  fill_under(cr, ink);
  for (int k = 0; k < r->rays; k++) cairo_line_to(cr, place[0] + (k + 0.5) * step, zero - scale * (double)r->across[k]);
  stroke(cr, frame, ink);
}

/* Half a turn, the fan's share, and what is beyond: of views that go one way. */
static void draw_band(const GantryImage *image, const GantryRedundancyFrame *frame, cairo_t *cr, double x) {
  const GantryRedundancy *r = image->redundancy;
  const double *place = frame->place, width = BAND * frame->unit;
  const double height = place[3] - place[1], whole = r->arc > 0 ? height / r->arc : 0;
  int up = 0, down = 0;
  for (int row = 1; image->angles && row < image->height; row++) {
    up += image->angles[row] > image->angles[row - 1];
    down += image->angles[row] < image->angles[row - 1];
  }
  rectangle(cr, &beyond, x, place[1], x + width, place[3]);
  if ((up > 0) == (down > 0) || !isfinite(r->needed)) return;
  const double needed = fmin(r->needed, r->arc), half = fmin(180, r->arc);
  rectangle(cr, &of_fan, x, place[3] - whole * needed, x + width, place[3]);
  rectangle(cr, &half_turn, x, place[3] - whole * half, x + width, place[3]);
}

static void clip(cairo_t *cr, double left, double top, double right, double bottom) {
  cairo_save(cr);
  cairo_rectangle(cr, left, top, right - left, bottom - top);
  cairo_clip(cr);
  cairo_new_path(cr);
}

void gantry_redundancy_draw(const GantryImage *image, const GantryRedundancyFrame *frame, cairo_t *cr) {
  const GantryRedundancy *r = image->redundancy;
  const GdkRGBA *ground = frame->paper ? &day : &night;
  const double left = frame->seen[0], top = frame->seen[1], right = frame->seen[2], bottom = frame->seen[3],
               unit = frame->unit, edge = left - GAP * unit, far = left - gantry_redundancy_left_room(unit),
               under = bottom + GAP * unit, foot = under + STRIP * unit;
  clip(cr, left, top, right, bottom);
  if (image->values != GANTRY_VALUES_WEIGHTS) draw_tint(r, cr, frame->place);
  draw_outline(r, cr, frame);
  cairo_restore(cr);
  clip(cr, far, top, edge, bottom);
  rectangle(cr, ground, edge - STRIP * unit, top, edge, bottom);
  draw_band(image, frame, cr, far);
  draw_views(r, frame, cr, edge - STRIP * unit);
  cairo_restore(cr);
  clip(cr, left, under, right, foot);
  rectangle(cr, ground, left, under, right, foot);
  draw_columns(r, frame, cr, foot);
  cairo_restore(cr);
}

PangoLayout *gantry_redundancy_layout(const GantryRedundancy *r, PangoLayout *layout, double width) {
  g_autofree char *arc = gantry_redundancy_arc_text(r), *weights = gantry_redundancy_weights_text(r),
                  *lines = g_strdup_printf("%s\n%s", arc, weights);
  g_autoptr(GString) text = g_string_new(lines);
  g_string_replace(text, " %", "\u00a0%", 0); /* no line ends there */
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width(layout, (int)(MAX(width, 1) * PANGO_SCALE));
  pango_layout_set_text(layout, text->str, -1);
  return layout;
}
