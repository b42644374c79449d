/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing a mark: by a drag, by clicks, or by Return at the crosshair. A free region is the outline of a drag, or its
 * corners one by one until the first, or the last, is placed again. */
#include "ui/slice-view/view-private.h"

#include <math.h>

/* Logical pixels: what counts as the same place, and the least way between two points of an outline. */
static const double same = 6, stride = 3;

static guint wanted(GantrySliceView *self) {
  return gantry_mark_kind_points(self->mark_kind);
}

static ctgl_point point(GantrySliceView *self, guint i) {
  return g_array_index(self->mark_points, ctgl_point, i);
}

static gboolean is_near(GantrySliceView *self, ctgl_point a, ctgl_point b, double pixels) {
  const ctgl_point p = gantry_slice_view_to_widget(self, a), q = gantry_slice_view_to_widget(self, b);
  return hypot(p.x - q.x, p.y - q.y) < pixels;
}

static GantryMark *make(GantrySliceView *self, const ctgl_point *more) {
  const GantryImage *image = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  GantryMark *mark = g_new0(GantryMark, 1);
  const guint have = self->mark_points->len;
  mark->kind = self->mark_kind;
  mark->oblique = self->kind == GANTRY_VIEW_OBLIQUE;
  if (mark->oblique && image)
    mark->pose = (GantryPose){image->rotation, image->tilt};
  else if (!mark->oblique)
    mark->plane = (ct_plane)self->kind;
  mark->position = image ? image->position : 0;
  mark->count = have + (more ? 1 : 0);
  mark->points = g_malloc_n(MAX(mark->count, 1), sizeof *mark->points);
  for (guint i = 0; i < mark->count; i++) {
    const ctgl_point at = i < have ? point(self, i) : *more;
    mark->points[i][0] = at.x;
    mark->points[i][1] = at.y;
  }
  return mark;
}

GantryMark *gantry_slice_view_unfinished_mark(GantrySliceView *self) {
  if (!self->mark_points || !self->mark_points->len) return NULL;
  const ctgl_point here = self->tool_points ? gantry_slice_view_to_world(self, self->pointer_x, self->pointer_y)
                                            : gantry_slice_view_get_cross(self);
  const guint points = wanted(self);
  /* A drag has both ends; a box of one corner, or an angle of one leg, is not drawn as such. */
  GantryMark *mark = make(self, points && self->mark_points->len >= points ? NULL : &here);
  if (!points && mark->count < 3) mark->kind = GANTRY_MARK_LINE;
  if (mark->kind == GANTRY_MARK_ANGLE && mark->count < 3) mark->kind = GANTRY_MARK_LINE;
  return mark;
}

static void finish(GantrySliceView *self) {
  GantryMarks *marks = gantry_display_get_marks(self->display);
  g_autoptr(GantryMark) mark = make(self, NULL);
  g_array_set_size(self->mark_points, 0);
  gantry_display_drop_tools(self->display);
  const guint id = gantry_marks_add(marks, mark);
  if (id) gantry_marks_choose(marks, id);
}

/* A box or a line without extent is a slip of the hand. */
static gboolean is_slip(GantrySliceView *self, ctgl_point world) {
  const guint have = self->mark_points->len;
  if (!have || !is_near(self, point(self, have - 1), world, 1)) return FALSE;
  return wanted(self) > 1;
}

void gantry_slice_view_place_mark(GantrySliceView *self, ctgl_point world) {
  if (is_slip(self, world)) return;
  const guint have = self->mark_points->len;
  const gboolean closes =
      !wanted(self) && have >= 3 &&
      (is_near(self, point(self, 0), world, same) || is_near(self, point(self, have - 1), world, 1));
  if (!closes && have < GANTRY_MOST_POINTS) g_array_append_val(self->mark_points, world);
  if (closes || (wanted(self) && self->mark_points->len >= wanted(self))) {
    finish(self);
    return;
  }
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_draw_mark(GantrySliceView *self, ctgl_point from, ctgl_point here) {
  GArray *points = self->mark_points;
  if (wanted(self)) {
    /* Of an angle a drag is the first leg, from its end to the vertex; what was clicked before stays. */
    g_array_set_size(points, self->mark_before);
    if (!self->mark_before && wanted(self) > 1) g_array_append_val(points, from);
    g_array_append_val(points, here);
  } else {
    if (!points->len) g_array_append_val(points, from);
    if (points->len < GANTRY_MOST_POINTS && !is_near(self, point(self, points->len - 1), here, stride))
      g_array_append_val(points, here);
  }
  gantry_slice_view_update_marks(self);
}

void gantry_slice_view_end_mark(GantrySliceView *self) {
  const guint points = wanted(self), have = self->mark_points->len;
  if (points ? have >= points : have >= 3)
    finish(self);
  else
    gantry_slice_view_update_labels(self);
}

void gantry_slice_view_drop_mark(GantrySliceView *self) {
  if (self->mark_points) g_array_set_size(self->mark_points, 0);
  gantry_slice_view_update_marks(self);
}

void gantry_slice_view_start_mark(GantrySliceView *self, GantryMarkKind kind) {
  if (self->kind == GANTRY_VIEW_PROJECTION) return;
  if (!self->mark_points) self->mark_points = g_array_new(FALSE, FALSE, sizeof(ctgl_point));
  gantry_slice_view_set_tool(self, GANTRY_TOOL_NONE);
  self->mark_kind = kind;
  gantry_slice_view_set_tool(self, GANTRY_TOOL_MARK);
}

const char *gantry_slice_view_mark_hint(GantrySliceView *self) {
  const guint have = self->mark_points ? self->mark_points->len : 0;
  switch (self->mark_kind) {
  case GANTRY_MARK_POLYGON:
    return have >= 3 ? "Click the next corner, or the first one again to close. Escape gives up."
           : have    ? "Click the next corner. Escape gives up."
                     : "Drag the outline, or click its corners one by one. Escape gives up.";
  case GANTRY_MARK_ANGLE:
    return have == 0   ? "Click at the end of one leg. Escape gives up."
           : have == 1 ? "Click at the vertex. Escape gives up."
                       : "Click at the end of the other leg. Escape gives up.";
  case GANTRY_MARK_POINT:
    return "Click at the place, or press Return at the crosshair. Escape gives up.";
  default:
    return have ? "Click or press Return at the other end. Escape gives up."
                : "Drag from one end to the other. Escape gives up.";
  }
}
