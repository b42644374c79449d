/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shadow zones and covered heights of a cone on a circle, against looking from every place of the source. */
#include "tests/test.h"

#include "recon/geom/grid.h"
#include "recon/geom/questions.h"
#include "recon/geom/shadow.h"

enum { VIEWS = 720 };

static bool make_cone(ct_geometry *g) {
  if (!ct_geometry_init(g, CT_BEAM_CONE, 61, 40, VIEWS, NULL)) return false;
  g->du = 2;
  g->dv = 2.5;
  g->sod = 180;
  g->sdd = 300;
  g->centre_v += 3;
  ct_geometry_set_arc(g, 0.2, 2 * M_PI / VIEWS);
  return true;
}

/* Whether the plane through a point at right angles to a direction separates places of the source. */
static bool meets(const ct_geometry *g, const double point[3], double angle, double azimuth) {
  const double n[3] = {sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), copysign(cos(angle), point[2])};
  double low = INFINITY, high = -INFINITY;
  for (int view = 0; view < VIEWS; view++) {
    double source[3], side = 0;
    ct_geometry_source(g, view, source);
    for (int i = 0; i < 3; i++) side += n[i] * (source[i] - point[i]);
    low = fmin(low, side);
    high = fmax(high, side);
  }
  return low <= 0 && high >= 0;
}

static void test_zone(void) {
  static const double points[][3] = {{0, 0, 30}, {40, 0, 20}, {-20, 35, -25}};
  ct_geometry g;
  CHECK(make_cone(&g));
  CHECK_NEAR(ct_shadow_angle(&g, points[0], 1), atan(30.0 / 180), 1e-12);
  for (int n = 0; n < 3; n++)
    for (double azimuth = 0.1; azimuth < 6.2; azimuth += 0.5) {
      const double edge = ct_shadow_angle(&g, points[n], azimuth);
      CHECK(!meets(&g, points[n], 0.998 * edge, azimuth) && meets(&g, points[n], 1.002 * edge, azimuth));
    }
  ct_geometry_clear(&g);
}

static bool seen_by_all(const ct_geometry *g, double radius, double z) {
  double matrix[12], u, v, w;
  for (int view = 0; view < VIEWS; view++) {
    const double at[3] = {radius * cos(1.1), radius * sin(1.1), z};
    ct_geometry_matrix(g, view, matrix);
    ct_project(matrix, at, &u, &v, &w);
    if (v < -0.5 || v > g->nv - 0.5) return false;
  }
  return true;
}

static void test_heights(void) {
  ct_geometry g;
  double edges[2], heights[2];
  CHECK(make_cone(&g) && ct_geometry_cone(&g, edges));
  CHECK_NEAR(edges[0], -atan((g.centre_v + 0.5) * 2.5 / 300), 1e-12);
  CHECK_NEAR(edges[1], atan((39.5 - g.centre_v) * 2.5 / 300), 1e-12);
  for (double radius = 0; radius < 40; radius += 13) {
    ct_cone_heights(&g, radius, heights);
    CHECK(seen_by_all(&g, radius, 0.999 * heights[0]) && !seen_by_all(&g, radius, 1.002 * heights[0]));
    CHECK(seen_by_all(&g, radius, 0.999 * heights[1]) && !seen_by_all(&g, radius, 1.002 * heights[1]));
  }
  ct_geometry_set_arc(&g, 0.2, 1.2 * M_PI / VIEWS);
  CHECK(!ct_geometry_cone(&g, edges));
  ct_geometry_set_arc(&g, 0.2, 2 * M_PI / VIEWS);
  CHECK(ct_geometry_cone(&g, edges));
  g.feed = 5;
  CHECK(!ct_geometry_cone(&g, edges));
  ct_geometry_clear(&g);
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 20, 20, 9, NULL) && !ct_geometry_cone(&g, edges));
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"waves in the shadow zone are those that no source measures", test_zone},
    {"covered heights are those that every view sees", test_heights},
};
CT_TEST_MAIN(tests)
