/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading: flats and darks over time, beam intensity, bins, bands, the logarithm's floor, and data that is beyond use.
 */
#include "tests/prep/made-up.h"
#include "tests/prep/support.h"
#include "tests/test.h"

#include <string.h>

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

/* The beam and the dark current drift linearly in time; flats before, in the middle of and after the run, darks before
 * and after. */
static double moment(ct_frame_kind kind, int index) {
  static const double flats[] = {VIEWS, 0, 4}, darks[] = {0, VIEWS};
  return kind == CT_FRAME_FLAT ? flats[index] : kind == CT_FRAME_DARK ? darks[index] : index + 0.5;
}
static float drifting(ct_frame_kind kind, int index, int u, int v) {
  const double time = moment(kind, index), dark = black(u, v) * (1 + 0.05 * time),
               beam = gain(u, v) * (1 - 0.03 * time);
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
  ct_stack *some = ct_prep_load(
      &(ct_load_request){
          .scan = scan, .options = &options, .row0 = 2, .rows = 3, .first = 1, .step = 3, .count = 3, .bin = 1},
      NULL, NULL, &error);
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

/* No flats: intensity 2000 + 20 view in the outer columns and in a corner of the upper rows, other things in between.
 */
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
    ct_stack *band = ct_prep_load(
        &(ct_load_request){
            .scan = scan, .options = &options, .row0 = 2, .rows = 2, .step = 1, .count = VIEWS, .bin = 1},
        NULL, NULL, &error);
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
  CHECK_FAILS(load_all(scan, &options, NULL, &error), CT_ERROR_DATA, "raw counts and no flat fields are used");
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

/* The beam decays over the run, and flats were taken before it alone. */
/* The level that a scanner's settings state is the number of the automatic method; other methods do not care. */
static void test_stated_level(void) {
  ct_error *error = NULL;
  const function_source source = {open_beam, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  facts.white_level = 2500;
  CHECK_OK(ct_scan_replace_facts(scan, &facts, &error));
  ct_prep_options options = plain_prep();
  const double levels[] = {2500, 2000, 2060};
  for (int i = 0; i < 3; i++) {
    options.i0 = i == 0 ? CT_I0_AUTO : i == 1 ? CT_I0_VALUE : CT_I0_BORDER;
    options.i0_value = 2000;
    ct_stack *stack = load_all(scan, &options, NULL, &error);
    CHECK_OK(stack);
    CHECK_NEAR(ct_stack_get_view(stack, 3)[NU + 5], truth(3, 5, 1) - log(2060 / levels[i]), 2e-6);
    ct_stack_free(stack);
  }
  ct_scan_free(scan);
}

static double decayed(int index) {
  return exp(-0.03 * index);
}

static float decaying(ct_frame_kind kind, int index, int u, int v) {
  if (kind == CT_FRAME_DARK) return (float)black(u, v);
  if (kind == CT_FRAME_FLAT) return (float)(black(u, v) + gain(u, v));
  const double p = u < 2 || u >= NU - 2 ? 0 : truth(index, u, v);
  return (float)(black(u, v) + decayed(index) * gain(u, v) * exp(-p));
}

static float decaying_transmission(ct_frame_kind kind, int index, int u, int v) {
  return (float)(decayed(index) * exp(-(u < 2 || u >= NU - 2 ? 0 : truth(index, u, v))));
}

/* Border and rectangle normalise each frame behind the flats, and transmissions; automatically nothing does, nor does a
 * number. */
static void test_changing_beam(void) {
  ct_error *error = NULL;
  const function_source counts = {decaying, NU}, shares = {decaying_transmission, NU};
  for (int flats = 0; flats < 2; flats++) {
    ct_scan *scan = flats ? function_scan(&counts, NV, VIEWS, 2, 1, NULL, NULL, CT_VALUES_COUNTS, &error)
                          : function_scan(&shares, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_TRANSMISSION, &error);
    CHECK_OK(scan);
    const ct_i0_method methods[] = {CT_I0_BORDER, CT_I0_REGION, CT_I0_AUTO, CT_I0_NONE, CT_I0_VALUE};
    for (int m = 0; m < 5; m++) {
      ct_prep_options options = plain_prep();
      ct_prep_report report;
      options.i0 = methods[m];
      memcpy(options.i0_region, (int[]){NU - 2, 4, 2, 2}, sizeof options.i0_region);
      ct_stack *stack = load_all(scan, &options, &report, &error);
      CHECK_OK(stack);
      for (int i = 0; i < VIEWS; i++)
        CHECK_NEAR(ct_stack_get_view(stack, i)[3 * NU + 5], truth(i, 5, 3) + (m < 2 ? 0 : 0.03 * i), 2e-6);
      CHECK(report.used_flats == flats && report.used_log && isnan(report.i0_mean) == (m >= 2));
      if (m < 2) CHECK_NEAR(report.i0_spread * report.i0_mean, 1 - decayed(VIEWS - 1), 1e-6);
      ct_stack_free(stack);
    }
    ct_scan_free(scan);
  }
}

static float transmission(ct_frame_kind kind, int index, int u, int v) {
  return (float)exp(-truth(index, u, v));
}
static float integrals(ct_frame_kind kind, int index, int u, int v) {
  return (float)truth(index, u, v);
}

/* What auto means for each kind of values, and what "on" and "off" overrule. */
static void test_log_modes(void) {
  ct_error *error = NULL;
  const function_source t = {transmission, NU}, p = {integrals, NU};
  ct_prep_options options = plain_prep();
  options.i0 = CT_I0_AUTO;
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
    /* The same, told to the loader, whatever the scan says. */
    scan = function_scan(cases[c].source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_COUNTS, &error);
    CHECK_OK(scan);
    const ct_load_request request = {
        .scan = scan, .options = &options, .values = cases[c].values, .rows = NV, .step = 1, .count = VIEWS, .bin = 1};
    stack = ct_prep_load(&request, &report, NULL, &error);
    CHECK_OK(stack);
    CHECK_NEAR(ct_stack_get_view(stack, 2)[3 * NU + 4], cases[c].value, 1e-6);
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
    ct_stack *stack = ct_prep_load(
        &(ct_load_request){.scan = scan, .options = &options, .row0 = 1, .rows = 5, .step = 2, .count = 4, .bin = bin},
        NULL, NULL, &error);
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
  ct_stack *stack = ct_prep_load(
      &(ct_load_request){.scan = scan, .options = &options, .rows = 1, .step = 1, .count = VIEWS, .bin = 4}, NULL, NULL,
      &error);
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
  ct_stack *stack = ct_prep_load(&(ct_load_request){.scan = scan,
                                                    .options = &options,
                                                    .row0 = 1,
                                                    .rows = 2,
                                                    .first = 4,
                                                    .step = 1,
                                                    .count = 1,
                                                    .bin = 1,
                                                    .flip_rows = true,
                                                    .flip_columns = true},
                                 NULL, NULL, &error);
  CHECK_OK(stack);
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < NU; k++)
      CHECK_NEAR(ct_stack_get_view(stack, 0)[j * NU + k], truth(4, NU - 1 - k, NV - 1 - (1 + j)), 1e-6);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

/* Whole, or in any order, some twice: the same bit for bit, and the same report. Flats before and behind the run serve
 * all views; one in its middle parts them. */
static void test_loading_in_any_order(void) {
  static const int order[] = {5, 2, 7, 0, 2, 1, 6, 3, 4};
  static const double outside[] = {VIEWS, 0, 0}, amid[] = {VIEWS, 0, 4}, darks[] = {0, VIEWS};
  ct_error *error = NULL;
  const function_source source = {drifting, NU};
  ct_prep_options options = plain_prep();
  for (int bin = 1; bin <= 2; bin++) {
    ct_scan *scan = function_scan(&source, NV, VIEWS, 3, 2, outside, darks, CT_VALUES_COUNTS, &error);
    CHECK_OK(scan);
    ct_prep_report expected, report;
    ct_stack *whole = ct_prep_load(
        &(ct_load_request){.scan = scan, .options = &options, .rows = NV, .step = 1, .count = VIEWS, .bin = bin},
        &expected, NULL, &error);
    ct_stack *stack = ct_stack_new(NU / bin, NV / bin, VIEWS, &error);
    CHECK_OK(whole && stack);
    ct_loader *loader = ct_loader_new(
        &(ct_load_request){.scan = scan, .options = &options, .rows = NV, .step = 1, .count = VIEWS, .bin = bin},
        &error);
    CHECK_OK(loader);
    CHECK(ct_loader_any_order(loader));
    ct_loader_report(loader, &report);
    CHECK(report.used_flats && isnan(report.i0_mean) && report.floored == 0);
    for (int i = 0; i < 9; i += 3) CHECK_OK(ct_loader_load(loader, order + i, 3, stack, NULL, &error));
    CHECK(memcmp(ct_stack_get_view(stack, 0), ct_stack_get_view(whole, 0), ct_stack_bytes(whole)) == 0);
    ct_loader_report(loader, &report);
    CHECK(report.floored == expected.floored && report.not_finite == expected.not_finite && report.used_log);
    ct_loader_free(loader);
    ct_stack_free(stack);
    ct_stack_free(whole);
    ct_scan_free(scan);
  }
  ct_scan *scan = function_scan(&source, NV, VIEWS, 3, 2, amid, darks, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  ct_loader *loader = ct_loader_new(
      &(ct_load_request){.scan = scan, .options = &options, .rows = NV, .step = 1, .count = VIEWS, .bin = 1}, &error);
  CHECK_OK(loader);
  CHECK(!ct_loader_any_order(loader));
  ct_loader_free(loader);
  options.flat = CT_FLAT_OFF;
  options.log = CT_LOG_OFF;
  loader = ct_loader_new(
      &(ct_load_request){.scan = scan, .options = &options, .rows = NV, .step = 1, .count = VIEWS, .bin = 1}, &error);
  CHECK_OK(loader);
  CHECK(ct_loader_any_order(loader));
  ct_loader_free(loader);
  ct_scan_free(scan);
}

/* A wide body, but in some views nothing; and one that goes by: nothing, a part, all, a part, nothing. */
static float with_lost_views(ct_frame_kind kind, int index, int u, int v) {
  (void)kind;
  return index == 0 || index == 5 || index == 6 ? 0.25F : (float)(1 + 0.1 * u + 0.2 * v + 0.01 * index);
}
static float going_by(ct_frame_kind kind, int index, int u, int v) {
  static const float seen[] = {0, 0, 0.1F, 0.6F, 1, 1, 1, 1, 0.6F, 0.1F, 0, 0};
  (void)kind;
  return seen[index] * (float)(1 + u + v);
}
static float nothing(ct_frame_kind kind, int index, int u, int v) {
  (void)kind, (void)index, (void)u, (void)v;
  return 0;
}

static void test_blank_views(void) {
  static const struct {
    float (*values)(ct_frame_kind kind, int index, int u, int v);
    int first, step, count, blank, at;
  } cases[] = {{with_lost_views, 0, 1, 12, 3, 0},
               {with_lost_views, 1, 2, 5, 1, 5},
               {with_lost_views, 7, 1, 5, 0, 0},
               {going_by, 0, 1, 12, 0, 0},
               {nothing, 0, 1, 12, 0, 0}};
  ct_error *error = NULL;
  const ct_prep_options options = plain_prep();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const function_source source = {cases[i].values, NU};
    ct_prep_report report;
    ct_scan *scan = function_scan(&source, NV, 12, 0, 0, NULL, NULL, CT_VALUES_LINE_INTEGRALS, &error);
    CHECK_OK(scan);
    const ct_load_request request = {.scan = scan,
                                     .options = &options,
                                     .rows = NV,
                                     .first = cases[i].first,
                                     .step = cases[i].step,
                                     .count = cases[i].count,
                                     .bin = 1};
    ct_stack *stack = ct_prep_load(&request, &report, NULL, &error);
    CHECK_OK(stack);
    if (report.blank_views != cases[i].blank || report.blank_first != cases[i].at)
      CT_TEST_END(1, "case %zu: %d blank views from view %d on", i, report.blank_views, report.blank_first);
    ct_stack_free(stack);
    ct_scan_free(scan);
  }
}

static const ct_test tests[] = {
    {"flats and darks give the line integrals", test_flats},
    {"flats and darks are interpolated in time", test_drift},
    {"a zinger in one flat leaves no trace", test_zinger_in_flat},
    {"the beam intensity comes from border, rectangle or number", test_beam_intensity},
    {"a stated level of the beam", test_stated_level},
    {"border and rectangle follow a changing beam behind flats", test_changing_beam},
    {"the logarithm is taken as values and options say", test_log_modes},
    {"bins average transmissions", test_bins},
    {"a single row is binned along itself", test_bins_of_one_row},
    {"flips are overruled as told", test_flips},
    {"views are loaded in any order", test_loading_in_any_order},
    {"views of one number among others", test_blank_views},
};
CT_TEST_MAIN(tests)
