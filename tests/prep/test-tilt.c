/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tilt of the axis in the detector's plane: found to 0.05 degrees from full turns and 201 degrees, parallel and cone,
 * with the noise of 1e4 photons; none where there is none. */
#include "tests/prep/random-scan.h"

typedef struct {
  ct_beam beam;
  int views;
  double step, tilt; /* degrees */
  double pitch;      /* of rows in that of columns */
} tilted;

enum { NU = 100, NV = 64, BALLS = 60 };

static void check_tilt(const tilted *t, uint64_t seed) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(ct_geometry_init(&g, t->beam, NU, NV, t->views, NULL));
  g.du = 0.5, g.dv = 0.5 * t->pitch;
  if (t->beam != CT_BEAM_PARALLEL) g.sod = 400, g.sdd = 600;
  g.centre_u = 47.3, g.centre_v = 0.5 * (NV - 1);
  g.tilt = t->tilt * DEGREE;
  ct_geometry_set_arc(&g, 0.3, t->step * DEGREE);
  uint64_t state = seed;
  ball balls[BALLS];
  const double magnification = ct_geometry_magnification(&g), half = 0.5 * NV * g.dv / magnification,
               radius = 0.4 * NU * g.du / magnification;
  for (int i = 0; i < BALLS; i++) {
    const double d = radius * sqrt(uniform(&state, 0, 1)), angle = uniform(&state, 0, 2 * M_PI);
    balls[i] = (ball){{d * cos(angle), d * sin(angle), uniform(&state, -1.2, 1.2) * half},
                      uniform(&state, 0.6, 3),
                      uniform(&state, 0.01, 0.04)};
  }
  ct_stack *stack = ct_stack_new(NU, NV, t->views, NULL);
  CHECK(stack);
  project_balls(&g, balls, BALLS, stack);
  add_noise(stack, (size_t)t->views * NU * NV, 1e4, &state);
  ct_tilt_found found;
  g.tilt = 0;
  CHECK_OK(ct_centre_tilt(stack, &g, 48, &found, NULL, &error));
  printf("# %s, %d views of %g: tilt %.3f found %.3f +- %.3f, centre %.3f\n", ct_beam_id(t->beam), t->views, t->step,
         t->tilt, found.tilt / DEGREE, found.spread / DEGREE, found.centre);
  CHECK_NEAR(found.tilt / DEGREE, t->tilt, 0.05);
  CHECK_NEAR(found.tilt / DEGREE, t->tilt, 4 * found.spread / DEGREE);
  CHECK_NEAR(found.centre, 47.3, 0.05);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
}

static void test_found(void) {
  static const tilted scans[] = {
      {CT_BEAM_PARALLEL, 120, 3, 0.3, 1}, {CT_BEAM_PARALLEL, 120, 3, -0.8, 0.7}, {CT_BEAM_PARALLEL, 134, 1.5, 2, 1.3},
      {CT_BEAM_PARALLEL, 120, 3, 0, 1},   {CT_BEAM_CONE, 120, 3, 0.3, 0.8},      {CT_BEAM_CONE, 120, 3, -0.8, 1},
      {CT_BEAM_CONE, 120, 3, 2, 0.8},     {CT_BEAM_CONE, 120, 3, 0, 0.8},
  };
  for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
    check_tilt(scans + i, 29 * i + 1005);

    if (ct_test_state) return;
  }
}

/* A single row, an empty scan, and matrices tell none. */
static void test_none(void) {
  ct_error *error = NULL;
  ct_geometry g;
  ct_tilt_found found;
  for (int nv = 1; nv <= 16; nv += 15) {
    CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 40, nv, 60, NULL));
    ct_geometry_set_arc(&g, 0, 6 * DEGREE);
    ct_stack *stack = ct_stack_new(40, nv, 60, NULL);
    CHECK(stack);
    memset(ct_stack_data(stack), 0, (size_t)60 * 40 * (size_t)nv * sizeof(float));
    CHECK_OK(ct_centre_tilt(stack, &g, 19.5, &found, NULL, &error));
    CHECK(isnan(found.tilt) && isnan(found.spread));
    ct_stack_free(stack);
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"found to 0.05 degrees, parallel and cone", test_found},
    {"too few rows and empty ones tell none", test_none},
};
CT_TEST_MAIN(tests)
