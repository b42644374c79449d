/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Oblique planes: the angles' convention, pixels and points, traces on orthogonal planes, turned geometries, refusals.
 */
#include "tests/test.h"

#include "recon/geom/oblique.h"

static const double degree = M_PI / 180;

static void right_angles_give_the_orthogonal_planes(void) {
  const ct_grid grid = {.nx = 7, .ny = 5, .nz = 4, .dx = 2, .dy = 2, .dz = 2, .x0 = -3, .y0 = 4, .z0 = 10};
  static const double angles[3][2] = {{0, 0}, {0, 90}, {90, 90}};
  const int middle[3] = {1, 3, 5};
  for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
    const double point[3] = {grid.x0 + 2 * middle[2], grid.y0 + 2 * middle[1], grid.z0 + 2 * middle[0]};
    const ct_oblique o = ct_oblique_through(&grid, point, angles[plane][0] * degree, angles[plane][1] * degree);
    ct_error *error = NULL;
    CHECK_OK(ct_oblique_check(&o, &error));
    int width, height;
    ct_grid_plane_size(&grid, (ct_plane)plane, &width, &height, NULL);
    CHECK(o.width == width && o.height == height);
    const ct_grid thin = ct_grid_plane(&grid, (ct_plane)plane, middle[plane]);
    for (int j = 0; j < height; j++) {
      int first, end;
      ct_oblique_row_within(&o, &grid, j, &first, &end);
      CHECK(first == 0 && end == width);
      for (int i = 0; i < width; i++) {
        double p[3];
        ct_oblique_point(&o, i, j, p);
        CHECK_NEAR(p[0], thin.x0 + 2 * (plane == CT_SAGITTAL ? 0 : i), 1e-12);
        CHECK_NEAR(p[1], thin.y0 + 2 * (plane == CT_AXIAL ? j : plane == CT_SAGITTAL ? i : 0), 1e-12);
        CHECK_NEAR(p[2], thin.z0 + 2 * (plane == CT_AXIAL ? 0 : j), 1e-12);
      }
    }
  }
}

static void angles_and_normals_agree(void) {
  for (int t = 0; t <= 180; t += 15)
    for (int r = -165; r <= 180; r += 15) {
      const ct_oblique o = ct_oblique_turned((double[]){0, 0, 0}, r * degree, t * degree, 1, 3, 3);
      double normal[3], rotation, tilt, again[3];
      ct_oblique_normal(&o, normal);
      CHECK(o.across[2] == 0);
      for (int i = 0; i < 3; i++) again[i] = 7 * normal[i];
      CHECK(ct_oblique_angles(again, &rotation, &tilt, NULL));
      CHECK_NEAR(tilt, t * degree, 1e-9);
      const ct_oblique back = ct_oblique_turned((double[]){0, 0, 0}, rotation, tilt, 1, 3, 3);
      ct_oblique_normal(&back, again);
      for (int i = 0; i < 3; i++) CHECK_NEAR(again[i], normal[i], 1e-9);
    }
  ct_error *error = NULL;
  double rotation, tilt;
  CHECK_FAILS(ct_oblique_angles((double[]){0, 0, 0}, &rotation, &tilt, &error), CT_ERROR_ARGUMENT, "normal");
  CHECK_FAILS(ct_oblique_angles((double[]){0, NAN, 1}, &rotation, &tilt, &error), CT_ERROR_ARGUMENT, "finite");
}

static void points_are_found_again(void) {
  const ct_oblique o = ct_oblique_turned((double[]){3, -2, 5}, 0.7, 1.1, 0.25, 40, 30);
  double p[3], normal[3], i, j;
  ct_oblique_point(&o, 11.5, 4.25, p);
  CHECK_NEAR(ct_oblique_locate(&o, p, &i, &j), 0, 1e-12);
  CHECK_NEAR(i, 11.5, 1e-10);
  CHECK_NEAR(j, 4.25, 1e-10);
  ct_oblique_normal(&o, normal);
  for (int k = 0; k < 3; k++) p[k] += 2.5 * normal[k];
  CHECK_NEAR(ct_oblique_locate(&o, p, &i, &j), 2.5, 1e-12);
  CHECK_NEAR(i, 11.5, 1e-10);
}

