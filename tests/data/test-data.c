/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes, stacks and scans: planes, samples, flips, checksums, refusals. */
#include "tests/test.h"

#include "recon/data/scan.h"
#include "recon/data/volume.h"

static void planes_are_copied_right(void) {
  const ct_grid grid = ct_grid_centred(3, 4, 5, 1, NULL);
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  float *data = ct_volume_data(volume), out[20];
  for (int i = 0; i < 60; i++) data[i] = (float)i;
  ct_volume_copy_plane(volume, CT_AXIAL, 2, out);
  CHECK(out[0] == 24 && out[11] == 35);
  ct_volume_copy_plane(volume, CT_CORONAL, 1, out);
  CHECK(out[0] == 3 && out[2] == 5 && out[3] == 15 && out[14] == 53);
  ct_volume_copy_plane(volume, CT_SAGITTAL, 2, out);
  CHECK(out[0] == 2 && out[1] == 5 && out[4] == 14 && out[19] == 59);
  ct_volume_scale(volume, 2);
  CHECK(data[59] == 118);
  ct_volume_free(volume);
}

static void samples_interpolate_linear_fields_exactly(void) {
  ct_grid grid = ct_grid_centred(6, 7, 8, 0.5, (double[]){1, -2, 3});
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  float *data = ct_volume_data(volume);
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 7; j++)
      for (int i = 0; i < 6; i++)
        data[(k * 7 + j) * 6 + i] = (float)(2 * (grid.x0 + i * 0.5) - 3 * (grid.y0 + j * 0.5) + (grid.z0 + k * 0.5));
  CHECK_NEAR(ct_volume_sample(volume, (double[]){1.1, -2.3, 3.4}), 2.2 + 6.9 + 3.4, 1e-5);
  CHECK_NEAR(ct_volume_sample(volume, (double[]){grid.x0 + 2.5, grid.y0 + 3, grid.z0 + 3.5}), data[335], 1e-6);
  CHECK(isnan(ct_volume_sample(volume, (double[]){1, -2, 9})));
  ct_volume_free(volume);
}

static void oblique_planes_of_linear_fields_are_exact(void) {
  ct_grid grid = ct_grid_centred(9, 8, 7, 1.5, (double[]){1, -2, 3});
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  float *data = ct_volume_data(volume);
  for (int k = 0; k < 7; k++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 9; i++)
        data[(k * 8 + j) * 9 + i] = (float)(2 * (grid.x0 + 1.5 * i) - 3 * (grid.y0 + 1.5 * j) + grid.z0 + 1.5 * k + 40);
  const ct_oblique oblique = ct_oblique_turned((double[]){1, -2, 3}, 0.4, 0.9, 0.5, 31, 29);
  float plane[29 * 31];
  ct_volume_copy_oblique(volume, &oblique, plane);
  int inside = 0, outside = 0;
  for (int j = 0; j < 29; j++)
    for (int i = 0; i < 31; i++) {
      double p[3];
      ct_oblique_point(&oblique, i, j, p);
      const bool within = fabs(p[0] - 1) < 6 && fabs(p[1] + 2) < 5.25 && fabs(p[2] - 3) < 4.5;
      const bool beyond = fabs(p[0] - 1) > 6.75 || fabs(p[1] + 2) > 6 || fabs(p[2] - 3) > 5.25;
      if (within) CHECK_NEAR(plane[j * 31 + i], 2 * p[0] - 3 * p[1] + p[2] + 40, 2e-5);
      if (beyond) CHECK(plane[j * 31 + i] == 0);
      inside += within, outside += beyond;
    }
  CHECK(inside > 200 && outside > 50);
  ct_volume_free(volume);
}

static ct_scan *small_scan(ct_error **error) {
  ct_geometry g;
  if (!ct_geometry_init(&g, CT_BEAM_PARALLEL, 3, 2, 4, error)) return NULL;
  ct_stack *stack = ct_stack_new(3, 2, 4, error);
  for (int i = 0; i < 24; i++) ct_stack_data(stack)[i] = (float)i;
  ct_scan *scan = ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "/some/where/test.h5", error);
  ct_geometry_clear(&g);
  return scan;
}

