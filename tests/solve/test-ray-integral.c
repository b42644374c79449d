/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integral of a reconstructed volume along a ray is what the ray's pixel measured: the reconstruction inverts the
 * projection. Left out are rays that run along an edge, where a pixel and a voxel average differently, and those far
 * from the source's plane, where FDK is not exact. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/geom/ray.h"
#include "recon/metric/ray.h"
#include "recon/solve/pipeline.h"

/* A pixel of a stack beside whose neighbours, three pixels around, it differs by less than the share. */
static bool is_even(const float *view, int nu, int u, int v, double share) {
  const double value = view[v * nu + u];
  for (int j = v - 3; j <= v + 3; j++)
    for (int i = u - 3; i <= u + 3; i++)
      if (fabs(view[j * nu + i] - value) > share * value) return false;
  return true;
}

/* NAN, which agrees with nothing: the ray misses the volume. */
static double integral_of(const ct_volume *volume, const ct_geometry *geometry, int view, const double uv[2]) {
  const ct_grid *grid = ct_volume_grid(volume);
  double from[3], to[3];
  ct_ray_profile ray;
  if (!ct_ray_in_field(geometry, grid, view, uv, from, to) ||
      !ct_ray_profile_make(ct_volume_get_data(volume), grid, from, to, &ray, NULL))
    return NAN;
  const double integral = ray.integral;
  ct_ray_profile_clear(&ray);
  return integral;
}

/* The phantom ends well within the field of view. */
static ct_scan *simulate(const simulation *s, ct_error **error) {
  ct_geometry g;
  if (!sim_geometry(s, &g)) return NULL;
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s->phantom), 0.8 * sim_radius, sim_mu, &g, 2, NULL, error);
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_geometry_clear(&g);
  return scan;
}

static void agrees(const simulation *s) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, simulate(s, &error), &error));
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  const ct_stack *stack = ct_pipeline_get_line_integrals(b.pipeline);
  const ct_geometry *geometry = ct_pipeline_get_facts(b.pipeline)->geometry;
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack), first = nv * 3 / 8;
  int rays = 0;
  for (int view = 0; view < ct_stack_views(stack); view += 7)
    for (int v = first; v < nv - first; v += 3)
      for (int u = nu / 4; u < nu - nu / 4; u += 3) {
        const float *pixels = ct_stack_get_view(stack, view);
        if (!is_even(pixels, nu, u, v, 0.03)) continue;
        const double measured = pixels[v * nu + u];
        const double uv[2] = {u, v}, integral = integral_of(volume, geometry, view, uv);
        CHECK_NEAR(integral / measured, 1, 0.01);
        rays++;
      }
  CHECK(rays > 300);
  ct_volume_free(volume);
  bench_close(&b);
}

static void cone(void) {
  agrees(&(simulation){CT_BEAM_CONE, 128, 64, 160, 360, 0, "shepp-logan-3d"});
}

static void parallel(void) {
  agrees(&(simulation){CT_BEAM_PARALLEL, 256, 9, 400, 180, 3.2, "shepp-logan"});
}

/* Both ends are on the ray; on a face of the grid, or as far from the axis as the field of view reaches. */
static void ends_are_borders(void) {
  ct_geometry g;
  CHECK(sim_geometry(&(simulation){CT_BEAM_CONE, 40, 32, 24, 360, 0, "shepp-logan-3d"}, &g));
  const ct_grid grid = ct_grid_natural(&g);
  const double radius = ct_geometry_field_radius(&g),
               half[3] = {grid.nx * grid.dx / 2, grid.ny * grid.dy / 2, grid.nz * grid.dz / 2};
  int faces = 0, rounds = 0;
  for (int view = 0; view < g.views; view++)
    for (int u = 2; u < g.nu; u += 5)
      for (int v = 1; v < g.nv; v += 6) {
        double ends[2][3], matrix[12], at[3];
        if (!ct_ray_in_field(&g, &grid, view, (const double[2]){u, v}, ends[0], ends[1])) continue;
        ct_geometry_matrix(&g, view, matrix);
        for (int end = 0; end < 2; end++) {
          const double *p = ends[end], across = hypot(p[0], p[1]);
          ct_project(matrix, p, &at[0], &at[1], &at[2]);
          CHECK_NEAR(at[0], u, 1e-8);
          CHECK_NEAR(at[1], v, 1e-8);
          double beyond = -INFINITY;
          for (int i = 0; i < 3; i++) beyond = fmax(beyond, fabs(p[i]) - half[i]);
          const bool round = fabs(across - radius) < 1e-6, face = fabs(beyond) < 1e-6;
          CHECK((round || face) && across < radius + 1e-6 && beyond < 1e-6);
          faces += face, rounds += round;
        }
      }
  CHECK(faces > 20 && rounds > 20);
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"a ray ends at the grid and the field of view", ends_are_borders},
    {"cone beam", cone},
    {"parallel beam, axis beside the middle", parallel},
};
CT_TEST_MAIN(tests)
