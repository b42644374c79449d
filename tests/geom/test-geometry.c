/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conventions of geometry.h, pinned: where points project to, where rays run, what angles weigh. */
#include "tests/test.h"

#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

static const double degree = M_PI / 180;

static bool make(ct_geometry *g, ct_beam beam, int nu, int nv, int views, double step_deg) {
  if (!ct_geometry_init(g, beam, nu, nv, views, NULL)) return false;
  if (beam != CT_BEAM_PARALLEL) {
    g->sod = 200;
    g->sdd = 500;
  }
  g->du = 0.5;
  g->dv = 0.4;
  if (g->angles) ct_geometry_set_arc(g, 0, step_deg * degree);
  return true;
}

static void points_fall_where_the_convention_says(void) {
  ct_geometry g;
  CHECK(make(&g, CT_BEAM_CONE, 101, 81, 4, 90));
  double m[12], u, v, w;
  /* View 0: source at (0, -200, 0), u along +x, v along +z. */
  ct_geometry_matrix(&g, 0, m);
  ct_project(m, (double[]){0, 0, 0}, &u, &v, &w);
  CHECK_NEAR(u, 50, 1e-12);
  CHECK_NEAR(v, 40, 1e-12);
  CHECK_NEAR(w, 1, 1e-15);
  ct_project(m, (double[]){1, 0, 0}, &u, &v, &w);
  CHECK_NEAR(u, 50 + 2.5 / 0.5, 1e-12);
  ct_project(m, (double[]){0, 0, 2}, &u, &v, &w);
  CHECK_NEAR(v, 40 + 5 / 0.4, 1e-12);
  /* Halfway to the source: twice the magnification, w = 1/2. */
  ct_project(m, (double[]){1, -100, 0}, &u, &v, &w);
  CHECK_NEAR(w, 0.5, 1e-15);
  CHECK_NEAR(u, 50 + 5 / 0.5, 1e-12);
  /* View 1, 90 degrees: source at (200, 0, 0), u along +y. */
  ct_geometry_matrix(&g, 1, m);
  ct_project(m, (double[]){100, 1, 0}, &u, &v, &w);
  CHECK_NEAR(w, 0.5, 1e-12);
  CHECK_NEAR(u, 50 + 5 / 0.5, 1e-9);
  ct_geometry_clear(&g);
}

static void parallel_is_the_limit_of_a_far_source(void) {
  ct_geometry cone, parallel;
  CHECK(make(&cone, CT_BEAM_CONE, 64, 32, 7, 27) && make(&parallel, CT_BEAM_PARALLEL, 64, 32, 7, 27));
  cone.sod = 1e9;
  cone.sdd = 1e9 + 10;
  for (int view = 0; view < 7; view++) {
    double p[12], q[12], u1, v1, w1, u2, v2, w2;
    ct_geometry_matrix(&cone, view, p);
    ct_geometry_matrix(&parallel, view, q);
    const double x[3] = {3, -4, 2};
    ct_project(p, x, &u1, &v1, &w1);
    ct_project(q, x, &u2, &v2, &w2);
    CHECK_NEAR(u1, u2, 1e-6);
    CHECK_NEAR(v1, v2, 1e-6);
    CHECK(w2 == 1);
  }
  ct_geometry_clear(&cone);
  ct_geometry_clear(&parallel);
}

/* Every point of the ray of (u, v) projects back to (u, v), for every beam, tilt and offset; projection matrices
 * included. */
