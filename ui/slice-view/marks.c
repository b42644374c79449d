/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of the slice on screen: drawn above the picture, taken hold of by their outlines and, the chosen one, by
 * its handles. The inside of a region is the picture's, so that a plain drag there sets the grey window. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/marks/draw.h"

/* Logical pixels. */
static const double grip = 8, outline_grip = 5, handle_size = 4;
/* More corners than that are too close to each other to be taken. */
enum { MOST_HANDLES = 24 };
static const GdkRGBA chosen_colour = {1, 1, 1, 1};

static GantryMarks *marks_of(GantrySliceView *self) {
  return gantry_display_get_marks(self->display);
}

double gantry_slice_view_get_step(GantrySliceView *self) {
  return self->count < 2 ? 0 : fabs(self->last - self->first) / (self->count - 1);
}

gboolean gantry_slice_view_shows_mark(GantrySliceView *self, const GantryMark *mark) {
  const GantryImage *image = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  return image && !self->instead && gantry_mark_is_on(mark, image, gantry_slice_view_get_step(self));
}

static ctgl_point place(GantrySliceView *self, const double point[2]) {
  return gantry_slice_view_to_widget(self, (ctgl_point){point[0], point[1]});
}

/* Outlines */

static ctgl_point outline_point(GantrySliceView *self, const GantryMark *mark, guint i) {
  double point[2];
  gantry_mark_outline_point(mark, i, point);
  return place(self, point);
}

static double distance_to_line(double x, double y, ctgl_point a, ctgl_point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t = square > 0 ? CLAMP(((x - a.x) * dx + (y - a.y) * dy) / square, 0, 1) : 0;
  return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

static double distance_to(GantrySliceView *self, const GantryMark *mark, double x, double y) {
  const guint length = gantry_mark_outline(mark), pieces = gantry_mark_is_region(mark) ? length : MAX(length, 2) - 1;
  double least = INFINITY;
  for (guint i = 0; i < pieces; i++)
    least =
        fmin(least, distance_to_line(x, y, outline_point(self, mark, i),
                                     outline_point(self, mark, gantry_mark_is_region(mark) || length > 1 ? i + 1 : i)));
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

static void draw_handles(GantrySliceView *self, cairo_t *cr, const GantryMark *mark) {
  for (guint i = 0; has_handles(mark) && i < gantry_mark_handles(mark); i++) {
    double at[2];
    gantry_mark_handle(mark, i, at);
    const ctgl_point here = place(self, at);
    const gboolean active = self->held == mark->id && self->held_handle == i;
    const double half = active ? handle_size + 1.5 : handle_size;
    cairo_rectangle(cr, here.x - half, here.y - half, 2 * half, 2 * half);
    gdk_cairo_set_source_rgba(cr, active ? &gantry_mark_colour : &chosen_colour);
    cairo_fill_preserve(cr);
    cairo_set_source_rgba(cr, 0, 0, 0, 0.8);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
  }
}

static ctgl_point paper_place(gpointer user, const double point[2]) {
  return place(user, point);
}

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  GantrySliceView *self = user;
  GantryMarks *marks = marks_of(self);
  const guint chosen = gantry_marks_get_chosen(marks);
  const GantryMarkPaper paper = {.place = paper_place,
                                 .user = self,
                                 .unit = 1,
                                 .per_mm = self->camera.zoom / self->ratio,
                                 .width = width,
                                 .height = height,
                                 .room = 0.85,
                                 .words = cairo_region_create()};
  PangoContext *context = gtk_widget_get_pango_context(self->marks);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_slice_view_shows_mark(self, mark)) continue;
    gantry_mark_draw(mark, &paper, mark->id == chosen ? 2 : 1.25, cr);
    if (mark->id == chosen) draw_handles(self, cr, mark);
    gantry_mark_draw_words(mark, self->display, &paper, context, cr);
  }
  cairo_region_destroy(paper.words);
  g_autoptr(GantryMark) unfinished = gantry_slice_view_unfinished_mark(self);
  if (unfinished) gantry_mark_draw(unfinished, &paper, 1.25, cr);
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
