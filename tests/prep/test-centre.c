/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation from opposite views and conjugate rays, to sub-pixel, in all the ways that scans are made. */
#include "tests/prep/support.h"
#include "tests/test.h"

enum { NU = 180 };

static const ball balls[] = {
    {{-14, 11, 1}, 20, 0.02}, {{22, -8, 0}, 13, 0.03}, {{4, 30, -1}, 7, 0.05}, {{-25, -22, 0}, 5, 0.08}};

typedef struct {
  ct_beam beam;
  int nv, views;
  double first, step; /* degrees */
  double centre;
  double truncated; /* mm by which the object is moved off the axis: it leaves the field in some views */
  double stripes;   /* amplitude */
  double tolerance;
} situation;

static void check_centre(const situation *s) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(ct_geometry_init(&g, s->beam, NU, s->nv, s->views, NULL));
  g.centre_u = s->centre;
  if (s->beam != CT_BEAM_PARALLEL) {
    g.sod = 200;
    g.sdd = 400;
    g.du = g.dv = 1.4;
  }
  ct_geometry_set_arc(&g, s->first * DEGREE, s->step * DEGREE);
  ball moved[4];
  for (int b = 0; b < 4; b++) {
    moved[b] = balls[b];
    moved[b].centre[0] += s->truncated;
  }
  ct_stack *stack = ct_stack_new(NU, s->nv, s->views, NULL);
  CHECK(stack);
  project_balls(&g, moved, 4, stack);
  uint64_t state = 9;
  for (int i = 0; i < s->views * s->nv * NU; i++) ct_stack_data(stack)[i] += (float)(0.01 * noise(&state));
  for (int k = 0; k < NU && s->stripes > 0; k++) {
    const float stripe = k % 5 == 1 ? (float)(s->stripes * noise(&state)) : 0;
    for (int i = 0; i < s->views * s->nv; i++) ct_stack_data(stack)[i * NU + k] += stripe;
  }
  /* What the file says about the centre must not matter. */
  g.centre_u = 0.5 * (NU - 1);
  double found = NAN, confidence = NAN;
  CHECK_OK(ct_centre_by_correlation(stack, &g, &found, &confidence, NULL, &error));
  CHECK_NEAR(found, s->centre, s->tolerance);
  CHECK(confidence > 0.5 && confidence <= 1);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
}

static void check_all(const situation *situations, size_t count) {
  for (size_t i = 0; i < count && !ct_test_state; i++) {
    check_centre(&situations[i]);
    if (ct_test_state) {
      const size_t used = strlen(ct_test_reason);
      snprintf(ct_test_reason + used, sizeof ct_test_reason - used, " (situation %zu)", i);
    }
  }
}

static void test_parallel(void) {
  static const situation situations[] = {
      {CT_BEAM_PARALLEL, 2, 181, 0, 1, 89.5, 0, 0, 0.05},      {CT_BEAM_PARALLEL, 2, 360, 5, 1, 92.37, 0, 0, 0.02},
      {CT_BEAM_PARALLEL, 40, 180, -30, -1, 84.81, 0, 0, 0.1},  {CT_BEAM_PARALLEL, 1, 180, 0, 1, 97.25, 0, 0, 0.1},
      {CT_BEAM_PARALLEL, 1, 361, 16740, 0.5, 70.6, 0, 0, 0.1}, {CT_BEAM_PARALLEL, 1, 361, 0, 1, 60.5, 30, 0, 0.1},
      {CT_BEAM_PARALLEL, 1, 360, 0, 1, 92.37, 0, 2, 0.05},     {CT_BEAM_PARALLEL, 1, 451, 0, 0.4, 93.1, 45, 0, 0.15},
  };
  check_all(situations, sizeof situations / sizeof *situations);
}

static void test_fan(void) {
  static const situation situations[] = {
      {CT_BEAM_FAN, 1, 360, 0, 1, 89.5, 0, 0, 0.05}, {CT_BEAM_FAN, 1, 361, 33, -1, 94.3, 0, 0, 0.05},
      {CT_BEAM_FAN, 1, 180, 0, 2, 80.72, 0, 0, 0.1}, {CT_BEAM_FAN, 1, 360, 0, 1, 91.15, 30, 0, 0.1},
      {CT_BEAM_FAN, 1, 300, 0, 1, 95.4, 0, 0, 0.05}, {CT_BEAM_FAN, 1, 360, 0, 1, 92.4, 0, 2, 0.1},
  };
  check_all(situations, sizeof situations / sizeof *situations);
}

