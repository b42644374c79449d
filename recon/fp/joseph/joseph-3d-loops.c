/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All loops of Joseph's projector along z for the variant being compiled in one table, and sums of squares of the rows
 * of its matrix: in every plane of voxels that a detector column meets, those
 * of the two weights across, times those of the two along z, which lie at even steps from row to row. */
#include "recon/fp/joseph/joseph-3d-private.h"

#include <math.h>
#include <string.h>

/* Those of the weights between samples `low` and low + 1, `f` of the way, where samples are from .. end - 1. */
static inline float squares_between(int low, float f, int from, int end) {
  return (low >= from && low < end ? (1 - f) * (1 - f) : 0) + (low + 1 >= from && low + 1 < end ? f * f : 0);
}

/* Adds `across` times the squares along z to the rows of a half that pass at first + row step (step > 0). */
static void add_plane(double first, double step, int from, int end, float across, int rows, float *sums) {
  const double low = ceil((from - 1 - first) / step), high = floor((end - first) / step) + 1;
  const int begin = low > 0 ? (int)fmin(low, rows) : 0, stop = high < rows ? (int)fmax(high, 0) : rows;
#pragma omp simd
  for (int row = begin; row < stop; row++) {
    const double place = first + row * step - (from - 1); /* so that cutting digits off is rounding down */
    const int whole = (int)place;
    sums[row] += across * squares_between(whole + from - 1, (float)(place - whole), from, end);
  }
}

static void square_column(const ct_joseph *joseph, const ct_joseph_ray *ray, float *y) {
  const ct_joseph_fold *slices = &joseph->slices, *rows = &joseph->rows;
  const ct_grid *grid = &joseph->request.grid;
  const int across = ray->axis ? grid->nx : grid->ny;
  /* Folded indices of the first slice and of the one behind the last, as either half counts them. */
  const int from[2] = {-slices->base, slices->base + slices->centred - slices->count};
  memset(y, 0, joseph->ray * sizeof *y);
  for (int n = ray->first; n < ray->end; n++) {
    const double minor = ray->minor + n * ray->minor_step;
    if (!(minor > -1 && minor < across)) continue;
    const int whole = (int)(minor + 1) - 1;
    const float weight = squares_between(whole, (float)(minor - whole), 0, across);
    for (int half = 0; half < rows->halves; half++)
      add_plane(ray->shift + n * ray->shift_step, ray->slope + n * ray->slope_step, from[half],
                from[half] + slices->count, weight, rows->length[half], y + half * rows->stride);
  }
  const double dz = grid->dz;
  for (int half = 0; half < rows->halves; half++)
    for (int row = 0; row < rows->length[half]; row++) {
      const double rise = (ray->shift_step + row * ray->slope_step) * dz;
      y[half * rows->stride + row] *= (float)(ray->flat + rise * rise);
    }
  ct_joseph_clear_padding(rows, y);
}

static void row_squares(const ct_joseph *joseph, float *y) {
  const int columns = joseph->request.geometry->nu * joseph->request.geometry->views;
#pragma omp parallel for schedule(dynamic, 16) num_threads(joseph->request.threads)
  for (int n = 0; n < columns; n++) square_column(joseph, joseph->table + n, y + (size_t)n * joseph->ray);
}

CT_SIMD_DECLARE(ct_joseph_product, ct_joseph_forward);
CT_SIMD_DECLARE(ct_joseph_product, ct_joseph_back);
CT_SIMD_DECLARE(ct_joseph_product, ct_joseph_voxels);

const ct_joseph_loops CT_SIMD_TABLE(ct_joseph_loops) = {.forward = &CT_SIMD_TABLE(ct_joseph_forward),
                                                        .back = &CT_SIMD_TABLE(ct_joseph_back),
                                                        .voxels = &CT_SIMD_TABLE(ct_joseph_voxels),
                                                        .row_squares = row_squares};
