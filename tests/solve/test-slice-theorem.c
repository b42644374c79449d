/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Fourier slice theorem: transforms of a Gaussian against their formula, and a phantom's reconstruction against its
 * projections. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/solve/slice-spectrum.h"
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

/* On voxels half as wide as columns nothing of the images of the row's spectrum folds back: what linear interpolation
 * damps, and a window, is most of the difference. */
static void test_damping(void) {
  static const simulation scan = {CT_BEAM_PARALLEL, 128, 1, 240, 180, 0, "shepp-logan"};
  enum { NU = 128, N = 256 };
  static float slice[N * N];
  ct_slice_theorem_sample samples[NU];
  char words[80];
  ct_geometry g;
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, sim_scan(&scan, &error), &error));
  b.plan.nx = b.plan.ny = N;
  CHECK(sim_geometry(&scan, &g));
  b.plan.voxel = 0.5 * g.du;
  ct_geometry_clear(&g);
  b.plan.mask = 1;
  for (int window = 0; window < 2; window++) {
    if (window) b.plan.filter.window = CT_WINDOW_HANN;
    CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
    CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, 0, slice, NULL, &error));
    const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
    const ct_grid plane = ct_grid_plane(&facts->grid, CT_AXIAL, 0);
    for (int view = 0; view < 240; view += 37) {
      const float *row = ct_stack_get_view(ct_pipeline_get_line_integrals(b.pipeline), view);
      CHECK_OK(ct_slice_theorem(&plane, slice, facts->geometry, view, row, NU, samples, &error));
      CHECK(ct_slice_theorem_rest(samples, NU, 0.8) == ct_slice_theorem_difference(samples, NU, 0.8));
      CHECK(ct_slice_theorem_pass(&b.plan, facts->geometry, samples, NU, words, sizeof words));
      CHECK(!strcmp(words, window ? "the filter's window and linear interpolation" : "linear interpolation"));
      CHECK_BELOW(ct_slice_theorem_rest(samples, NU, 0.8), 0.5 * ct_slice_theorem_difference(samples, NU, 0.8));
      /* sinc^2 at 0.8 Nyquist, times Hann's window. */
      const double f = 0.5 * 102 / 127, sinc = sin(M_PI * f) / (M_PI * f);
      CHECK_NEAR(samples[102].passed, sinc * sinc * (window ? 0.5 + 0.5 * cos(2 * M_PI * f) : 1), 1e-5);
    }
  }
  b.plan.iterative.method = CT_METHOD_FOURIER;
  b.plan.filter.window = CT_WINDOW_RAM_LAK;
  CHECK(!ct_slice_theorem_pass(&b.plan, ct_pipeline_get_facts(b.pipeline)->geometry, samples, NU, words, sizeof words));
  bench_close(&b);
}

/* Rows rebinned from diverging rays against the phantom's own parallel projection, and the theorem on the slice
 * reconstructed from them. A short scan measures some rays of a row on their way back alone. */
static void check_rebinned(const simulation *s, double row_bound, double bound) {
  enum { NU = 256 };
  static float slice[NU * NU], row[NU];
  ct_slice_theorem_sample samples[NU];
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, sim_scan(s, &error), &error));
  b.plan.centre_method = CT_CENTRE_SCAN;
  b.plan.nx = b.plan.ny = NU;
  b.plan.mask = 1;
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  const int k = facts->grid.nz / 2;
  CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, k, slice, NULL, &error));
  const ct_grid plane = ct_grid_plane(&facts->grid, CT_AXIAL, k);
  const ct_stack *integrals = ct_pipeline_get_line_integrals(b.pipeline);
  CHECK(integrals);
  for (int view = s->views / 8; view < s->views; view += s->views / 3) {
    ct_geometry parallel;
    CHECK_OK(ct_slice_theorem_gather(&facts->grid, k, facts->geometry, integrals, view, &parallel, row, &error));
    ct_stack *exact = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &parallel, 2, NULL, &error);
    CHECK_OK(exact);
    double squares = 0, sum = 0;
    for (int u = 0; u < NU; u++) {
      const double p = (double)ct_stack_get_view(exact, 0)[u];
      squares += ((double)row[u] - p) * ((double)row[u] - p);
      sum += p * p;
    }
    CHECK_BELOW(sqrt(squares / sum), row_bound);
    CHECK_OK(ct_slice_theorem(&plane, slice, &parallel, 0, row, NU, samples, &error));
    CHECK_BELOW(ct_slice_theorem_difference(samples, NU, 0.8), bound);
    ct_stack_free(exact);
    ct_geometry_clear(&parallel);
  }
  bench_close(&b);
}

static void test_fan(void) {
  static const simulation fan = {CT_BEAM_FAN, 256, 1, 360, 360, 0.4, "shepp-logan-3d"},
                          brief = {CT_BEAM_FAN, 256, 1, 220, 220, 0, "shepp-logan-3d"};
  check_rebinned(&fan, 1e-2, 1e-3);
  if (ct_test_state == 0) check_rebinned(&brief, 1e-2, 1e-3);
}

