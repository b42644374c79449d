/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arc and redundancy weights beside a sinogram, where its picture brings them: along the angles a band of the arc, with
 * what a short scan needs of it, and the weights of each view; below the picture those of each column; over it a tint
 * where rays count less than the most, and a line round those that are measured twice. */
#include "ui/slice-view/view-private.h"

#include <math.h>

/* Logical pixels. GAP lies between picture and strip, BAND is the arc's. */
enum { GAP = 3, STRIP = 24, BAND = 5, LINE = 16, LINES = 2, LOWEST = 150 };
/* Borders of cells beyond which the outline would be a net: views in no order. */
enum { MOST_BORDERS = 20000 };
static const GdkRGBA ground = {0.10, 0.12, 0.15, 1}, weight_ink = {0.45, 0.78, 1, 1},
                     weight_area = {0.45, 0.78, 1, 0.4}, outline = {1, 0.72, 0.25, 1}, casing = {0, 0, 0, 0.7},
                     ink = {1, 1, 1, 0.95}, half_turn = {0.35, 0.80, 0.45, 1}, of_fan = {1, 0.72, 0.25, 1},
                     beyond = {0.75, 0.75, 0.75, 1};

static const GantryRedundancy *get(GantrySliceView *self) {
  const GantryImage *image = gantry_slice_view_sinogram(self);
  return image && self->camera.height / self->ratio >= LOWEST ? image->redundancy : NULL;
}

void gantry_slice_view_arc_room(GantrySliceView *self, double room[4]) {
  if (!get(self)) return;
  room[0] += GAP + STRIP + BAND + 2;
  room[1] += LINES * LINE;
  room[3] += GAP + STRIP;
}

