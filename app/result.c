/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes shared between threads, and planes cut out of them. */
#include "app/result.h"

#include "ui/plan/iterative.h"
#include "ui/shown.h"

#include <math.h>

GantryResult *gantry_result_new(ct_volume *volume, const ct_plan *plan) {
  GantryResult *result = g_new0(GantryResult, 1);
  result->references = 1;
  result->volume = volume;
  result->plan = *plan;
  result->identity = g_atomic_rc_box_alloc(1);
  return result;
}

GantryResult *gantry_result_new_from_file(ct_volume *volume, const char *path) {
  ct_plan plan;
  ct_plan_init(&plan);
  GantryResult *result = gantry_result_new(volume, &plan);
  result->file = gantry_shown_name(path);
  return result;
}

GantryResult *gantry_result_new_alike(const GantryResult *result, ct_volume *volume) {
  GantryResult *copy = g_new(GantryResult, 1);
  *copy = *result;
  copy->identity = g_atomic_rc_box_acquire(result->identity);
  copy->references = 1;
  copy->volume = volume;
  copy->curve = result->curve ? g_memdup2(result->curve, (gsize)result->iterations * sizeof *result->curve) : NULL;
  copy->file = g_strdup(result->file);
  copy->kept = volume && result->kept ? gantry_kept_iterations_ref(result->kept) : NULL;
  return copy;
}

GantryResult *gantry_result_ref(GantryResult *result) {
  g_atomic_int_inc(&result->references);
  return result;
}

void gantry_result_unref(GantryResult *result) {
  if (!result || !g_atomic_int_dec_and_test(&result->references)) return;
  ct_volume_free(result->volume);
  g_free(result->curve);
  g_free(result->file);
  gantry_kept_iterations_unref(result->kept);
  g_atomic_rc_box_release(result->identity);
  g_free(result);
}

/* "volume 256³", "volume 140 × 140 × 148", "slice 560²" */
static char *dup_size(const ct_grid *grid) {
  if (grid->nz == 1 && grid->nx == grid->ny) return g_strdup_printf("slice %d²", grid->nx);
  if (grid->nz == 1) return g_strdup_printf("slice %d × %d", grid->nx, grid->ny);
  if (grid->nx == grid->ny && grid->ny == grid->nz) return g_strdup_printf("volume %d³", grid->nx);
  return g_strdup_printf("volume %d × %d × %d", grid->nx, grid->ny, grid->nz);
}

char *gantry_result_dup_title(const GantryResult *result) {
  const ct_grid *grid = ct_volume_grid(result->volume);
  g_autofree char *size = dup_size(grid);
  if (result->file) return g_strdup_printf("%s, %s", result->file, size);
  const int asked = result->plan.iterative.iterations;
  const char *method = gantry_plan_method_name(result->plan.iterative.method);
  if (result->iterations && result->iterations < asked)
    return g_strdup_printf("%s, %s, %d of %d iterations", size, method, result->iterations, asked);
  if (result->iterations)
    return g_strdup_printf("%s, %s, %d iteration%s", size, method, result->iterations,
                           result->iterations == 1 ? "" : "s");
  if (result->views < result->views_all)
    return g_strdup_printf("%s, %d of %d views", size, result->views, result->views_all);
  return g_strdup_printf("%s, %d views", size, result->views);
}

GantryImage *gantry_result_read_plane(const GantryResult *result, ct_plane plane, int index) {
  GantryImage *image = gantry_image_new_for_plane(ct_volume_grid(result->volume), plane, index);
  if (image) ct_volume_copy_plane(result->volume, plane, index, image->pixels);
  return image;
}