static void rays_and_projections_agree(void) {
  for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_FREE; beam++) {
    ct_geometry g, source;
    CHECK(make(&source, beam == CT_BEAM_FREE ? CT_BEAM_CONE : (ct_beam)beam, 90, beam == CT_BEAM_FAN ? 1 : 70, 5, 71));
    source.centre_u = 37.25;
    if (beam != CT_BEAM_FAN) source.centre_v = 12.5;
    source.tilt = 0.03;
    if (beam == CT_BEAM_FREE) {
      CHECK(ct_geometry_init(&g, CT_BEAM_FREE, 90, 70, 5, NULL));
      for (int view = 0; view < 5; view++) ct_geometry_matrix(&source, view, g.matrices + 12 * view);
      CHECK(ct_geometry_check(&g, NULL));
    } else
      CHECK(ct_geometry_copy(&g, &source, NULL));
    for (int view = 0; view < 5; view++)
      for (int sample = 0; sample < 9; sample++) {
        const double u = 11.5 * sample, v = beam == CT_BEAM_FAN ? 0 : 7.75 * sample - 3;
        double m[12], p[3], d[3], x[3], u2, v2, w;
        CHECK(ct_geometry_ray(&g, view, u, v, p, d));
        CHECK_NEAR(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1, 1e-12);
        for (int i = 0; i < 3; i++) x[i] = p[i] + 150 * d[i];
        ct_geometry_matrix(&g, view, m);
        ct_project(m, x, &u2, &v2, &w);
        CHECK(w > 0);
        CHECK_NEAR(u2, u, 1e-7);
        CHECK_NEAR(v2, v, 1e-7);
      }
    ct_geometry_clear(&g);
    ct_geometry_clear(&source);
  }
}

static void cropping_binning_and_picking_keep_the_rays(void) {
  ct_geometry g, part;
  CHECK(make(&g, CT_BEAM_CONE, 96, 64, 12, 30));
  g.centre_u = 44.3;
  CHECK(ct_geometry_copy(&part, &g, NULL));
  ct_geometry_crop_rows(&part, 8, 40);
  CHECK(ct_geometry_take_views(&part, 1, 3, 4, NULL));
  ct_geometry_bin(&part, 4);
  CHECK(part.nu == 24 && part.nv == 10 && part.views == 4);
  double p[3], d[3], q[3], e[3];
  /* Bin (i, j) is centred at pixel (4 i + 1.5, 4 j + 1.5 + 8) of view 1 + 3 n. */
  CHECK(ct_geometry_ray(&part, 2, 5, 3, p, d));
  CHECK(ct_geometry_ray(&g, 7, 21.5, 21.5, q, e));
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(p[i], q[i], 1e-9);
    CHECK_NEAR(d[i], e[i], 1e-12);
  }
  ct_error *error = NULL;
  CHECK_FAILS(ct_geometry_take_views(&part, 2, 1, 5, &error), CT_ERROR_ARGUMENT, "not among");
  ct_geometry_clear(&g);
  ct_geometry_clear(&part);
}

static void matrices_are_cropped_and_binned_alike(void) {
  ct_geometry cone, given;
  CHECK(make(&cone, CT_BEAM_CONE, 96, 64, 3, 50) && ct_geometry_init(&given, CT_BEAM_FREE, 96, 64, 3, NULL));
  for (int view = 0; view < 3; view++) ct_geometry_matrix(&cone, view, given.matrices + 12 * view);
  ct_geometry_crop_rows(&cone, 10, 32);
  ct_geometry_crop_rows(&given, 10, 32);
  ct_geometry_bin(&cone, 2);
  ct_geometry_bin(&given, 2);
  for (int view = 0; view < 3; view++) {
    double a[12], b[12];
    ct_geometry_matrix(&cone, view, a);
    ct_geometry_matrix(&given, view, b);
    for (int i = 0; i < 12; i++) CHECK_NEAR(a[i], b[i], 1e-10);
  }
  ct_geometry_clear(&cone);
  ct_geometry_clear(&given);
}

static double weigh(const double *degrees, int n, double *weights) {
  ct_geometry g;
  if (!ct_geometry_init(&g, CT_BEAM_PARALLEL, 8, 1, n, NULL)) return NAN;
  for (int i = 0; i < n; i++) g.angles[i] = degrees[i] * degree;
  double sum = ct_geometry_view_weights(&g, weights, NULL) ? 0 : NAN;
  for (int i = 0; i < n; i++) {
    weights[i] /= degree;
    sum += weights[i];
  }
  ct_geometry_clear(&g);
  return sum;
}

