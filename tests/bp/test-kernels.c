/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kernel of the processor's registry against textbook on every case that it accepts, with every interpolation that
 * it offers: agreement, accumulation over batches, independence of the number of threads, and cancelling. */
#include "tests/bp/checks.h"

static void test_linear(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_interp(&table, CT_INTERP_LINEAR, 1);
}

static void test_nearest(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_interp(&table, CT_INTERP_NEAREST, 1);
}

static void test_cubic(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_interp(&table, CT_INTERP_CUBIC, 3);
}

static void test_gaussian(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_interp(&table, CT_INTERP_GAUSSIAN, 3);
}

static void test_oversampled(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_interp(&table, CT_INTERP_OVERSAMPLED, 3);
}

static void test_threads(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  check_threads(&table);
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
    {"results do not depend on the number of threads", test_threads},
    {"a cancel is answered", test_cancel},
};
CT_TEST_MAIN(tests)
