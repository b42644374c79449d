/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume on its grid, [z][y][x], with its plan. */
#include "recon/data/volume.h"

#include "recon/base/memory.h"
#include "recon/data/pitch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_volume {
  ct_grid grid;
  float *data;
  char *plan;
  bool pitch_unknown;
  bool part; /* of another, which has the voxels */
  ct_named_scale scale;
};

ct_volume *ct_volume_new(const ct_grid *grid, ct_error **error) {
  if (!ct_grid_check(grid, error)) return NULL;
  ct_volume *volume = malloc(sizeof *volume);
  if (!volume) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the volume.");
    return NULL;
  }
  *volume = (ct_volume){
      *grid, ct_alloc_zero(ct_grid_voxels(grid), sizeof(float), "the volume", error), NULL, false, false, {{1, 0}, ""}};
  if (volume->data) return volume;
  free(volume);
  return NULL;
}

void ct_volume_free(ct_volume *volume) {
  if (!volume) return;
  if (!volume->part) ct_free(volume->data);
  ct_free(volume->plan);
  free(volume);
}

ct_volume *ct_volume_new_part(ct_volume *whole, int first, int count, ct_error **error) {
  const ct_grid *grid = &whole->grid;
  ct_volume *part = ct_alloc_zero(1, sizeof *part, "a part of the volume", error);
  if (!part) return NULL;
  *part = (ct_volume){
      .grid = *grid, .data = whole->data + (size_t)first * (size_t)grid->ny * (size_t)grid->nx, .part = true};
  part->grid.nz = count;
  part->grid.z0 += first * grid->dz;
  part->scale = whole->scale;
  part->pitch_unknown = whole->pitch_unknown;
  return part;
}

const ct_grid *ct_volume_grid(const ct_volume *volume) {
  return &volume->grid;
}
float *ct_volume_data(ct_volume *volume) {
  return volume->data;
}
const float *ct_volume_get_data(const ct_volume *volume) {
  return volume->data;
}
size_t ct_volume_bytes(const ct_volume *volume) {
  return ct_grid_voxels(&volume->grid) * sizeof(float);
}

bool ct_volume_set_plan(ct_volume *volume, const char *json, ct_error **error) {
  char *copy = NULL;
  if (json && !(copy = ct_strdup(json, error))) return false;
  ct_free(volume->plan);
  volume->plan = copy;
  return true;
}

const char *ct_volume_get_plan(const ct_volume *volume) {
  return volume->plan;
}

void ct_volume_set_pitch_unknown(ct_volume *volume) {
  volume->pitch_unknown = true;
}

bool ct_volume_is_pitch_unknown(const ct_volume *volume) {
  return volume->pitch_unknown && !volume->plan;
}

ct_units ct_volume_get_units(const ct_volume *volume) {
  return volume->plan ? ct_units_of_header(volume->plan) : ct_units_of(volume->pitch_unknown);
}

void ct_volume_set_scale(ct_volume *volume, const ct_named_scale *scale) {
  volume->scale = *scale;
}

ct_named_scale ct_volume_get_scale(const ct_volume *volume) {
  return volume->plan ? ct_named_scale_of_header(volume->plan) : volume->scale;
}

void ct_volume_scale(ct_volume *volume, float factor) {
  const size_t n = ct_grid_voxels(&volume->grid);
  float *data = volume->data;
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; i++) data[i] *= factor;
}

void ct_volume_copy_plane(const ct_volume *volume, ct_plane plane, int index, float *out) {
  const ct_grid *g = &volume->grid;
  const size_t nx = (size_t)g->nx, ny = (size_t)g->ny, nz = (size_t)g->nz;
  int count;
  ct_grid_plane_size(g, plane, NULL, NULL, &count);
  const size_t i = (size_t)(index < 0 ? 0 : index >= count ? count - 1 : index);
  const float *data = volume->data;
  switch (plane) {
  case CT_AXIAL:
    memcpy(out, data + i * ny * nx, nx * ny * sizeof(float));
    break;
  case CT_CORONAL:
    for (size_t k = 0; k < nz; k++) memcpy(out + k * nx, data + (k * ny + i) * nx, nx * sizeof(float));
    break;
  case CT_SAGITTAL:
    for (size_t k = 0; k < nz; k++)
      for (size_t j = 0; j < ny; j++) out[k * ny + j] = data[(k * ny + j) * nx + i];
    break;
  }
}

/* Lower index and fraction of a position along n samples; false outside (half a voxel of border is inside). */
static bool locate(double position, int n, int *index, double *fraction) {
  if (!(position >= -0.5 && position <= n - 0.5)) return false;
  const double p = fmin(fmax(position, 0), n - 1.0);
  *index = n > 1 && p >= n - 1.0 ? n - 2 : (int)p;
  *fraction = p - *index;
  return true;
}

double ct_volume_sample(const ct_volume *volume, const double point[3]) {
  const ct_grid *g = &volume->grid;
  int i, j, k;
  double a, b, c;
  if (!locate((point[0] - g->x0) / g->dx, g->nx, &i, &a) || !locate((point[1] - g->y0) / g->dy, g->ny, &j, &b) ||
      !locate((point[2] - g->z0) / g->dz, g->nz, &k, &c))
    return NAN;
  const size_t nx = (size_t)g->nx, slice = nx * (size_t)g->ny;
  const size_t sx = g->nx > 1, sy = g->ny > 1 ? nx : 0, sz = g->nz > 1 ? slice : 0;
  const float *p = volume->data + (size_t)k * slice + (size_t)j * nx + (size_t)i;
  const double low = (1 - b) * ((1 - a) * p[0] + a * p[sx]) + b * ((1 - a) * p[sy] + a * p[sy + sx]);
  p += sz;
  const double high = (1 - b) * ((1 - a) * p[0] + a * p[sx]) + b * ((1 - a) * p[sy] + a * p[sy + sx]);
  return (1 - c) * low + c * high;
}