static void a_turned_world_is_seen_alike(void) {
  ct_geometry g, turned;
  for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_FREE; beam++) {
    CHECK(make(&g, beam, 64, beam == CT_BEAM_FAN ? 1 : 32, 5, 27));
    for (int n = 0; beam == CT_BEAM_FREE && n < 5 * 12; n++) g.matrices[n] = sin(1 + 7 * n);
    CHECK(ct_geometry_copy(&turned, &g, NULL));
    ct_geometry_turn_quarter(&turned);
    for (int view = 0; view < 5; view++) {
      double p[12], q[12], a[3], b[3];
      ct_geometry_matrix(&g, view, p);
      ct_geometry_matrix(&turned, view, q);
      ct_project(p, (double[]){3, -4, 2}, &a[0], &a[1], &a[2]);
      ct_project(q, (double[]){-4, -3, 2}, &b[0], &b[1], &b[2]);
      for (int n = 0; n < 3; n++) CHECK_NEAR(b[n], a[n], 1e-10 * (1 + fabs(a[n])));
    }
    ct_geometry_clear(&g);
    ct_geometry_clear(&turned);
  }
}

static void angles_weigh_what_they_stand_for(void) {
  double a[400], w[400];
  for (int i = 0; i < 360; i++) a[i] = i;
  CHECK_NEAR(weigh(a, 360, w), 360, 1e-9);
  CHECK_NEAR(w[0], 1, 1e-9);
  for (int i = 0; i < 180; i++) a[i] = i + 16740;
  CHECK_NEAR(weigh(a, 180, w), 180, 1e-6);
  CHECK_NEAR(w[0], 1, 1e-6);
  /* The last view repeats the first: both have half of its weight. */
  for (int i = 0; i <= 360; i++) a[i] = i;
  CHECK_NEAR(weigh(a, 361, w), 360, 1e-9);
  CHECK_NEAR(w[0], 0.5, 1e-9);
  CHECK_NEAR(w[360], 0.5, 1e-9);
  CHECK_NEAR(w[1], 1, 1e-9);
  /* Order does not matter, and an irregular step counts where it is. */
  const double shuffled[] = {40, 0, 10, 30, 20};
  CHECK_NEAR(weigh(shuffled, 5, w), 50, 1e-9);
  const double irregular[] = {0, 10, 30, 40};
  CHECK_NEAR(weigh(irregular, 4, w), 50, 1e-9);
  CHECK_NEAR(w[1], 15, 1e-9);
  const double reversed[] = {0, -90, -180, -270};
  CHECK_NEAR(weigh(reversed, 4, w), 360, 1e-9);
  const double one[] = {17};
  CHECK_NEAR(weigh(one, 1, w), 360, 1e-9);
}

static void faults_are_named(void) {
  ct_geometry g;
  ct_error *error = NULL;
  CHECK_FAILS(ct_geometry_init(&g, CT_BEAM_CONE, 0, 5, 5, &error), CT_ERROR_ARGUMENT, "0 x 5");
  CHECK(make(&g, CT_BEAM_CONE, 10, 10, 5, 3));
  CHECK(ct_geometry_check(&g, NULL));
  g.sod = 0;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "geometry.sod");
  g.sod = 600;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "before the rotation axis");
  g.sod = 200;
  g.angles[3] = NAN;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "view 3");
  g.angles[3] = 0;
  g.du = 0;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "pitch");
  g.du = 1;
  g.beam = CT_BEAM_FAN;
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "one detector row");
  ct_geometry_clear(&g);
  CHECK(ct_geometry_init(&g, CT_BEAM_FREE, 10, 10, 1, NULL));
  CHECK_FAILS(ct_geometry_check(&g, &error), CT_ERROR_ARGUMENT, "view 0");
  ct_geometry_clear(&g);
}

static void grids_cover_the_field(void) {
  ct_geometry g;
  CHECK(make(&g, CT_BEAM_CONE, 100, 50, 4, 90));
  const ct_grid grid = ct_grid_natural(&g);
  CHECK(grid.nx == 100 && grid.ny == 100 && grid.nz == 40);
  CHECK_NEAR(grid.dx, 0.2, 1e-12);
  CHECK_NEAR(grid.x0 + 0.5 * 99 * 0.2, 0, 1e-12);
  int row0, rows;
  const ct_grid middle = ct_grid_plane(&grid, CT_AXIAL, 20);
  CHECK(ct_grid_detector_rows(&middle, &g, &row0, &rows));
  CHECK(row0 >= 20 && row0 + rows <= 30 && rows >= 2);
  CHECK(ct_grid_detector_rows(&grid, &g, &row0, &rows) && row0 == 0 && rows == 50);
  ct_grid away = grid;
  away.z0 += 1000;
  CHECK(!ct_grid_detector_rows(&away, &g, &row0, &rows));
  ct_geometry_clear(&g);
}

