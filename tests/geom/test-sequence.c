/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequences: heights of views that stand, positions, which slices they serve, and heights taken for what they are. */
#include "tests/test.h"

#include "recon/geom/grid.h"
#include "recon/geom/questions.h"
#include "recon/geom/sequence.h"
#include "recon/geom/spiral.h"

enum { TURN = 12 };

static bool make_sequence(ct_geometry *g, int nv, int positions, double step) {
  if (!ct_geometry_init(g, CT_BEAM_CONE, 20, nv, TURN * positions, NULL)) return false;
  g->du = g->dv = 3;
  g->sod = 300;
  g->sdd = 450;
  ct_geometry_set_arc(g, 0.7, 2 * M_PI / TURN);
  g->stops = true;
  ct_geometry_set_feed(g, step, ct_geometry_centred_start(g, step));
  return true;
}

static void test_views(void) {
  ct_geometry g, circle;
  ct_error *error = NULL;
  ct_sequence s;
  double m[12], n[12], u, v, w, a, b, c;
  CHECK(make_sequence(&g, 9, 3, 12));
  CHECK(ct_geometry_is_sequence(&g) && ct_geometry_climbs(&g) && !ct_geometry_is_spiral(&g));
  CHECK(!ct_geometry_promises(&g, CT_TRAIT_CIRCULAR));
  CHECK_OK(ct_geometry_check(&g, &error));
  CHECK_OK(ct_sequence_of(&g, &s, &error));
  CHECK(s.positions == 3 && s.views == TURN);
  CHECK_NEAR(s.first, -12, 1e-12);
  CHECK_NEAR(s.step, 12, 1e-12);
  CHECK_NEAR(s.seen, 18, 1e-12);
  CHECK_OK(ct_sequence_circle(&g, &s, 2, &circle, &error));
  CHECK(circle.views == TURN && circle.nv == 13 && ct_geometry_promises(&circle, CT_TRAIT_CIRCULAR));
  for (int view = 0; view < g.views; view += 5) {
    const double height = -12 + 12 * (view / TURN), point[3] = {17, -31, 9}, below[3] = {17, -31, 9 - height};
    CHECK_NEAR(ct_geometry_height(&g, view), height, 1e-12);
    ct_geometry_matrix(&g, view, m);
    ct_geometry_matrix(&circle, view % TURN, n);
    ct_project(m, point, &u, &v, &w);
    ct_project(n, below, &a, &b, &c);
    CHECK_NEAR(u, a, 1e-9);
    CHECK_NEAR(v, b - 2, 1e-9);
    CHECK_NEAR(w, c, 1e-12);
  }
  ct_geometry_clear(&circle);
  /* Some of the views, and the turned world, are at the same heights. */
  CHECK_OK(ct_geometry_take_views(&g, 2, 4, 9, &error));
  ct_geometry_turn_quarter(&g);
  for (int view = 0; view < g.views; view++) CHECK_NEAR(ct_geometry_height(&g, view), -12 + 12 * (view / 3), 1e-12);
  CHECK_OK(ct_sequence_of(&g, &s, &error));
  CHECK(s.positions == 3 && s.views == 3);
  ct_geometry_clear(&g);
}

static void test_positions(void) {
  ct_geometry g;
  ct_sequence s;
  double low, high;
  /* Downwards, a row off the middle: what is seen lies 1 mm below the source. */
  CHECK(make_sequence(&g, 9, 3, -12));
  g.centre_v += 0.5;
  CHECK(ct_sequence_of(&g, &s, NULL));
  CHECK_NEAR(s.middle, -1, 1e-12);
  const double radius = ct_geometry_field_radius(&g);
  static const struct {
    double z;
    int position;
  } slices[] = {{11, 0}, {5.1, 0}, {4.9, 1}, {-1, 1}, {-7.1, 2}, {-13, 2}, {19.9, 0}, {20.1, -1}, {-22.1, -1}};
  for (size_t n = 0; n < sizeof slices / sizeof *slices; n++)
    CHECK(ct_sequence_position(&s, slices[n].z) == slices[n].position);
  const ct_grid grid = ct_grid_natural(&g);
  CHECK(grid.nz == 18);
  CHECK_NEAR(grid.z0 + 0.5 * (grid.nz - 1) * grid.dz, -1, 1e-9);
  /* Half a step away, 30 mm before the axis, the row is one beyond what the axis sees; and the field's edge. */
  CHECK(ct_sequence_rows_beyond(&g, &s, radius) == 1);
  CHECK(ct_sequence_reach(&g, &s, radius) < 9 && ct_sequence_reach(&g, &s, radius) > 7);
  ct_sequence_seen(&g, radius, &low, &high);
  CHECK(low < -22 && high > 20 && low > -25 && high < 23);
  ct_geometry_clear(&g);
  /* Single rows: a slice at each position, whatever is between. */
  CHECK(make_sequence(&g, 1, 5, 7));
  const ct_grid rows = ct_grid_natural(&g);
  CHECK(rows.nz == 5);
  CHECK_NEAR(rows.dz, 7, 1e-12);
  CHECK_NEAR(rows.z0, -14, 1e-12);
  ct_geometry_clear(&g);
}

static void test_refusals(void) {
  ct_geometry g;
  ct_error *error = NULL;
  ct_sequence s;
  CHECK(make_sequence(&g, 9, 3, 12));
  g.angles[20] += 0.1;
  CHECK_FAILS(ct_sequence_of(&g, &s, &error), CT_ERROR_UNSUPPORTED, "View 20");
  g.angles[20] -= 0.1;
  g.views--;
  CHECK_FAILS(ct_sequence_of(&g, &s, &error), CT_ERROR_UNSUPPORTED, "no whole number of turns");
  ct_geometry_set_feed(&g, 0, 0);
  CHECK_FAILS(ct_sequence_of(&g, &s, &error), CT_ERROR_UNSUPPORTED, "does not move by steps");
  g.beam = CT_BEAM_PARALLEL;
  g.stops = true;
  g.feed = 3;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "cone beam");
  ct_geometry_clear(&g);
}

/* Angles that count on or begin anew at each position, either way round; what is no sequence becomes matrices. */
static void test_heights(void) {
  ct_error *error = NULL;
  double heights[3 * TURN];
  for (int n = 0; n < 8; n++) {
    const bool anew = n & 1, back = n & 2, uneven = n & 4;
    ct_geometry g;
    ct_sequence s;
    CHECK(make_sequence(&g, 9, 3, 0));
    for (int view = 0; view < g.views; view++) {
      heights[view] = 5 - 12 * (view / TURN) + (uneven && view == 30 ? 1 : 0);
      const double turned = 0.7 + (anew ? view % TURN : view) * 2 * M_PI / TURN;
      g.angles[view] = back ? -turned : turned;
    }
    CHECK_OK(ct_geometry_lift(&g, heights, &error));
    CHECK(ct_geometry_is_sequence(&g) == !uneven && (g.beam == CT_BEAM_FREE) == uneven);
    if (!uneven) {
      CHECK_OK(ct_sequence_of(&g, &s, &error));
      CHECK(s.positions == 3 && s.views == TURN);
      CHECK_NEAR(s.step, -12, 1e-12);
      CHECK_NEAR(ct_geometry_height(&g, 35), -19, 1e-12);
    }
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"the table stands while the gantry turns", test_views},
    {"slices go to the position that sees them best", test_positions},
    {"what is no sequence is told in words", test_refusals},
    {"heights of views are taken for what they are", test_heights},
};
CT_TEST_MAIN(tests)
