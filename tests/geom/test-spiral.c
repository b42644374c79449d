/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spirals: matrices and rays of views that climb, matrices taken for what they are, and what the detector covers, held
 * against looking at every direction. */
#include "tests/test.h"

#include "recon/geom/grid.h"
#include "recon/geom/questions.h"
#include "recon/geom/ray.h"
#include "recon/geom/spiral.h"
#include "recon/geom/trajectory.h"

static bool make_spiral(ct_geometry *g, int nu, int nv, double turns, double feed) {
  if (!ct_geometry_init(g, CT_BEAM_CONE, nu, nv, (int)(60 * turns), NULL)) return false;
  g->du = g->dv = 2;
  g->sod = 300;
  g->sdd = 450;
  g->centre_u += 0.3;
  g->centre_v -= 0.4;
  ct_geometry_set_arc(g, 0.7, 2 * M_PI / 60);
  ct_geometry_set_feed(g, feed, ct_geometry_centred_start(g, feed));
  return true;
}

static void test_views(void) {
  ct_geometry g, circle;
  ct_error *error = NULL;
  double m[12], n[12], source[3], direction[3], u, v, w, a, b, c;
  CHECK(make_spiral(&g, 20, 9, 2, 30) && ct_geometry_copy(&circle, &g, NULL));
  circle.feed = 0;
  CHECK(ct_geometry_is_spiral(&g) && !ct_geometry_promises(&g, CT_TRAIT_CIRCULAR));
  CHECK(ct_geometry_promises(&circle, CT_TRAIT_CIRCULAR));
  CHECK_NEAR(ct_geometry_height(&g, g.views - 1), -ct_geometry_height(&g, 0), 1e-9);
  for (int view = 0; view < g.views; view += 17) {
    const double height = ct_geometry_height(&g, 0) + 30.0 * view / 60, point[3] = {17, -31, 12},
                 below[3] = {17, -31, 12 - height};
    ct_geometry_matrix(&g, view, m);
    ct_geometry_matrix(&circle, view, n);
    ct_project(m, point, &u, &v, &w);
    ct_project(n, below, &a, &b, &c);
    CHECK_NEAR(u, a, 1e-9);
    CHECK_NEAR(v, b, 1e-9);
    CHECK_NEAR(w, c, 1e-12);
    /* Along the ray of a pixel its matrix sees that pixel. */
    CHECK(ct_geometry_source(&g, view, source));
    CHECK_NEAR(source[2], height, 1e-9);
    CHECK(ct_geometry_ray(&g, view, 3.5, 6.25, source, direction));
    for (int k = 0; k < 3; k++) source[k] += 320 * direction[k];
    ct_project(m, source, &u, &v, &w);
    CHECK_NEAR(u, 3.5, 1e-9);
    CHECK_NEAR(v, 6.25, 1e-9);
  }
  /* The turned world is the same scan. */
  ct_geometry_matrix(&g, 33, m);
  ct_geometry_turn_quarter(&g);
  ct_geometry_matrix(&g, 33, n);
  ct_project(m, (const double[3]){5, 8, -3}, &u, &v, &w);
  ct_project(n, (const double[3]){8, -5, -3}, &a, &b, &c);
  CHECK_NEAR(u, a, 1e-9);
  CHECK_NEAR(v, b, 1e-9);
  CHECK_OK(ct_geometry_take_views(&g, 5, 7, 10, &error));
  ct_geometry_matrix(&g, 4, m);
  ct_project(m, (const double[3]){8, -5, -3}, &u, &v, &w);
  CHECK_NEAR(u, a, 1e-9);
  CHECK_NEAR(v, b, 1e-9);
  g.beam = CT_BEAM_PARALLEL;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "spiral of a cone beam");
  ct_geometry_clear(&g);
  ct_geometry_clear(&circle);
}

