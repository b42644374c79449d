/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A light line on a dark one, so that it is seen on any picture. */
#include "ui/marks/draw.h"

#include <math.h>

#include "ui/number-text.h"

enum { ELLIPSE_STEPS = 90 };
/* Logical pixels. */
static const double arm = 4, text_gap = 6;
const GdkRGBA gantry_mark_colour = {0.55f, 1.0f, 0.80f, 1};
static const GdkRGBA casing = {0, 0, 0, 0.55f}, plate = {0, 0, 0, 0.7f};

gboolean gantry_mark_is_on(const GantryMark *mark, const GantryImage *image, double step) {
  if (image->kind == GANTRY_VIEW_PROJECTION || gantry_mark_view(mark) != image->kind) return FALSE;
  if (mark->oblique && (fabs(remainder(mark->pose.rotation - image->rotation, 2 * G_PI)) > 1e-6 ||
                        fabs(remainder(mark->pose.tilt - image->tilt, 2 * G_PI)) > 1e-6))
    return FALSE;
  if (!(step > 0)) return TRUE;
  const double away = (mark->position - image->position) / step;
  return away >= -0.5 && away < 0.5;
}

guint gantry_mark_outline(const GantryMark *mark) {
  return mark->kind == GANTRY_MARK_ELLIPSE ? ELLIPSE_STEPS : gantry_mark_handles(mark);
}

void gantry_mark_outline_point(const GantryMark *mark, guint i, double point[2]) {
  if (mark->kind != GANTRY_MARK_ELLIPSE) {
    gantry_mark_handle(mark, i % gantry_mark_handles(mark), point);
    return;
  }
  const double angle = 2 * G_PI * i / ELLIPSE_STEPS, (*p)[2] = mark->points;
  point[0] = (p[0][0] + p[1][0]) / 2 + cos(angle) * (p[1][0] - p[0][0]) / 2;
  point[1] = (p[0][1] + p[1][1]) / 2 + sin(angle) * (p[1][1] - p[0][1]) / 2;
}

static ctgl_point outline_place(const GantryMark *mark, const GantryMarkPaper *paper, guint i) {
  double point[2];
  gantry_mark_outline_point(mark, i, point);
  return paper->place(paper->user, point);
}

static void trace(const GantryMark *mark, const GantryMarkPaper *paper, cairo_t *cr) {
  const guint length = gantry_mark_outline(mark);
  cairo_new_path(cr);
  for (guint i = 0; i < length; i++) {
    const ctgl_point at = outline_place(mark, paper, i);
    cairo_line_to(cr, at.x, at.y);
  }
  if (gantry_mark_is_region(mark)) cairo_close_path(cr);
}

static void cross(const GantryMark *mark, const GantryMarkPaper *paper, cairo_t *cr) {
  const ctgl_point at = paper->place(paper->user, mark->points[0]);
  const double reach = arm * paper->unit;
  cairo_new_path(cr);
  cairo_move_to(cr, at.x - reach, at.y);
  cairo_line_to(cr, at.x + reach, at.y);
  cairo_move_to(cr, at.x, at.y - reach);
  cairo_line_to(cr, at.x, at.y + reach);
}

/* What a thick line averages over. */
static void draw_band(const GantryMark *mark, const GantryMarkPaper *paper, cairo_t *cr) {
  if (mark->kind != GANTRY_MARK_LINE || !(mark->thickness > 0)) return;
  trace(mark, paper, cr);
  cairo_set_source_rgba(cr, gantry_mark_colour.red, gantry_mark_colour.green, gantry_mark_colour.blue, 0.2);
  cairo_set_line_width(cr, mark->thickness * paper->per_mm);
  cairo_stroke(cr);
}

void gantry_mark_draw(const GantryMark *mark, const GantryMarkPaper *paper, double width, cairo_t *cr) {
  draw_band(mark, paper, cr);
  if (mark->kind == GANTRY_MARK_POINT)
    cross(mark, paper, cr);
  else
    trace(mark, paper, cr);
  gdk_cairo_set_source_rgba(cr, &casing);
  cairo_set_line_width(cr, (width + 2) * paper->unit);
  cairo_stroke_preserve(cr);
  gdk_cairo_set_source_rgba(cr, &gantry_mark_colour);
  cairo_set_line_width(cr, width * paper->unit);
  cairo_stroke(cr);
}

