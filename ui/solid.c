/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mean of each block of as many voxels as bring the side down to what is asked for. */
#include "ui/solid.h"

#include "recon/metric/metric.h"

#include <math.h>

static int block_of(const ct_grid *grid, int side) {
  return (MAX(grid->nx, MAX(grid->ny, grid->nz)) + side - 1) / side;
}

/* The last block of a side may be a part of one: the box reaches as far as whole blocks would. */
static void set_box(GantrySolid *self, const ct_grid *grid, int block) {
  const double first[3] = {grid->x0, grid->y0, grid->z0}, step[3] = {grid->dx, grid->dy, grid->dz};
  for (int i = 0; i < 3; i++) {
    self->low[i] = first[i] - step[i] / 2;
    self->high[i] = self->low[i] + (double)self->size[i] * block * step[i];
  }
}

static GantrySolid *make_empty(const ct_grid *grid, int block) {
  const int count[3] = {grid->nx, grid->ny, grid->nz};
  GantrySolid *self = g_atomic_rc_box_new0(GantrySolid);
  for (int i = 0; i < 3; i++) self->size[i] = (count[i] + block - 1) / block;
  self->values = g_try_malloc_n((gsize)self->size[0] * (gsize)self->size[1], sizeof(float) * (gsize)self->size[2]);
  if (!self->values) g_clear_pointer(&self, gantry_solid_unref);
  if (self) set_box(self, grid, block);
  return self;
}

/* Means of the blocks of `slices` slices that follow one another in memory. */
static void fill_layer(const ct_grid *grid, const float *first, int slices, int block, float *out) {
  const gsize nx = (gsize)grid->nx, area = nx * (gsize)grid->ny;
  for (int y0 = 0; y0 < grid->ny; y0 += block)
    for (int x0 = 0; x0 < grid->nx; x0 += block) {
      const int y1 = MIN(y0 + block, grid->ny), x1 = MIN(x0 + block, grid->nx);
      double sum = 0;
      int finite = 0;
      for (int z = 0; z < slices; z++)
        for (int y = y0; y < y1; y++) {
          const float *row = first + (gsize)z * area + (gsize)y * nx;
          for (int x = x0; x < x1; x++)
            if (isfinite(row[x])) {
              sum += (double)row[x];
              finite++;
            }
        }
      *out++ = finite ? (float)(sum / finite) : 0;
    }
}

/* The histogram */

/* The boundary with the largest variance between the classes below and above it; the middle of a gap between them. */
static int otsu(const guint *bins) {
  double all = 0, sum = 0, below = 0, sum_below = 0, best = -1;
  int first = GANTRY_SOLID_BINS / 3, last = first; /* where it is largest */
  for (int i = 0; i < GANTRY_SOLID_BINS; i++) {
    all += bins[i];
    sum += (double)i * bins[i];
  }
  for (int i = 0; i + 1 < GANTRY_SOLID_BINS; i++) {
    below += bins[i];
    sum_below += (double)i * bins[i];
    if (!(below > 0) || !(below < all)) continue;
    const double apart = sum_below / below - (sum - sum_below) / (all - below);
    const double between = below * (all - below) * apart * apart;
    if (between > best) best = between, first = i + 1;
    if (between >= best) last = i + 1;
  }
  return (first + last) / 2;
}

static void count_values(GantrySolid *self) {
  const gsize count = (gsize)self->size[0] * (gsize)self->size[1] * (gsize)self->size[2];
  double low, high;
  self->least = INFINITY;
  self->most = -INFINITY;
  for (gsize i = 0; i < count; i++) {
    self->least = MIN(self->least, self->values[i]);
    self->most = MAX(self->most, self->values[i]);
  }
  ct_grey_range(self->values, count, &low, &high);
  self->low_grey = (float)low;
  self->high_grey = (float)high;
  size_t bins[GANTRY_SOLID_BINS];
  ct_histogram(self->values, count, low, high, bins, GANTRY_SOLID_BINS);
  for (int i = 0; i < GANTRY_SOLID_BINS; i++) self->bins[i] = (guint)bins[i];
  self->threshold = (float)(low + (high - low) * otsu(self->bins) / GANTRY_SOLID_BINS);
}

/* Making */

GantrySolid *gantry_solid_new(const float *values, const ct_grid *grid, int side) {
  const int block = block_of(grid, side);
  const gsize area = (gsize)grid->nx * (gsize)grid->ny;
  GantrySolid *self = make_empty(grid, block);
  if (!self) return NULL;
  const gsize layer = (gsize)self->size[0] * (gsize)self->size[1];
  for (int k = 0; k < self->size[2]; k++)
    fill_layer(grid, values + (gsize)(k * block) * area, MIN(block, grid->nz - k * block), block,
               self->values + (gsize)k * layer);
  count_values(self);
  return self;
}

GantrySolid *gantry_solid_new_from_slices(const ct_grid *grid, int side, GantryReadSlice read, gpointer user) {
  const int block = block_of(grid, side);
  GantrySolid *self = make_empty(grid, block);
  g_autofree float *slice = self ? g_try_malloc_n((gsize)grid->nx * (gsize)grid->ny, sizeof *slice) : NULL;
  const gsize layer = self ? (gsize)self->size[0] * (gsize)self->size[1] : 0;
  for (int k = 0; self && k < self->size[2]; k++) {
    if (slice && read(user, MIN(k * block + block / 2, grid->nz - 1), slice))
      fill_layer(grid, slice, 1, block, self->values + (gsize)k * layer);
    else
      g_clear_pointer(&self, gantry_solid_unref);
  }
  if (self) count_values(self);
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
