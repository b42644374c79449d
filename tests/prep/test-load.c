/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading: flats and darks over time, beam intensity, bins, bands, the logarithm's floor, and data that is beyond use. */
#include "tests/prep/support.h"
#include "tests/test.h"

#include <string.h>

enum { NU = 12, NV = 6, VIEWS = 8 };

/* The line integral that every made-up scan carries. */
static double truth(int view, int u, int v) { return 0.05 * u + 0.1 * v + 0.01 * view; }
static double gain(int u, int v) { return 1000 + 30 * u + 10 * v; }
static double black(int u, int v) { return 100 + u - v; }

static float steady(ct_frame_kind kind, int index, int u, int v) {
  if (kind == CT_FRAME_DARK) return (float)black(u, v);
  if (kind == CT_FRAME_FLAT) return (float)(black(u, v) + gain(u, v));
  return (float)(black(u, v) + gain(u, v) * exp(-truth(index, u, v)));
}

static void test_flats(void) {
  ct_error *error = NULL;
  const function_source source = {steady, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 3, 2, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  ct_prep_report report;
  ct_stack *stack = load_all(scan, &options, &report, &error);
  CHECK_OK(stack);
  for (int i = 0; i < VIEWS; i++)
    for (int j = 0; j < NV; j++)
      for (int k = 0; k < NU; k++) CHECK_NEAR(ct_stack_get_view(stack, i)[j * NU + k], truth(i, k, j), 2e-6);
  CHECK(report.used_flats && report.used_log && report.not_finite == 0 && report.floored == 0);
  CHECK(isnan(report.i0_mean) && isnan(report.i0_spread));
  ct_stack_free(stack);
  ct_scan_free(scan);
}

/* The beam and the dark current drift linearly in time; flats before, in the middle of and after the run, darks before and after. */
static double moment(ct_frame_kind kind, int index) {
  static const double flats[] = {VIEWS, 0, 4}, darks[] = {0, VIEWS};
  return kind == CT_FRAME_FLAT ? flats[index] : kind == CT_FRAME_DARK ? darks[index] : index + 0.5;
}
static float drifting(ct_frame_kind kind, int index, int u, int v) {
  const double time = moment(kind, index), dark = black(u, v) * (1 + 0.05 * time), beam = gain(u, v) * (1 - 0.03 * time);
  if (kind == CT_FRAME_DARK) return (float)dark;
  if (kind == CT_FRAME_FLAT) return (float)(dark + beam);
  return (float)(dark + beam * exp(-truth(index, u, v)));
}

static void test_drift(void) {
  ct_error *error = NULL;
  const function_source source = {drifting, NU};
  static const double flats[] = {VIEWS, 0, 4}, darks[] = {0, VIEWS};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 3, 2, flats, darks, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  ct_stack *stack = load_all(scan, &options, NULL, &error);
  CHECK_OK(stack);
  for (int i = 0; i < VIEWS; i++)
    for (int j = 0; j < NV; j++)
      for (int k = 0; k < NU; k++) CHECK_NEAR(ct_stack_get_view(stack, i)[j * NU + k], truth(i, k, j), 5e-6);
  ct_stack_free(stack);
  /* Some views alone, in another order of batches, are the same. */
  ct_stack *some = ct_prep_load(scan, &options, 2, 3, 1, 3, 3, 1, false, false, NULL, NULL, &error);
  CHECK_OK(some);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < NU; k++) CHECK_NEAR(ct_stack_get_view(some, i)[NU + k], truth(1 + 3 * i, k, 3), 5e-6);
  ct_stack_free(some);
  ct_scan_free(scan);
}

static float lone_zinger(ct_frame_kind kind, int index, int u, int v) {
  const float value = steady(kind, index, u, v);
  return kind == CT_FRAME_FLAT && index == 3 && u == 5 && v == 2 ? value + 30000 : value;
}

