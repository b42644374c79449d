/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The micro-benchmarks of a device's units: each gives a rate,
 * two kinds of operations mixed have a time, and without a clock nothing is measured. */
#include "render/compute/rates.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static ct_bp_device *device;

#define NEED_DEVICE()                                                                                                  \
  if (!device) device = ctgl_device_new(NULL, true, NULL);                                                             \
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

#define NEED_CLOCK()                                                                                                   \
  if (!ctgl_device_measure(device, NULL)) CT_TEST_END(2, "the device has no clock")

static void test_no_clock(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  double rate = 0;
  CHECK(!ctgl_rate_measure(device, ctgl_rate_find("sine"), &rate, &error) && error && strstr(error->message, "clock"));
  ct_error_clear(&error);
}

static void test_all(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  int count;
  const ctgl_rate *rates = ctgl_rates(&count);
  NEED_CLOCK();
  for (int n = 0; n < count; n++) {
    double rate = 0;
    CHECK(ctgl_rate_find(rates[n].id) == rates + n);
    CHECK_OK(ctgl_rate_measure(device, rates + n, &rate, &error));
    /* Between the slowest software and what no card reaches. */
    if (!(isfinite(rate) && rate > 1e-6 && rate < 1e7)) CT_TEST_END(1, "%s: %g %s", rates[n].id, rate, rates[n].unit);
  }
  CHECK(!ctgl_rate_find("speed"));
}

static void test_pairs(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  double times = 0, sum = 0;
  NEED_CLOCK();
  CHECK_OK(ctgl_rate_measure_pair(device, ctgl_rate_find("sine"), ctgl_rate_find("shift"), &times, &sum, &error));
  CHECK(isfinite(times) && times > 0 && sum > 1 && sum <= 2 + 1e-9);
}

static const ct_test tests[] = {
    {"without the device's clock nothing is measured", test_no_clock},
    {"every rate is measured", test_all},
    {"and operations two at a time", test_pairs},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
