/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of cache kernels against the numbers that Chilingaryan et al. (2019) print: Table 15 (estimated), the bytes
 * of section 6.5, and Table 16's rows from the rates of Table 10. */
#include "app/bench/card-model.h"
#include "tests/test.h"

#include <math.h>

static const bench_cached published = {.threads = 256, .pixels = 4, .slices = 1, .row_threads = 16, .advanced = true};

static void test_load(void) {
  const bench_load load = bench_card_load(&published);
  CHECK(load.conversions == 2.03125 && load.shifts == 1.3125 && load.reals == 4.625);
  CHECK(load.shared == 1.125 && load.constants == 0.265625);
  CHECK(fabs(load.shared_bytes - 8.7) < 0.05 && fabs(load.constant_bytes - 2.3) < 0.06);
}

/* Maxwell and Pascal, whose arithmetic units shift. GFlops count a multiply-add twice. */
static void test_limits(void) {
  static const struct {
    bench_card_rates rates;
    double memory, arithmetic, conversions; /* Table 16 */
  } cards[] = {
      {{.reals = 5128.0 / 2, .shifts = 1282, .conversions = 641, .shared = 2564, .constants = 4186}, 234, 432, 315},
      {{.reals = 12608.0 / 2, .shifts = 3152, .conversions = 1576, .shared = 6304, .constants = 11500}, 576, 1062, 776},
  };
  const bench_load load = bench_card_load(&published);
  for (int n = 0; n < 2; n++) {
    const bench_limits_of_card limits = bench_card_limits(&load, &cards[n].rates, true);
    CHECK(fabs(limits.memory - cards[n].memory) < 1);
    CHECK(fabs(limits.arithmetic - cards[n].arithmetic) < 1);
    CHECK(fabs(limits.conversions - cards[n].conversions) < 1);
  }
}

/* Two slices at a time share what finds their place. */
static void test_slices(void) {
  bench_cached two = published;
  two.slices = 2;
  const bench_load one_load = bench_card_load(&published), two_load = bench_card_load(&two);
  CHECK(fabs(two_load.conversions - one_load.conversions / 2) < 1e-12);
  CHECK(two_load.reals > one_load.reals / 2 && two_load.reals < one_load.reals);
  CHECK(two_load.shared_bytes > 7.9 && two_load.shared_bytes < one_load.shared_bytes);
  two.advanced = false;
  CHECK(bench_card_load(&two).shared > two_load.shared);
}

static const ct_test tests[] = {
    {"operations and bytes of an update are those of the paper", test_load},
    {"so are the rates that each unit allows", test_limits},
    {"slices at a time share positions", test_slices},
};

CT_TEST_MAIN(tests)
