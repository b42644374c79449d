/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means of blocks of voxels, level by level as they come. */
#include "recon/solve/shelf.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

static int blocks_of(int count, int step) {
  return (count - 1) / step + 1;
}

double ct_shelf_bytes(const ct_grid *grid, int step) {
  return (double)blocks_of(grid->nx, step) * blocks_of(grid->ny, step) * blocks_of(grid->nz, step) * sizeof(float);
}

int ct_shelf_step(const ct_grid *grid, double bytes) {
  int step = 1;
  while (step < 1 << 16 && ct_shelf_bytes(grid, step) > bytes) step++;
  return step;
}

bool ct_shelf_init(ct_shelf *shelf, const ct_grid *grid, int step, ct_error **error) {
  *shelf =
      (ct_shelf){*grid, step, blocks_of(grid->nx, step), blocks_of(grid->ny, step), blocks_of(grid->nz, step), NULL, 0};
  shelf->blocks = ct_alloc_zero((size_t)shelf->nx * (size_t)shelf->ny * (size_t)shelf->nz, sizeof(float),
                                "a small copy of the volume", error);
  return shelf->blocks != NULL;
}

void ct_shelf_clear(ct_shelf *shelf) {
  ct_free(shelf->blocks);
  shelf->blocks = NULL;
}

/* The mean of a block's columns and rows in one level. */
static float level_mean(const ct_shelf *s, const float *level, int x, int y) {
  const int i1 = fmin((x + 1.0) * s->step, s->grid.nx), j1 = fmin((y + 1.0) * s->step, s->grid.ny);
  double sum = 0;
  for (int j = y * s->step; j < j1; j++)
    for (int i = x * s->step; i < i1; i++) sum += (double)level[(size_t)j * (size_t)s->grid.nx + (size_t)i];
  return (float)(sum / ((double)(i1 - x * s->step) * (j1 - y * s->step)));
}

void ct_shelf_add(ct_shelf *shelf, const ct_volume *slab) {
  const ct_grid *grid = ct_volume_grid(slab);
  const size_t level = (size_t)grid->nx * (size_t)grid->ny, plane = (size_t)shelf->nx * (size_t)shelf->ny;
  for (int k = 0; k < grid->nz && shelf->done < shelf->grid.nz; k++, shelf->done++) {
    const float *from = ct_volume_get_data(slab) + (size_t)k * level;
    float *to = shelf->blocks + (size_t)(shelf->done / shelf->step) * plane;
    const float share = 1 / (float)(shelf->done % shelf->step + 1);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < shelf->ny; y++)
      for (int x = 0; x < shelf->nx; x++) {
        float *mean = to + (size_t)y * (size_t)shelf->nx + (size_t)x;
        *mean += share * (level_mean(shelf, from, x, y) - *mean);
      }
  }
}

void ct_shelf_read_plane(const ct_shelf *s, ct_plane plane, int index, float *out) {
  int width, height, count;
  ct_grid_plane_size(&s->grid, plane, &width, &height, &count);
  const int at = (index < 0 ? 0 : index >= count ? count - 1 : index), block = at / s->step;
  const size_t nx = (size_t)s->nx, level = nx * (size_t)s->ny;
  memset(out, 0, (size_t)width * (size_t)height * sizeof *out);
  if (plane == CT_AXIAL && at >= s->done) return;
  const int rows = plane == CT_AXIAL ? height : s->done;
  for (int j = 0; j < rows; j++) {
    const size_t row = (size_t)(j / s->step);
    /* First block of the row, and from one block to the next. */
    const float *from = plane == CT_AXIAL     ? s->blocks + (size_t)block * level + row * nx
                        : plane == CT_CORONAL ? s->blocks + row * level + (size_t)block * nx
                                              : s->blocks + row * level + (size_t)block;
    const size_t stride = plane == CT_SAGITTAL ? nx : 1;
    for (int i = 0; i < width; i++) out[(size_t)j * (size_t)width + (size_t)i] = from[(size_t)(i / s->step) * stride];
  }
}