static void test_matrices(void) {
  ct_geometry g, free, found;
  ct_error *error = NULL;
  CHECK(make_spiral(&g, 20, 9, 3, -25) && ct_geometry_init_matrices(&free, 20, 9, g.views, NULL));
  free.du = g.du;
  free.dv = 1; /* found anew */
  for (int view = 0; view < g.views; view++) ct_geometry_matrix(&g, view, free.matrices + 12 * view);
  CHECK_OK(ct_spiral_of(&free, &found, &error));
  CHECK_NEAR(found.feed, -25, 1e-9);
  CHECK_NEAR(found.sod, 300, 1e-9);
  CHECK_NEAR(found.sdd, 450, 1e-9);
  CHECK_NEAR(found.dv, 2, 1e-9);
  CHECK_NEAR(found.centre_v, g.centre_v, 1e-9);
  const ct_grid a = ct_grid_natural(&g), b = ct_grid_natural(&free);
  CHECK(ct_grid_matches(&a, &b));
  ct_geometry_clear(&found);
  /* One view a pixel aside. */
  for (int k = 0; k < 4; k++) free.matrices[12 * 50 + k] += free.matrices[12 * 50 + 8 + k];
  CHECK_FAILS(ct_spiral_of(&free, &found, &error), CT_ERROR_UNSUPPORTED, "not those of a spiral");
  ct_geometry_clear(&free);
  /* Heights that rise evenly make a spiral, others matrices with the same rays. */
  double heights[180], u, v, w, s, t, q;
  ct_geometry circle;
  for (int uneven = 0; uneven < 2; uneven++) {
    CHECK(ct_geometry_copy(&circle, &g, NULL));
    circle.feed = circle.height = 0;
    for (int view = 0; view < g.views; view++)
      heights[view] = ct_geometry_height(&g, view) + (uneven && view == 70 ? 3 : 0);
    CHECK_OK(ct_geometry_lift(&circle, heights, &error));
    CHECK(circle.beam == (uneven ? CT_BEAM_FREE : CT_BEAM_CONE));
    double m[12], n[12];
    ct_geometry_matrix(&g, 70, m);
    ct_geometry_matrix(&circle, 70, n);
    ct_project(m, (const double[3]){5, 8, -3}, &u, &v, &w);
    ct_project(n, (const double[3]){5, 8, uneven ? 0 : -3}, &s, &t, &q);
    CHECK_NEAR(u, s, 1e-9);
    CHECK_NEAR(v, t, 1e-9);
    CHECK_OK(ct_geometry_check(&circle, &error));
    ct_geometry_clear(&circle);
  }
  ct_geometry_clear(&g);
}

/* Directions, of 90 over half a turn, of which no parallel view sees the point. */
static int unseen(const ct_geometry *g, const double point[3]) {
  ct_spiral_views views;
  int missing = 0;
  if (!ct_spiral_arrange(g, &views)) return 90;
  for (int n = 0; n < 90; n++) {
    const int group = n * views.groups / 90;
    bool seen = false;
    for (int m = group; m < views.count; m += views.groups) {
      const double theta = views.first + m * M_PI / views.groups, p = point[0] * cos(theta) + point[1] * sin(theta),
                   t = theta + asin(p / g->sod);
      /* The view at that gantry angle sees the point in the ray of this direction. */
      ct_geometry one = *g;
      double angle[1] = {t}, matrix[12], u, v, w;
      one.views = 1;
      one.angles = angle;
      ct_geometry_matrix(&one, 0, matrix);
      ct_project(matrix, point, &u, &v, &w);
      seen = seen || (v >= -0.5 - 1e-6 && v <= g->nv - 0.5 + 1e-6);
    }
    missing += !seen;
  }
  return missing;
}

static void test_cover(void) {
  static const double feeds[] = {9, -22, 1}; /* the last: what the detector allows */
  for (int n = 0; n < 3; n++) {
    ct_geometry g;
    CHECK(make_spiral(&g, 41, 12, 4, n < 2 ? feeds[n] : 10));
    const double radius = ct_geometry_field_radius(&g);
    if (n == 2) {
      const double most = ct_spiral_covers(&g, radius).most_feed;
      ct_geometry_set_feed(&g, most, ct_geometry_centred_start(&g, most));
      CHECK(ct_spiral_pitch(&g) > 1.2 && ct_spiral_pitch(&g) < 2);
    }
    const ct_spiral_cover cover = ct_spiral_covers(&g, radius);
    CHECK(cover.low < cover.high && cover.seen_low < cover.low && cover.seen_high > cover.high);
    int beyond = 0, inside = 0, gaps = 0;
    ct_geometry faster;
    CHECK(ct_geometry_copy(&faster, &g, NULL));
    ct_geometry_set_feed(&faster, 1.05 * cover.most_feed, ct_geometry_centred_start(&faster, 1.05 * cover.most_feed));
    for (int k = 0; k < 40; k++) {
      const double around = 0.61 * k, r = radius * (k % 4 == 0 ? 1 : 0.25 * (k % 4)), share = (k + 0.5) / 40;
      double at[3] = {r * cos(around), r * sin(around), cover.low + share * (cover.high - cover.low)};
      inside += unseen(&g, at);
      gaps += unseen(&faster, at);
      at[0] = radius * cos(around), at[1] = radius * sin(around);
      at[2] = k & 1 ? cover.high + 1.5 : cover.low - 1.5;
      beyond += unseen(&g, at) > 0;
    }
    CHECK(inside == 0);
    CHECK(gaps > 0 || n < 2);
    CHECK(beyond > 0);
    ct_geometry_clear(&faster);
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"views climb with the angle, and so do matrices and rays", test_views},
    {"matrices and heights that are those of a spiral are taken for one", test_matrices},
    {"what is covered is seen in every direction, and no more is", test_cover},
};
CT_TEST_MAIN(tests)