static void displaced_detectors_see_more(void) {
  ct_geometry g;
  double narrow, wide;
  CHECK(make(&g, CT_BEAM_PARALLEL, 100, 10, 36, 0));
  ct_geometry_set_arc(&g, 0, 2 * M_PI / 36);
  CHECK(!ct_geometry_displaced(&g, &narrow, &wide) && narrow == 50 && fabs(wide) == 50);
  g.centre_u = 19.5;
  CHECK(ct_geometry_displaced(&g, &narrow, &wide) && narrow == 20 && wide == 80);
  CHECK_NEAR(ct_geometry_field_radius(&g), 80 * g.du, 1e-9);
  CHECK(ct_grid_natural(&g).nx == 160);
  g.centre_u = 79.5;
  CHECK(ct_geometry_displaced(&g, &narrow, &wide) && narrow == 20 && wide == -80);
  /* Half a turn does not see the other half; an axis beside the detector leaves a hole. */
  ct_geometry_set_arc(&g, 0, M_PI / 36);
  CHECK(!ct_geometry_displaced(&g, &narrow, &wide));
  CHECK_NEAR(ct_geometry_field_radius(&g), 20 * g.du, 1e-9);
  CHECK(ct_grid_natural(&g).nx == 100);
  ct_geometry_set_arc(&g, 0, 2 * M_PI / 36);
  g.centre_u = -1;
  CHECK(!ct_geometry_displaced(&g, &narrow, &wide));
  ct_geometry_clear(&g);
}

static void planes_have_their_place(void) {
  const ct_grid grid = ct_grid_centred(5, 6, 7, 2, (double[]){1, 2, 3});
  int width, height, count;
  ct_grid_plane_size(&grid, CT_CORONAL, &width, &height, &count);
  CHECK(width == 5 && height == 7 && count == 6);
  ct_grid_plane_size(&grid, CT_SAGITTAL, &width, &height, &count);
  CHECK(width == 6 && height == 7 && count == 5);
  const ct_grid plane = ct_grid_plane(&grid, CT_CORONAL, 4);
  CHECK(plane.nx == 5 && plane.ny == 1 && plane.nz == 7);
  CHECK_NEAR(plane.y0, 2 - 5 + 8, 1e-12);
  CHECK_NEAR(ct_grid_plane_position(&grid, CT_AXIAL, 99), 3 + 6, 1e-12);
}

static void impossible_grids_are_refused(void) {
  ct_error *error = NULL;
  ct_grid grid = ct_grid_centred(5, 0, 7, 2, NULL);
  CHECK_FAILS(ct_grid_check(&grid, &error), CT_ERROR_ARGUMENT, "5 x 0 x 7");
  grid = ct_grid_centred(2000000000, 2000000000, 2000000000, 1, NULL);
  CHECK_FAILS(ct_grid_check(&grid, &error), CT_ERROR_ARGUMENT, "larger than");
  grid = ct_grid_centred(5, 5, 5, NAN, NULL);
  CHECK_FAILS(ct_grid_check(&grid, &error), CT_ERROR_ARGUMENT, "voxel size");
}

static const ct_test tests[] = {
    {"points fall where the convention says", points_fall_where_the_convention_says},
    {"parallel beam is the limit of a far source", parallel_is_the_limit_of_a_far_source},
    {"rays and projections agree", rays_and_projections_agree},
    {"cropping, binning and picking views keep the rays", cropping_binning_and_picking_keep_the_rays},
    {"projection matrices are cropped and binned alike", matrices_are_cropped_and_binned_alike},
    {"a world turned by a quarter is seen alike", a_turned_world_is_seen_alike},
    {"angles weigh what they stand for", angles_weigh_what_they_stand_for},
    {"faults are named", faults_are_named},
    {"grids cover the field", grids_cover_the_field},
    {"a displaced detector sees the larger circle", displaced_detectors_see_more},
    {"planes have their place", planes_have_their_place},
    {"impossible grids are refused", impossible_grids_are_refused},
};
CT_TEST_MAIN(tests)