static void frames_are_flipped_as_told(void) {
  ct_error *error = NULL;
  ct_scan *scan = small_scan(&error);
  CHECK_OK(scan);
  CHECK(strcmp(ct_scan_get_name(scan), "test.h5") == 0);
  float out[6];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 1, 0, 2, out, &error));
  CHECK(out[0] == 6 && out[5] == 11);
  CHECK_OK(ct_scan_read_flipped(
      scan, &(ct_frame_rows){.kind = CT_FRAME_PROJECTION, .index = 1, .row0 = 0, .rows = 2, .flip_rows = true}, out,
      &error));
  CHECK(out[0] == 9 && out[3] == 6);
  CHECK_OK(ct_scan_read_flipped(
      scan, &(ct_frame_rows){.kind = CT_FRAME_PROJECTION, .index = 1, .row0 = 0, .rows = 2, .flip_columns = true}, out,
      &error));
  CHECK(out[0] == 8 && out[5] == 9);
  /* A band of the upright frame: row 0 is the file's last. */
  CHECK_OK(ct_scan_read_flipped(
      scan,
      &(ct_frame_rows){
          .kind = CT_FRAME_PROJECTION, .index = 1, .row0 = 0, .rows = 1, .flip_rows = true, .flip_columns = true},
      out, &error));
  CHECK(out[0] == 11 && out[2] == 9);
  CHECK_FAILS(ct_scan_read(scan, CT_FRAME_PROJECTION, 4, 0, 2, out, &error), CT_ERROR_ARGUMENT, "frame 4");
  CHECK_FAILS(ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 1, 2, out, &error), CT_ERROR_ARGUMENT, "Rows 1 to 2");
  CHECK_FAILS(ct_scan_read(scan, CT_FRAME_FLAT, 0, 0, 1, out, &error), CT_ERROR_ARGUMENT, "frame 0");
  ct_scan_free(scan);
}

static void checksums_tell_inputs_apart(void) {
  ct_error *error = NULL;
  ct_scan *a = small_scan(&error), *b = small_scan(&error);
  CHECK_OK(a && b);
  uint64_t x, y;
  CHECK(ct_scan_checksum(a, &x, &error) && ct_scan_checksum(b, &y, &error));
  CHECK(x == y && x != 0);
  ct_scan_free(b);
  ct_geometry g;
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 3, 2, 4, &error));
  ct_stack *stack = ct_stack_new(3, 2, 4, &error);
  for (int i = 0; i < 24; i++) ct_stack_data(stack)[i] = (float)i + (i == 23 ? 1e-5f : 0);
  b = ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "other", &error);
  CHECK_OK(b);
  CHECK(ct_scan_checksum(b, &y, &error) && x != y);
  ct_geometry_clear(&g);
  ct_scan_free(a);
  ct_scan_free(b);
}

static void bad_facts_are_refused(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 3, 2, 4, &error));
  ct_stack *stack = ct_stack_new(3, 2, 3, &error);
  CHECK_FAILS(ct_scan_new_memory(&g, stack, CT_VALUES_COUNTS, "x", &error) != NULL, CT_ERROR_ARGUMENT, "do not fit");
  g.angles[2] = INFINITY;
  stack = ct_stack_new(3, 2, 4, &error);
  CHECK_FAILS(ct_scan_new_memory(&g, stack, CT_VALUES_COUNTS, "x", &error) != NULL, CT_ERROR_DATA, "view 2");
  ct_geometry_clear(&g);
  CHECK_FAILS(ct_stack_new(0, 1, 1, &error) != NULL, CT_ERROR_ARGUMENT, "0 x 1");
  CHECK_FAILS(ct_stack_new(2000000000, 2000000000, 2000000000, &error) != NULL, CT_ERROR_MEMORY, "address");
  const ct_grid grid = ct_grid_centred(60000, 60000, 60000, 1, NULL);
  CHECK_FAILS(ct_volume_new(&grid, &error) != NULL, CT_ERROR_MEMORY, "the volume");
}

static const ct_test tests[] = {
    {"planes are copied right", planes_are_copied_right},
    {"samples interpolate linear fields exactly", samples_interpolate_linear_fields_exactly},
    {"oblique planes of linear fields are exact, and 0 outside", oblique_planes_of_linear_fields_are_exact},
    {"frames are flipped as told", frames_are_flipped_as_told},
    {"checksums tell inputs apart", checksums_tell_inputs_apart},
    {"bad facts are refused", bad_facts_are_refused},
};
CT_TEST_MAIN(tests)
