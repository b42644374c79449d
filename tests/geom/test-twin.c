/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays measured twice: both are one line, computed from the places of sources and pixels; which of a short scan are. */
#include "tests/test.h"

#include "recon/geom/questions.h"
#include "recon/geom/twin.h"

#include <string.h>

static const double degree = M_PI / 180;

static bool make(ct_geometry *g, ct_beam beam, int rows, int views, double arc) {
  if (!ct_geometry_init(g, beam, 64, rows, views, NULL)) return false;
  g->du = 1.5, g->dv = 1.25;
  g->centre_u = 29.75, g->centre_v = (rows - 1) / 2.0;
  if (beam != CT_BEAM_PARALLEL) g->sod = 150, g->sdd = 310;
  ct_geometry_set_arc(g, 17 * degree, arc * degree / views);
  return ct_geometry_check(g, NULL);
}

/* By the formulas at the head of geometry.h, without a tilt: a point of the ray and its direction. */
static void line_of(const ct_geometry *g, double angle, const double uv[2], double point[3], double along[3]) {
  const double s = sin(angle), c = cos(angle), a = (uv[0] - g->centre_u) * g->du, b = (uv[1] - g->centre_v) * g->dv;
  const double behind = g->sdd - g->sod, pixel[3] = {-behind * s + a * c, behind * c + a * s, b};
  const double source[3] = {g->sod * s, -g->sod * c, 0}, parallel[3] = {-s, c, 0};
  for (int k = 0; k < 3; k++) {
    point[k] = pixel[k];
    along[k] = g->beam == CT_BEAM_PARALLEL ? parallel[k] : pixel[k] - source[k];
  }
}

/* Whether they go along one line in opposite directions. */
static void check_opposite(const double p[3], const double a[3], const double q[3], const double b[3]) {
  const double lengths = sqrt((a[0] * a[0] + a[1] * a[1]) * (b[0] * b[0] + b[1] * b[1]));
  CHECK_NEAR((a[0] * b[0] + a[1] * b[1]) / lengths, -1, 1e-12);
  CHECK_NEAR(((q[0] - p[0]) * a[1] - (q[1] - p[1]) * a[0]) / hypot(a[0], a[1]), 0, 1e-9);
}

static const struct {
  ct_beam beam;
  int rows;
} scans[] = {{CT_BEAM_PARALLEL, 5}, {CT_BEAM_FAN, 1}, {CT_BEAM_CONE, 5}};
enum { SCANS = sizeof scans / sizeof *scans };

static void both_rays_are_one_line(void) {
  for (int n = 0; n < SCANS; n++) {
    ct_geometry g;
    ct_trajectory t;
    CHECK(make(&g, scans[n].beam, scans[n].rows, 90, 360) && ct_trajectory_make(&g, &t, NULL));
    for (int view = 0; view < g.views; view += 7)
      for (double u = 0; u < 60; u += 9.7) {
        double p[3], a[3], q[3], b[3];
        const double uv[2] = {u, (g.nv - 1) / 2.0};
        const ct_twin twin = ct_geometry_twin(&g, &t, view, uv);
        line_of(&g, g.angles[view], uv, p, a);
        line_of(&g, twin.angle, twin.uv, q, b);
        CHECK(twin.state == (2 * 29.75 - u >= -0.5 ? CT_TWIN_MEASURED : CT_TWIN_BESIDE));
        check_opposite(p, a, q, b);
        CHECK_NEAR(twin.uv[1], uv[1], 1e-9);
        CHECK(fabs(twin.off) <= 2 * degree + 1e-9);
        CHECK_NEAR(remainder(g.angles[twin.view] - twin.off - twin.angle, 2 * M_PI), 0, 1e-9);
      }
    ct_trajectory_clear(&t);
    ct_geometry_clear(&g);
  }
}

/* Of an arc of 180 degrees and the fan's: those that Parker's weights share, b < arc - pi + 2 g and b > pi + 2 g. */
static void a_short_scan_measures_two_corners_twice(void) {
  ct_geometry g;
  ct_trajectory t;
  int twice = 0;
  CHECK(make(&g, CT_BEAM_FAN, 1, 440, 220) && ct_trajectory_make(&g, &t, NULL));
  for (int view = 0; view < g.views; view += 3)
    for (int u = 0; u < 60; u += 5) {
      const double gamma = atan((u - g.centre_u) * g.du / g.sdd), began = g.angles[view] - g.angles[0],
                   first = began - (219.5 * degree - M_PI + 2 * gamma), last = M_PI + 2 * gamma - began;
      if (fmin(fabs(first), fabs(last)) < 0.6 * degree) continue;
      const ct_twin twin = ct_geometry_twin(&g, &t, view, (const double[]){u, 0});
      CHECK(twin.state == (first < 0 || last < 0 ? CT_TWIN_MEASURED : CT_TWIN_NO_VIEW));
      twice += twin.state == CT_TWIN_MEASURED;
    }
  CHECK(twice > 100);
  ct_trajectory_clear(&t);
  ct_geometry_clear(&g);
}

