/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RabbitCT data sets through the whole pipeline: written in both versions of the header, read as scans, and
 * back-projected as they are, without a second filter, by the kernel that `auto` takes as by the voxel loop. */
#include "recon/data/pitch.h"
#include "recon/io/io.h"
#include "recon/io/rabbitct/rabbitct.h"
#include "recon/metric/rabbitct.h"
#include "recon/solve/pipeline.h"
#include "tests/bp/problem.h"
#include "tests/test.h"

#include <unistd.h>

static const problem orbit = {"C-arm", CT_BEAM_FREE, 62,   48, 24, 6.4, 6.4, 750, 1200, 0, 0, 0,
                              0.1,     3.4,          0.01, 40, 40, 40,  6.4, 6.4, 6.4,  0, 0, 0};
static const float scale[2] = {20, 500}; /* the sums of 24 views span some hundred HU */
static char path[] = "/tmp/gantry-rabbitct-XXXXXX";

static bool write_set(int version, ct_error **error) {
  ct_geometry g = {0};
  bool good = problem_geometry(&orbit, &g, error);
  ct_stack *stack = good ? problem_projections(&g, error) : NULL;
  const ct_rabbitct_content content = {
      .version = version, .scale = {scale[0], scale[1]}, .geometry = &g, .projections = stack};
  good = stack && ct_rabbitct_write(path, &content, NULL, error);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  return good;
}

/* The file's volume by a kernel, through the pipeline. */
static ct_volume *reconstruct(const char *kernel, ct_error **error) {
  ct_plan plan;
  ct_plan_init(&plan);
  snprintf(plan.kernel, sizeof plan.kernel, "%s", kernel);
  plan.nx = plan.ny = plan.nz = 40;
  plan.voxel = 6.4;
  plan.mask = 0;
  plan.threads = 2;
  ct_scan *scan = ct_scan_open(path, NULL, error);
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, NULL, error) : NULL;
  ct_volume *volume = pipeline ? ct_pipeline_volume(pipeline, &plan, NULL, NULL, error) : NULL;
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return volume;
}

/* What RabbitCT defines: the sum of p / w^2 over the views, by textbook on the volume's grid. */
static ct_volume *sum_views(const ct_grid *grid, ct_error **error) {
  ct_geometry g = {0};
  const ct_bp_table table = ct_bp_cpu_kernels();
  ct_stack *stack = problem_geometry(&orbit, &g, error) ? problem_projections(&g, error) : NULL;
  ct_volume *volume = stack ? ct_volume_new(grid, error) : NULL;
  const ct_bp_request request = {.geometry = &g,
                                 .grid = *grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .precision = CT_PRECISION_FLOAT32,
                                 .threads = 2,
                                 .batch = 24};
  if (volume && !problem_run(ct_bp_find(&table, "textbook"), &request, stack, volume, NULL, error)) {
    ct_volume_free(volume);
    volume = NULL;
  }
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  return volume;
}

static double rmse_hu(const ct_volume *a, const ct_volume *b, size_t count) {
  uint16_t *reference = calloc(count, sizeof *reference);
  if (!reference) return INFINITY;
  ct_rabbitct_metrics m = {0};
  for (size_t i = 0; i < count; i++) reference[i] = ct_rabbitct_hu(ct_volume_get_data(b)[i], scale);
  ct_rabbitct_compare(ct_volume_get_data(a), reference, count, scale, &m);
  free(reference);
  return m.rmse;
}

static void check_version(int version) {
  ct_error *error = NULL;
  const int file = mkstemp(path);
  CHECK(file >= 0 && !close(file));
  const bool written = write_set(version, &error);
  ct_volume *automatic = written ? reconstruct("auto", &error) : NULL;
  ct_volume *loop = automatic ? reconstruct("voxel-loop", &error) : NULL;
  ct_volume *sum = loop ? sum_views(ct_volume_grid(loop), &error) : NULL;
  unlink(path);
  snprintf(path + strlen(path) - 6, 7, "XXXXXX");
  CHECK_OK(sum);
  const size_t count = ct_grid_voxels(ct_volume_grid(loop));
  CHECK(rmse_hu(automatic, loop, count) < 0.03);
  CHECK(rmse_hu(loop, sum, count) < 0.03);
  double power = 0;
  for (size_t i = 0; i < count; i++) power += pow((double)ct_volume_get_data(sum)[i], 2);
  CHECK(sqrt(power / (double)count) > 1); /* 20 HU: something was there to be compared */
  ct_volume_free(automatic);
  ct_volume_free(loop);
  ct_volume_free(sum);
}

