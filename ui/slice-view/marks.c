/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of the slice on screen: drawn above the picture, taken hold of by their outlines and, the chosen one, by
 * its handles. The inside of a region is the picture's, so that a plain drag there sets the grey window. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/number-text.h"

/* Logical pixels. */
static const double grip = 8, outline_grip = 5, handle_size = 4, text_gap = 6;
/* More corners than that are too close to each other to be taken. */
enum { MOST_HANDLES = 24, ELLIPSE_STEPS = 90 };
static const GdkRGBA colour = {0.55f, 1.0f, 0.80f, 1}, chosen_colour = {1, 1, 1, 1}, casing = {0, 0, 0, 0.55f},
                     plate = {0, 0, 0, 0.7f};

static GantryMarks *marks_of(GantrySliceView *self) {
  return gantry_display_get_marks(self->display);
}

gboolean gantry_slice_view_shows_mark(GantrySliceView *self, const GantryMark *mark) {
  const GantryImage *image = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  if (!image || self->instead || self->kind >= GANTRY_VIEW_PROJECTION || (int)mark->plane != (int)self->kind)
    return FALSE;
  if (self->count < 2) return TRUE;
  const double step = fabs(self->last - self->first) / (self->count - 1),
               away = (mark->position - image->position) / step;
  return away >= -0.5 && away < 0.5;
}

static ctgl_point place(GantrySliceView *self, const double point[2]) {
  return gantry_slice_view_to_widget(self, (ctgl_point){point[0], point[1]});
}

/* Outlines */

static guint outline_length(const GantryMark *mark) {
  return mark->kind == GANTRY_MARK_ELLIPSE ? ELLIPSE_STEPS : gantry_mark_handles(mark);
}

static gboolean is_closed(const GantryMark *mark) {
  return gantry_mark_is_region(mark);
}

static ctgl_point outline_point(GantrySliceView *self, const GantryMark *mark, guint i) {
  double point[2];
  if (mark->kind != GANTRY_MARK_ELLIPSE) {
    gantry_mark_handle(mark, i % gantry_mark_handles(mark), point);
    return place(self, point);
  }
  const double angle = 2 * G_PI * i / ELLIPSE_STEPS, (*p)[2] = mark->points;
  point[0] = (p[0][0] + p[1][0]) / 2 + cos(angle) * (p[1][0] - p[0][0]) / 2;
  point[1] = (p[0][1] + p[1][1]) / 2 + sin(angle) * (p[1][1] - p[0][1]) / 2;
  return place(self, point);
}

static double distance_to_line(double x, double y, ctgl_point a, ctgl_point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t = square > 0 ? CLAMP(((x - a.x) * dx + (y - a.y) * dy) / square, 0, 1) : 0;
  return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

static double distance_to(GantrySliceView *self, const GantryMark *mark, double x, double y) {
  const guint length = outline_length(mark), pieces = is_closed(mark) ? length : MAX(length, 2) - 1;
  double least = INFINITY;
  for (guint i = 0; i < pieces; i++)
    least = fmin(least, distance_to_line(x, y, outline_point(self, mark, i),
                                         outline_point(self, mark, is_closed(mark) || length > 1 ? i + 1 : i)));
  return least;
}

static gboolean has_handles(const GantryMark *mark) {
  return gantry_mark_handles(mark) <= MOST_HANDLES;
}

gboolean gantry_slice_view_mark_at(GantrySliceView *self, double x, double y, guint *id, guint *handle) {
  GantryMarks *marks = marks_of(self);
  const GantryMark *chosen = gantry_marks_find(marks, gantry_marks_get_chosen(marks));
  if (chosen && gantry_slice_view_shows_mark(self, chosen) && has_handles(chosen))
    for (guint i = gantry_mark_handles(chosen); i-- > 0;) {
      double at[2];
      gantry_mark_handle(chosen, i, at);
      const ctgl_point here = place(self, at);
      if (hypot(x - here.x, y - here.y) > grip) continue;
      *id = chosen->id;
      *handle = i;
      return TRUE;
    }
  double least = outline_grip;
  *id = 0;
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_slice_view_shows_mark(self, mark)) continue;
    const double away = distance_to(self, mark, x, y) - (mark->kind == GANTRY_MARK_POINT ? grip - outline_grip : 0);
    if (away > least) continue;
    least = away;
    *id = mark->id;
    *handle = gantry_mark_handles(mark);
  }
  return *id != 0;
}

/* Moving */

void gantry_slice_view_hold_mark(GantrySliceView *self, guint id, guint handle) {
  GantryMarks *marks = marks_of(self);
  const GantryMark *mark = gantry_marks_find(marks, id);
  g_clear_pointer(&self->held_from, gantry_mark_free);
  self->held_from = mark ? gantry_mark_copy(mark) : NULL;
  self->held = id;
  self->held_handle = handle;
  gantry_marks_choose(marks, id);
  gantry_marks_begin(marks);
}

