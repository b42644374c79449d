/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums in double. */
#include "recon/solve/field-rmse.h"

#include "recon/geom/trajectory.h"

#include <math.h>

void ct_field_mask(const ct_geometry *geometry, const ct_grid *grid, bool *inside) {
  const double radius = ct_geometry_field_radius(geometry);
  ct_line axis;
  ct_geometry_axis(geometry, &axis);
  for (int j = 0; j < grid->ny; j++)
    for (int i = 0; i < grid->nx; i++) {
      const double point[3] = {grid->x0 + i * grid->dx, grid->y0 + j * grid->dy, grid->z0};
      inside[(size_t)j * (size_t)grid->nx + (size_t)i] = ct_line_distance2(&axis, point) <= radius * radius;
    }
}

double ct_field_rmse(const bool *inside, size_t pixels, const float *slice, double scale, const float *other) {
  double squares = 0, count = 0;
#pragma omp parallel for reduction(+ : squares, count) schedule(static)
  for (size_t i = 0; i < pixels; i++) {
    const double d = scale * (double)slice[i] - (double)other[i];
    squares += inside[i] ? d * d : 0;
    count += inside[i];
  }
  return count > 0 ? sqrt(squares / count) : NAN;
}