static void test_version_1(void) {
  check_version(1);
}

static void test_version_2(void) {
  check_version(2);
}

/* Of the scan's cube as many voxels as the pixels at the axis resolve, or as many as are asked for. */
static void test_cube(void) {
  ct_error *error = NULL;
  const int file = mkstemp(path);
  CHECK(file >= 0 && !close(file) && write_set(2, &error));
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  ct_plan plan;
  ct_geometry g;
  ct_grid natural, asked;
  ct_plan_init(&plan);
  bool good = ct_plan_geometry(&plan, scan, &g, &error) && ct_plan_grid(&plan, &g, &natural, &error);
  plan.nx = 256;
  good = good && ct_plan_grid(&plan, &g, &asked, &error);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
  unlink(path);
  snprintf(path + strlen(path) - 6, 7, "XXXXXX");
  CHECK(good);
  const ct_grid least = ct_rabbitct_grid(128), wanted = ct_rabbitct_grid(256);
  CHECK(ct_grid_matches(&natural, &least) && ct_grid_matches(&asked, &wanted)); /* pixels of 4 mm at the axis */
}

/* A volume written in Hounsfield units: whole numbers by RabbitCT's rule, which read back as the volume's values. */
static void test_hounsfield(void) {
  ct_error *error = NULL;
  const int file = mkstemp(path);
  CHECK(file >= 0 && !close(file) && write_set(2, &error));
  ct_volume *volume = reconstruct("auto", &error);
  unlink(path);
  CHECK_OK(volume);
  char name[64];
  snprintf(name, sizeof name, "%s.nrrd", path);
  snprintf(path + strlen(path) - 6, 7, "XXXXXX");
  const ct_write_options options = {.samples = CT_SAMPLES_HOUNSFIELD};
  const size_t count = ct_grid_voxels(ct_volume_grid(volume));
  const bool written = ct_volume_write(name, volume, &options, NULL, &error);
  ct_volume *back = written ? ct_volume_read(name, NULL, &error) : NULL;
  unlink(name);
  size_t wrong = 0, above = 0;
  for (size_t i = 0; back && i < count; i++) {
    const double expected = ct_rabbitct_hu(ct_volume_get_data(volume)[i], scale);
    wrong += !(fabs((double)ct_volume_get_data(back)[i] * scale[0] + scale[1] - expected) < 1e-3);
    above += expected > 0;
  }
  const ct_named_scale told = back ? ct_volume_get_scale(back) : (ct_named_scale){{0}, ""};
  ct_volume *without = ct_volume_new(ct_volume_grid(volume), NULL);
  ct_volume_free(volume);
  CHECK_OK(back);
  ct_volume_free(back);
  CHECK(wrong == 0 && above > count / 10 && above < count);
  CHECK(told.scale.factor == scale[0] && told.scale.offset == scale[1] && !strcmp(told.unit, "HU"));
  const bool refused = !ct_volume_write(name, without, &options, NULL, &error);
  ct_volume_free(without);
  CHECK(refused && error && strstr(error->message, "Hounsfield"));
  ct_error_clear(&error);
}

static const ct_test tests[] = {
    {"version 1: read, not filtered again, within 0.03 HU of the voxel loop", test_version_1},
    {"version 2: read, not filtered again, within 0.03 HU of the voxel loop", test_version_2},
    {"the natural grid is the benchmark's cube", test_cube},
    {"volumes are written in Hounsfield units", test_hounsfield},
};
CT_TEST_MAIN(tests)