static void matrices_have_the_same_twins(void) {
  ct_geometry g, m;
  ct_trajectory t, derived;
  CHECK(make(&g, CT_BEAM_CONE, 5, 120, 360) && ct_trajectory_make(&g, &t, NULL));
  CHECK(ct_geometry_init_matrices(&m, g.nu, g.nv, g.views, NULL));
  m.du = g.du, m.dv = g.dv;
  for (int view = 0; view < g.views; view++) ct_geometry_matrix(&g, view, m.matrices + 12 * (size_t)view);
  CHECK(ct_trajectory_make(&m, &derived, NULL));
  for (int view = 0; view < g.views; view += 11) {
    const double uv[2] = {41.25, 2};
    const ct_twin a = ct_geometry_twin(&g, &t, view, uv), b = ct_geometry_twin(&m, &derived, view, uv);
    CHECK(a.state == CT_TWIN_MEASURED && b.state == a.state && a.view == b.view);
    CHECK_NEAR(remainder(a.angle - b.angle, 2 * M_PI), 0, 1e-8);
    CHECK_NEAR(a.uv[0], b.uv[0], 0.05); /* the nearest view is up to half a step off */
  }
  ct_trajectory_clear(&t);
  ct_trajectory_clear(&derived);
  ct_geometry_clear(&g);
  ct_geometry_clear(&m);
}

static void other_lines_have_none(void) {
  ct_geometry g;
  ct_trajectory t;
  CHECK(make(&g, CT_BEAM_CONE, 5, 90, 360) && ct_trajectory_make(&g, &t, NULL));
  CHECK(ct_geometry_twin(&g, &t, 3, (const double[]){20, 1.4}).state == CT_TWIN_NONE);
  CHECK(ct_geometry_twin(&g, &t, 3, (const double[]){20, 1.6}).state == CT_TWIN_MEASURED);
  CHECK(ct_geometry_twin(&g, &t, 90, (const double[]){20, 2}).state == CT_TWIN_NONE);
  g.feed = 10;
  CHECK(ct_geometry_twin(&g, &t, 3, (const double[]){20, 2}).state == CT_TWIN_NONE);
  ct_trajectory_clear(&t);
  ct_geometry_clear(&g);
}

/* Fan and parallel rays, short and whole turns, a detector beside the axis, and matrices. */
static void many_rays_as_each_by_itself(void) {
  static const struct {
    ct_beam beam;
    double arc, centre;
  } cases[] = {{CT_BEAM_FAN, 221, 29.75},     {CT_BEAM_FAN, 360, 12.25},      {CT_BEAM_CONE, 251, 31.5},
               {CT_BEAM_PARALLEL, 180, 31.5}, {CT_BEAM_PARALLEL, 237, 29.75}, {CT_BEAM_PARALLEL, 360, 17}};
  enum { VIEWS = 131, COLUMNS = 64 };
  int views[VIEWS];
  double columns[COLUMNS];
  static unsigned char twice[VIEWS * COLUMNS];
  for (int k = 0; k < VIEWS; k++) views[k] = (k * 37) % VIEWS;
  for (int k = 0; k < COLUMNS; k++) columns[k] = k + 0.125;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    ct_geometry g;
    ct_trajectory t;
    int wrong = 0;
    CHECK(make(&g, cases[n].beam, cases[n].beam == CT_BEAM_FAN ? 1 : 5, VIEWS, cases[n].arc));
    g.centre_u = cases[n].centre;
    CHECK(ct_trajectory_make(&g, &t, NULL));
    CHECK(ct_geometry_twice(&g, &t, views, VIEWS, columns, COLUMNS, twice, NULL));
    for (int row = 0; row < VIEWS; row++)
      for (int k = 0; k < COLUMNS; k++) {
        const double uv[2] = {columns[k], (g.nv - 1) / 2.0};
        const bool measured = ct_geometry_twin(&g, &t, views[row], uv).state == CT_TWIN_MEASURED;
        wrong += measured != (twice[row * COLUMNS + k] != 0);
      }
    CHECK(wrong == 0);
    g.feed = 3;
    CHECK(ct_geometry_twice(&g, &t, views, VIEWS, columns, COLUMNS, twice, NULL));
    CHECK(!memchr(twice, 1, sizeof twice) && isnan(ct_geometry_short_arc(&g, &t)));
    ct_trajectory_clear(&t);
    ct_geometry_clear(&g);
  }
}

static void a_short_arc_is_half_a_turn_and_the_fan(void) {
  ct_geometry g;
  ct_trajectory t;
  for (int n = 0; n < SCANS; n++) {
    CHECK(make(&g, scans[n].beam, scans[n].rows, 90, 360) && ct_trajectory_make(&g, &t, NULL));
    /* The farther end of the detector is 33.75 columns from the axis. */
    CHECK_NEAR(ct_geometry_short_arc(&g, &t),
               M_PI + (scans[n].beam == CT_BEAM_PARALLEL ? 0 : 2 * atan(33.75 * 1.5 / 310)), 1e-9);
    g.centre_u = 9;
    CHECK_NEAR(ct_geometry_short_arc(&g, &t), 2 * M_PI, 1e-12);
    ct_trajectory_clear(&t);
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"many rays are told as each by itself", many_rays_as_each_by_itself},
    {"a short arc is half a turn and the fan", a_short_arc_is_half_a_turn_and_the_fan},
    {"both rays are one line", both_rays_are_one_line},
    {"a short scan measures two corners twice", a_short_scan_measures_two_corners_twice},
    {"matrices have the same twins", matrices_have_the_same_twins},
    {"lines out of the plane and spirals have none", other_lines_have_none},
};
CT_TEST_MAIN(tests)
