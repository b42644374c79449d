/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels of pictures are those of the whole detector, pixels of the geometry those that it was binned and cut to. */
#include "ui/window/links.h"

#include "recon/geom/ray.h"
#include "ui/number-text.h"
#include "ui/slice-view/twin.h"

#include <math.h>

struct _GantryLinks {
  GantryDisplay *display;
  GantryQuad *quad;
  GantryPlanes *planes;
  GantryFourth *fourth;
  ct_geometry geometry;
  gboolean has_geometry;
  GantryBins bins;
  ct_trajectory trajectory; /* of the geometry */
  gboolean has_trajectory, has_twin;
  GantryRay twin_of;
  int followed; /* row of the crosshair's slice that the sinogram was moved to; -1: none */
};

/* Pixels */

static ctgl_point pixel_of(GantryLinks *self, int view, const double point[3]) {
  double matrix[12], u, v, w;
  ct_geometry_matrix(&self->geometry, view, matrix);
  ct_project(matrix, point, &u, &v, &w);
  return (ctgl_point){u, v};
}

static const GantryImage *image_of(GantryLinks *self) {
  const GantryImage *image = gantry_quad_get_image(self->quad, GANTRY_VIEW_PROJECTION, CTGL_SLOT_A);
  return self->has_geometry ? image : NULL;
}

/* The crosshair */

/* The row that sees the crosshair's height where the axis is: in it the slice is seen by all views. */
static int row_of_slice(GantryLinks *self, const double cross[3]) {
  enum { MOST = 16 };
  ct_line axis;
  double along = 0, sum = 0, point[3];
  const int count = MIN(self->geometry.views, MOST);
  ct_geometry_axis(&self->geometry, &axis);
  for (int i = 0; i < 3; i++) along += (cross[i] - axis.point[i]) * axis.direction[i];
  for (int i = 0; i < 3; i++) point[i] = axis.point[i] + along * axis.direction[i];
  for (int n = 0; n < count; n++)
    sum += pixel_of(self, (int)((gint64)n * self->geometry.views / count), point).y / count;
  return isfinite(sum) ? (int)CLAMP(round(sum), 0, self->geometry.nv - 1) : 0;
}

static void show_trace(GantryLinks *self, GantrySliceView *view, const double cross[3]) {
  const int count = self->geometry.views;
  g_autofree ctgl_point *points = g_new(ctgl_point, count);
  for (int k = 0; k < count; k++)
    points[k] = (ctgl_point){gantry_bins_column(&self->bins, pixel_of(self, k, cross).x), k};
  gantry_slice_view_set_curve(view, points, count);
}

/* The ray that measured the same line */

ct_twin gantry_links_find_twin(GantryLinks *self, const GantryRay *ray, GantryRay *twin, double *angle) {
  ct_twin found = {.state = CT_TWIN_NONE};
  if (self->has_trajectory) found = ct_geometry_twin(&self->geometry, &self->trajectory, ray->view, ray->uv);
  *twin = (GantryRay){.view = found.view, .uv = {found.uv[0], found.uv[1]}};
  *angle = (found.state == CT_TWIN_MEASURED ? self->trajectory.angles[found.view] : found.angle) * 180 / G_PI;
  return found;
}

/* In the sinogram of the row that the ray is in. */
static void mark_twin(GantryLinks *self) {
  GantrySliceView *view = gantry_quad_get_view(self->quad, GANTRY_VIEW_PROJECTION);
  const GantryImage *image = image_of(self);
  GantryRay twin;
  double angle;
  if (!self->has_twin || !image || !gantry_fourth_is_sinogram(self->fourth) ||
      gantry_links_find_twin(self, &self->twin_of, &twin, &angle).state != CT_TWIN_MEASURED ||
      fabs(twin.uv[1] - image->index) > 0.75) {
    gantry_slice_view_set_twin(view, NULL, NULL);
    return;
  }
  const ctgl_point at = {gantry_bins_column(&self->bins, twin.uv[0]), twin.view};
  g_autofree char *degrees = gantry_fixed_text(angle, 1), *column = gantry_fixed_text(at.x, 1);
  g_autofree char *words = g_strdup_printf("the line pointed at was measured again at %s°, column %s", degrees, column);
  gantry_slice_view_set_twin(view, &at, words);
}

