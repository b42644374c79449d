/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device's own clock: it counts only once asked to, every dispatch once however many there are, and no more than
 * has passed. */
#include "recon/base/machine.h"
#include "render/compute/device-private.h"
#include "tests/bp/cases.h"
#include "tests/test.h"

#include <math.h>

static ct_bp_device *device;

#define NEED_DEVICE()                                                                                                  \
  if (!device) device = ctgl_device_new(NULL, true, NULL);                                                             \
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* Every view is a dispatch of its own (gl-thumper-1), or all of them one. *passed: seconds. */
static bool back_project(const char *id, double *passed, ct_error **error) {
  const ct_bp_table table = ctgl_backend(device).kernels;
  problem p = cases[0];
  ct_geometry geometry = {0};
  p.views = 40;
  bool good = problem_geometry(&p, &geometry, error);
  const ct_grid grid = problem_grid(&p);
  ct_stack *stack = good ? problem_projections(&geometry, error) : NULL;
  ct_volume *volume = stack ? ct_volume_new(&grid, error) : NULL;
  const ct_bp_request request = {.geometry = &geometry,
                                 .grid = grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .precision = CT_PRECISION_FLOAT32,
                                 .threads = 1,
                                 .batch = p.views,
                                 .device = device};
  const double start = ct_now();
  good = volume && problem_run(ct_bp_find(&table, id), &request, stack, volume, NULL, error);
  *passed = ct_now() - start;
  ct_volume_free(volume);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
  return good;
}

static void test_off(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  double passed;
  CHECK_OK(back_project("gl-naive", &passed, &error));
  CHECK(ctgl_device_take_seconds(device) == 0);
}

static void test_counts(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  static const char *const kernels[] = {"gl-naive", "gl-thumper-1", "gl-thumper-8"};
  if (!ctgl_device_measure(device, &error)) {
    ct_error_clear(&error);
    CT_TEST_END(2, "the device has no clock");
  }
  for (int n = 0; n < 3; n++) {
    double passed;
    CHECK_OK(back_project(kernels[n], &passed, &error));
    const double seconds = ctgl_device_take_seconds(device);
    if (!(seconds > 0 && seconds <= passed)) CT_TEST_END(1, "%s: %g s of %g s", kernels[n], seconds, passed);
    CHECK(ctgl_device_take_seconds(device) == 0);
  }
}

/* More pairs than the ring has, with work of a known share: none is lost when the ring comes round. */
static void test_ring(void) {
  NEED_DEVICE();
  ct_error *error = NULL;
  if (!ctgl_device_measure(device, &error)) CT_TEST_END(2, "the device has no clock");
  ctgl_meter *meter = ctgl_device_meter(device);
  CHECK_OK(ctgl_device_enter(device, &error));
  for (int n = 0; n < 3 * CTGL_METER_PAIRS; n++) {
    ctgl_meter_begin(meter, CTGL_METER_ADDING);
    ctgl_meter_end(meter);
    CHECK(meter->waiting == (n < CTGL_METER_PAIRS ? n + 1 : CTGL_METER_PAIRS));
  }
  CHECK(ctgl_meter_take(meter, CTGL_METER_ADDING) >= 0 && meter->waiting == 0);
  CHECK_OK(ctgl_device_leave(device, true, "a test", &error));
}

/* The sum over the volume with so much left out. */
static bool sum_with(const char *id, const problem *p, ctgl_omission omission, double *sum, ct_error **error) {
  const ct_bp_table table = ctgl_backend(device).kernels;
  ct_geometry geometry = {0};
  bool good = problem_geometry(p, &geometry, error);
  const ct_grid grid = problem_grid(p);
  ct_stack *stack = good ? problem_projections(&geometry, error) : NULL;
  ct_volume *volume = stack ? ct_volume_new(&grid, error) : NULL;
  const ct_bp_request request = {.geometry = &geometry,
                                 .grid = grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .precision = CT_PRECISION_FLOAT32,
                                 .threads = 1,
                                 .batch = p->views,
                                 .device = device};
  ctgl_device_omit(device, omission);
  good = volume && problem_run(ct_bp_find(&table, id), &request, stack, volume, NULL, error);
  ctgl_device_omit(device, CTGL_WHOLE);
  const size_t count = good ? ct_grid_voxels(&grid) : 0;
  *sum = 0;
  for (size_t n = 0; n < count; n++) *sum += fabs((double)ct_volume_get_data(volume)[n]);
  ct_volume_free(volume);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
  return good;
}

/* Each step changes the volume, the last leaves it as it was, and the whole is whole again afterwards. */
static void test_omissions(void) {
  NEED_DEVICE();
  static const problem parallel = {"parallel", CT_BEAM_PARALLEL, 24, 6,  8,  1, 1, 0, 0, 0.4, 0, 0,
                                   0.1,        3.14159265,       0,  20, 20, 6, 1, 1, 1, 0,   0, 0};
  static const char *const kernels[] = {"gl-thumper-5", "gl-slices-2", "gl-differences"};
  for (int k = 0; k < 3; k++) {
    ct_error *error = NULL;
    double sums[CTGL_OMISSIONS + 1];
    for (int n = 0; n <= CTGL_OMISSIONS; n++)
      CHECK_OK(sum_with(kernels[k], k ? &parallel : &cases[0], n < CTGL_OMISSIONS ? (ctgl_omission)n : CTGL_WHOLE,
                        &sums[n], &error));
    const bool apart = sums[CTGL_WHOLE] > 0 && fabs(sums[CTGL_TINY_VOXELS] / sums[CTGL_WHOLE] - 1) > 1e-3 &&
                       fabs(sums[CTGL_NO_FETCHES] / sums[CTGL_TINY_VOXELS] - 1) > 1e-3;
    if (!apart || sums[CTGL_NO_UPDATES] != 0 || sums[CTGL_OMISSIONS] != sums[CTGL_WHOLE])
      CT_TEST_END(1, "%s: %g, %g, %g, %g, again %g", kernels[k], sums[0], sums[1], sums[2], sums[3], sums[4]);
  }
}

static const ct_test tests[] = {
    {"what is left out is left out", test_omissions},
    {"nothing is measured unasked", test_off},
    {"dispatches take some time, and no more than has passed", test_counts},
    {"the ring of timestamps comes round", test_ring},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
