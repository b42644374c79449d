/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute scale of filtered projections in every geometry, and that results depend on nothing but the view. */
#include "tests/filter/support.h"
#include "tests/test.h"

#include <string.h>

static const double ball_centre[3] = {6, -9, 0}, ball_radius = 25;

/* Points inside (value 1) and outside (value 0) of the ball, all in the mid-plane. Outside, the pure ramp's ringing at
 * the sharp edge, +-0.02 about zero, adds to the error of the scale. */
static void check_scale(const ct_geometry *g, const ct_filter_options *options) {
  ct_error *error = NULL;
  static const double points[][4] = {{0, 0, 0, 1},  {6, -9, 0, 1},   {18, -15, 0, 1},
                                     {-6, 4, 0, 1}, {-30, 25, 0, 0}, {40, 10, 0, 0}};
  ct_stack *stack = ct_stack_new(g->nu, g->nv, g->views, &error);
  CHECK_OK(stack);
  project_ball(g, ball_centre, ball_radius, stack);
  ct_stack *filtered = filter_all(g, options, stack, &error);
  CHECK_OK(filtered);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(back_project(g, filtered, points[i]), points[i][3], points[i][3] > 0 ? 0.003 : 0.025);
  ct_stack_free(stack);
  ct_stack_free(filtered);
}

static void check_arc(ct_beam beam, int nv, int views, double first_degrees, double degrees) {
  ct_geometry g;
  const ct_filter_options options = plain_options();
  CHECK(make_geometry(&g, beam, 256, nv, views, first_degrees * DEGREE, degrees * DEGREE));
  if (beam == CT_BEAM_PARALLEL) g.du = g.dv = 0.5;
  check_scale(&g, &options);
  ct_geometry_clear(&g);
}

static void test_scale_parallel(void) {
  check_arc(CT_BEAM_PARALLEL, 1, 360, 0, 180);
  if (!ct_test_state) check_arc(CT_BEAM_PARALLEL, 1, 500, 77, 360);
  if (!ct_test_state) check_arc(CT_BEAM_PARALLEL, 1, 460, -20, 230);
}

static void test_scale_fan(void) {
  check_arc(CT_BEAM_FAN, 1, 600, 10, 360);
  if (!ct_test_state) check_arc(CT_BEAM_FAN, 1, 420, 10, 210);
  if (!ct_test_state) check_arc(CT_BEAM_FAN, 1, 560, -100, 280);
}

static void test_scale_cone(void) {
  check_arc(CT_BEAM_CONE, 4, 600, 10, 360);
  if (!ct_test_state) check_arc(CT_BEAM_CONE, 4, 420, 10, 210);
}

/* A displaced centre and a detector pitch that differs by direction leave the scale alone. */
static void test_scale_offset(void) {
  ct_geometry g;
  const ct_filter_options options = plain_options();
  CHECK(make_geometry(&g, CT_BEAM_CONE, 256, 4, 600, 0, 2 * M_PI));
  g.dv = 1.3;
  g.centre_u = 120.3;
  g.centre_v = 0.75;
  check_scale(&g, &options);
  ct_geometry_clear(&g);
}

/* Turns the detector of a cone view about its column axis by `yaw` (the principal ray no longer meets the axis): rows
 * of P become those of a camera at the same place that looks elsewhere, P' = K Ry K^-1 P, scaled to w = 1 at the
 * isocentre. */
static void turn_detector(ct_geometry *g, double yaw) {
  for (int i = 0; i < g->views; i++) {
    double *p = g->matrices + 12 * (size_t)i, q[12];
    const double f = 800 / 0.8, cu = 0.5 * (g->nu - 1), cv = 0.5 * (g->nv - 1);
    for (int c = 0; c < 4; c++) {
      const double x = (p[c] - cu * p[8 + c]) / f, y = (p[4 + c] - cv * p[8 + c]) / f, z = p[8 + c];
      const double tx = cos(yaw) * x + sin(yaw) * z, tz = -sin(yaw) * x + cos(yaw) * z;
      q[c] = f * tx + (cu - f * tan(yaw)) * tz;
      q[4 + c] = f * y + cv * tz;
      q[8 + c] = tz;
    }
    for (int c = 0; c < 12; c++) p[c] = q[c] / q[11];
  }
}

static void check_free(double degrees, int views, double yaw) {
  ct_geometry g, free_geometry;
  const ct_filter_options options = plain_options();
  CHECK(make_geometry(&g, CT_BEAM_CONE, 256, 4, views, 0.2, degrees * DEGREE));
  CHECK(make_free(&free_geometry, &g));
  turn_detector(&free_geometry, yaw);
  check_scale(&free_geometry, &options);
  ct_geometry_clear(&free_geometry);
  ct_geometry_clear(&g);
}

static void test_scale_free(void) {
  check_free(360, 600, 0);
  if (!ct_test_state) check_free(360, 600, 0.3);
  if (!ct_test_state) check_free(215, 800, -0.25);
}

static void test_scale_windows(void) {
  ct_geometry g;
  CHECK(make_geometry(&g, CT_BEAM_FAN, 256, 1, 600, 0, 2 * M_PI));
  for (int w = CT_WINDOW_SHEPP_LOGAN; w <= CT_WINDOW_HANN && !ct_test_state; w++) {
    ct_filter_options options = plain_options();
    options.window = (ct_window)w;
    options.cutoff = 0.9;
    check_scale(&g, &options);
  }
  ct_geometry_clear(&g);
}