/* The picture's size depends on the direction alone; the plane goes through the point, nearest to the grid's centre. */
static void planes_go_through_their_point(void) {
  const ct_grid grid = ct_grid_centred(40, 30, 20, 0.5, (double[]){1, 2, 3});
  const double at[2][3] = {{1, 2, 3}, {4, -1, 5.5}};
  ct_oblique o[2];
  for (int n = 0; n < 2; n++) {
    double i, j;
    o[n] = ct_oblique_through(&grid, at[n], 0.5, 0.8);
    CHECK_NEAR(ct_oblique_locate(&o[n], at[n], &i, &j), 0, 1e-12);
    ct_oblique_locate(&o[n], at[0], &i, &j);
    CHECK_NEAR(i, 0.5 * (o[n].width - 1), 1e-9);
    CHECK_NEAR(j, 0.5 * (o[n].height - 1), 1e-9);
  }
  CHECK(o[0].width == o[1].width && o[0].height == o[1].height);
  /* No pixel of the grid lies beyond the picture: rows and columns at the rim are those of its corners. */
  for (int corner = 0; corner < 8; corner++) {
    const double p[3] = {1 + (corner & 1 ? 10 : -10), 2 + (corner & 2 ? 7.5 : -7.5), 3 + (corner & 4 ? 5 : -5)};
    double i, j;
    ct_oblique_locate(&o[0], p, &i, &j);
    CHECK(i > -0.5 - 1e-9 && i < o[0].width - 0.5 + 1e-9 && j > -0.5 - 1e-9 && j < o[0].height - 0.5 + 1e-9);
  }
}

static void rows_keep_to_the_grid(void) {
  const ct_grid grid = ct_grid_centred(20, 16, 12, 1, (double[]){0.3, 0, -1});
  const ct_oblique o = ct_oblique_turned((double[]){1, 0, 0}, 0.6, 0.4, 0.7, 50, 50);
  int inside = 0;
  for (int j = 0; j < 50; j++) {
    int first, end;
    ct_oblique_row_within(&o, &grid, j, &first, &end);
    for (int i = 0; i < 50; i++) {
      double p[3];
      ct_oblique_point(&o, i, j, p);
      const bool within = fabs(p[0] - 0.3) <= 10 && fabs(p[1]) <= 8 && fabs(p[2] + 1) <= 6;
      CHECK(within == (i >= first && i < end));
      inside += within;
    }
  }
  CHECK(inside > 300);
}

/* Along the normal from the grid's centre: within its reach a plane shows something, beyond nothing. */
static void planes_meet_the_grid_or_not(void) {
  const ct_grid grid = ct_grid_centred(20, 16, 12, 1, (double[]){0.3, 0, -1});
  for (int n = 0; n < 12; n++) {
    double normal[3];
    ct_oblique o = ct_oblique_through(&grid, (double[]){0.3, 0, -1}, n * 30 * degree, n * 23 * degree);
    ct_oblique_normal(&o, normal);
    const double reach = 10 * fabs(normal[0]) + 8 * fabs(normal[1]) + 6 * fabs(normal[2]);
    for (int far = -2; far <= 2; far++) {
      const double d = far == 0 ? 0 : (abs(far) == 1 ? reach - 1.5 : reach + 0.01) * (far > 0 ? 1 : -1);
      const double point[3] = {0.3 + d * normal[0], d * normal[1], -1 + d * normal[2]};
      o = ct_oblique_through(&grid, point, n * 30 * degree, n * 23 * degree);
      CHECK(ct_oblique_meets(&o, &grid) == (abs(far) < 2));
    }
  }
}

static void traces_lie_in_both_planes(void) {
  const ct_oblique o = ct_oblique_turned((double[]){3, -2, 5}, 0.7, 1.1, 1, 9, 9);
  double normal[3];
  ct_oblique_normal(&o, normal);
  for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++)
    for (int n = -1; n <= 1; n += 2) {
      double q[2], d[2];
      CHECK(ct_oblique_trace(&o, (ct_plane)plane, 4, q, d));
      CHECK_NEAR(hypot(d[0], d[1]), 1, 1e-12);
      const double a = q[0] + 6 * n * d[0], b = q[1] + 6 * n * d[1];
      const double p[3][3] = {{a, b, 4}, {a, 4, b}, {4, a, b}};
      double i, j;
      CHECK_NEAR(ct_oblique_locate(&o, p[plane], &i, &j), 0, 1e-9);
    }
  const ct_oblique axial = ct_oblique_turned((double[]){0, 0, 1}, 0.7, 0, 1, 9, 9);
  double q[2], d[2];
  CHECK(!ct_oblique_trace(&axial, CT_AXIAL, 4, q, d) && ct_oblique_trace(&axial, CT_CORONAL, 4, q, d));
}

