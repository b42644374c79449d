/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays against ball, cylinder and box: chords known in closed form, far sources, endless sides, and agreement with a
 * search along the ray for shapes and rays drawn at random. */
#include "recon/fp/ray.h"
#include "tests/test.h"

#include <stdint.h>

typedef bool (*hit_function)(const double point[3], const double direction[3], double *enter, double *leave);

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

static void chord_of_ellipsoid(void) {
  /* Along x at height y the chord of semi-axes (a, b) is 2 a sqrt(1 - y^2 / b^2). */
  const double centre[3] = {1, 2, 3}, half[3] = {5, 3, 2};
  ct_ray_frame frame;
  ct_ray_frame_init(&frame, centre, half, 0);
  for (double y = -2.9; y < 3; y += 0.1) {
    const double point[3] = {-100, 2 + y, 3}, direction[3] = {1, 0, 0};
    double p[3], d[3], enter, leave;
    ct_ray_frame_point(&frame, point, p);
    ct_ray_frame_direction(&frame, direction, d);
    CHECK(ct_ray_ball(p, d, &enter, &leave));
    const double expected = 5 * sqrt(1 - y * y / 9);
    CHECK_NEAR(enter, 101 - expected, 1e-12);
    CHECK_NEAR(leave, 101 + expected, 1e-12);
  }
}

static void far_source_keeps_digits(void) {
  const double centre[3] = {0, 0, 0}, half[3] = {0.01, 0.01, 0.01};
  ct_ray_frame frame;
  ct_ray_frame_init(&frame, centre, half, 0.3);
  const double point[3] = {0.006, -1000, 0}, direction[3] = {0, 1, 0};
  double p[3], d[3], enter, leave;
  ct_ray_frame_point(&frame, point, p);
  ct_ray_frame_direction(&frame, direction, d);
  CHECK(ct_ray_ball(p, d, &enter, &leave));
  /* Positions a thousand mm away carry 1e-13 mm of rounding; the chord keeps ten digits. */
  CHECK_NEAR(leave - enter, 0.016, 1e-11);
}

static void turned_box(void) {
  /* A square of half side 1 turned by 45 degrees has a diagonal of 2 sqrt 2 along x. */
  const double centre[3] = {0, 0, 0}, half[3] = {1, 1, INFINITY};
  ct_ray_frame frame;
  ct_ray_frame_init(&frame, centre, half, M_PI / 4);
  for (double y = -1.4; y <= 1.4; y += 0.1) {
    const double point[3] = {7, y, 12345}, direction[3] = {-1, 0, 0};
    double p[3], d[3], enter, leave;
    ct_ray_frame_point(&frame, point, p);
    ct_ray_frame_direction(&frame, direction, d);
    CHECK(ct_ray_box(p, d, &enter, &leave));
    CHECK_NEAR(leave - enter, 2 * (M_SQRT2 - fabs(y)), 1e-12);
    CHECK_NEAR((leave + enter) / 2, 7, 1e-12);
  }
}

static void endless_sides(void) {
  const double centre[3] = {0, 0, 0}, half[3] = {2, 2, INFINITY};
  const double up[3] = {0, 0, 1}, inside[3] = {1, 1, 5}, outside[3] = {3, 0, 5};
  const hit_function hits[] = {ct_ray_cylinder, ct_ray_box};
  ct_ray_frame frame;
  double p[3], d[3], enter, leave;
  ct_ray_frame_init(&frame, centre, half, 0.2);
  ct_ray_frame_direction(&frame, up, d);
  for (int i = 0; i < 2; i++) {
    ct_ray_frame_point(&frame, inside, p);
    CHECK(hits[i](p, d, &enter, &leave));
    CHECK(isinf(enter) && enter < 0 && isinf(leave) && leave > 0);
    ct_ray_frame_point(&frame, outside, p);
    CHECK(!hits[i](p, d, &enter, &leave));
  }
  const double slanted[3] = {0, 0.6, 0.8}, origin[3] = {0, 0, 0};
  ct_ray_frame_point(&frame, origin, p);
  ct_ray_frame_direction(&frame, slanted, d);
  CHECK(ct_ray_cylinder(p, d, &enter, &leave));
  CHECK_NEAR(leave - enter, 4 / 0.6, 1e-12);
}

static bool inside_unit(int shape, const double x[3]) {
  switch (shape) {
  case 0:
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= 1;
  case 1:
    return x[0] * x[0] + x[1] * x[1] <= 1 && fabs(x[2]) <= 1;
  default:
    return fabs(x[0]) <= 1 && fabs(x[1]) <= 1 && fabs(x[2]) <= 1;
  }
}

static void agrees_with_a_search(void) {
  const hit_function hits[] = {ct_ray_ball, ct_ray_cylinder, ct_ray_box};
  uint64_t state = 7;
  for (int trial = 0; trial < 600; trial++) {
    const int shape = trial % 3, steps = 4000;
    double p[3], d[3], enter, leave, length = 0;
    for (int i = 0; i < 3; i++) p[i] = 2 * uniform(&state) - 1, d[i] = 2 * uniform(&state) - 1;
    for (int s = 0; s < steps; s++) {
      const double t = -20 + 40 * (s + 0.5) / steps;
      const double x[3] = {p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]};
      length += inside_unit(shape, x) ? 40.0 / steps : 0;
    }
    if (!hits[shape](p, d, &enter, &leave)) {
      CHECK_BELOW(length, 1e-12);
      continue;
    }
    /* The search sees at most one step too many or too few at each end, as far as it reaches. */
    const double seen = fmin(leave, 20) - fmax(enter, -20);
    CHECK_NEAR(length, seen, 2 * 40.0 / steps);
  }
}

static void misses(void) {
  const hit_function hits[] = {ct_ray_ball, ct_ray_cylinder, ct_ray_box};
  const double p[3] = {0, 1.01, 0}, d[3] = {1, 0, 0}, q[3] = {0, 0, 1.01}, touch[3] = {0, 1, 0};
  double enter, leave;
  for (int i = 0; i < 3; i++) {
    CHECK(!hits[i](p, d, &enter, &leave));
    CHECK(!hits[i](q, d, &enter, &leave));
    CHECK(hits[i](touch, d, &enter, &leave));
  }
}

static const ct_test tests[] = {
    {"the chord of an ellipsoid is that of the closed form", chord_of_ellipsoid},
    {"a far source costs no digits of the chord", far_source_keeps_digits},
    {"a turned box has the chord of its diagonal", turned_box},
    {"endless shapes hold rays along them", endless_sides},
    {"chords agree with a search along the ray", agrees_with_a_search},
    {"rays that pass by miss, rays that touch hit", misses},
};
CT_TEST_MAIN(tests)
