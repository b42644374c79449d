/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data that is bad, partly or beyond use: what is mended, what is refused, and in which words. */
#include "tests/prep/made-up.h"
#include "tests/prep/support.h"
#include "tests/test.h"

/* Dead, zero, negative and huge counts. */
static float bad_counts(ct_frame_kind kind, int index, int u, int v) {
  if (kind != CT_FRAME_PROJECTION) return steady(kind, index, u, v);
  if (v == 4) return 0;
  if (u == 3 && v == 1) return -5000;
  if (u == 4 && v == 2) return NAN;
  if (u == 9 && v == 2) return INFINITY;
  if (u == 9 && v == 3) return -INFINITY;
  return steady(kind, index, u, v);
}

static void test_bad_counts(void) {
  ct_error *error = NULL;
  const function_source source = {bad_counts, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 2, 2, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  ct_prep_report report;
  ct_stack *stack = load_all(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK(report.not_finite == 3 * VIEWS);
  CHECK(report.floored == (NU + 1) * VIEWS);
  const float *p = ct_stack_get_view(stack, 2);
  for (int k = 0; k < NU; k++) CHECK_NEAR(p[4 * NU + k], -log(1e-4), 1e-5);
  CHECK_NEAR(p[NU + 3], -log(1e-4), 1e-5);
  CHECK_NEAR(p[2 * NU + 4], truth(2, 4, 2), 0.12);
  for (int i = 0; i < VIEWS * NV * NU; i++) CHECK(isfinite(ct_stack_data(stack)[i]));
  ct_stack_free(stack);
  ct_scan_free(scan);
}

static float no_beam(ct_frame_kind kind, int index, int u, int v) {
  return 77;
}
static float all_zero(ct_frame_kind kind, int index, int u, int v) {
  return 0;
}
static float all_nan(ct_frame_kind kind, int index, int u, int v) {
  return index == 3 ? NAN : 5;
}
static float few_dead(ct_frame_kind kind, int index, int u, int v) {
  if (kind == CT_FRAME_FLAT && u == 6 && v == 3) return (float)black(u, v);
  if (kind == CT_FRAME_FLAT && u == 2 && v == 5) return NAN;
  return steady(kind, index, u, v);
}

static void test_bad_fields(void) {
  ct_error *error = NULL;
  ct_prep_options options = plain_prep();
  static const pixel_function functions[] = {no_beam, all_zero};
  for (int f = 0; f < 2; f++) {
    const function_source source = {functions[f], NU};
    ct_scan *scan = function_scan(&source, NV, VIEWS, 2, f == 0 ? 2 : 0, NULL, NULL, CT_VALUES_COUNTS, &error);
    CHECK_OK(scan);
    CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_DATA, "test.h5: 100.0 % of the pixels");
    /* Without the flats the frames themselves are all right, or dark. */
    options.flat = CT_FLAT_OFF;
    options.i0 = CT_I0_BORDER;
    if (f == 0) {
      ct_stack *stack = load_all(scan, &options, NULL, &error);
      CHECK_OK(stack);
      CHECK_NEAR(ct_stack_get_view(stack, 0)[20], 0, 1e-6);
      ct_stack_free(stack);
    } else {
      CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_DATA,
                  "beam intensity of view 0, taken from its border, is 0");
    }
    options = plain_prep();
    ct_scan_free(scan);
  }
  const function_source source = {few_dead, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 2, 2, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  ct_prep_report report;
  ct_stack *stack = load_all(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK(report.not_finite == 2 * VIEWS);
  CHECK_NEAR(ct_stack_get_view(stack, 1)[3 * NU + 6], truth(1, 6, 3), 0.1);
  CHECK_NEAR(ct_stack_get_view(stack, 1)[5 * NU + 2], truth(1, 2, 5), 0.1);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

static void test_empty_frame(void) {
  ct_error *error = NULL;
  const function_source source = {all_nan, NU};
  const ct_prep_options options = plain_prep();
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_LINE_INTEGRALS, &error);
  CHECK_OK(scan);
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_DATA, "view 3 holds not a single finite number");
  ct_scan_free(scan);
}

static void test_smallest(void) {
  ct_error *error = NULL;
  const function_source source = {no_beam, 1};
  ct_scan *scan = function_scan(&source, 1, 1, 0, 0, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  ct_prep_options options = plain_prep();
  options.i0 = CT_I0_BORDER;
  options.outlier = 5;
  for (int rings = CT_RINGS_NONE; rings <= CT_RINGS_SMOOTHING; rings++) {
    options.rings = (ct_ring_method)rings;
    options.ring_size = 21;
    options.ring_sigma = 2;
    ct_stack *stack = load_all(scan, &options, NULL, &error);
    CHECK_OK(stack);
    CHECK_NEAR(ct_stack_data(stack)[0], 0, 1e-6);
    ct_stack_free(stack);
  }
  ct_scan_free(scan);
}

static float line_integrals(ct_frame_kind kind, int index, int u, int v) {
  return (float)truth(index, u, v);
}

static void test_bad_ranges(void) {
  ct_error *error = NULL;
  const function_source source = {line_integrals, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_LINE_INTEGRALS, &error);
  CHECK_OK(scan);
  ct_prep_options options = plain_prep();
  static const int bad[][6] = {/* row0, rows, first, step, count, bin */
                               {-1, 2, 0, 1, 8, 1},         {5, 2, 0, 1, 8, 1}, {0, 0, 0, 1, 8, 1},
                               {0, 2147483647, 0, 1, 8, 1}, {0, 6, 0, 1, 9, 1}, {0, 6, 1, 1, 8, 1},
                               {0, 6, 0, 2, 5, 1},          {0, 6, 0, 0, 1, 1}, {0, 6, -1, 1, 1, 1},
                               {0, 6, 0, 2147483647, 2, 1}, {0, 6, 0, 1, 8, 0}, {0, 6, 0, 1, 8, 13},
                               {0, 2, 0, 1, 8, 3}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int *b = bad[i];
    const ct_load_request request = {.scan = scan,
                                     .options = &options,
                                     .row0 = b[0],
                                     .rows = b[1],
                                     .first = b[2],
                                     .step = b[3],
                                     .count = b[4],
                                     .bin = b[5]};
    CHECK_FAILS(ct_prep_load(&request, NULL, NULL, &error), CT_ERROR_ARGUMENT, "test.h5");
  }
  options.floor = 0;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_ARGUMENT, "least transmission is 0");
  options.floor = NAN;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_ARGUMENT, "least transmission");
  options = plain_prep();
  options.outlier = -1;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_ARGUMENT, "outlier threshold is -1");
  ct_scan_free(scan);
}

