/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rectangle on a slice as a plan's grid: its voxels lie in those of the grid that it was drawn on. */
#include "recon/solve/plan-region.h"
#include "tests/test.h"

#include <math.h>

static ct_grid volume(int nz) {
  const double centre[3] = {3, -2, 1};
  return ct_grid_centred(40, 40, nz, 0.5, centre);
}

static bool cone(ct_geometry *geometry) {
  if (!ct_geometry_init(geometry, CT_BEAM_CONE, 64, 48, 90, NULL)) return false;
  geometry->du = geometry->dv = 1;
  geometry->sod = 200, geometry->sdd = 300;
  return true;
}

/* Faces of the fine grid are faces of the coarse one. */
static void lies_in_its_voxels(void) {
  ct_error *error = NULL;
  const ct_grid grid = volume(30);
  ct_geometry geometry;
  CHECK(cone(&geometry));
  for (int plane = 0; plane < 3; plane++)
    for (int finer = 1; finer <= CT_MOST_FINER; finer += 3) {
      ct_plan plan;
      ct_grid made;
      ct_plan_init(&plan);
      const ct_plan_region region = {.plane = (ct_plane)plane,
                                     .position = 1.1,
                                     .points = {{4.4, 1.9}, {-0.8, -1.3}},
                                     .depth = finer > 10 ? 4 : NAN,
                                     .finer = finer};
      CHECK_OK(ct_plan_set_region(&plan, &grid, &region, &error));
      CHECK_OK(ct_plan_grid(&plan, &geometry, &made, &error));
      CHECK_NEAR(made.dx, 0.5 / finer, 1e-12);
      CHECK_NEAR(made.dz, 0.5 / finer, 1e-12);
      const double low[3] = {made.x0 - made.dx / 2, made.y0 - made.dy / 2, made.z0 - made.dz / 2},
                   begin[3] = {grid.x0 - 0.25, grid.y0 - 0.25, grid.z0 - 0.25};
      for (int i = 0; i < 3; i++) {
        const double voxels = (low[i] - begin[i]) / 0.5;
        CHECK_NEAR(voxels, round(voxels), 1e-9);
      }
      CHECK(made.nx % finer == 0 && made.ny % finer == 0 && made.nz % finer == 0);
      /* It covers the rectangle, and the depth is that asked for or its shorter side, to a voxel on either side. */
      const int across = plane == CT_SAGITTAL ? made.ny : made.nx, up = plane == CT_AXIAL ? made.ny : made.nz,
                deep = plane == CT_AXIAL     ? made.nz
                       : plane == CT_CORONAL ? made.ny
                                             : made.nx;
      CHECK(across * made.dx >= 5.2 - 1e-9 && across * made.dx <= 5.2 + 1);
      CHECK(up * made.dx >= 3.2 - 1e-9 && up * made.dx <= 3.2 + 1);
      const double depth = finer > 10 ? 4 : 3.2;
      CHECK(deep * made.dx >= depth - 1e-9 && deep * made.dx <= depth + 1);
    }
  ct_geometry_clear(&geometry);
}

static void is_cut_at_the_volume(void) {
  ct_error *error = NULL;
  const ct_grid grid = volume(30);
  ct_plan plan;
  ct_plan_init(&plan);
  const ct_plan_region region = {CT_AXIAL, 1, {{0, 0}, {1000, -1000}}, NAN, 2};
  CHECK_OK(ct_plan_set_region(&plan, &grid, &region, &error));
  CHECK(plan.nx == 2 * 26 && plan.ny == 2 * 24 && plan.nz == 2 * 30);
}

static void single_slices_stay_single(void) {
  ct_error *error = NULL;
  const ct_grid grid = volume(1);
  ct_plan plan;
  ct_plan_init(&plan);
  const ct_plan_region region = {CT_AXIAL, 1, {{0, 0}, {2, 2}}, NAN, 4};
  CHECK_OK(ct_plan_set_region(&plan, &grid, &region, &error));
  CHECK(plan.nz == 1 && plan.voxel_z == 0.5 && plan.voxel == 0.125);
}

static void refuses(void) {
  ct_error *error = NULL;
  const ct_grid grid = volume(30);
  ct_plan plan, before;
  ct_plan_init(&plan);
  before = plan;
  const ct_plan_region beside = {CT_AXIAL, 1, {{100, 0}, {120, 2}}, NAN, 4},
                       above = {CT_AXIAL, 99, {{0, 0}, {2, 2}}, NAN, 4}, none = {CT_AXIAL, 1, {{0, 0}, {2, 2}}, NAN, 0},
                       broken = {CT_AXIAL, 1, {{NAN, 0}, {2, 2}}, NAN, 1};
  CHECK_FAILS(ct_plan_set_region(&plan, &grid, &beside, &error), CT_ERROR_ARGUMENT, "beside the volume");
  CHECK_FAILS(ct_plan_set_region(&plan, &grid, &above, &error), CT_ERROR_ARGUMENT, "beside the volume");
  CHECK_FAILS(ct_plan_set_region(&plan, &grid, &none, &error), CT_ERROR_ARGUMENT, "1 to 20");
  CHECK_FAILS(ct_plan_set_region(&plan, &grid, &broken, &error), CT_ERROR_ARGUMENT, "beside");
  CHECK(ct_plan_equal(&plan, &before));
}

static const ct_test tests[] = {
    {"its voxels lie in those of the volume", lies_in_its_voxels},
    {"it is cut where the volume ends", is_cut_at_the_volume},
    {"a single slice stays one", single_slices_stay_single},
    {"what cannot be is refused", refuses},
};
CT_TEST_MAIN(tests)