/* Without a filter: the mean over the rays through a point of line integral / field width. */
static void test_no_filter(void) {
  ct_error *error = NULL;
  ct_geometry g;
  ct_filter_options options = plain_options();
  options.window = CT_WINDOW_NONE;
  CHECK(make_geometry(&g, CT_BEAM_PARALLEL, 256, 1, 90, 0, M_PI));
  ct_stack *stack = ct_stack_new(256, 1, 90, &error);
  CHECK_OK(stack);
  for (int i = 0; i < 256 * 90; i++) ct_stack_data(stack)[i] = (float)(256 * 0.8);
  ct_stack *filtered = filter_all(&g, &options, stack, &error);
  CHECK_OK(filtered);
  const double origin[3] = {0, 0, 0};
  CHECK_NEAR(back_project(&g, filtered, origin), 1, 1e-5);
  ct_stack_free(stack);
  ct_stack_free(filtered);
  ct_geometry_clear(&g);
}

static bool equal_stacks(ct_stack *a, ct_stack *b) {
  return a && b && memcmp(ct_stack_data(a), ct_stack_data(b), ct_stack_bytes(a)) == 0;
}

/* One thread, two, five; all at once, in place, view by view: the same bits. */
static void test_same_bits(void) {
  ct_error *error = NULL;
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  for (int b = 0; b < 3; b++) {
    ct_geometry g;
    ct_filter_options options = plain_options();
    options.window = CT_WINDOW_HANN;
    options.extension = (ct_extension)b;
    CHECK(make_geometry(&g, beams[b], 101, b == 1 ? 1 : 7, 37, 0, 220 * DEGREE));
    ct_stack *stack = ct_stack_new(g.nu, g.nv, g.views, &error);
    CHECK_OK(stack);
    project_ball(&g, ball_centre, ball_radius, stack);
    ct_stack *one = filter_all(&g, &options, stack, &error);
    CHECK_OK(one);
    for (int threads = 0; threads <= 5; threads++) {
      options.threads = threads;
      ct_stack *other = filter_all(&g, &options, stack, &error);
      CHECK_OK(other);
      CHECK(equal_stacks(one, other));
      ct_stack_free(other);
    }
    ct_filter *filter = ct_filter_new(&g, &options, &error);
    CHECK_OK(filter);
    for (int i = 36; i >= 0; i--) {
      const float *in = ct_stack_get_view(stack, i);
      float *out = ct_stack_view(stack, i);
      CHECK_OK(ct_filter_apply(filter, &i, 1, &in, &out, &error));
    }
    CHECK(equal_stacks(one, stack));
    ct_filter_free(filter);
    ct_stack_free(one);
    ct_stack_free(stack);
    ct_geometry_clear(&g);
  }
}

static void test_mismatch(void) {
  ct_error *error = NULL;
  ct_geometry g;
  const ct_filter_options options = plain_options();
  CHECK(make_geometry(&g, CT_BEAM_CONE, 16, 4, 5, 0, 6));
  ct_filter *filter = ct_filter_new(&g, &options, &error);
  CHECK_OK(filter);
  ct_stack *stack = ct_stack_new(16, 4, 6, &error);
  CHECK_OK(stack);
  CHECK_FAILS(ct_filter_stack(filter, stack, stack, NULL, &error), CT_ERROR_ARGUMENT, "do not match the geometry");
  float *data = ct_stack_data(stack);
  const float *in = data;
  static const int bad[] = {-1, 5};
  for (int i = 0; i < 2; i++)
    CHECK_FAILS(ct_filter_apply(filter, &bad[i], 1, &in, &data, &error), CT_ERROR_ARGUMENT, "no view");
  CHECK_OK(ct_filter_apply(filter, NULL, 0, NULL, NULL, &error));
  ct_stack_free(stack);
  ct_filter_free(filter);
  g.sdd = 100;
  CHECK_FAILS(ct_filter_new(&g, &options, &error), CT_ERROR_ARGUMENT, "");
  ct_geometry_clear(&g);
}

static void test_job(void) {
  ct_error *error = NULL;
  ct_geometry g;
  const ct_filter_options options = plain_options();
  CHECK(make_geometry(&g, CT_BEAM_CONE, 16, 4, 50, 0, 6));
  ct_filter *filter = ct_filter_new(&g, &options, &error);
  CHECK_OK(filter);
  ct_stack *stack = ct_stack_new(16, 4, 50, &error);
  CHECK_OK(stack);
  memset(ct_stack_data(stack), 0, ct_stack_bytes(stack));
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  CHECK_OK(ct_filter_stack(filter, stack, stack, job, &error));
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_FILTERING && progress.done == 50 && progress.total == 50);
  ct_job_cancel(job);
  CHECK_FAILS(ct_filter_stack(filter, stack, stack, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
  ct_stack_free(stack);
  ct_filter_free(filter);
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"parallel beam has absolute scale over half, full and over-scanned turns", test_scale_parallel},
    {"fan beam has absolute scale over full and short scans", test_scale_fan},
    {"cone beam has absolute scale in the mid-plane", test_scale_cone},
    {"offsets and oblong pixels leave the scale alone", test_scale_offset},
    {"projection matrices have absolute scale, turned detectors and short arcs too", test_scale_free},
    {"every window keeps the scale", test_scale_windows},
    {"no filter gives the mean over the rays", test_no_filter},
    {"threads, batches and in-place work give the same bits", test_same_bits},
    {"views and stacks that do not exist are errors", test_mismatch},
    {"progress is told and a cancel is obeyed", test_job},
};
CT_TEST_MAIN(tests)
