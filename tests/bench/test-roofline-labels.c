/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list beside a roofline: nothing is measured here. */
#include "app/bench/roofline-private.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

enum { PITCH = 14 };

static bench_roofline_data all;
static bench_roofline_label labels[BENCH_ROOFLINE_POINTS];

static void add(const char *name, ct_precision precision, double intensity, double gflops) {
  bench_roofline_point *p = &all.points[all.count++];
  *p = (bench_roofline_point){.precision = precision, .intensity = intensity, .gflops = gflops};
  snprintf(p->name, sizeof p->name, "%s", name);
}

static size_t listed(void) {
  return bench_roofline_list(&all, 0, labels);
}

/* Precisions beside one another are one label, others are not. */
static void test_shared(void) {
  all.count = 0;
  add("slow", CT_PRECISION_FLOAT32, 1.5, 10);
  add("taps", CT_PRECISION_FLOAT32, 1.5, 50);
  add("taps", CT_PRECISION_FLOAT16, 1.5, 49);
  add("taps", CT_PRECISION_INT16, 1.5, 51);
  add("window", CT_PRECISION_FLOAT32, 0.75, 73); /* so fast, but elsewhere */
  add("window", CT_PRECISION_FLOAT16, 1.25, 73);
  add("window", CT_PRECISION_INT16, 1.25, 80); /* there, but faster */
  add("broken", CT_PRECISION_FLOAT32, 1, INFINITY);
  CHECK(listed() == 5);
  CHECK(labels[0].first == &all.points[6] && !labels[0].points[CT_PRECISION_FLOAT16]);
  CHECK(labels[3].first == &all.points[3] && labels[3].points[CT_PRECISION_FLOAT32] == &all.points[1] &&
        labels[3].points[CT_PRECISION_FLOAT16] == &all.points[2]);
  CHECK_NEAR(labels[3].low, 49, 0);
  CHECK_NEAR(labels[3].high, 51, 0);
  CHECK(labels[4].first == &all.points[0]);
  all.points[0].problem = 1;
  CHECK(listed() == 4 && bench_roofline_list(&all, 1, labels) == 1);
}

static void check_apart(size_t count, double low, double high) {
  for (size_t n = 1; n < count; n++) CHECK(labels[n].place - labels[n - 1].place > PITCH - 1e-9);
  CHECK(labels[0].place > low - 1e-9 && labels[count - 1].place < high + 1e-9);
}

/* Sixty points at one place, beside two far from it and from each other. */
static void test_spread(void) {
  const size_t count = 62;
  for (size_t n = 0; n < count; n++) labels[n] = (bench_roofline_label){.wanted = 700};
  labels[0].wanted = 30;
  labels[count - 1].wanted = 1400;
  bench_roofline_spread(labels, count, PITCH, 0, 1500);
  check_apart(count, 0, 1500);
  CHECK_NEAR(labels[0].place, 30, 1e-9);
  CHECK_NEAR(labels[1].place, 700 - 29.5 * PITCH, 1e-9); /* as many above as below */
  CHECK_NEAR(labels[count - 1].place, 1400, 1e-9);
  for (size_t n = 0; n < count; n++) labels[n].wanted = 5;
  bench_roofline_spread(labels, count, PITCH, 0, 1500);
  check_apart(count, 0, 1500);
  CHECK_NEAR(labels[0].place, 0, 1e-9);
  for (size_t n = 0; n < count; n++) labels[n].wanted = 880;
  bench_roofline_spread(labels, count, PITCH, 0, 900);
  check_apart(count, 0, 900);
  CHECK_NEAR(labels[count - 1].place, 900, 1e-9);
  /* No room: down beyond the lower bound. */
  bench_roofline_spread(labels, count, PITCH, 20, 100);
  check_apart(count, 20, 20 + (double)(count - 1) * PITCH);
}

static const ct_test tests[] = {
    {"precisions beside one another share a label", test_shared},
    {"labels of coinciding points lie apart, near them and within bounds", test_spread},
};

CT_TEST_MAIN(tests)