static void test_cone(void) {
  static const situation situations[] = {
      {CT_BEAM_CONE, 7, 360, 0, 1, 89.5, 0, 0, 0.1},
      {CT_BEAM_CONE, 6, 360, 0, 1, 97.6, 0, 0, 0.1},
      /* One side cut off in some views. */
      {CT_BEAM_CONE, 7, 360, 0, 1, 95.3, 30, 0, 0.1},
      {CT_BEAM_CONE, 7, 360, 10, -1, 84.1, 35, 0, 0.1},
      {CT_BEAM_CONE, 5, 250, 0, 1, 99.7, 40, 0, 0.1},
  };
  check_all(situations, sizeof situations / sizeof *situations);
}

/* A cancel is answered in the middle, and what is counted is counted. */
static void test_job(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE};
  for (int i = 0; i < 3; i++) {
    ct_error *error = NULL;
    ct_geometry g;
    ct_progress progress;
    double centre = -7, confidence = -7;
    CHECK(ct_geometry_init(&g, beams[i], NU, beams[i] == CT_BEAM_FAN ? 1 : 5, 360, NULL));
    if (beams[i] != CT_BEAM_PARALLEL) g.sod = 400, g.sdd = 600;
    ct_geometry_set_arc(&g, 0, DEGREE);
    ct_stack *stack = ct_stack_new(NU, g.nv, 360, NULL);
    ct_job *job = ct_job_new(&error);
    CHECK(stack && job);
    unsigned noise = 1;
    for (size_t n = 0; n < (size_t)360 * (size_t)g.nv * NU; n++) {
      noise = noise * 1664525u + 1013904223u;
      ct_stack_data(stack)[n] = (float)(noise >> 8);
    }
    ct_centre_by_correlation(stack, &g, &centre, &confidence, job, NULL);
    ct_job_get_progress(job, &progress);
    CHECK(progress.stage == CT_STAGE_CENTRING && progress.done > 0 && progress.done <= progress.total);
    ct_job_cancel(job);
    centre = confidence = -7;
    CHECK_FAILS(ct_centre_by_correlation(stack, &g, &centre, &confidence, job, &error), CT_ERROR_CANCELLED,
                "Cancelled");
    ct_job_get_progress(job, &progress);
    CHECK(progress.done == 0 && centre == -7 && confidence == -7);
    ct_job_free(job);
    ct_stack_free(stack);
    ct_geometry_clear(&g);
  }
}

static bool search(ct_geometry *g, const ct_stack *stack, ct_error **error) {
  double centre, confidence;
  return ct_centre_by_correlation(stack, g, &centre, &confidence, NULL, error);
}

static void test_impossible(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, NU, 1, 120, NULL));
  ct_stack *stack = ct_stack_new(NU, 1, 120, NULL);
  CHECK(stack);
  for (int i = 0; i < 120 * NU; i++) ct_stack_data(stack)[i] = 1;
  ct_geometry_set_arc(&g, 0, DEGREE);
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_DATA, "180 degrees apart");
  /* Opposite views there are, but nothing in them. */
  ct_geometry_set_arc(&g, 0, 3 * DEGREE);
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_DATA, "nothing in common");
  for (int i = 0; i < 120 * NU; i++) ct_stack_data(stack)[i] = NAN;
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_DATA, "nothing in common");
  ct_geometry_clear(&g);
  CHECK(ct_geometry_init(&g, CT_BEAM_FAN, NU, 1, 120, NULL));
  g.sod = 200;
  g.sdd = 400;
  ct_geometry_set_arc(&g, 0, DEGREE);
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_DATA, "measured from both sides");
  g.nu = NU - 1;
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_ARGUMENT, "do not match");
  ct_geometry_clear(&g);
  ct_stack_free(stack);
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 8, 1, 1, NULL));
  stack = ct_stack_new(8, 1, 1, NULL);
  CHECK(stack);
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_DATA, "8 columns is too narrow");
  ct_geometry_clear(&g);
  ct_stack_free(stack);
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, NU, 1, 1, NULL));
  stack = ct_stack_new(NU, 1, 1, NULL);
  CHECK(stack);
  CHECK_FAILS(search(&g, stack, &error), CT_ERROR_DATA, "No two of the 1 views");
  ct_geometry_clear(&g);
  ct_stack_free(stack);
}

static const ct_test tests[] = {
    {"parallel beam: half and full turns, any direction, truncated, striped", test_parallel},
    {"fan beam: full turns and more than half, truncated, striped", test_fan},
    {"cone beam: the middle rows", test_cone},
    {"the search counts what it does, and can be cancelled", test_job},
    {"what cannot be found is an error with a message", test_impossible},
};
CT_TEST_MAIN(tests)