static void move(GantrySliceView *self, const GantryMark *from, guint handle, double dx, double dy) {
  g_autofree double(*points)[2] = g_malloc_n(from->count, sizeof *points);
  if (handle < gantry_mark_handles(from))
    gantry_mark_shift_handle(from, handle, dx, dy, points);
  else
    gantry_mark_shift(from, dx, dy, points);
  gantry_marks_set_points(marks_of(self), from->id, (const double(*)[2])points);
}

void gantry_slice_view_drag_mark(GantrySliceView *self, ctgl_point here) {
  if (self->held_from)
    move(self, self->held_from, self->held_handle, here.x - self->drag_world.x, here.y - self->drag_world.y);
}

void gantry_slice_view_let_mark_go(GantrySliceView *self, gboolean kept) {
  if (!self->held_from) return;
  if (!kept) gantry_slice_view_drag_mark(self, self->drag_world);
  gantry_marks_end(marks_of(self));
  g_clear_pointer(&self->held_from, gantry_mark_free);
}

static const GantryMark *chosen_here(GantrySliceView *self) {
  const GantryMark *mark = gantry_marks_find(marks_of(self), gantry_marks_get_chosen(marks_of(self)));
  return mark && gantry_slice_view_shows_mark(self, mark) ? mark : NULL;
}

gboolean gantry_slice_view_nudge_mark(GantrySliceView *self, int right, int up, gboolean whole) {
  const GantryMark *mark = chosen_here(self);
  ctgl_image_frame frame;
  if (!mark || !gantry_slice_view_frame(self, &frame)) return FALSE;
  const guint handles = gantry_mark_handles(mark);
  g_autoptr(GantryMark) from = gantry_mark_copy(mark);
  /* Without a handle of its own choice it is the one that was drawn last. */
  const guint last = handles == 4 && mark->count == 2 ? 2 : handles - 1;
  const guint handle = self->held == mark->id && self->held_handle < handles ? self->held_handle : last;
  move(self, from, whole ? handles : handle, right * frame.spacing_x, up * frame.spacing_y);
  return TRUE;
}

gboolean gantry_slice_view_next_handle(GantrySliceView *self) {
  const GantryMark *mark = chosen_here(self);
  if (!mark) return FALSE;
  const guint handles = gantry_mark_handles(mark);
  self->held_handle = self->held == mark->id ? (self->held_handle + 1) % handles : 0;
  self->held = mark->id;
  gantry_slice_view_update_marks(self);
  return TRUE;
}

/* Drawing */

static void trace(GantrySliceView *self, cairo_t *cr, const GantryMark *mark) {
  const guint length = outline_length(mark);
  for (guint i = 0; i < length; i++) {
    const ctgl_point at = outline_point(self, mark, i);
    if (i)
      cairo_line_to(cr, at.x, at.y);
    else
      cairo_move_to(cr, at.x, at.y);
  }
  if (is_closed(mark)) cairo_close_path(cr);
}

static void stroke(cairo_t *cr, const GdkRGBA *with, double width) {
  gdk_cairo_set_source_rgba(cr, &casing);
  cairo_set_line_width(cr, width + 2);
  cairo_stroke_preserve(cr);
  gdk_cairo_set_source_rgba(cr, with);
  cairo_set_line_width(cr, width);
  cairo_stroke(cr);
}

/* What a thick line averages over. */
static void draw_band(GantrySliceView *self, cairo_t *cr, const GantryMark *mark) {
  if (mark->kind != GANTRY_MARK_LINE || !(mark->thickness > 0)) return;
  const ctgl_point a = place(self, mark->points[0]), b = place(self, mark->points[1]);
  cairo_move_to(cr, a.x, a.y);
  cairo_line_to(cr, b.x, b.y);
  cairo_set_source_rgba(cr, colour.red, colour.green, colour.blue, 0.2);
  cairo_set_line_width(cr, mark->thickness * self->camera.zoom / self->ratio);
  cairo_stroke(cr);
}

static void draw_cross(GantrySliceView *self, cairo_t *cr, const GantryMark *mark) {
  const ctgl_point at = place(self, mark->points[0]);
  cairo_move_to(cr, at.x - handle_size, at.y);
  cairo_line_to(cr, at.x + handle_size, at.y);
  cairo_move_to(cr, at.x, at.y - handle_size);
  cairo_line_to(cr, at.x, at.y + handle_size);
}