void gantry_links_show_twin(GantryLinks *self, const GantryRay *ray) {
  self->has_twin = ray != NULL;
  if (ray) self->twin_of = *ray;
  mark_twin(self);
}

void gantry_links_refresh(GantryLinks *self) {
  GantrySliceView *view = gantry_quad_get_view(self->quad, GANTRY_VIEW_PROJECTION);
  const GantryImage *image = image_of(self);
  const gboolean sinogram = gantry_fourth_is_sinogram(self->fourth);
  double cross[3];
  gantry_display_get_cross(self->display, cross);
  mark_twin(self);
  if (!image || sinogram || image->index >= self->geometry.views || !gantry_planes_get_grid(self->planes))
    gantry_slice_view_set_mark(view, NULL);
  if (!image || !sinogram) {
    gantry_slice_view_set_curve(view, NULL, 0);
    self->followed = -1;
  }
  if (!image || !gantry_planes_get_grid(self->planes)) return;
  if (sinogram) {
    show_trace(self, view, cross);
    const int row = row_of_slice(self, cross);
    if (row != self->followed) gantry_fourth_show_row(self->fourth, row);
    self->followed = row;
  } else if (image->index < self->geometry.views) {
    const ctgl_point at = pixel_of(self, image->index, cross);
    gantry_slice_view_set_mark(
        view, &(ctgl_point){gantry_bins_column(&self->bins, at.x), gantry_bins_row(&self->bins, at.y)});
  }
}

/* Pointing */

static gboolean find_ray(GantryLinks *self, int view, double u, double v, GantryRay *ray) {
  const ct_grid *grid = gantry_planes_get_grid(self->planes);
  if (!self->has_geometry || !grid || view < 0 || view >= self->geometry.views) return FALSE;
  *ray = (GantryRay){.view = view, .uv = {u, v}};
  ray->in_field = ct_ray_in_field(&self->geometry, grid, view, ray->uv, ray->field.from, ray->field.to);
  return ctgl_ray_within(&self->geometry, grid, view, ray->uv, &ray->within);
}

/* Of a place in the picture of the fourth view. */
static gboolean ray_of_picture(GantryLinks *self, double x, double y, GantryRay *ray) {
  const GantryImage *image = image_of(self);
  if (!image) return FALSE;
  const double u = (x - (self->bins.bin_u - 1) / 2.0) / self->bins.bin_u,
               v = (y - self->bins.row0 - (self->bins.bin_v - 1) / 2.0) / self->bins.bin_v;
  return gantry_fourth_is_sinogram(self->fourth) ? find_ray(self, (int)round(y), u, image->index, ray)
                                                 : find_ray(self, image->index, u, v, ray);
}

static double middle_of_pixel(double place, double origin, double spacing) {
  return origin + round((place - origin) / spacing) * spacing;
}

/* The ray of the place whose value the view tells: of the pixel's middle, but for pictures that are shown smooth. */
static void pointed(GantrySliceView *view, gboolean inside, double x, double y, GantryLinks *self) {
  GantryRay ray;
  const GantryImage *image = image_of(self);
  if (image && !gantry_display_get_smooth(self->display)) {
    x = middle_of_pixel(x, image->origin_x, image->spacing_x);
    y = middle_of_pixel(y, image->origin_y, image->spacing_y);
  }
  gantry_display_set_ray(self->display, inside && ray_of_picture(self, x, y, &ray) ? &ray : NULL);
}

static void pointed_in_scene(GantrySceneView *scene, gboolean inside, double u, double v, GantryLinks *self) {
  GantryRay ray;
  gantry_display_set_ray(self->display,
                         inside && find_ray(self, gantry_scene_view_get_shown(scene), u, v, &ray) ? &ray : NULL);
}

