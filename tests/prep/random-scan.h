/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random scans whose centre is to be found: discs full of detail and plain ones, with the noise of counted photons. */
#ifndef CT_TEST_PREP_RANDOM_SCAN_H
#define CT_TEST_PREP_RANDOM_SCAN_H

#include "tests/prep/support.h"
#include "tests/test.h"

enum { MOST_BALLS = 120 };
typedef enum { DETAILED, PLAIN, ASIDE } object;
static const char *const object_names[] = {"detailed", "plain at the axis", "plain aside"};

typedef struct {
  ct_beam beam;
  object object;
  int nu;
  double share;  /* of the width, where the axis is */
  double radius; /* mm */
  int views;
  double step; /* degrees */
} random_scan;

static inline double uniform(uint64_t *state, double from, double to) {
  return from + (noise(state) + 0.5) * (to - from);
}

static inline int make_object(const random_scan *c, uint64_t *state, ball *balls) {
  if (c->object == PLAIN) {
    balls[0] = (ball){{0, 0, 0}, c->radius, 0.02};
    return 1;
  }
  if (c->object == ASIDE) {
    balls[0] = (ball){{uniform(state, 2, 0.4 * c->radius), uniform(state, -0.4, 0.4) * c->radius, 0},
                      uniform(state, 0.5, 0.9) * c->radius,
                      0.02};
    return 1;
  }
  balls[0] = (ball){{0, 0, 0}, c->radius, 0.02};
  int count = 1;
  while (count < MOST_BALLS) {
    const double r = uniform(state, 0.6, 3) * c->radius / 40, angle = uniform(state, 0, 2 * M_PI),
                 d = 0.975 * c->radius * sqrt(uniform(state, 0, 1));
    if (d + r < 0.975 * c->radius)
      balls[count++] =
          (ball){{d * cos(angle), d * sin(angle), 0}, r, (noise(state) < 0 ? -1 : 1) * uniform(state, 0.004, 0.015)};
  }
  return count;
}

/* Of -log of counts from `photons` at unit transmission: normal, which Poisson's is near enough to here. */
static inline void add_noise(ct_stack *stack, size_t count, double photons, uint64_t *state) {
  float *values = ct_stack_data(stack);
  for (size_t i = 0; i < count; i++) {
    const double radius = sqrt(-2 * log(noise(state) + 0.5 + 1e-12)), angle = 2 * M_PI * noise(state);
    values[i] += (float)(exp(0.5 * values[i]) / sqrt(photons) * radius * cos(angle));
  }
}

typedef struct {
  double error;
  ct_centre_found found;
} outcome;

static inline void try_case(const random_scan *c, uint64_t seed, outcome *o) {
  uint64_t state = seed * 77 + 5;
  ball balls[MOST_BALLS];
  ct_geometry g;
  CHECK(ct_geometry_init(&g, c->beam, c->nu, 1, c->views, NULL));
  g.du = g.dv = 0.4;
  if (c->beam != CT_BEAM_PARALLEL) g.sod = 200, g.sdd = 300;
  g.centre_u = c->share * (c->nu - 1);
  ct_geometry_set_arc(&g, uniform(&state, 0, 6), c->step * DEGREE);
  ct_stack *stack = ct_stack_new(c->nu, 1, c->views, NULL);
  CHECK(stack);
  project_balls(&g, balls, make_object(c, &state, balls), stack);
  add_noise(stack, (size_t)c->views * (size_t)c->nu, 1e4, &state);
  const double truth = g.centre_u;
  g.centre_u = 0.5 * (c->nu - 1);
  o->found = (ct_centre_found){0};
  const bool found = ct_centre_search(stack, &g, &o->found, NULL, NULL);
  o->error = found ? o->found.centre - truth : INFINITY;
  ct_stack_free(stack);
  ct_geometry_clear(&g);
}

#endif
