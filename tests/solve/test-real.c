/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real scans with known answers: centres, absolute values, agreement with a published reconstruction. */
#include "tests/solve/bench.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

static bool bench_open(bench *b, const char *name, const char *const (*settings)[2], ct_error **error) {
  if (!bench_take(b, ct_scan_open(name, NULL, error), error)) return false;
  for (; settings && (*settings)[0]; settings++)
    if (!ct_plan_set_text(&b->plan, (*settings)[0], (*settings)[1], error)) return false;
  return true;
}

/* The middle axial slice, square, of the plan's grid. */
static float *middle_slice(bench *b, int *n, ct_error **error) {
  if (!ct_pipeline_prepare(b->pipeline, &b->plan, NULL, error)) return NULL;
  const ct_grid grid = ct_pipeline_get_facts(b->pipeline)->grid;
  *n = grid.nx;
  float *slice = ct_alloc((size_t)grid.nx * (size_t)grid.ny, sizeof *slice, "slice", error);
  if (slice && ct_pipeline_slice(b->pipeline, &b->plan, CT_AXIAL, grid.nz / 2, slice, NULL, error)) return slice;
  ct_free(slice);
  return NULL;
}

/* Mean over the inside of what is denser than `threshold`: pixels whose 5 x 5 neighbours all are. No upper bound, so
 * that the answer is not asked for by the question. */
static double mean_inside(const float *slice, int n, double threshold) {
  double sum = 0;
  size_t count = 0;
  for (int j = 2; j < n - 2; j++)
    for (int i = 2; i < n - 2; i++) {
      bool inside = true;
      for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) inside = inside && (double)slice[(j + y) * n + i + x] > threshold;
      if (!inside) continue;
      sum += (double)slice[j * n + i];
      count++;
    }
  return sum / (double)count;
}

static void tooth(void) {
  const char *path = ct_test_data("tooth.h5");
  if (!path) SKIP("shared scan tooth.h5 is missing");
  ct_error *error = NULL;
  bench b;
  CHECK_OK(bench_open(&b, path, NULL, &error));
  int n;
  float *slice = middle_slice(&b, &n, &error);
  CHECK_OK(slice);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(facts->prep.used_flats && facts->prep.used_log && n == 640);
  CHECK_NEAR(facts->centre_u, 295.8, 0.4);
  /* Crisp: a centre 12 columns off smears it, and streaks go below zero. */
  double good = 0, bad = 0;
  for (int i = 0; i < n * n; i++)
    if (slice[i] < 0) good -= (double)slice[i];
  b.plan.centre_method = CT_CENTRE_MANUAL;
  b.plan.centre_u = facts->centre_u + 12;
  ct_free(slice);
  slice = middle_slice(&b, &n, &error);
  CHECK_OK(slice);
  for (int i = 0; i < n * n; i++)
    if (slice[i] < 0) bad -= (double)slice[i];
  CHECK_BELOW(good, 0.9 * bad);
  ct_free(slice);
  bench_close(&b);
}

static void helsinki_disc(void) {
  static const char *const settings[][2] = {{"geometry.beam", "fan"},
                                            {"geometry.sod", "410.66"},
                                            {"geometry.sdd", "553.74"},
                                            {"geometry.pixel_u", "0.2"},
                                            {"centre.method", "scan"},
                                            {"reconstruction.nx", "512"},
                                            {"reconstruction.voxel", "0.148322"},
                                            {NULL, NULL}};
  const char *path = ct_test_data("htc2022-ta.h5");
  if (!path) SKIP("shared scan htc2022-ta.h5 is missing");
  ct_error *error = NULL;
  bench b;
  CHECK_OK(bench_open(&b, path, settings, &error));
  int n;
  float *slice = middle_slice(&b, &n, &error);
  CHECK_OK(slice);
  CHECK(n == 512 && !ct_pipeline_get_facts(b.pipeline)->prep.used_log);
  ct_volume *reference = ct_volume_read(ct_test_data("htc2022-ta-reference-fbp.mha"), NULL, &error);
  CHECK_OK(reference);
  ct_metrics m;
  CHECK_OK(ct_compare(
      &(ct_comparison){.a = slice, .b = ct_volume_get_data(reference), .nx = n, .ny = n, .nz = 1, .peak = NAN}, &m,
      NULL, &error));
  CHECK(m.pearson_r > 0.9999);
  CHECK_NEAR(m.slope, 1, 0.01);
  ct_volume_free(reference);
  ct_free(slice);
  bench_close(&b);
}