static char *words(const GantryMark *mark, GantryDisplay *display) {
  const GantryMarkNumbers *numbers =
      gantry_marks_get_numbers(gantry_display_get_marks(display), mark->id, GANTRY_MARKS_OF_A);
  const char *length = gantry_display_get_units(display).length;
  g_autofree char *value = NULL;
  if (mark->kind == GANTRY_MARK_LINE) value = gantry_length_text(gantry_mark_length(mark), 4, length);
  if (mark->kind == GANTRY_MARK_ANGLE) value = gantry_quantity_text(gantry_mark_angle(mark), 4, "°");
  if (gantry_mark_is_region(mark) && numbers && !*numbers->problem)
    value = gantry_quantity_text(gantry_display_value(display, numbers->region.values.mean), 4,
                                 gantry_display_value_unit(display));
  return value ? g_strdup_printf("%s: %s", mark->name ? mark->name : "", value)
               : g_strdup(mark->name ? mark->name : "");
}

static gboolean is_free(const GantryMarkPaper *paper, const cairo_rectangle_int_t *under) {
  return cairo_region_contains_rectangle(paper->words, under) == CAIRO_REGION_OVERLAP_OUT;
}

/* Down from where the words would stand until there is room, else up; where they would stand if there is none. */
static void find_room(const GantryMarkPaper *paper, cairo_rectangle_int_t *under) {
  const cairo_rectangle_int_t first = *under;
  for (; under->y + under->height <= paper->top + paper->height; under->y += under->height)
    if (is_free(paper, under)) return;
  for (under->y = first.y; under->y >= paper->top; under->y -= under->height)
    if (is_free(paper, under)) return;
  *under = first;
}

void gantry_mark_draw_words(const GantryMark *mark, GantryDisplay *display, const GantryMarkPaper *paper,
                            PangoContext *context, cairo_t *cr) {
  g_autofree char *text = words(mark, display);
  g_autoptr(PangoLayout) layout = pango_layout_new(context);
  g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_scale_new(paper->room));
  pango_layout_set_attributes(layout, attributes);
  pango_layout_set_text(layout, text, -1);
  PangoRectangle size;
  pango_layout_get_extents(layout, NULL, &size);
  const double wide = (double)size.width / PANGO_SCALE, high = (double)size.height / PANGO_SCALE, unit = paper->unit;
  ctgl_point low = outline_place(mark, paper, 0);
  for (guint i = 1; i < gantry_mark_outline(mark); i++) {
    const ctgl_point at = outline_place(mark, paper, i);
    if (at.y > low.y) low = at;
  }
  const double right = paper->left + paper->width, bottom = paper->top + paper->height, edge = 2 * unit;
  if (!(low.x >= paper->left && low.x <= right && low.y >= paper->top && low.y <= bottom)) return;
  const double x = CLAMP(low.x - wide / 2, paper->left + edge, MAX(right - wide - edge, paper->left + edge)),
               y = CLAMP(low.y + text_gap * unit, paper->top + edge, MAX(bottom - high - edge, paper->top + edge));
  cairo_rectangle_int_t under = {(int)floor(x - 3 * unit), (int)floor(y - unit), (int)ceil(wide + 6 * unit),
                                 (int)ceil(high + 2 * unit)};
  find_room(paper, &under);
  cairo_region_union_rectangle(paper->words, &under);
  cairo_new_path(cr);
  cairo_rectangle(cr, under.x, under.y, under.width, under.height);
  gdk_cairo_set_source_rgba(cr, &plate);
  cairo_fill(cr);
  cairo_move_to(cr, under.x + 3 * unit, under.y + unit);
  gdk_cairo_set_source_rgba(cr, &gantry_mark_colour);
  pango_cairo_show_layout(cr, layout);
}
