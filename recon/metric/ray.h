/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a volume along a straight line, and their integral: what a pixel of the projection should have measured. */
#ifndef CT_METRIC_RAY_H
#define CT_METRIC_RAY_H

#include "recon/base/error.h"
#include "recon/geom/grid.h"

/* Trilinear samples from one end to the other, ends included, at most half the smallest side of a voxel apart. */
typedef struct ct_ray_profile {
  size_t count; /* at least 2 */
  double step;  /* mm */
  double *values;
  double integral; /* of the values over the way: without a unit where values are in 1/mm */
} ct_ray_profile;

/* values: [nz][ny][nx] of the grid. Half a voxel of border belongs to it, where the outermost values go on; beyond it
 * is 0. CT_ERROR_ARGUMENT where both places are one, or not finite; CT_ERROR_MEMORY. */
bool ct_ray_profile_make(const float *values, const ct_grid *grid, const double from[3], const double to[3],
                         ct_ray_profile *profile, ct_error **error);
void ct_ray_profile_clear(ct_ray_profile *profile);

#endif
