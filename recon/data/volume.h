/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume: float32 [z][y][x] on a ct_grid, 1/mm, with the plan that made it (a JSON text, see solve/plan.h). */
#ifndef CT_DATA_VOLUME_H
#define CT_DATA_VOLUME_H

#include "recon/base/error.h"
#include "recon/geom/grid.h"
#include "recon/geom/oblique.h"

typedef struct ct_volume ct_volume;

/* All zero. CT_ERROR_ARGUMENT, CT_ERROR_MEMORY. */
ct_volume *ct_volume_new(const ct_grid *grid, ct_error **error);
void ct_volume_free(ct_volume *volume);
/* Slices first .. first + count - 1 as a volume of their own, on the same voxels: the whole outlives it. */
ct_volume *ct_volume_new_part(ct_volume *whole, int first, int count, ct_error **error);

const ct_grid *ct_volume_grid(const ct_volume *volume);
float *ct_volume_data(ct_volume *volume);
const float *ct_volume_get_data(const ct_volume *volume);
size_t ct_volume_bytes(const ct_volume *volume);

/* The plan as JSON, or NULL. Copied. */
bool ct_volume_set_plan(ct_volume *volume, const char *json, ct_error **error);
const char *ct_volume_get_plan(const ct_volume *volume);

/* Multiplies every voxel (all threads). */
void ct_volume_scale(ct_volume *volume, float factor);

/* Copies one plane to out[height][width] (ct_grid_plane_size); row 0 is the lowest coordinate of the vertical axis, so
 * a picture of it is drawn from the bottom up. */
void ct_volume_copy_plane(const ct_volume *volume, ct_plane plane, int index, float *out);

/* Trilinear value at world mm; NaN outside. */
double ct_volume_sample(const ct_volume *volume, const double point[3]);
/* A plane of any pose to out[height][width], trilinear; 0 outside the volume (half a voxel of border is inside). */
void ct_volume_copy_oblique(const ct_volume *volume, const ct_oblique *oblique, float *out);
/* Pixels first .. end - 1 of row j alone. */
void ct_volume_sample_row(const ct_volume *volume, const ct_oblique *oblique, int j, int first, int end, float *out);

#endif
