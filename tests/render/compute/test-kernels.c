/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every GPU kernel against textbook on every case that it accepts, on whatever device this machine has (Mesa's software
 * renderer will do), with the driver checking every call. */
#include "render/compute/device.h"
#include "tests/bp/checks.h"

static ct_bp_device *device;

static bool open_device(void) {
  ct_error *error = NULL;
  if (!device) device = ctgl_device_new(NULL, true, &error);
  ct_error_clear(&error);
  return device;
}

#define NEED_DEVICE()                                                                                                  \
  if (!open_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

static void test_linear(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_bp_kernels(device);
  check_interp(&table, CT_INTERP_LINEAR, 1);
}

static void test_nearest(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_bp_kernels(device);
  check_interp(&table, CT_INTERP_NEAREST, 1);
}

static void test_oversampled(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_bp_kernels(device);
  check_interp(&table, CT_INTERP_OVERSAMPLED, 2);
}

static void test_cancel(void) {
  NEED_DEVICE();
  const ct_bp_table table = ctgl_bp_kernels(device);
  check_cancel(&table);
}

static const ct_test tests[] = {
    {"every GPU kernel agrees with textbook, linear", test_linear},
    {"every GPU kernel agrees with textbook, nearest", test_nearest},
    {"every GPU kernel agrees with textbook, oversampled", test_oversampled},
    {"a cancel is answered", test_cancel},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
