/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a sum of projections has left the range of single precision, which ends at 3.4e38: such a volume is no
 * result, and the error says where it happened. */
#include "recon/solve/pipeline-private.h"

#include <math.h>
#include <stdio.h>

/* The first of `count` values that is no finite number; count: there is none. */
static size_t first_overflow(const float *values, size_t count) {
  /* x - x is 0 of every finite x; without a branch, so that compilers make vectors of it. */
  enum { block = 4096 };
  for (size_t at = 0; at < count; at += block) {
    const size_t end = at + block < count ? at + block : count;
    float sum = 0;
    for (size_t n = at; n < end; n++) sum += values[n] - values[n];
    if (sum == 0) continue;
    for (size_t n = at; n < end; n++)
      if (!isfinite(values[n])) return n;
  }
  return count;
}

static int overflowing_view(const ct_stack *filtered) {
  const size_t pixels = (size_t)ct_stack_nu(filtered) * (size_t)ct_stack_nv(filtered);
  for (int view = 0; view < ct_stack_views(filtered); view++)
    if (first_overflow(ct_stack_get_view(filtered, view), pixels) < pixels) return view;
  return -1;
}

static bool refuse(const ct_volume *volume, const ct_stack *filtered, size_t voxel, bool placed, ct_error **error) {
  const ct_grid *g = ct_volume_grid(volume);
  const size_t nx = (size_t)g->nx, ny = (size_t)g->ny;
  const int view = overflowing_view(filtered);
  char where[128] = "A pixel of the slice", cause[64] = "their sum";
  if (placed)
    snprintf(where, sizeof where, "The voxel at (%.6g, %.6g, %.6g) mm", g->x0 + (double)(voxel % nx) * g->dx,
             g->y0 + (double)(voxel / nx % ny) * g->dy, g->z0 + (double)(voxel / nx / ny) * g->dz);
  if (view >= 0) snprintf(cause, sizeof cause, "filtered view %d", view);
  return ct_error_set(error, CT_ERROR_DATA,
                      "%s has no finite value: the line integrals are so large that %s leaves the range of single "
                      "precision, 3.4e38. Check what the scan's values are, and correct them for bad pixels.",
                      where, cause);
}

bool ct_check_finite(const ct_volume *volume, const ct_stack *filtered, bool placed, ct_error **error) {
  const ct_grid *g = ct_volume_grid(volume);
  const float *data = ct_volume_get_data(volume);
  const size_t slice = (size_t)g->nx * (size_t)g->ny, voxels = ct_grid_voxels(g);
  size_t first = voxels;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (int k = 0; k < g->nz; k++) {
    const size_t from = (size_t)k * slice, at = first_overflow(data + from, slice);
    if (at < slice && from + at < first) first = from + at;
  }
  return first == voxels || refuse(volume, filtered, first, placed, error);
}
