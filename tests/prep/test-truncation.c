/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the object reaches the detector's edge: discs that are cut on none, one and both sides, by little and by
 * much, with noise, air that is off, dead columns, and rows without object. */
#include "recon/prep/truncation.h"
#include "tests/prep/support.h"
#include "tests/test.h"

typedef struct {
  ct_beam beam;
  int nu, nv;
  double centre;    /* of rotation, columns */
  double aside;     /* mm from the axis to the disc */
  double radius;    /* mm */
  double density;   /* 1/mm */
  double photons;   /* 0: no noise */
  double air;       /* added to all line integrals */
  int dead;         /* columns at both ends */
  double low, high; /* expected shares */
  double within;
} situation;

static void measure(const situation *s, ct_truncation *t) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(ct_geometry_init(&g, s->beam, s->nu, s->nv, 90, NULL));
  g.centre_u = s->centre;
  if (s->beam != CT_BEAM_PARALLEL) {
    g.sod = 400;
    g.sdd = 800;
    g.du = g.dv = 2;
  }
  ct_geometry_set_arc(&g, 0, 4 * DEGREE);
  const ball balls[] = {{{s->aside, 0, 0}, s->radius, s->density}};
  ct_stack *stack = ct_stack_new(s->nu, s->nv, 90, NULL);
  CHECK(stack);
  project_balls(&g, balls, 1, stack);
  uint64_t state = 3;
  float *p = ct_stack_data(stack);
  for (int i = 0; i < 90 * s->nv * s->nu; i++) {
    /* Three uniform numbers make nearly normal ones of half their standard deviation. */
    const double normal = 2 * (noise(&state) + noise(&state) + noise(&state));
    if (s->photons > 0) p[i] += (float)(normal * sqrt(exp(p[i]) / s->photons));
    p[i] += (float)s->air;
    const int k = i % s->nu;
    if (k < s->dead || k >= s->nu - s->dead) p[i] = k & 1 ? 11 : 0;
  }
  CHECK_OK(ct_truncation_measure_stack(stack, t, &error));
  ct_stack_free(stack);
  ct_geometry_clear(&g);
}

static void check_all(const situation *situations, size_t count) {
  for (size_t i = 0; i < count && !ct_test_state; i++) {
    ct_truncation t;
    measure(&situations[i], &t);
    if (!ct_test_state && !(fabs(t.low - situations[i].low) <= situations[i].within &&
                            fabs(t.high - situations[i].high) <= situations[i].within))
      CT_TEST_END(1, "situation %zu: %.3f and %.3f of the views, not %.3f and %.3f", i, t.low, t.high,
                  situations[i].low, situations[i].high);
  }
}

static void test_free(void) {
  static const situation situations[] = {
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 90, .01, 0, 0, 0, 0, 0, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 96, .01, 0, 0, 0, 0, 0, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 90, .01, 1e4, .02, 0, 0, 0, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 90, .01, 1e4, -.02, 0, 0, 0, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 90, .01, 100, 0, 0, 0, 0, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 90, .001, 1e5, .01, 0, 0, 0, 0},
      {CT_BEAM_PARALLEL, 600, 1, 299.5, 0, 200, .01, 1e4, 0, 3, 0, 0, 0},
      {CT_BEAM_FAN, 200, 1, 99.5, 20, 60, .01, 1e4, .01, 0, 0, 0, 0},
      {CT_BEAM_CONE, 128, 128, 63.5, 0, 40, .02, 1e3, .02, 1, 0, 0, 0},
      {CT_BEAM_PARALLEL, 32, 1, 15.5, 0, 11, .05, 0, 0, 0, 0, 0, 0},
      /* Few photons, few columns at an edge. */
      {CT_BEAM_PARALLEL, 48, 64, 23.5, 0, 20, .002, 1e3, 0, 0, 0, 0, 0},
      {CT_BEAM_FAN, 96, 1, 47.5, 0, 10, .001, 1e4, 0, 0, 0, 0, 0},
      {CT_BEAM_CONE, 130, 32, 64.5, 0, 9, .002, 1e3, 0, 0, 0, 0, 0},
  };
  check_all(situations, sizeof situations / sizeof *situations);
}

static void test_both(void) {
  static const situation situations[] = {
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 102, .01, 0, 0, 0, 1, 1, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 130, .01, 1e4, .02, 0, 1, 1, 0},
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 0, 400, .002, 1e4, -.02, 0, 1, 1, 0},
      {CT_BEAM_FAN, 200, 1, 99.5, 0, 120, .01, 100, .02, 0, 1, 1, 0.02},
      {CT_BEAM_CONE, 128, 64, 63.5, 0, 80, .01, 1e3, .02, 0, 1, 1, 0},
      /* A ball that is cut off in a few rows only. */
      {CT_BEAM_CONE, 128, 128, 63.5, 0, 66, .01, 1e4, .02, 0, 1, 1, 0},
      {CT_BEAM_PARALLEL, 600, 1, 299.5, 0, 400, .01, 1e4, 0, 3, 1, 1, 0},
      {CT_BEAM_PARALLEL, 32, 1, 15.5, 0, 20, .05, 0, 0, 0, 1, 1, 0},
  };
  check_all(situations, sizeof situations / sizeof *situations);
}

static void test_one(void) {
  static const situation situations[] = {
      {CT_BEAM_PARALLEL, 200, 1, 80, 0, 90, .01, 1e4, .02, 0, 1, 0, 0},
      {CT_BEAM_PARALLEL, 200, 1, 83, 0, 85, .01, 0, -.02, 0, 1, 0, 0},
      {CT_BEAM_FAN, 200, 1, 140, 0, 75, .01, 1e4, 0, 0, 0, 1, 0},
      /* Leaves the field now on one side, now on the other: |30 cos t| > 20 in 0.535 of the turn. */
      {CT_BEAM_PARALLEL, 200, 1, 99.5, 30, 80, .01, 1e4, .01, 0, 0.27, 0.27, 0.04},
  };
  check_all(situations, sizeof situations / sizeof *situations);
}

static void test_facts(void) {
  static const situation s = {CT_BEAM_PARALLEL, 200, 1, 80, 0, 100, .01, 0, .02, 0, 1, 0, 0};
  ct_truncation t;
  measure(&s, &t);
  if (ct_test_state) return;
  CHECK_NEAR(t.air, 0.02, 1e-3);
  CHECK_NEAR(t.low_edge, 0.02 * sqrt(100 * 100 - 79 * 79), 0.01);
  CHECK(t.high_edge == 0 && t.both == 0 && t.rows == 1);
  CHECK_NEAR(t.level, 1.7, 0.15);
}

static const ct_test tests[] = {{"an object within the field", test_free},
                                {"cut off on both sides", test_both},
                                {"cut off on one side", test_one},
                                {"edge, level and air", test_facts}};
CT_TEST_MAIN(tests)