GantryImage *gantry_result_read_position(const GantryResult *result, ct_plane plane, double position) {
  const ct_grid *grid = ct_volume_grid(result->volume);
  int width, height, count;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  const double first = ct_grid_plane_position(grid, plane, 0);
  const double spacing = plane == CT_AXIAL ? grid->dz : plane == CT_CORONAL ? grid->dy : grid->dx;
  const double at = (position - first) / spacing;
  if (!(at >= -0.5 && at <= count - 0.5)) return NULL;
  const int below = (int)CLAMP(floor(at), 0, count - 1), above = MIN(below + 1, count - 1);
  const float part = (float)CLAMP(at - below, 0, 1);
  GantryImage *image = gantry_result_read_plane(result, plane, part > 0.5f ? above : below);
  /* Grids made by the same arithmetic agree to rounding: then no pixel may be blurred. */
  const float to_next = part > 0.5f ? 1 - part : part;
  if (!image || to_next < 1e-4f || above == below) return image;
  GantryImage *next = gantry_result_read_plane(result, plane, part > 0.5f ? below : above);
  if (!next) {
    gantry_image_unref(image);
    return NULL;
  }
  for (gsize i = 0; i < (gsize)width * (gsize)height; i++)
    image->pixels[i] += to_next * (next->pixels[i] - image->pixels[i]);
  gantry_image_unref(next);
  return image;
}

/* At most 4 x 4 pixels of each: it need not be exact. */
static float mean_of(const float *plane, int width, const int from[2], const int to[2]) {
  const int step_x = MAX(1, (to[0] - from[0]) / 4), step_y = MAX(1, (to[1] - from[1]) / 4);
  double sum = 0;
  int count = 0;
  for (int y = from[1]; y < to[1]; y += step_y)
    for (int x = from[0]; x < to[0]; x += step_x, count++) sum += plane[(gsize)y * (gsize)width + (gsize)x];
  return (float)(sum / MAX(count, 1));
}

GantryImage *gantry_result_read_thumbnail(const GantryResult *result, int side) {
  const ct_grid *grid = ct_volume_grid(result->volume);
  const double scale = MAX(1.0, (double)MAX(grid->nx, grid->ny) / side);
  const int width = MAX(1, (int)(grid->nx / scale)), height = MAX(1, (int)(grid->ny / scale));
  GantryImage *image = gantry_image_new(width, height);
  if (!image) return NULL;
  const float *plane = ct_volume_get_data(result->volume) + (gsize)(grid->nz / 2) * (gsize)grid->ny * (gsize)grid->nx;
  image->kind = GANTRY_VIEW_AXIAL;
  image->index = grid->nz / 2;
  image->spacing_x = grid->dx * grid->nx / width;
  image->spacing_y = grid->dy * grid->ny / height;
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      const int from[2] = {(int)((gint64)i * grid->nx / width), (int)((gint64)j * grid->ny / height)};
      const int to[2] = {(int)((gint64)(i + 1) * grid->nx / width), (int)((gint64)(j + 1) * grid->ny / height)};
      image->pixels[(gsize)j * (gsize)width + (gsize)i] = mean_of(plane, grid->nx, from, to);
    }
  return image;
}

static gboolean near(double a, double b, double voxel) {
  return fabs(a - b) <= 1e-6 * voxel;
}

gboolean gantry_grids_agree(const ct_grid *a, const ct_grid *b) {
  return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && near(a->dx, b->dx, a->dx / a->nx) &&
         near(a->dy, b->dy, a->dy / a->ny) && near(a->dz, b->dz, a->dz / a->nz) && near(a->x0, b->x0, a->dx) &&
         near(a->y0, b->y0, a->dy) && near(a->z0, b->z0, a->dz);
}

static gboolean agree(const ct_plan *a, const ct_plan *b, gboolean (*ignored)(const ct_param *param)) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    const ct_param *param = &params[i];
    if (param->stage > CT_PLAN_VOLUME || (ignored && ignored(param))) continue;
    if (!ct_param_equal(a, b, param)) return FALSE;
  }
  return TRUE;
}

static gboolean is_iterative(const ct_param *param) {
  return param->section == CT_SECTION_ITERATIVE;
}

static gboolean is_iterations(const ct_param *param) {
  return param->offset == offsetof(ct_plan, iterative.iterations);
}

gboolean gantry_plans_agree(const ct_plan *a, const ct_plan *b) {
  const gboolean direct = a->iterative.method == CT_METHOD_DIRECT && b->iterative.method == CT_METHOD_DIRECT;
  return agree(a, b, direct ? is_iterative : NULL);
}

gboolean gantry_plans_agree_directly(const ct_plan *a, const ct_plan *b) {
  return agree(a, b, is_iterative);
}

gboolean gantry_plans_iterate_alike(const ct_plan *a, const ct_plan *b) {
  return agree(a, b, is_iterations);
}
