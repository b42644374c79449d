/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means of blocks of voxels, slice by slice as they come. */
#include "recon/solve/overview.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

static int blocks_of(int count, int step) {
  return (count - 1) / step + 1;
}

double ct_overview_bytes(const ct_grid *grid, int step) {
  return (double)blocks_of(grid->nx, step) * blocks_of(grid->ny, step) * blocks_of(grid->nz, step) * sizeof(float);
}

int ct_overview_step(const ct_grid *grid, double bytes) {
  int step = 1;
  while (step < 1 << 16 && ct_overview_bytes(grid, step) > bytes) step++;
  return step;
}

bool ct_overview_init(ct_overview *overview, const ct_grid *grid, int step, ct_error **error) {
  *overview = (ct_overview){
      *grid, step, blocks_of(grid->nx, step), blocks_of(grid->ny, step), blocks_of(grid->nz, step), NULL, 0};
  overview->blocks = ct_alloc_zero((size_t)overview->nx * (size_t)overview->ny * (size_t)overview->nz, sizeof(float),
                                   "a small copy of the volume", error);
  return overview->blocks != NULL;
}

void ct_overview_clear(ct_overview *overview) {
  ct_free(overview->blocks);
  overview->blocks = NULL;
}

/* The mean of a block's columns and rows in one slice. */
static float slice_mean(const ct_overview *s, const float *slice, int x, int y) {
  const int i1 = fmin((x + 1.0) * s->step, s->grid.nx), j1 = fmin((y + 1.0) * s->step, s->grid.ny);
  double sum = 0;
  for (int j = y * s->step; j < j1; j++)
    for (int i = x * s->step; i < i1; i++) sum += (double)slice[(size_t)j * (size_t)s->grid.nx + (size_t)i];
  return (float)(sum / ((double)(i1 - x * s->step) * (j1 - y * s->step)));
}

void ct_overview_add(ct_overview *overview, const ct_volume *slab) {
  const ct_grid *grid = ct_volume_grid(slab);
  const size_t slice = (size_t)grid->nx * (size_t)grid->ny, plane = (size_t)overview->nx * (size_t)overview->ny;
  for (int k = 0; k < grid->nz && overview->done < overview->grid.nz; k++, overview->done++) {
    const float *from = ct_volume_get_data(slab) + (size_t)k * slice;
    float *to = overview->blocks + (size_t)(overview->done / overview->step) * plane;
    const float share = 1 / (float)(overview->done % overview->step + 1);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < overview->ny; y++)
      for (int x = 0; x < overview->nx; x++) {
        float *mean = to + (size_t)y * (size_t)overview->nx + (size_t)x;
        *mean += share * (slice_mean(overview, from, x, y) - *mean);
      }
  }
}

void ct_overview_read_plane(const ct_overview *s, ct_plane plane, int index, float *out) {
  int width, height, count;
  ct_grid_plane_size(&s->grid, plane, &width, &height, &count);
  const int at = (index < 0 ? 0 : index >= count ? count - 1 : index), block = at / s->step;
  const size_t nx = (size_t)s->nx, slice = nx * (size_t)s->ny;
  memset(out, 0, (size_t)width * (size_t)height * sizeof *out);
  if (plane == CT_AXIAL && at >= s->done) return;
  const int rows = plane == CT_AXIAL ? height : s->done;
  for (int j = 0; j < rows; j++) {
    const size_t row = (size_t)(j / s->step);
    /* First block of the row, and from one block to the next. */
    const float *from = plane == CT_AXIAL     ? s->blocks + (size_t)block * slice + row * nx
                        : plane == CT_CORONAL ? s->blocks + row * slice + (size_t)block * nx
                                              : s->blocks + row * slice + (size_t)block;
    const size_t stride = plane == CT_SAGITTAL ? nx : 1;
    for (int i = 0; i < width; i++) out[(size_t)j * (size_t)width + (size_t)i] = from[(size_t)(i / s->step) * stride];
  }
}
