/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of other views in this one: the crosshair in a projection, its trace in a sinogram, in slices the ray to the
 * pixel that is pointed at, or the one that is read. */
#include "ui/slice-view/twin.h"
#include "ui/slice-view/view-private.h"

static const ctgl_colour trace_colour = {1.00f, 0.93f, 0.62f, 0.9f}, ray_colour = {0.95f, 0.55f, 0.95f, 1};

void gantry_slice_view_set_mark(GantrySliceView *self, const ctgl_point *mark) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (!mark && !self->has_mark) return;
  self->has_mark = mark != NULL;
  if (mark) self->mark = *mark;
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_set_curve(GantrySliceView *self, const ctgl_point *points, int count) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (count < 1 && !self->curve) return;
  g_free(self->curve);
  self->curve = count > 0 ? g_memdup2(points, sizeof *points * (gsize)count) : NULL;
  self->curve_points = MAX(count, 0);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_set_twin(GantrySliceView *self, const ctgl_point *at, const char *words) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (!at && !self->has_twin && g_strcmp0(words, self->twin_words) == 0) return;
  self->has_twin = at != NULL;
  if (at) self->twin = *at;
  g_free(self->twin_words);
  self->twin_words = g_strdup(words);
  gantry_slice_view_update_axes(self, self->images[CTGL_SLOT_A] != NULL);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_emit_pointed(GantrySliceView *self) {
  ctgl_image_frame frame;
  if (gantry_slice_view_is_plane(self)) return;
  const ctgl_point at = gantry_slice_view_to_world(self, self->pointer_x, self->pointer_y);
  const gboolean inside =
      self->pointer_inside && gantry_slice_view_frame(self, &frame) &&
      gantry_image_holds(self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B], at.x, at.y);
  g_signal_emit_by_name(self, "pointed", inside, at.x, at.y);
}

void gantry_slice_view_emit_chosen(GantrySliceView *self, ctgl_point pixel) {
  if (!gantry_slice_view_is_plane(self)) g_signal_emit_by_name(self, "pixel-chosen", pixel.x, pixel.y);
}

/* The ray seen along the normal of an orthogonal plane, and where it goes through. */
static void add_ray(GantrySliceView *self, const GantryRay *ray, ctgl_slice_scene *scene) {
  int axes[3];
  double cross[3];
  const double *from = ray->within.from, *to = ray->within.to;
  gantry_slice_view_axes(self->kind, axes);
  gantry_display_get_cross(self->display, cross);
  scene->ray = true;
  scene->ray_from = (ctgl_point){from[axes[0]], from[axes[1]]};
  scene->ray_to = (ctgl_point){to[axes[0]], to[axes[1]]};
  scene->ray_colour = ray_colour;
  const double rise = to[axes[2]] - from[axes[2]], share = (cross[axes[2]] - from[axes[2]]) / rise;
  scene->ray_crosses = share >= 0 && share <= 1; /* never of one along the plane, where it is no number */
  scene->ray_at = (ctgl_point){scene->ray_from.x + share * (scene->ray_to.x - scene->ray_from.x),
                               scene->ray_from.y + share * (scene->ray_to.y - scene->ray_from.y)};
}

/* A ring, of the ray's colour. */
static void add_twin(GantrySliceView *self, ctgl_slice_scene *scene) {
  scene->ray = scene->ray_crosses = self->has_twin && gantry_slice_view_sinogram(self);
  scene->ray_from = scene->ray_to = scene->ray_at = self->twin;
  scene->ray_colour = ray_colour;
}

void gantry_slice_view_add_links(GantrySliceView *self, ctgl_slice_scene *scene) {
  const GantryRay *ray = gantry_display_get_drawn_ray(self->display);
  if (ray && self->kind < GANTRY_VIEW_PROJECTION) add_ray(self, ray, scene);
  if (self->kind == GANTRY_VIEW_PROJECTION) add_twin(self, scene);
  if (self->kind != GANTRY_VIEW_PROJECTION || !gantry_display_get_show_crosshair(self->display)) return;
  scene->crosshair = self->has_mark;
  scene->cross = self->mark;
  scene->cross_horizontal = scene->cross_vertical = trace_colour;
  scene->curve = self->curve;
  scene->curve_points = self->curve_points;
  scene->curve_colour = trace_colour;
}