/* Every pixel of the thin grid is seen where its world point is, with the same w: all beams, also lying on its side. */
static void turned_geometries_see_the_same(void) {
  for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_FREE; beam++)
    for (int side = 0; side < 2; side++) {
      ct_geometry g, turned;
      ct_error *error = NULL;
      const bool fan = beam == CT_BEAM_FAN;
      CHECK_OK(ct_geometry_init(&g, (ct_beam)beam, 60, fan ? 1 : 50, 5, &error));
      g.sod = 200, g.sdd = 500, g.centre_u = 27.5, g.tilt = 0.03;
      ct_geometry_set_arc(&g, 0.1, 1.2);
      if (beam == CT_BEAM_FREE) {
        ct_geometry cone = g;
        cone.beam = CT_BEAM_CONE;
        for (int view = 0; view < 5; view++) ct_geometry_matrix(&cone, view, g.matrices + 12 * view);
      }
      ct_oblique o = ct_oblique_turned((double[]){3, -2, fan ? 0 : 4}, 0.7, fan ? 0 : 1.1, 0.5, 13, 11);
      if (side)
        for (int k = 0; k < 3; k++) {
          const double was = o.across[k];
          o.across[k] = o.up[k];
          o.up[k] = -was;
        }
      ct_grid grid;
      bool transposed;
      CHECK_OK(ct_oblique_frame(&o, &g, &turned, &grid, &transposed, &error));
      CHECK_OK(ct_geometry_check(&turned, &error));
      CHECK(transposed == (side && !fan) && grid.nz == 1 && grid.nx == (transposed ? 11 : 13) &&
            grid.ny == (transposed ? 13 : 11));
      for (int view = 0; view < 5; view++)
        for (int j = 0; j < 11; j += 5)
          for (int i = 0; i < 13; i += 6) {
            double m[12], n[12], p[3], u[2], v[2], w[2];
            ct_oblique_point(&o, i, j, p);
            const double q[3] = {grid.x0 + (transposed ? j : i) * grid.dx, grid.y0 + (transposed ? i : j) * grid.dy,
                                 grid.z0};
            ct_geometry_matrix(&g, view, m);
            ct_geometry_matrix(&turned, view, n);
            ct_project(m, p, &u[0], &v[0], &w[0]);
            ct_project(n, q, &u[1], &v[1], &w[1]);
            CHECK_NEAR(u[1], u[0], 1e-10);
            CHECK_NEAR(v[1], v[0], 1e-10);
            CHECK_NEAR(w[1], w[0], 1e-13);
          }
      ct_geometry_clear(&g);
      ct_geometry_clear(&turned);
    }
}

static void bad_poses_are_refused(void) {
  ct_error *error = NULL;
  const ct_oblique good = ct_oblique_turned((double[]){0, 0, 0}, 0.3, 0.4, 1, 5, 5);
  CHECK_OK(ct_oblique_check(&good, &error));
  ct_oblique o = good;
  o.across[0] *= 1.01, o.across[1] *= 1.01;
  CHECK_FAILS(ct_oblique_check(&o, &error), CT_ERROR_ARGUMENT, "length 1");
  o = good;
  memcpy(o.up, o.across, sizeof o.up);
  CHECK_FAILS(ct_oblique_check(&o, &error), CT_ERROR_ARGUMENT, "right angles");
  o = good;
  o.centre[1] = INFINITY;
  CHECK_FAILS(ct_oblique_check(&o, &error), CT_ERROR_ARGUMENT, "finite");
  o = good;
  o.up[2] = NAN;
  CHECK_FAILS(ct_oblique_check(&o, &error), CT_ERROR_ARGUMENT, "finite");
  o = good;
  o.spacing = 0;
  CHECK_FAILS(ct_oblique_check(&o, &error), CT_ERROR_ARGUMENT, "larger than 0 mm");
  o = good;
  o.height = 0;
  CHECK_FAILS(ct_oblique_check(&o, &error), CT_ERROR_ARGUMENT, "5 x 0 pixels");
  /* A fan sees one plane. */
  ct_geometry fan, turned;
  ct_grid grid;
  bool transposed;
  CHECK_OK(ct_geometry_init(&fan, CT_BEAM_FAN, 60, 1, 5, &error));
  fan.sod = 200, fan.sdd = 500;
  CHECK_FAILS(ct_oblique_frame(&good, &fan, &turned, &grid, &transposed, &error), CT_ERROR_UNSUPPORTED, "fan beam");
  o = ct_oblique_turned((double[]){0, 0, 1}, 0.3, 0, 1, 5, 5);
  CHECK_FAILS(ct_oblique_frame(&o, &fan, &turned, &grid, &transposed, &error), CT_ERROR_UNSUPPORTED, "z = 0");
  ct_geometry_clear(&fan);
}

static const ct_test tests[] = {
    {"right angles give the orthogonal planes, pixel by pixel", right_angles_give_the_orthogonal_planes},
    {"angles and normals agree", angles_and_normals_agree},
    {"points are found again", points_are_found_again},
    {"planes go through their point and show the whole grid", planes_go_through_their_point},
    {"rows keep to the grid", rows_keep_to_the_grid},
    {"planes meet the grid or lie beside it", planes_meet_the_grid_or_not},
    {"traces lie in both planes", traces_lie_in_both_planes},
    {"turned geometries see the same", turned_geometries_see_the_same},
    {"bad poses are refused", bad_poses_are_refused},
};
CT_TEST_MAIN(tests)
