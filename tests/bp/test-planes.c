/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of any pose, as thin grids of turned geometries: every kernel that accepts one agrees with textbook, whichever
 * way its rows run across the detector's; and the courses that lines of voxels take through such a plane. */
#include "tests/bp/checks.h"

#include "recon/bp/window/skew-private.h"
#include "recon/geom/oblique.h"

#define DEGREE (M_PI / 180)

/* name, beam, nu nv views, du dv sod sdd, offsets, tilt, first arc, wobble; the grid is the plane's. */
/* clang-format off */
static const problem scans[] = {
  {"cone", CT_BEAM_CONE, 71, 64, 11, 1, 1, 100, 150, 0.4, 1.7, 0, 0.1, TURN, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0},
  {"cone, tilted detector", CT_BEAM_CONE, 61, 84, 9, 1, 1, 100, 150, 0.4, -1.7, 0.05, 0.1, 4, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0},
  {"cone, source near", CT_BEAM_CONE, 51, 54, 9, 1, 1, 25, 60, 0.4, -1.7, 0, 0.1, TURN, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0},
  {"cone, fine detector", CT_BEAM_CONE, 220, 90, 7, 0.25, 0.5, 100, 150, 0.4, 3, 0, 0.1, TURN, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0},
  {"parallel", CT_BEAM_PARALLEL, 67, 61, 11, 1, 1, 0, 0, 0.4, 2, 0, 0.1, TURN / 2, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0},
  {"parallel, rows met", CT_BEAM_PARALLEL, 67, 61, 11, 1, 1, 0, 0, 0, 0, 0, 0, TURN / 2, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0},
  {"free, C-arm", CT_BEAM_FREE, 62, 58, 9, 1, 1, 100, 150, 0, 0, 0, 0.1, 3.4, 0.03, 1, 1, 1, 1, 1, 1, 0, 0, 0},
};
/* clang-format on */

/* Rotation, tilt and roll about the normal in degrees, how far from the isocentre, and the picture. */
static const struct {
  double rotation, tilt, roll, away, spacing;
  int width, height;
} poses[] = {
    {30, 40, 0, 2, 0.8, 75, 61},    {30, 40, 45, 2, 0.8, 75, 61},    {-70, 55, 20, -3, 0.7, 61, 93},
    {110, 65, -30, 4, 0.6, 97, 80}, {200, 90, 70, 1, 0.8, 64, 64},   {20, 80, 100, 0, 0.5, 70, 131},
    {0, 35, 160, 5, 0.9, 83, 41},   {75, 89, -45, -6, 1.1, 128, 90}, {15, 50, 63, 0, 1.6, 49, 57},
    {40, 12, 45, 0, 0.8, 75, 61},   {30, 70, 45, 3, 0.8, 15, 90},    {30, 70, 45, 3, 0.8, 90, 11},
};
enum { scan_count = sizeof scans / sizeof *scans, pose_count = sizeof poses / sizeof *poses };

static ct_oblique plane_of(int pose) {
  const double roll = poses[pose].roll * DEGREE;
  const double nowhere[3] = {0};
  ct_oblique o = ct_oblique_turned(nowhere, poses[pose].rotation * DEGREE, poses[pose].tilt * DEGREE,
                                   poses[pose].spacing, poses[pose].width, poses[pose].height);
  const ct_oblique level = o;
  double normal[3];
  ct_oblique_normal(&o, normal);
  for (int n = 0; n < 3; n++) {
    o.across[n] = cos(roll) * level.across[n] + sin(roll) * level.up[n];
    o.up[n] = cos(roll) * level.up[n] - sin(roll) * level.across[n];
    o.centre[n] = poses[pose].away * normal[n];
  }
  return o;
}

static void exchange(double *a, double *b) {
  const double c = *a;
  *a = *b, *b = c;
}

/* Every second plane with x for y and y for x, so that its columns are more level than its rows. */
static bool turn(const ct_geometry *geometry, int pose, ct_geometry *turned, ct_grid *grid, ct_error **error) {
  const ct_oblique plane = plane_of(pose);
  bool transposed;
  if (!ct_oblique_frame(&plane, geometry, turned, grid, &transposed, error)) return false;
  if (pose % 2 == 0) return true;
  for (int row = 0; row < 3 * turned->views; row++)
    exchange(&turned->matrices[4 * row], &turned->matrices[4 * row + 1]);
  *grid = (ct_grid){grid->ny, grid->nx, 1, grid->dy, grid->dx, grid->dz, grid->y0, grid->x0, grid->z0};
  return true;
}

