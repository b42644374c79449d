/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute values: the mid-plane of simulated Shepp-Logan scans against the phantom, for every beam and for short
 * scans. Away from edges (3 voxels) the RMSE stays below 0.02 of the skull-to-air range, and the mean inside every
 * ellipse within 1 %. */
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/pipeline.h"

enum { N = 256, MARGIN = 3 };

/* Truth on the plane and 3 voxels to both sides: [2 * MARGIN + 1][N][N]. */
static ct_volume *truth_about(const ct_phantom *phantom, const ct_grid *plane) {
  ct_grid thick = *plane;
  thick.nz = 2 * MARGIN + 1;
  thick.z0 -= MARGIN * thick.dz;
  ct_volume *truth = ct_volume_new(&thick, NULL);
  if (truth && ct_phantom_voxelise(phantom, sim_radius, sim_mu, 4, truth, NULL, NULL)) return truth;
  ct_volume_free(truth);
  return NULL;
}

static bool near_edge(const float *truth, int i, int j) {
  const float middle = truth[(MARGIN * N + j) * N + i];
  for (int k = 0; k <= 2 * MARGIN; k++)
    for (int y = j - MARGIN; y <= j + MARGIN; y++)
      for (int x = i - MARGIN; x <= i + MARGIN; x++)
        if (x < 0 || y < 0 || x >= N || y >= N || fabsf(truth[(k * N + y) * N + x] - middle) > 1e-7f) return true;
  return false;
}

static bool inside(const ct_shape *shape, const ct_grid *g, int i, int j) {
  const double x = (g->x0 + i * g->dx) / sim_radius - shape->centre[0],
               y = (g->y0 + j * g->dy) / sim_radius - shape->centre[1];
  const double z = g->z0 / sim_radius - shape->centre[2];
  const double c = cos(shape->phi), s = sin(shape->phi);
  const double a = (c * x + s * y) / shape->half[0], b = (c * y - s * x) / shape->half[1];
  const double d = isinf(shape->half[2]) ? 0 : z / shape->half[2];
  return a * a + b * b + d * d < 1;
}

/* Reconstructs the mid-plane and holds it against the truth; an empty text when all bounds hold. */
static void judge(const simulation *s, char *fault, size_t size) {
  ct_error *error = NULL;
  const ct_phantom *phantom = ct_phantom_find(s->phantom);
  ct_scan *scan = sim_scan(s, &error);
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, NULL, &error) : NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  plan.nx = N;
  plan.nz = 1;
  float *slice = ct_alloc(N * N, sizeof *slice, "slice", &error);
  const bool done = pipeline && ct_pipeline_slice(pipeline, &plan, CT_AXIAL, 0, slice, NULL, &error);
  snprintf(fault, size, "%s", done ? "" : error ? error->message : "failed");
  if (done) {
    const ct_grid grid = ct_pipeline_get_facts(pipeline)->grid;
    ct_volume *volume = truth_about(phantom, &grid);
    const float *truth = ct_volume_get_data(volume);
    double sum = 0;
    size_t count = 0, judged = 0;
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++)
        if (inside(&phantom->shapes[0], &grid, i, j) && !near_edge(truth, i, j)) {
          const double d = (double)slice[j * N + i] - (double)truth[(MARGIN * N + j) * N + i];
          sum += d * d;
          count++;
        }
    const double range = sim_mu * phantom->shapes[0].density, rmse = sqrt(sum / (double)count);
    if (!(count > 10000) || !(rmse < 0.02 * range))
      snprintf(fault, size, "RMSE %.5f of the range over %zu voxels", rmse / range, count);
    for (size_t e = 0; e < phantom->count; e++) {
      double got = 0, want = 0;
      size_t n = 0;
      for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
          if (inside(&phantom->shapes[e], &grid, i, j) && !near_edge(truth, i, j)) {
            got += (double)slice[j * N + i];
            want += (double)truth[(MARGIN * N + j) * N + i];
            n++;
          }
      if (!n) continue;
      judged++;
      /* The modified phantom's ventricles hold nothing: there 1 % of the range is meant. */
      const double truth_mean = want / (double)n, bound = 0.01 * (fabs(truth_mean) > 1e-9 ? fabs(truth_mean) : range);
      if (!(fabs(got / (double)n - truth_mean) < bound))
        snprintf(fault, size, "ellipse %zu: mean %.6f, not %.6f (%zu voxels)", e, got / (double)n, truth_mean, n);
    }
    if (judged < 3) snprintf(fault, size, "only %zu ellipses have voxels away from edges", judged);
    ct_volume_free(volume);
  }
  ct_error_clear(&error);
  ct_free(slice);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
}

#define JUDGE(...)                                                                                                     \
  do {                                                                                                                 \
    const simulation s = {__VA_ARGS__};                                                                                \
    char fault[400];                                                                                                   \
    judge(&s, fault, sizeof fault);                                                                                    \
    if (*fault) CT_TEST_END(1, "%s", fault);                                                                           \
  } while (0)

static void parallel(void) {
  JUDGE(CT_BEAM_PARALLEL, N, 1, 360, 180, 0, "shepp-logan");
}
static void parallel_full_circle(void) {
  JUDGE(CT_BEAM_PARALLEL, N, 1, 720, 360, 0, "shepp-logan");
}
static void parallel_off_centre(void) {
  JUDGE(CT_BEAM_PARALLEL, N, 1, 360, 180, 5.3, "shepp-logan");
}
static void fan(void) {
  JUDGE(CT_BEAM_FAN, N, 1, 360, 360, 0, "shepp-logan");
}
static void fan_off_centre(void) {
  JUDGE(CT_BEAM_FAN, N, 1, 360, 360, -4.7, "shepp-logan");
}
static void cone(void) {
  JUDGE(CT_BEAM_CONE, N, 9, 360, 360, 0, "shepp-logan-3d");
}
static void fan_short(void) {
  JUDGE(CT_BEAM_FAN, N, 1, 360, 220, 0, "shepp-logan");
}
static void cone_short(void) {
  JUDGE(CT_BEAM_CONE, N, 9, 360, 220, 0, "shepp-logan-3d");
}
static void cone_short_off_centre(void) {
  JUDGE(CT_BEAM_CONE, N, 9, 360, 220, 3.2, "shepp-logan-3d");
}

static const ct_test tests[] = {
    {"parallel beam, 180 degrees", parallel},
    {"parallel beam, 360 degrees", parallel_full_circle},
    {"parallel beam, axis off the detector's middle", parallel_off_centre},
    {"fan beam, 360 degrees", fan},
    {"fan beam, axis off the detector's middle", fan_off_centre},
    {"cone beam, 360 degrees", cone},
    {"fan beam, short scan of 220 degrees", fan_short},
    {"cone beam, short scan of 220 degrees", cone_short},
    {"cone beam, short scan, axis off the detector's middle", cone_short_off_centre},
};
CT_TEST_MAIN(tests)