static void draw_handles(GantrySliceView *self, cairo_t *cr, const GantryMark *mark) {
  for (guint i = 0; has_handles(mark) && i < gantry_mark_handles(mark); i++) {
    double at[2];
    gantry_mark_handle(mark, i, at);
    const ctgl_point here = place(self, at);
    const gboolean active = self->held == mark->id && self->held_handle == i;
    const double half = active ? handle_size + 1.5 : handle_size;
    cairo_rectangle(cr, here.x - half, here.y - half, 2 * half, 2 * half);
    gdk_cairo_set_source_rgba(cr, active ? &colour : &chosen_colour);
    cairo_fill_preserve(cr);
    cairo_set_source_rgba(cr, 0, 0, 0, 0.8);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
  }
}

/* "Edge 1: 12.4 mm", "Rectangle 1: 0.0921 1/mm" of A. */
static char *words(GantrySliceView *self, const GantryMark *mark) {
  const GantryMarkNumbers *numbers = gantry_marks_get_numbers(marks_of(self), mark->id, GANTRY_MARKS_OF_A);
  const char *length = gantry_display_get_units(self->display).length;
  g_autofree char *value = NULL;
  if (mark->kind == GANTRY_MARK_LINE) value = gantry_quantity_text(gantry_mark_length(mark), 4, length);
  if (mark->kind == GANTRY_MARK_ANGLE) value = gantry_quantity_text(gantry_mark_angle(mark), 4, "°");
  if (gantry_mark_is_region(mark) && numbers && !*numbers->problem)
    value = gantry_quantity_text(gantry_display_value(self->display, numbers->region.values.mean), 4,
                                 gantry_display_value_unit(self->display));
  return value ? g_strdup_printf("%s: %s", mark->name ? mark->name : "", value)
               : g_strdup(mark->name ? mark->name : "");
}

/* Right below the lowest place of the mark. */
static void draw_words(GantrySliceView *self, cairo_t *cr, const GantryMark *mark, int width, int height) {
  g_autofree char *text = words(self, mark);
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(self->marks, text);
  g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_scale_new(0.85));
  pango_layout_set_attributes(layout, attributes);
  int wide, high;
  pango_layout_get_pixel_size(layout, &wide, &high);
  ctgl_point low = outline_point(self, mark, 0);
  for (guint i = 1; i < outline_length(mark); i++) {
    const ctgl_point at = outline_point(self, mark, i);
    if (at.y > low.y) low = at;
  }
  const double x = CLAMP(low.x - wide / 2.0, 2, MAX(width - wide - 2, 2)),
               y = CLAMP(low.y + text_gap, 2, MAX(height - high - 2, 2));
  if (!isfinite(low.x) || !isfinite(low.y) || low.x < 0 || low.x > width || low.y < 0 || low.y > height) return;
  cairo_rectangle(cr, x - 3, y - 1, wide + 6, high + 2);
  gdk_cairo_set_source_rgba(cr, &plate);
  cairo_fill(cr);
  cairo_move_to(cr, x, y);
  gdk_cairo_set_source_rgba(cr, &colour);
  pango_cairo_show_layout(cr, layout);
}

static void draw_mark(GantrySliceView *self, cairo_t *cr, const GantryMark *mark, gboolean chosen) {
  draw_band(self, cr, mark);
  if (mark->kind == GANTRY_MARK_POINT)
    draw_cross(self, cr, mark);
  else
    trace(self, cr, mark);
  stroke(cr, &colour, chosen ? 2 : 1.25);
  if (chosen) draw_handles(self, cr, mark);
}

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  GantrySliceView *self = user;
  GantryMarks *marks = marks_of(self);
  const guint chosen = gantry_marks_get_chosen(marks);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_slice_view_shows_mark(self, mark)) continue;
    draw_mark(self, cr, mark, mark->id == chosen);
    draw_words(self, cr, mark, width, height);
  }
  g_autoptr(GantryMark) unfinished = gantry_slice_view_unfinished_mark(self);
  if (unfinished) draw_mark(self, cr, unfinished, FALSE);
}

void gantry_slice_view_make_marks(GantrySliceView *self, GtkOverlay *overlay) {
  g_autofree char *name = g_strdup_printf("%s marks", gantry_slice_view_kind_title(self->kind));
  self->marks = gtk_drawing_area_new();
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(self->marks), draw, self, NULL);
  gtk_widget_set_can_target(self->marks, FALSE);
  gtk_widget_set_visible(self->marks, FALSE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->marks), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_overlay_add_overlay(overlay, self->marks);
}

void gantry_slice_view_update_marks(GantrySliceView *self) {
  GantryMarks *marks = marks_of(self);
  gboolean any = self->mark_points && self->mark_points->len;
  for (guint i = 0; i < gantry_marks_count(marks) && !any; i++)
    any = gantry_slice_view_shows_mark(self, gantry_marks_get(marks, i));
  gtk_widget_set_visible(self->marks, any && !self->fault && self->camera.width > 1);
  if (any) gtk_widget_queue_draw(self->marks);
}
