/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mean of each block of as many voxels as bring the side down to what is asked for. */
#include "ui/solid.h"

#include <math.h>

static float block_mean(const float *values, const ct_grid *grid, const int from[3], int block) {
  const int count[3] = {grid->nx, grid->ny, grid->nz};
  int to[3];
  double sum = 0;
  int finite = 0;
  for (int i = 0; i < 3; i++) to[i] = MIN(from[i] + block, count[i]);
  for (int z = from[2]; z < to[2]; z++)
    for (int y = from[1]; y < to[1]; y++) {
      const float *row = values + ((gsize)z * (gsize)grid->ny + (gsize)y) * (gsize)grid->nx;
      for (int x = from[0]; x < to[0]; x++)
        if (isfinite(row[x])) {
          sum += row[x];
          finite++;
        }
    }
  return finite ? (float)(sum / finite) : 0;
}

/* The last block of a side may be a part of one: the box reaches as far as whole blocks would. */
static void set_box(GantrySolid *self, const ct_grid *grid, int block) {
  const double first[3] = {grid->x0, grid->y0, grid->z0}, step[3] = {grid->dx, grid->dy, grid->dz};
  for (int i = 0; i < 3; i++) {
    self->low[i] = first[i] - step[i] / 2;
    self->high[i] = self->low[i] + (double)self->size[i] * block * step[i];
  }
}

GantrySolid *gantry_solid_new(const float *values, const ct_grid *grid, int side) {
  const int count[3] = {grid->nx, grid->ny, grid->nz}, longest = MAX(grid->nx, MAX(grid->ny, grid->nz));
  const int block = (longest + side - 1) / side;
  GantrySolid *self = g_atomic_rc_box_new0(GantrySolid);
  for (int i = 0; i < 3; i++) self->size[i] = (count[i] + block - 1) / block;
  self->values = g_try_malloc_n((gsize)self->size[0] * (gsize)self->size[1], sizeof(float) * (gsize)self->size[2]);
  if (!self->values) {
    gantry_solid_unref(self);
    return NULL;
  }
  set_box(self, grid, block);
  self->least = INFINITY;
  self->most = -INFINITY;
  gsize at = 0;
  for (int z = 0; z < self->size[2]; z++)
    for (int y = 0; y < self->size[1]; y++)
      for (int x = 0; x < self->size[0]; x++) {
        const float value = block_mean(values, grid, (const int[3]){x * block, y * block, z * block}, block);
        self->values[at++] = value;
        self->least = MIN(self->least, value);
        self->most = MAX(self->most, value);
      }
  return self;
}

GantrySolid *gantry_solid_ref(GantrySolid *solid) {
  return g_atomic_rc_box_acquire(solid);
}

static void clear(gpointer data) {
  g_free(((GantrySolid *)data)->values);
}

void gantry_solid_unref(GantrySolid *solid) {
  g_atomic_rc_box_release_full(solid, clear);
}