static void test_cone(void) {
  static const simulation cone = {CT_BEAM_CONE, 256, 5, 360, 360, 0.4, "shepp-logan-3d"};
  check_rebinned(&cone, 1e-2, 1e-3);
}

/* What cannot be compared: slices beside the source's plane, and rays that no view measured. */
static void test_refused(void) {
  static const simulation cone = {CT_BEAM_CONE, 64, 33, 24, 360, 0, "shepp-logan-3d"},
                          open = {CT_BEAM_FAN, 64, 1, 60, 120, 0, "shepp-logan-3d"};
  static float row[64];
  ct_geometry g, parallel;
  ct_error *error = NULL;
  const ct_grid grid = ct_grid_centred(64, 64, 33, 3, NULL);
  CHECK(sim_geometry(&cone, &g));
  ct_stack *zeros = ct_stack_new(64, 33, 24, &error);
  CHECK_OK(zeros);
  CHECK_FAILS(ct_slice_theorem_gather(&grid, 12, &g, zeros, 0, &parallel, row, &error), CT_ERROR_UNSUPPORTED,
              "plane of the source; slice 12 lies 12 mm beside it, and its rays go through other slices, too: choose "
              "slice 16.");
  const ct_grid above = ct_grid_centred(64, 64, 8, 3, (const double[3]){0, 0, 30});
  CHECK_FAILS(ct_slice_theorem_gather(&above, 0, &g, zeros, 0, &parallel, row, &error), CT_ERROR_UNSUPPORTED,
              "reach to the height of the source");
  CHECK_FAILS(ct_slice_theorem_gather(&grid, 16, &g, zeros, 24, &parallel, row, &error), CT_ERROR_ARGUMENT,
              "the views are 0 to 23");
  CHECK_OK(ct_slice_theorem_gather(&grid, 16, &g, zeros, 23, &parallel, row, &error));
  ct_geometry_clear(&parallel);
  g.views = 1;
  CHECK_FAILS(ct_slice_theorem_gather(&grid, 16, &g, zeros, 0, &parallel, row, &error), CT_ERROR_UNSUPPORTED,
              "too few (1)");
  g.views = 24;
  g.tilt = 0.01;
  CHECK_FAILS(ct_slice_theorem_gather(&grid, 16, &g, zeros, 0, &parallel, row, &error), CT_ERROR_UNSUPPORTED,
              "and a tilt. Open a scan");
  ct_geometry_clear(&g);
  ct_stack_free(zeros);
  CHECK(sim_geometry(&open, &g));
  CHECK_OK(zeros = ct_stack_new(64, 1, 60, &error));
  CHECK_FAILS(ct_slice_theorem_gather(&grid, 16, &g, zeros, 0, &parallel, row, &error), CT_ERROR_UNSUPPORTED,
              "were measured by no view");
  ct_geometry_clear(&g);
  ct_stack_free(zeros);
}

/* A wave of a whole number of periods has two frequencies and its mean; a slice of one pixel has all alike. */
static void test_spectrum(void) {
  enum { NX = 24, NY = 15 };
  float slice[NX * NY] = {0}, spectrum[NX * NY];
  ct_error *error = NULL;
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) slice[j * NX + i] = (float)(2 + 1 * cos(2 * M_PI * (5.0 * i / NX - 2.0 * j / NY)));
  CHECK_OK(ct_slice_spectrum(slice, NX, NY, spectrum, &error));
  const int cx = NX / 2, cy = NY / 2;
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      const int fx = i - cx, fy = j - cy;
      const double expected = fx == 0 && fy == 0                               ? 0
                              : (fx == 5 && fy == -2) || (fx == -5 && fy == 2) ? log10(0.25)
                                                                               : -6;
      CHECK_NEAR((double)spectrum[j * NX + i], expected, 1e-4);
    }
  memset(slice, 0, sizeof slice);
  CHECK_OK(ct_slice_spectrum(slice, NX, NY, spectrum, &error));
  CHECK(spectrum[0] == -6);
  slice[17] = -3;
  CHECK_OK(ct_slice_spectrum(slice, NX, NY, spectrum, &error));
  for (int n = 0; n < NX * NY; n++) CHECK_NEAR((double)spectrum[n], 0, 1e-5);
}

static const ct_test tests[] = {
    {"a Gaussian and its projection have the transforms of the formula", test_gaussian},
    {"a slice's spectrum is that of its projections within 0.8 Nyquist", test_phantom},
    {"what differs is what interpolation and window damp", test_damping},
    {"rows rebinned from a fan are parallel projections, and obey it", test_fan},
    {"so does the middle slice of a cone beam", test_cone},
    {"the picture of a slice's spectrum is centred, over the largest magnitude", test_spectrum},
    {"slices and rays that nothing measured alone are refused in words", test_refused},
};
CT_TEST_MAIN(tests)