static bool read_and_fail(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                          ct_error **error) {
  if (index == 5) return ct_error_set(error, CT_ERROR_FORMAT, "test.h5: frame 5 is truncated.");
  for (int k = 0; k < rows * NU; k++) out[k] = 1;
  return true;
}

static void test_reader_errors_and_cancel(void) {
  ct_error *error = NULL;
  ct_scan_facts facts = {.values = CT_VALUES_TRANSMISSION, .path = "test.h5", .format = "test"};
  CHECK(ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, NU, NV, VIEWS, NULL));
  ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){.read = read_and_fail}, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_FORMAT, "frame 5 is truncated");
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  const ct_load_request request = {.scan = scan, .options = &options, .rows = NV, .step = 1, .count = 4, .bin = 1};
  ct_stack *stack = ct_prep_load(&request, NULL, job, &error);
  CHECK_OK(stack);
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_READING && progress.done == 4 && progress.total == 4);
  CHECK_OK(ct_prep_remove_rings(stack, CT_RINGS_SMOOTHING, 5, 1, NULL, job, &error));
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_CORRECTING && progress.done == NV && progress.total == NV);
  ct_job_cancel(job);
  CHECK_FAILS(ct_prep_load(&request, NULL, job, &error), CT_ERROR_CANCELLED, "");
  CHECK_FAILS(ct_prep_remove_rings(stack, CT_RINGS_SORTING, 5, 1, NULL, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
  ct_stack_free(stack);
  ct_scan_free(scan);
  ct_geometry_clear(&facts.geometry);
}

static const ct_test tests[] = {
    {"dead, negative and non-finite counts are mended and counted", test_bad_counts},
    {"useless flats are an error, a few bad pixels are mended", test_bad_fields},
    {"a frame without a number is an error", test_empty_frame},
    {"one pixel in one view passes every correction", test_smallest},
    {"impossible ranges and numbers are errors", test_bad_ranges},
    {"reader's errors come through, progress is told, cancel is obeyed", test_reader_errors_and_cancel},
};
CT_TEST_MAIN(tests)