static void test_zinger_in_flat(void) {
  ct_error *error = NULL;
  const function_source source = {lone_zinger, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 7, 1, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  ct_stack *stack = load_all(scan, &options, NULL, &error);
  CHECK_OK(stack);
  CHECK_NEAR(ct_stack_get_view(stack, 1)[2 * NU + 5], truth(1, 5, 2), 1e-4);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

/* No flats: intensity 2000 + 20 view in the outer columns and in a corner of the upper rows, other things in between. */
static float open_beam(ct_frame_kind kind, int index, int u, int v) {
  const double i0 = 2000 + 20 * index;
  if (u < 2 || u >= NU - 2) return (float)(u == 0 && v == 1 ? NAN : i0);
  return (float)(i0 * exp(-truth(index, u, v)));
}

static void test_beam_intensity(void) {
  ct_error *error = NULL;
  const function_source source = {open_beam, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  ct_prep_options options = plain_prep();
  for (int method = CT_I0_BORDER; method <= CT_I0_REGION; method++) {
    options.i0 = (ct_i0_method)method;
    options.i0_region[0] = NU - 2;
    options.i0_region[1] = 4;
    options.i0_region[2] = 2;
    options.i0_region[3] = 2;
    ct_prep_report report;
    ct_stack *stack = load_all(scan, &options, &report, &error);
    CHECK_OK(stack);
    for (int i = 0; i < VIEWS; i++)
      for (int k = 2; k < NU - 2; k++) CHECK_NEAR(ct_stack_get_view(stack, i)[3 * NU + k], truth(i, k, 3), 2e-6);
    CHECK_NEAR(report.i0_mean, 2070, 1e-3);
    CHECK_NEAR(report.i0_spread, 140 / 2070.0, 1e-6);
    CHECK(!report.used_flats && report.used_log && report.not_finite == VIEWS);
    /* A band of rows that lacks the free rectangle has the same values. */
    ct_stack *band = ct_prep_load(scan, &options, 2, 2, 0, 1, VIEWS, 1, false, false, NULL, NULL, &error);
    CHECK_OK(band);
    for (int i = 0; i < VIEWS; i++)
      CHECK(memcmp(ct_stack_get_view(band, i), ct_stack_get_view(stack, i) + 2 * NU, 2 * NU * sizeof(float)) == 0);
    ct_stack_free(band);
    ct_stack_free(stack);
  }
  options.i0 = CT_I0_VALUE;
  options.i0_value = 2000;
  ct_stack *stack = load_all(scan, &options, NULL, &error);
  CHECK_OK(stack);
  CHECK_NEAR(ct_stack_get_view(stack, 3)[NU + 5], truth(3, 5, 1) - log(2060 / 2000.0), 2e-6);
  ct_stack_free(stack);
  options.i0 = CT_I0_NONE;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_DATA, "raw counts without flat fields");
  options.i0 = CT_I0_REGION;
  options.i0_region[0] = NU - 1;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_ARGUMENT, "free rectangle");
  options.i0 = CT_I0_VALUE;
  options.i0_value = 0;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_ARGUMENT, "beam intensity is 0");
  options.i0 = CT_I0_BORDER;
  options.i0_border = 0;
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_ARGUMENT, "border");
  ct_scan_free(scan);
}

static float transmission(ct_frame_kind kind, int index, int u, int v) { return (float)exp(-truth(index, u, v)); }
static float integrals(ct_frame_kind kind, int index, int u, int v) { return (float)truth(index, u, v); }