static void test_agreement(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  const ct_bp_kernel *textbook = ct_bp_find(&table, "textbook");
  int served = 0;
  for (int s = 0; s < scan_count; s++) {
    ct_error *error = NULL;
    ct_geometry geometry;
    CHECK_OK(problem_geometry(&scans[s], &geometry, &error));
    ct_stack *stack = problem_projections(&geometry, &error);
    CHECK_OK(stack);
    for (int pose = 0; pose < pose_count; pose++) {
      ct_geometry turned;
      ct_bp_request request = {
          .geometry = &turned, .interp = CT_INTERP_LINEAR, .precision = CT_PRECISION_FLOAT32, .threads = 2, .batch = 4};
      CHECK_OK(turn(&geometry, pose, &turned, &request.grid, &error));
      ct_volume *reference = ct_volume_new(&request.grid, &error), *volume = ct_volume_new(&request.grid, &error);
      CHECK_OK(reference && volume && problem_run(textbook, &request, stack, reference, NULL, &error));
      for (size_t n = 0; n < table.count; n++) {
        const ct_bp_kernel *kernel = table.kernels[n];
        if (kernel->resamples || !is_to_compare(kernel, &request)) continue;
        start_at(volume, 0);
        CHECK_OK(problem_run(kernel, &request, stack, volume, NULL, &error));
        const double rmse = problem_rel_rmse(volume, reference);
        if (!(rmse <= fmax(kernel->tolerance, 1e-5)))
          CT_TEST_END(1, "%s, %s, plane %d: relative RMSE %g", kernel->id, scans[s].name, pose, rmse);
        served++;
      }
      ct_volume_free(reference);
      ct_volume_free(volume);
      ct_geometry_clear(&turned);
    }
    ct_stack_free(stack);
    ct_geometry_clear(&geometry);
  }
  CHECK(served > 0);
}

/* Every voxel of a slice is in one line, within half a voxel of its course. */
static void test_courses(void) {
  int askew = 0, columns = 0;
  for (int s = 0; s < scan_count; s++)
    for (int pose = 0; pose < pose_count; pose++) {
      ct_error *error = NULL;
      ct_geometry geometry, turned;
      ct_bp_request request = {.geometry = &turned};
      ct_skew skew;
      CHECK_OK(problem_geometry(&scans[s], &geometry, &error));
      CHECK_OK(turn(&geometry, pose, &turned, &request.grid, &error));
      CHECK_OK(ct_skew_init(&skew, &request, 16, &error));
      const int nx = request.grid.nx, ny = request.grid.ny;
      CHECK(skew.length == (skew.along_y ? ny : nx) && fabs(skew.slope) <= 1 && skew.most <= 0.5 + 1e-6);
      unsigned char *seen = calloc((size_t)nx * (size_t)ny, 1);
      CHECK(seen);
      for (int n = 0; n < skew.lines; n++) {
        CHECK(skew.span[n][0] < skew.span[n][1]);
        for (int t = skew.span[n][0]; t < skew.span[n][1]; t++) {
          const int across = skew.lowest + n + skew.across[t], x = skew.along_y ? across : t,
                    y = skew.along_y ? t : across;
          CHECK(x >= 0 && x < nx && y >= 0 && y < ny &&
                fabs(skew.across[t] - skew.slope * t - (double)skew.aside[t]) < 1e-6);
          seen[(size_t)y * (size_t)nx + (size_t)x]++;
        }
      }
      for (size_t n = 0; n < (size_t)nx * (size_t)ny; n++) CHECK(seen[n] == 1);
      free(seen);
      askew += skew.slope != 0, columns += skew.slope != 0 && skew.along_y;
      if (!pose) CHECK(skew.slope == 0 || fabs(skew.slope) < 0.1 || scans[s].tilt != 0 || scans[s].wobble != 0);
      ct_skew_clear(&skew);
      ct_geometry_clear(&turned);
      ct_geometry_clear(&geometry);
    }
  CHECK(askew > 30 && columns > 5);
}

