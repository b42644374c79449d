/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume on the voxels of another grid, trilinear in world mm. */
#include "recon/data/resample.h"

#include "recon/base/units.h"
#include "recon/data/pitch.h"

#include <math.h>

/* Of `count` voxels at first + i step, how many lie within n voxels of `size` from `origin`, half a voxel of border
 * included. */
static size_t covered(int count, double first, double step, int n, double size, double origin) {
  size_t inside = 0;
  for (int i = 0; i < count; i++) {
    const double position = (first + i * step - origin) / size;
    inside += position >= -0.5 && position <= n - 0.5;
  }
  return inside;
}

ct_volume *ct_volume_resample(const ct_volume *volume, const ct_grid *grid, size_t *outside, ct_error **error) {
  const ct_grid *g = ct_volume_grid(volume);
  ct_volume *made = ct_volume_new(grid, error);
  if (!made) return NULL;
  float *data = ct_volume_data(made);
#pragma omp parallel for schedule(static)
  for (ptrdiff_t row = 0; row < (ptrdiff_t)grid->ny * grid->nz; row++) {
    float *out = data + (size_t)row * (size_t)grid->nx;
    const double y = grid->y0 + (double)(row % grid->ny) * grid->dy;
    const double z = grid->z0 + (double)(row / grid->ny) * grid->dz;
    for (int i = 0; i < grid->nx; i++)
      out[i] = (float)ct_volume_sample(volume, (const double[3]){grid->x0 + i * grid->dx, y, z});
  }
  if (outside)
    *outside = ct_grid_voxels(grid) - covered(grid->nx, grid->x0, grid->dx, g->nx, g->dx, g->x0) *
                                          covered(grid->ny, grid->y0, grid->dy, g->ny, g->dy, g->y0) *
                                          covered(grid->nz, grid->z0, grid->dz, g->nz, g->dz, g->z0);
  return made;
}

bool ct_volumes_share_world(const ct_volume *a, const ct_volume *b) {
  return !ct_volume_is_pitch_unknown(a) && !ct_volume_is_pitch_unknown(b) &&
         ct_units_are_pixels(ct_volume_get_units(a)) == ct_units_are_pixels(ct_volume_get_units(b));
}