/* The picture's part of the widget: left, top, right, bottom. */
static void place_of(GantrySliceView *self, double place[4]) {
  const GantryImage *image = gantry_slice_view_sinogram(self);
  const double x = image->origin_x - image->spacing_x / 2;
  const ctgl_point lower = gantry_slice_view_to_widget(self, (ctgl_point){x, -0.5}),
                   upper = gantry_slice_view_to_widget(
                       self, (ctgl_point){x + image->width * image->spacing_x, image->height - 0.5});
  place[0] = lower.x, place[1] = upper.y, place[2] = upper.x, place[3] = lower.y;
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

static void draw_outline(const GantryRedundancy *r, cairo_t *cr, const double place[4]) {
  cairo_new_path(cr);
  if (add_outline(r, cr, place)) {
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, 3.5);
    gdk_cairo_set_source_rgba(cr, &casing);
    cairo_stroke_preserve(cr);
    cairo_set_line_width(cr, 1.5);
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

/* From 0 at the picture to the largest weight: an area from `low` to `high`, and the mean. */
static void draw_views(const GantryRedundancy *r, cairo_t *cr, double edge, const double place[4]) {
  const double scale = r->largest > 0 ? (STRIP - 2) / r->largest : 0, step = (place[3] - place[1]) / r->views;
  for (int view = 0; view < r->views; view++)
    cairo_line_to(cr, edge - scale * (double)r->high[view], place[3] - (view + 0.5) * step);
  for (int view = r->views - 1; view >= 0; view--)
    cairo_line_to(cr, edge - scale * (double)r->low[view], place[3] - (view + 0.5) * step);
  gdk_cairo_set_source_rgba(cr, &weight_area);
  cairo_fill(cr);
  for (int view = 0; view < r->views; view++)
    cairo_line_to(cr, edge - scale * (double)r->mean[view], place[3] - (view + 0.5) * step);
  gdk_cairo_set_source_rgba(cr, &weight_ink);
  cairo_set_line_width(cr, 1.5);
  cairo_stroke(cr);
}

static void draw_columns(GantrySliceView *self, const GantryRedundancy *r, cairo_t *cr, double edge) {
  const double scale = r->largest > 0 ? (STRIP - 2) / r->largest : 0;
  double first = 0, last = 0;
  for (int k = 0; k < r->rays; k++) {
    last = gantry_slice_view_to_widget(self, (ctgl_point){r->origin + k * r->spacing, 0}).x;
    if (k == 0) first = last;
    cairo_line_to(cr, last, edge + scale * (double)r->across[k]);
  }
  gdk_cairo_set_source_rgba(cr, &weight_ink);
  cairo_set_line_width(cr, 1.5);
  cairo_stroke_preserve(cr);
  cairo_line_to(cr, last, edge);
  cairo_line_to(cr, first, edge);
  gdk_cairo_set_source_rgba(cr, &weight_area);
  cairo_fill(cr);
}

/* Half a turn, the fan's share, and what is beyond: of views that go one way. */
static void draw_band(const GantryImage *image, cairo_t *cr, double x, const double place[4]) {
  const GantryRedundancy *r = image->redundancy;
  const double height = place[3] - place[1], whole = r->arc > 0 ? height / r->arc : 0;
  int up = 0, down = 0;
  for (int row = 1; image->angles && row < image->height; row++) {
    up += image->angles[row] > image->angles[row - 1];
    down += image->angles[row] < image->angles[row - 1];
  }
  rectangle(cr, &beyond, x, place[1], x + BAND, place[3]);
  if ((up > 0) == (down > 0) || !isfinite(r->needed)) return;
  const double needed = fmin(r->needed, r->arc), half = fmin(180, r->arc);
  rectangle(cr, &of_fan, x, place[3] - whole * needed, x + BAND, place[3]);
  rectangle(cr, &half_turn, x, place[3] - whole * half, x + BAND, place[3]);
}

static void draw_words(GantrySliceView *self, cairo_t *cr, double left, double top, double width) {
  const GantryRedundancy *r = get(self);
  char *lines[LINES] = {gantry_redundancy_arc_text(r), gantry_redundancy_weights_text(r)};
  for (int i = 0; i < LINES; i++) {
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(self->axes, lines[i]);
    g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_scale_new(0.85));
    pango_layout_set_attributes(layout, attributes);
    pango_layout_set_width(layout, (int)(MAX(width, 1) * PANGO_SCALE));
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    cairo_move_to(cr, left, top + i * LINE);
    gdk_cairo_set_source_rgba(cr, &ink);
    pango_cairo_show_layout(cr, layout);
    g_free(lines[i]);
  }
}

void gantry_slice_view_draw_arc(GantrySliceView *self, cairo_t *cr, const double margins[4], double width,
                                double height) {
  const GantryRedundancy *r = get(self);
  if (!r) return;
  double place[4];
  place_of(self, place);
  const GantryImage *image = gantry_slice_view_sinogram(self);
  const double left = margins[0], top = margins[1], right = width - margins[2], bottom = height - margins[3];
  cairo_save(cr);
  cairo_rectangle(cr, left, top, right - left, bottom - top);
  cairo_clip(cr);
  if (image->values != GANTRY_VALUES_WEIGHTS) draw_tint(r, cr, place);
  draw_outline(r, cr, place);
  cairo_restore(cr);
  const double edge = left - GAP, far = edge - STRIP - 2 - BAND;
  cairo_save(cr);
  rectangle(cr, &ground, edge - STRIP, top, edge, bottom);
  cairo_rectangle(cr, far, top, edge - far, bottom - top);
  cairo_clip(cr);
  draw_band(image, cr, far, place);
  draw_views(r, cr, edge, place);
  cairo_restore(cr);
  cairo_save(cr);
  rectangle(cr, &ground, left, bottom + GAP, right, bottom + GAP + STRIP);
  cairo_rectangle(cr, left, bottom + GAP, right - left, STRIP);
  cairo_clip(cr);
  draw_columns(self, r, cr, bottom + GAP);
  cairo_restore(cr);
  draw_words(self, cr, far, top - LINES * LINE, right - far);
}

void gantry_slice_view_tell_arc(GantrySliceView *self, GString *text) {
  const GantryImage *image = gantry_slice_view_sinogram(self);
  if (!image || !image->redundancy) return;
  g_autofree char *arc = gantry_redundancy_arc_text(image->redundancy),
                  *weights = gantry_redundancy_weights_text(image->redundancy);
  g_string_append_printf(text, "; %s. %s", arc, weights);
}