/* The rolled plane's lines run level: each sees the same height in all of parallel beam's views. */
static void test_level(void) {
  ct_error *error = NULL;
  ct_geometry geometry, turned;
  ct_bp_request request = {.geometry = &turned};
  ct_skew skew;
  CHECK_OK(problem_geometry(&scans[4], &geometry, &error));
  for (int pose = 1; pose < 4; pose++) {
    CHECK_OK(turn(&geometry, pose, &turned, &request.grid, &error));
    CHECK_OK(ct_skew_init(&skew, &request, 16, &error));
    double m[12];
    memcpy(m, turned.matrices, sizeof m);
    const double along = m[4 + skew.along_y], across = m[5 - skew.along_y];
    CHECK(fabs(along + skew.slope * across) < 1e-9 && fabs(along) > 0.1);
    ct_skew_clear(&skew);
    ct_geometry_clear(&turned);
  }
  ct_geometry_clear(&geometry);
}

/* Columns that are level, or nearly, are followed as rows are. */
static void test_columns(void) {
  static const double slopes[][2] = {{0.8, 0}, {0.8, 0.001}, {1, 0.22}, {0.4, -0.39}, {0.02, 0.8}, {0, 0}};
  for (size_t n = 0; n < sizeof slopes / sizeof *slopes; n++) {
    ct_error *error = NULL;
    ct_geometry geometry;
    ct_skew skew;
    CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_FREE, 64, 64, 1, &error));
    const double m[12] = {0.5, 0.6, 0, 30, slopes[n][0], slopes[n][1], 0, 30, 0, 0, 0, 1};
    memcpy(geometry.matrices, m, sizeof m);
    const ct_bp_request request = {.geometry = &geometry, .grid = ct_grid_centred(64, 64, 1, 1, NULL)};
    CHECK_OK(ct_skew_init(&skew, &request, 16, &error));
    CHECK(skew.along_y == (n < 4));
    CHECK(fabs(skew.slope + (n < 4 ? slopes[n][1] / slopes[n][0] : 0)) < 1e-9);
    ct_skew_clear(&skew);
    ct_geometry_clear(&geometry);
  }
}

/* A line that begins exactly on the detector's border reads nothing before it: what lies there would spoil the sums. */
static void test_border(void) {
  enum { nu = 200, nv = 60, nx = 96 };
  const ct_bp_table table = ct_bp_cpu_kernels();
  float *all = malloc((nv + 1) * nu * sizeof *all);
  CHECK(all);
  for (int n = 0; n < (nv + 1) * nu; n++) all[n] = n < nu ? NAN : 1;
  int served = 0;
  for (size_t n = 0; n < table.count; n++) {
    const ct_bp_kernel *kernel = table.kernels[n];
    ct_error *error = NULL;
    ct_geometry geometry;
    CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_FREE, nu, nv, 1, &error));
    const double m[12] = {0.3, 0, 0, 20, -0.1, 0, 0, 1.5, 0, 0, 0, 1};
    memcpy(geometry.matrices, m, sizeof m);
    const ct_bp_request request = {.geometry = &geometry,
                                   .grid = {nx, 1, 1, 1, 1, 1, 0, 0, 0},
                                   .interp = CT_INTERP_LINEAR,
                                   .precision = CT_PRECISION_FLOAT32,
                                   .threads = 1,
                                   .batch = 1};
    if (runs_here(kernel) && precision_of(kernel) == CT_PRECISION_FLOAT32 && ct_bp_accepts(kernel, &request, NULL)) {
      ct_volume *volume = ct_volume_new(&request.grid, &error);
      ct_bp_state *state = volume ? kernel->prepare(kernel, &request, &error) : NULL;
      const float *projections[] = {all + nu};
      const ct_bp_batch batch = {.count = 1, .views = (const int[]){0}, .projections = projections, .last = true};
      CHECK_OK(state && kernel->run(state, &batch, volume, NULL, &error));
      CHECK_OK(!kernel->finish || kernel->finish(state, volume, &error));
      kernel->free(state);
      for (int i = 0; i < nx; i++)
        if (!isfinite(ct_volume_get_data(volume)[i]))
          CT_TEST_END(1, "%s reads before the detector at %d", kernel->id, i);
      ct_volume_free(volume);
      served++;
    }
    ct_geometry_clear(&geometry);
  }
  free(all);
  CHECK(served > 0);
}

static const ct_test tests[] = {
    {"every kernel agrees with textbook on planes of any pose", test_agreement},
    {"skewed lines cover a slice once", test_courses},
    {"lines of a rolled plane run level", test_level},
    {"columns are followed where they are level", test_columns},
    {"nothing before the detector is read", test_border},
};
CT_TEST_MAIN(tests)
