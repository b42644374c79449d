/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kernel of the processor's registry against textbook on every case that it accepts, with every interpolation
 * that it offers, in single precision (16 bits: test-stored.c): agreement, accumulation over batches, independence of
 * the number of threads, of layouts made ahead and of whether first sums are stored or added, and cancelling. */
#include "tests/bp/checks.h"

static void check(ct_interp interp) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_interp(&table, interp, CT_PRECISION_FLOAT32);
}

static void test_linear(void) {
  check(CT_INTERP_LINEAR);
}

static void test_nearest(void) {
  check(CT_INTERP_NEAREST);
}

static void test_cubic(void) {
  check(CT_INTERP_CUBIC);
}

static void test_gaussian(void) {
  check(CT_INTERP_GAUSSIAN);
}

static void test_oversampled(void) {
  check(CT_INTERP_OVERSAMPLED);
}

/* Slices as little below the row after the last as numbers allow: they are zero, and what lies behind the projections
 * is not read. */
static void test_last_row(void) {
  enum { nu = 40, nv = 8, nx = 32, ny = 16 };
  const ct_bp_table table = ct_bp_cpu_kernels();
  float *projection = calloc((nv + 1) * nu, sizeof *projection);
  CHECK(projection);
  for (int n = 0; n < (nv + 1) * nu; n++) projection[n] = n < nv * nu ? 1 : 1e6f;
  int served = 0;
  for (size_t n = 0; n < 3 * table.count; n++) {
    const ct_bp_kernel *kernel = table.kernels[n / 3];
    ct_error *error = NULL;
    ct_geometry geometry;
    CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, nu, nv, 1, &error));
    const ct_grid grid = {
        nx, n % 3 == 2 ? 2 : ny, n % 3 ? 4 : 1, 1, 1, 1, -15.5, -7.5, nextafter(nv, 0) - geometry.centre_v};
    const ct_bp_request request = {.geometry = &geometry,
                                   .grid = grid,
                                   .interp = CT_INTERP_LINEAR,
                                   .precision = precision_of(kernel),
                                   .threads = 2,
                                   .batch = 1};
    if (runs_here(kernel) && ct_bp_accepts(kernel, &request, NULL)) {
      ct_volume *volume = ct_volume_new(&grid, &error);
      ct_bp_state *state = volume ? kernel->prepare(kernel, &request, &error) : NULL;
      const float *projections[] = {projection};
      CHECK_OK(
          state &&
          kernel->run(state,
                      &(ct_bp_batch){.count = 1, .views = (const int[]){0}, .projections = projections, .last = true},
                      volume, NULL, &error));
      CHECK_OK(!kernel->finish || kernel->finish(state, volume, &error));
      kernel->free(state);
      float most = 0;
      for (size_t v = 0; v < ct_grid_voxels(&grid); v++) most = fmaxf(most, fabsf(ct_volume_get_data(volume)[v]));
      ct_volume_free(volume);
      if (!(most < 1e-3f)) CT_TEST_END(1, "%s reads %g", kernel->id, (double)most);
      served++;
    }
    ct_geometry_clear(&geometry);
  }
  free(projection);
  CHECK(served > 0);
}

static void test_threads(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_threads(&table);
}

static void test_ahead(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_ahead(&table);
}

static void test_first(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_first(&table);
}

static void test_cancel(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_cancel(&table);
}

static const ct_test tests[] = {
    {"every kernel agrees with textbook, linear", test_linear},
    {"every kernel agrees with textbook, nearest", test_nearest},
    {"every kernel agrees with textbook, cubic", test_cubic},
    {"every kernel agrees with textbook, Gaussian", test_gaussian},
    {"every kernel agrees with textbook, oversampled", test_oversampled},
    {"a slice just below the row after the last is zero", test_last_row},
    {"results do not depend on the number of threads", test_threads},
    {"layouts made ahead do not change the volume", test_ahead},
    {"the first sums may be stored", test_first},
    {"a cancel is answered", test_cancel},
};
CT_TEST_MAIN(tests)
