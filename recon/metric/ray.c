/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trilinear interpolation along a line, and the trapezoid rule. */
#include "recon/metric/ray.h"

#include "recon/base/memory.h"

#include <math.h>

enum { MOST_SAMPLES = 1 << 24 };

/* The two voxels about a coordinate (in voxels) and how far it is from the first to the second; false: beyond. */
static bool between(double at, int count, int index[2], double *share) {
  const double slack = 1e-9;
  if (!(at >= -0.5 - slack && at <= count - 0.5 + slack)) return false;
  const double inside = fmin(fmax(at, 0), count - 1);
  index[0] = (int)fmin(inside, count > 1 ? count - 2 : 0);
  index[1] = count > 1 ? index[0] + 1 : 0;
  *share = inside - index[0];
  return true;
}

static double sample(const float *values, const ct_grid *grid, const double place[3]) {
  int x[2], y[2], z[2];
  double a, b, c;
  if (!between((place[0] - grid->x0) / grid->dx, grid->nx, x, &a) ||
      !between((place[1] - grid->y0) / grid->dy, grid->ny, y, &b) ||
      !between((place[2] - grid->z0) / grid->dz, grid->nz, z, &c))
    return 0;
  double sum = 0;
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < 2; j++) {
      const float *row = values + ((size_t)z[k] * (size_t)grid->ny + (size_t)y[j]) * (size_t)grid->nx;
      const double weight = (k ? c : 1 - c) * (j ? b : 1 - b);
      sum += weight * ((1 - a) * (double)row[x[0]] + a * (double)row[x[1]]);
    }
  return sum;
}

bool ct_ray_profile_make(const float *values, const ct_grid *grid, const double from[3], const double to[3],
                         ct_ray_profile *profile, ct_error **error) {
  const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = hypot(hypot(d[0], d[1]), d[2]);
  const double fine = fmin(grid->dx, fmin(grid->dy, grid->dz)) / 2;
  *profile = (ct_ray_profile){0};
  if (!(length > 0) || !isfinite(length))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A ray takes two different places.");
  const double steps = fmax(ceil(length / fine), 1);
  if (!(steps < MOST_SAMPLES)) return ct_error_set(error, CT_ERROR_MEMORY, "The ray is too long.");
  const size_t count = (size_t)steps + 1;
  profile->values = ct_alloc(count, sizeof *profile->values, "the ray", error);
  if (!profile->values) return false;
  profile->count = count;
  profile->step = length / steps;
  for (size_t n = 0; n < count; n++) {
    const double t = (double)n / steps, place[3] = {from[0] + t * d[0], from[1] + t * d[1], from[2] + t * d[2]};
    profile->values[n] = sample(values, grid, place);
    profile->integral += (n == 0 || n + 1 == count ? 0.5 : 1) * profile->values[n] * profile->step;
  }
  return true;
}

void ct_ray_profile_clear(ct_ray_profile *profile) {
  ct_free(profile->values);
  *profile = (ct_ray_profile){0};
}