/* What auto means for each kind of values, and what "on" and "off" overrule. */
static void test_log_modes(void) {
  ct_error *error = NULL;
  const function_source t = {transmission, NU}, p = {integrals, NU};
  ct_prep_options options = plain_prep();
  options.i0 = CT_I0_BORDER;
  const double expected = truth(2, 4, 3);
  struct {
    const function_source *source;
    ct_values values;
    ct_log_mode log;
    double value;
    bool used;
  } cases[] = {
      {&t, CT_VALUES_TRANSMISSION, CT_LOG_AUTO, expected, true},
      {&t, CT_VALUES_TRANSMISSION, CT_LOG_OFF, exp(-expected), false},
      {&p, CT_VALUES_LINE_INTEGRALS, CT_LOG_AUTO, expected, false},
      /* Floating-point values that nobody explains, without flats, are taken for line integrals. */
      {&p, CT_VALUES_UNKNOWN, CT_LOG_AUTO, expected, false},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    options.log = cases[c].log;
    ct_scan *scan = function_scan(cases[c].source, NV, VIEWS, 0, 0, NULL, NULL, cases[c].values, &error);
    CHECK_OK(scan);
    ct_prep_report report;
    ct_stack *stack = load_all(scan, &options, &report, &error);
    CHECK_OK(stack);
    CHECK_NEAR(ct_stack_get_view(stack, 2)[3 * NU + 4], cases[c].value, 1e-6);
    CHECK(report.used_log == cases[c].used);
    ct_stack_free(stack);
    ct_scan_free(scan);
  }
  ct_scan *scan = function_scan(&t, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_LINE_INTEGRALS, &error);
  CHECK_OK(scan);
  options.log = CT_LOG_ON;
  options.i0 = CT_I0_NONE;
  ct_stack *stack = load_all(scan, &options, NULL, &error);
  CHECK_OK(stack);
  CHECK_NEAR(ct_stack_get_view(stack, 2)[3 * NU + 4], expected, 1e-6);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

/* Transmissions are averaged before the logarithm; odd rows and columns at the end are dropped. */
static void test_bins(void) {
  ct_error *error = NULL;
  const function_source source = {transmission, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_TRANSMISSION, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  for (int bin = 2; bin <= 5; bin++) {
    ct_stack *stack = ct_prep_load(scan, &options, 1, 5, 0, 2, 4, bin, false, false, NULL, NULL, &error);
    CHECK_OK(stack);
    CHECK(ct_stack_nu(stack) == NU / bin && ct_stack_nv(stack) == 5 / bin && ct_stack_views(stack) == 4);
    for (int j = 0; j < 5 / bin; j++)
      for (int k = 0; k < NU / bin; k++) {
        double sum = 0;
        for (int y = 0; y < bin; y++)
          for (int x = 0; x < bin; x++) sum += exp(-truth(6, k * bin + x, 1 + j * bin + y));
        CHECK_NEAR(ct_stack_get_view(stack, 3)[j * (NU / bin) + k], -log(sum / (bin * bin)), 1e-6);
      }
    ct_stack_free(stack);
  }
  ct_scan_free(scan);
}

/* A detector of one row is binned along it alone. */
static void test_bins_of_one_row(void) {
  ct_error *error = NULL;
  const function_source source = {transmission, NU};
  ct_scan *scan = function_scan(&source, 1, VIEWS, 0, 0, NULL, NULL, CT_VALUES_TRANSMISSION, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  ct_stack *stack = ct_prep_load(scan, &options, 0, 1, 0, 1, VIEWS, 4, false, false, NULL, NULL, &error);
  CHECK_OK(stack);
  CHECK(ct_stack_nu(stack) == 3 && ct_stack_nv(stack) == 1);
  double sum = 0;
  for (int k = 4; k < 8; k++) sum += exp(-truth(5, k, 0));
  CHECK_NEAR(ct_stack_get_view(stack, 5)[1], -log(sum / 4), 1e-6);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

static void test_flips(void) {
  ct_error *error = NULL;
  const function_source source = {integrals, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_LINE_INTEGRALS, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  ct_stack *stack = ct_prep_load(scan, &options, 1, 2, 4, 1, 1, 1, true, true, NULL, NULL, &error);
  CHECK_OK(stack);
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < NU; k++)
      CHECK_NEAR(ct_stack_get_view(stack, 0)[j * NU + k], truth(4, NU - 1 - k, NV - 1 - (1 + j)), 1e-6);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

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

static float no_beam(ct_frame_kind kind, int index, int u, int v) { return 77; }
static float all_zero(ct_frame_kind kind, int index, int u, int v) { return 0; }
static float all_nan(ct_frame_kind kind, int index, int u, int v) { return index == 3 ? NAN : 5; }
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
      CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_DATA, "beam intensity of view 0, taken from its border, is 0");
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

static void test_bad_ranges(void) {
  ct_error *error = NULL;
  const function_source source = {integrals, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_LINE_INTEGRALS, &error);
  CHECK_OK(scan);
  ct_prep_options options = plain_prep();
  static const int bad[][6] = {/* row0, rows, first, step, count, bin */
                               {-1, 2, 0, 1, 8, 1}, {5, 2, 0, 1, 8, 1}, {0, 0, 0, 1, 8, 1}, {0, 2147483647, 0, 1, 8, 1},
                               {0, 6, 0, 1, 9, 1}, {0, 6, 1, 1, 8, 1}, {0, 6, 0, 2, 5, 1}, {0, 6, 0, 0, 1, 1},
                               {0, 6, -1, 1, 1, 1}, {0, 6, 0, 2147483647, 2, 1}, {0, 6, 0, 1, 8, 0}, {0, 6, 0, 1, 8, 13}, {0, 2, 0, 1, 8, 3}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const int *b = bad[i];
    CHECK_FAILS(ct_prep_load(scan, &options, b[0], b[1], b[2], b[3], b[4], b[5], false, false, NULL, NULL, &error),
                CT_ERROR_ARGUMENT, "test.h5");
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

static bool read_and_fail(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  if (index == 5) return ct_error_set(error, CT_ERROR_FORMAT, "test.h5: frame 5 is truncated.");
  for (int k = 0; k < rows * NU; k++) out[k] = 1;
  return true;
}

static void test_reader_errors_and_cancel(void) {
  ct_error *error = NULL;
  ct_scan_facts facts = {.values = CT_VALUES_TRANSMISSION, .path = "test.h5", .format = "test"};
  CHECK(ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, NU, NV, VIEWS, NULL));
  ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){NULL, read_and_fail, NULL}, &error);
  CHECK_OK(scan);
  const ct_prep_options options = plain_prep();
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_FORMAT, "frame 5 is truncated");
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_stack *stack = ct_prep_load(scan, &options, 0, NV, 0, 1, 4, 1, false, false, NULL, job, &error);
  CHECK_OK(stack);
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_READING && progress.done == 4 && progress.total == 4);
  CHECK_OK(ct_prep_remove_rings(stack, CT_RINGS_SMOOTHING, 5, 1, job, &error));
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_CORRECTING && progress.done == NV && progress.total == NV);
  ct_job_cancel(job);
  CHECK_FAILS(ct_prep_load(scan, &options, 0, NV, 0, 1, 4, 1, false, false, NULL, job, &error), CT_ERROR_CANCELLED, "");
  CHECK_FAILS(ct_prep_remove_rings(stack, CT_RINGS_SORTING, 5, 1, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
  ct_stack_free(stack);
  ct_scan_free(scan);
  ct_geometry_clear(&facts.geometry);
}

static const ct_test tests[] = {
    {"flats and darks give the line integrals", test_flats},
    {"flats and darks are interpolated in time", test_drift},
    {"a zinger in one flat leaves no trace", test_zinger_in_flat},
    {"the beam intensity comes from border, rectangle or number", test_beam_intensity},
    {"the logarithm is taken as values and options say", test_log_modes},
    {"bins average transmissions", test_bins},
    {"a single row is binned along itself", test_bins_of_one_row},
    {"flips are overruled as told", test_flips},
    {"dead, negative and non-finite counts are mended and counted", test_bad_counts},
    {"useless flats are an error, a few bad pixels are mended", test_bad_fields},
    {"a frame without a number is an error", test_empty_frame},
    {"one pixel in one view passes every correction", test_smallest},
    {"impossible ranges and numbers are errors", test_bad_ranges},
    {"reader's errors come through, progress is told, cancel is obeyed", test_reader_errors_and_cancel},
};
CT_TEST_MAIN(tests)
