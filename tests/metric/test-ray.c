/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values and integrals along rays: against what a linear field has in closed form, and at the borders. */
#include "recon/metric/ray.h"
#include "tests/test.h"

#include <math.h>

enum { NX = 9, NY = 7, NZ = 5 };
static const ct_grid grid = {
    .nx = NX, .ny = NY, .nz = NZ, .dx = 0.5, .dy = 0.75, .dz = 1.25, .x0 = -2, .y0 = 1, .z0 = -3};

static double field(const double p[3]) {
  return 0.3 + 0.7 * p[0] - 0.2 * p[1] + 0.11 * p[2];
}

static void fill(float *values) {
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      for (int i = 0; i < NX; i++) {
        const double p[3] = {grid.x0 + i * grid.dx, grid.y0 + j * grid.dy, grid.z0 + k * grid.dz};
        values[(k * NY + j) * NX + i] = (float)field(p);
      }
}

/* Trilinear interpolation and the trapezoid rule are exact for a linear field. */
static void linear_field(void) {
  ct_error *error = NULL;
  static float values[NX * NY * NZ];
  const double from[3] = {-1.9, 5.2, -2.5}, to[3] = {1.8, 1.3, 1.7};
  fill(values);
  ct_ray_profile ray;
  CHECK_OK(ct_ray_profile_make(values, &grid, from, to, &ray, &error));
  const double length = sqrt(3.7 * 3.7 + 3.9 * 3.9 + 4.2 * 4.2);
  CHECK(ray.step <= 0.25);
  CHECK_NEAR(ray.step * (double)(ray.count - 1), length, 1e-12);
  CHECK_NEAR(ray.values[0], field(from), 1e-6);
  CHECK_NEAR(ray.values[ray.count - 1], field(to), 1e-6);
  CHECK_NEAR(ray.integral, length * (field(from) + field(to)) / 2, 1e-5);
  ct_ray_profile_clear(&ray);
}

static void borders(void) {
  ct_error *error = NULL;
  static float values[NX * NY * NZ];
  for (int i = 0; i < NX * NY * NZ; i++) values[i] = 2;
  /* Along x through a voxel row, from far outside to far outside: all of its width, half a voxel of border included. */
  const double y = grid.y0 + 2 * grid.dy, z = grid.z0 + grid.dz;
  const double from[3] = {grid.x0 - grid.dx / 2, y, z}, to[3] = {grid.x0 + (NX - 0.5) * grid.dx, y, z};
  ct_ray_profile ray;
  CHECK_OK(ct_ray_profile_make(values, &grid, from, to, &ray, &error));
  CHECK_NEAR(ray.integral, 2 * NX * grid.dx, 1e-9);
  ct_ray_profile_clear(&ray);
  const double beside[3] = {from[0], y - 100, z}, far[3] = {to[0], y - 100, z};
  CHECK_OK(ct_ray_profile_make(values, &grid, beside, far, &ray, &error));
  CHECK(ray.integral == 0);
  ct_ray_profile_clear(&ray);
  CHECK_FAILS(ct_ray_profile_make(values, &grid, from, from, &ray, &error), CT_ERROR_ARGUMENT, "two different places");
}

static void a_single_voxel(void) {
  ct_error *error = NULL;
  const float value = 3;
  const ct_grid one = {.nx = 1, .ny = 1, .nz = 1, .dx = 2, .dy = 2, .dz = 2};
  const double from[3] = {0, -1, 0}, to[3] = {0, 1, 0};
  ct_ray_profile ray;
  CHECK_OK(ct_ray_profile_make(&value, &one, from, to, &ray, &error));
  CHECK_NEAR(ray.integral, 6, 1e-12);
  ct_ray_profile_clear(&ray);
}

static const ct_test tests[] = {
    {"a linear field", linear_field},
    {"borders, and what is refused", borders},
    {"a single voxel", a_single_voxel},
};
CT_TEST_MAIN(tests)