/* The crosshair goes to the ray, by the shortest way, and stays among the voxels' centres. */
static void chosen(GantrySliceView *view, double x, double y, GantryLinks *self) {
  GantryRay ray;
  double cross[3], square = 0, along = 0;
  const ct_grid *grid = gantry_planes_get_grid(self->planes);
  if (!ray_of_picture(self, x, y, &ray)) return;
  const double *from = ray.within.from, *to = ray.within.to;
  gantry_display_get_cross(self->display, cross);
  for (int i = 0; i < 3; i++) {
    square += (to[i] - from[i]) * (to[i] - from[i]);
    along += (cross[i] - from[i]) * (to[i] - from[i]);
  }
  const double share = square > 0 ? CLAMP(along / square, 0, 1) : 0;
  const double first[3] = {grid->x0, grid->y0, grid->z0}, step[3] = {grid->dx, grid->dy, grid->dz};
  const int count[3] = {grid->nx, grid->ny, grid->nz};
  for (int i = 0; i < 3; i++)
    cross[i] = CLAMP(from[i] + share * (to[i] - from[i]), first[i], first[i] + (count[i] - 1) * step[i]);
  gantry_display_set_cross(self->display, cross);
}

/* Life */

GantryLinks *gantry_links_new(GantryDisplay *display, GantryQuad *quad, GantryPlanes *planes, GantryFourth *fourth) {
  GantryLinks *self = g_new0(GantryLinks, 1);
  GantrySliceView *view = gantry_quad_get_view(quad, GANTRY_VIEW_PROJECTION);
  self->display = g_object_ref(display);
  self->quad = quad;
  self->planes = planes;
  self->fourth = fourth;
  self->followed = -1;
  g_signal_connect(view, "pointed", G_CALLBACK(pointed), self);
  g_signal_connect(view, "pixel-chosen", G_CALLBACK(chosen), self);
  g_signal_connect(gantry_quad_get_scene(quad), "pointed", G_CALLBACK(pointed_in_scene), self);
  return self;
}

gboolean gantry_links_find_cross_ray(GantryLinks *self, GantryRay *ray) {
  double cross[3];
  const int view = gantry_fourth_get_projection(self->fourth);
  if (!self->has_geometry || view < 0 || view >= self->geometry.views) return FALSE;
  gantry_display_get_cross(self->display, cross);
  const ctgl_point at = pixel_of(self, view, cross);
  return isfinite(at.x) && isfinite(at.y) && find_ray(self, view, at.x, at.y, ray);
}

void gantry_links_tell_ray(GantryLinks *self, const GantryRay *ray, double pixel[2], double *angle) {
  pixel[0] = gantry_bins_column(&self->bins, ray->uv[0]);
  pixel[1] = gantry_bins_row(&self->bins, ray->uv[1]);
  *angle =
      self->geometry.angles && ray->view < self->geometry.views ? self->geometry.angles[ray->view] * 180 / G_PI : NAN;
}

static void forget_geometry(GantryLinks *self) {
  ct_geometry_clear(&self->geometry);
  if (self->has_trajectory) ct_trajectory_clear(&self->trajectory);
  self->has_geometry = self->has_trajectory = self->has_twin = FALSE;
}

void gantry_links_free(GantryLinks *self) {
  forget_geometry(self);
  g_object_unref(self->display);
  g_free(self);
}

void gantry_links_set_geometry(GantryLinks *self, const ct_geometry *geometry, GantryBins bins) {
  forget_geometry(self);
  self->has_geometry = geometry && ct_geometry_copy(&self->geometry, geometry, NULL);
  self->has_trajectory = self->has_geometry && ct_trajectory_make(&self->geometry, &self->trajectory, NULL);
  self->bins = bins;
  gantry_display_set_ray(self->display, NULL);
}
