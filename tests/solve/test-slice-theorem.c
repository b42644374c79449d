/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Fourier slice theorem: transforms of a Gaussian against their formula, and a phantom's reconstruction against its
 * projections. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/solve/slice-theorem.h"

/* A round Gaussian of 3 mm off the axis: its transform is a Gaussian times the phase of its place, and so is its
 * projection's. */
static void test_gaussian(void) {
  enum { N = 96, COUNT = 33 };
  static float slice[N * N], row[N];
  const double s = 3, x = 4.5, y = -6.25, angle = 0.7;
  const ct_grid grid = ct_grid_centred(N, N, 1, 0.5, NULL);
  ct_slice_theorem_sample samples[COUNT];
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, N, 1, 1, NULL));
  g.du = 0.6, g.angles[0] = angle, g.centre_u = 40.3;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      const double a = grid.x0 + i * grid.dx - x, b = grid.y0 + j * grid.dy - y;
      slice[j * N + i] = (float)exp(-(a * a + b * b) / (2 * s * s));
    }
  const double t = x * cos(angle) + y * sin(angle);
  for (int u = 0; u < N; u++) {
    const double d = (u - g.centre_u) * g.du - t;
    row[u] = (float)(sqrt(2 * M_PI) * s * exp(-d * d / (2 * s * s)));
  }
  CHECK_OK(ct_slice_theorem(&grid, slice, &g, 0, row, COUNT, samples, &error));
  for (int n = 0; n < COUNT; n++) {
    const double f = samples[n].frequency, size = 2 * M_PI * s * s * exp(-2 * M_PI * M_PI * s * s * f * f);
    CHECK_NEAR(f, n / (double)(COUNT - 1) / 1.2, 1e-12);
    const double expected[2] = {size * cos(2 * M_PI * f * t), -size * sin(2 * M_PI * f * t)};
    for (int part = 0; part < 2; part++) {
      CHECK_NEAR(samples[n].slice[part], expected[part], 2e-5);
      CHECK_NEAR(samples[n].projection[part], expected[part], 2e-5);
    }
  }
  CHECK_BELOW(ct_slice_theorem_difference(samples, COUNT, 1), 1e-6);
  row[50] += 1;
  CHECK_OK(ct_slice_theorem(&grid, slice, &g, 0, row, COUNT, samples, &error));
  /* A spike of one sample changes every frequency by the same. */
  CHECK_NEAR(ct_slice_theorem_difference(samples, COUNT, 0.5), 0.6 / hypot(samples[0].projection[0], 0), 0.01);
  g.beam = CT_BEAM_FAN, g.sod = 100, g.sdd = 200;
  CHECK_FAILS(ct_slice_theorem(&grid, slice, &g, 0, row, COUNT, samples, &error), CT_ERROR_UNSUPPORTED, "fan beam");
  ct_geometry_clear(&g);
}

/* Within 0.8 of the Nyquist frequency, by direct Fourier reconstruction, whose interpolation damps nothing. */
static void test_phantom(void) {
  static const simulation scan = {CT_BEAM_PARALLEL, 256, 3, 402, 180, 0.6, "shepp-logan-3d"};
  enum { NU = 256 };
  static float slice[NU * NU], row[NU];
  ct_slice_theorem_sample samples[NU];
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, sim_scan(&scan, &error), &error));
  b.plan.centre_method = CT_CENTRE_SCAN;
  b.plan.iterative.method = CT_METHOD_FOURIER;
  b.plan.nx = b.plan.ny = NU;
  b.plan.mask = 1;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, 1, slice, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  const ct_grid plane = ct_grid_plane(&facts->grid, CT_AXIAL, 1);
  const ct_stack *integrals = ct_pipeline_get_line_integrals(b.pipeline);
  CHECK(integrals);
  for (int view = 0; view < 402; view += 67) {
    CHECK(ct_slice_theorem_row(&facts->grid, 1, facts->geometry, view, ct_stack_get_view(integrals, view), row));
    for (int u = 0; u < NU; u++) CHECK(row[u] == ct_stack_get_view(integrals, view)[NU + u]);
    CHECK_OK(ct_slice_theorem(&plane, slice, facts->geometry, view, row, NU, samples, &error));
    CHECK_BELOW(ct_slice_theorem_difference(samples, NU, 0.8), 1e-3);
  }
  CHECK(!ct_slice_theorem_row(&facts->grid, 5, facts->geometry, 0, ct_stack_get_view(integrals, 0), row));
  bench_close(&b);
}

static const ct_test tests[] = {
    {"a Gaussian and its projection have the transforms of the formula", test_gaussian},
    {"a slice's spectrum is that of its projections within 0.8 Nyquist", test_phantom},
};
CT_TEST_MAIN(tests)