/* mean_inside of the outer wall alone, within 15 degrees of `angle` (from +x towards the first row). */
static double wall_mean(const float *slice, int n, double angle) {
  double sum = 0;
  int count = 0;
  for (int j = 2; j < n - 2; j++)
    for (int i = 2; i < n - 2; i++) {
      const double x = i - 0.5 * (n - 1), y = 0.5 * (n - 1) - j;
      bool inside = hypot(x, y) > 0.27 * n && fabs(remainder(atan2(y, x) * 180 / M_PI - angle, 360)) < 15;
      for (int k = 0; inside && k < 25; k++) inside = (double)slice[(j + k / 5 - 2) * n + i + k % 5 - 2] > 0.05;
      if (!inside) continue;
      sum += (double)slice[j * n + i];
      count++;
    }
  return sum / count;
}

/* Opened with its distances and nothing else: a whole turn whose last view repeats the first, the beam intensity of the
 * free part of the border, and a corner that is cut off extended: its flesh is that of the other three, where zeros
 * beyond the edge make it an eighth denser. */
static void bell_pepper(void) {
  static const char *const settings[][2] = {
      {"geometry.sod", "210.66"}, {"geometry.sdd", "553.74"}, {"geometry.pixel_u", "0.8"}, {NULL, NULL}};
  static char folder[4096];
  const char *first = ct_test_data("bell-pepper/bell_pepper_001.tif");
  if (!first) SKIP("shared scan bell-pepper is missing");
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(first, '/') - first), first);
  ct_error *error = NULL;
  bench b;
  CHECK_OK(bench_open(&b, folder, settings, &error));
  CHECK_OK(ct_pipeline_prepare(b.pipeline, &b.plan, NULL, &error));
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  const int n = facts->grid.nx;
  CHECK_NEAR(facts->grid.dx, 0.3043, 0.0001);
  CHECK_NEAR(facts->prep.i0_mean, 2158, 5); /* what the free corners read */
  float *slice = ct_alloc((size_t)n * (size_t)n, sizeof *slice, "slice", &error);
  CHECK_OK(slice);
  for (int z = facts->grid.nz / 2 - 12; z <= facts->grid.nz / 2; z += 6) {
    CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, z, slice, NULL, &error));
    CHECK_NEAR(mean_inside(slice, n, 0.05), 0.0917, 0.03 * 0.0917);
    const double whole = (wall_mean(slice, n, 45) + wall_mean(slice, n, 225) + wall_mean(slice, n, 315)) / 3;
    CHECK_NEAR(wall_mean(slice, n, 135), whole, 0.05 * whole);
  }
  const ct_warning *warning = ct_warnings_find(facts->warnings, CT_WARNING_TRUNCATION);
  CHECK(warning && strstr(warning->text, "both sides"));
  warning = ct_warnings_find(facts->warnings, CT_WARNING_VALUES);
  CHECK(warning && strstr(warning->text, "free part"));
  ct_free(slice);
  bench_close(&b);
}

static void walnut(void) {
  static const char *const settings[][2] = {{"geometry.beam", "fan"},
                                            {"geometry.sod", "110"},
                                            {"geometry.sdd", "300"},
                                            {"geometry.pixel_u", "0.05"},
                                            {"corrections.i0", "border"},
                                            {"corrections.i0_border", "60"},
                                            {"scan.bin", "4"},
                                            {"centre.method", "correlation"},
                                            {NULL, NULL}};
  const char *path = ct_test_data("walnut.h5");
  if (!path) SKIP("shared scan walnut.h5 is missing");
  ct_error *error = NULL;
  bench b;
  CHECK_OK(bench_open(&b, path, settings, &error));
  int n;
  float *slice = middle_slice(&b, &n, &error);
  CHECK_OK(slice);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(b.pipeline);
  CHECK(facts->prep.used_log && !facts->prep.used_flats && n == 574);
  CHECK_NEAR(facts->prep.i0_mean, 2010, 40);
  /* The axis lies about 0.30 mm, 6 columns, off the detector's middle. */
  CHECK_NEAR(fabs(facts->centre_u - 1147.5), 6, 2);
  /* Air outside is nothing, the shell is the densest. */
  double air = 0;
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 12; i++) air += (double)slice[(n / 2 - 6 + j) * n + 14 + i] / 144;
  double low, high;
  ct_percentiles(slice, (size_t)n * (size_t)n, 0.001, 0.999, &low, &high);
  CHECK_BELOW(fabs(air), 0.05 * high);
  CHECK(high > 0.02 && high < 0.2);
  ct_free(slice);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"tooth: centre found, crisp", tooth},
    {"acrylic disc: agrees with the organisers' reconstruction", helsinki_disc},
    {"bell pepper by its distances and nothing else: scale, intensity, flesh", bell_pepper},
    {"walnut: from raw counts without flats", walnut},
};
CT_TEST_MAIN(tests)
