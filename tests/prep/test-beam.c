/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beam's intensity from border columns that an object shades: on one side, in some rows, in some views, on both
 * sides; with a beam that flickers and is not even, and noise. */
#include "tests/prep/support.h"
#include "tests/test.h"

enum { NU = 120, NV = 32, VIEWS = 60 };

/* What shades column u and row v of a view, as a line integral: an oval that turns, now wide, now narrow. */
typedef struct {
  double middle, wide, narrow; /* columns */
  int row0, rows;              /* shaded at all */
  double circling;             /* columns that its middle moves to either side as it turns once */
  double tilted;               /* relative brightness of the last column to the first, less 1 */
  double flicker, noise;       /* shares */
  double low, high;            /* share of the border that is free, on average over the views */
  double within;               /* of the intensity */
} situation;

static const situation *now;

static double flicker_of(int index) {
  return 1 + now->flicker * sin(1.7 * index);
}

static float shaded_pixel(ct_frame_kind kind, int index, int u, int v) {
  if (kind != CT_FRAME_PROJECTION) return 0;
  const double turn = M_PI * index / VIEWS, half = hypot(now->wide * cos(turn), now->narrow * sin(turn));
  const double off = (u - now->middle - now->circling * cos(2 * turn)) / half;
  const bool shaded = v >= now->row0 && v < now->row0 + now->rows && off * off < 1;
  uint64_t state = (uint64_t)((index * NV + v) * NU + u) * 0x9e3779b97f4a7c15u;
  state = (state ^ state >> 29) * 0xbf58476d1ce4e5b9u;
  state ^= state >> 32;
  const double beam = 2000 * flicker_of(index) * (1 + now->tilted * u / NU);
  return (float)(beam * (1 + now->noise * 3.46 * noise(&state)) * exp(shaded ? -1.5 * sqrt(1 - off * off) : 0));
}

static void check(const situation *s) {
  ct_error *error = NULL;
  now = s;
  const function_source source = {shaded_pixel, NU};
  ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_COUNTS, &error);
  CHECK_OK(scan);
  ct_prep_options options = plain_prep();
  options.i0 = CT_I0_BORDER;
  options.i0_border = 10;
  ct_prep_report report;
  ct_stack *stack = load_all(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK_NEAR(report.i0_mean, 2000 * (1 + 0.5 * s->tilted), 2000 * s->within);
  CHECK_NEAR(report.i0_spread, 2 * s->flicker, 0.01);
  CHECK_NEAR(report.border_free[0], s->low, 0.13);
  CHECK_NEAR(report.border_free[1], s->high, 0.13);
  CHECK(!report.border_doubtful);
  ct_stack_free(stack);
  ct_scan_free(scan);
}

static void test_shaded(void) {
  static const situation situations[] = {
      {59.5, 40, 30, 0, NV, 0, 0, 0, 0, 1, 1, 1e-6},
      {59.5, 40, 30, 0, NV, 0, 0.02, 0.05, 0.02, 1, 1, 2e-3},
      {90, 40, 30, 0, NV, 0, 0, 0, 0, 1, 0, 1e-6},
      {30, 45, 28, 0, NV, 0, 0, 0.05, 0.02, 0, 1, 2e-3},
      {59.5, 90, 70, 0, NV / 2, 0, 0, 0, 0, 0.5, 0.5, 1e-6},
      {59.5, 90, 70, 8, NV, 0, 0, 0.03, 0.01, 0.25, 0.25, 2e-3},
      {59.5, 62, 40, 0, NV * 3 / 4, 0, 0, 0, 0, 0.25, 0.25, 1e-6},
      {96, 30, 26, 0, NV, 0, 0, 0, 0.01, 1, 0, 1e-3},
      /* Each side free in some views alone: half of an uneven beam's difference is what it may be off. */
      {59.5, 35, 35, 0, NV, 28, 0, 0, 0, 0.72, 0.72, 1e-3},
      {62, 31, 35, 0, NV, 27, 0.008, 0, 0.01, 0.78, 0.75, 4e-3},
      {59.5, 40, 36, 0, NV, 22, 0.01, 0.004, 0.005, 0.5, 0.75, 2e-3},
  };
  for (size_t i = 0; i < sizeof situations / sizeof *situations && !ct_test_state; i++) {
    check(&situations[i]);
    if (ct_test_state) {
      const size_t used = strlen(ct_test_reason);
      snprintf(ct_test_reason + used, sizeof ct_test_reason - used, " (situation %zu)", i);
    }
  }
}

/* Nothing is free, also where all round alike the border shades off as steadily as if it were air: it is said. */
static void test_doubtful(void) {
  static const situation situations[] = {
      {59.5, 90, 70, 0, NV, 0, 0, 0, 0.01, 0, 0, 1},     {59.5, 66, 66, 0, NV, 0, 0, 0, 0, 0, 0, 1},
      {59.5, 61, 61, 0, NV, 0, 0, 0.02, 0, 0, 0, 1},     {59.5, 70, 70, 0, NV, 0, 0, 0, 0.005, 0, 0, 1},
      {59.5, 130, 130, 0, NV, 0, 0, 0, 0, 0, 0, 1},      {55, 75, 75, 0, NV, 0, 0.01, 0, 0.005, 0, 0, 1},
      {59.5, 200, 200, 0, NV, 0, 0, 0, 0.0005, 0, 0, 1},
  };
  for (size_t i = 0; i < sizeof situations / sizeof *situations; i++)
    for (int border = 10; border <= 20; border += 10) {
      ct_error *error = NULL;
      now = &situations[i];
      const function_source source = {shaded_pixel, NU};
      ct_scan *scan = function_scan(&source, NV, VIEWS, 0, 0, NULL, NULL, CT_VALUES_COUNTS, &error);
      ct_prep_options options = plain_prep();
      options.i0 = CT_I0_BORDER;
      options.i0_border = border;
      ct_prep_report report;
      ct_stack *stack = load_all(scan, &options, &report, &error);
      CHECK_OK(stack);
      if (!report.border_doubtful) printf("# situation %zu, border of %d columns: not doubted\n", i, border);
      CHECK(report.border_doubtful);
      ct_stack_free(stack);
      ct_scan_free(scan);
    }
}

static const ct_test tests[] = {{"the border without what the object shades", test_shaded},
                                {"a border that is shaded everywhere", test_doubtful}};
CT_TEST_MAIN(tests)
