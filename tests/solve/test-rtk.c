/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole chain against another toolkit's volumes of the same projections (RTK 2.7). RTK turns about y with the
 * source at +z: its (x, y, z) is our (x, z, -y), angles and detector agree. Compared is the cylinder that every view
 * sees whole: beyond it RTK drops samples past the outermost pixel centres, where we let them fade to zero over one
 * pixel. */
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

enum { N = 128 };

static void clear_outside_field(float *volume) {
  for (int q = 0; q < N * N; q++)
    if (hypot(q % N - 0.5 * (N - 1), q / N - 0.5 * (N - 1)) > 61)
      for (int k = 0; k < N; k++) volume[k * N * N + q] = 0;
}

/* How the scan is given: as a cone, by matrices in our frame or in RTK's, or by RTK's geometry file alone. */
typedef enum { AS_CONE, AS_MATRICES, AS_RTK_MATRICES, AS_FILES } form;

/* The same by a matrix for every view; in RTK's frame z is our -y, and y our z. */
static bool take_matrices(ct_geometry *g, bool of_rtk, ct_error **error) {
  ct_geometry m;
  if (!ct_geometry_init(&m, CT_BEAM_FREE, g->nu, g->nv, g->views, error)) return false;
  m.du = g->du;
  m.dv = g->dv;
  for (int view = 0; view < g->views; view++) {
    double *p = m.matrices + 12 * view;
    ct_geometry_matrix(g, view, p);
    for (int row = 0; of_rtk && row < 3; row++) {
      const double y = p[4 * row + 1];
      p[4 * row + 1] = p[4 * row + 2];
      p[4 * row + 2] = -y;
    }
  }
  ct_geometry_clear(g);
  *g = m;
  return true;
}

static ct_scan *open_projections(const char *name, double step_deg, form as, ct_error **error) {
  const char *path = ct_test_data(name);
  if (as == AS_FILES) return path ? ct_scan_open(path, NULL, error) : NULL;
  ct_volume *volume = path ? ct_volume_read(path, NULL, error) : NULL;
  if (!volume) return NULL;
  const ct_grid *grid = ct_volume_grid(volume);
  ct_geometry g;
  ct_stack *stack = NULL;
  if (ct_geometry_init(&g, CT_BEAM_CONE, grid->nx, grid->ny, grid->nz, error) &&
      (stack = ct_stack_new(g.nu, g.nv, g.views, error))) {
    memcpy(ct_stack_data(stack), ct_volume_get_data(volume), ct_stack_bytes(stack));
    g.sod = 1000;
    g.sdd = 1536;
    g.du = g.dv = 3.2;
    ct_geometry_set_arc(&g, 0, step_deg * M_PI / 180);
  }
  ct_volume_free(volume);
  if (stack && as != AS_CONE && !take_matrices(&g, as == AS_RTK_MATRICES, error)) {
    ct_stack_free(stack);
    stack = NULL;
  }
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, name, error) : NULL;
  ct_geometry_clear(&g);
  return scan;
}

/* From RTK's frame into ours. */
static void turn(const float *from, float *to) {
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) to[(k * N + j) * N + i] = from[((N - 1 - j) * N + k) * N + i];
}

/* Reconstructs `projections` on RTK's grid and compares it with RTK's volume turned into our frame. */
static bool compare(const char *projections, const char *reference, form as, ct_metrics *m, double *centre,
                    ct_error **error) {
  ct_scan *scan = open_projections(projections, 2, as, error);
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, NULL, error) : NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  plan.nx = plan.ny = plan.nz = N;
  plan.voxel = 2;
  ct_volume *ours = pipeline ? ct_pipeline_volume(pipeline, &plan, NULL, NULL, error) : NULL;
  ct_volume *theirs = ours ? ct_volume_read(ct_test_data(reference), NULL, error) : NULL;
  float *turned = theirs ? ct_alloc((size_t)N * N * N, sizeof *turned, "volume", error) : NULL;
  bool good = turned != NULL;
  if (good) {
    turn(ct_volume_get_data(theirs), turned);
    if (as == AS_RTK_MATRICES) {
      turn(ct_volume_get_data(ours), ct_volume_data(theirs));
      memcpy(ct_volume_data(ours), ct_volume_get_data(theirs), ct_volume_bytes(ours));
    }
    clear_outside_field(turned);
    clear_outside_field(ct_volume_data(ours));
    good =
        ct_compare(&(ct_comparison){.a = ct_volume_get_data(ours), .b = turned, .nx = N, .ny = N, .nz = N, .peak = NAN},
                   m, NULL, error);
    const float *data = ct_volume_get_data(ours);
    *centre = 0;
    for (int k = -1; k <= 1; k++)
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) *centre += (double)data[((N / 2 + k) * N + N / 2 + j) * N + N / 2 + i] / 27;
  }
  ct_free(turned);
  ct_volume_free(theirs);
  ct_volume_free(ours);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

static void full_circle(void) {
  if (!ct_test_data("rtk/A_fdk.mha")) SKIP("shared data set rtk is missing");
  ct_error *error = NULL;
  ct_metrics m;
  double centre;
  CHECK_OK(compare("rtk/A_projections.mha", "rtk/A_fdk.mha", AS_CONE, &m, &centre, &error));
  CHECK_BELOW(m.relative_rmse, 1e-6);
  CHECK_BELOW(m.max_abs, 5e-6);
  CHECK_NEAR(m.slope, 1, 1e-6);
  CHECK_NEAR(centre, 1.02, 0.002);
}

static void short_scan(void) {
  if (!ct_test_data("rtk/B_shortscan_fdk.mha")) SKIP("shared data set rtk is missing");
  ct_error *error = NULL;
  ct_metrics m;
  double centre;
  CHECK_OK(compare("rtk/B_shortscan_projections.mha", "rtk/B_shortscan_fdk.mha", AS_CONE, &m, &centre, &error));
  CHECK_BELOW(m.relative_rmse, 1e-6);
  CHECK_NEAR(m.slope, 1, 1e-6);
}

static void by_matrices(void) {
  if (!ct_test_data("rtk/A_fdk.mha")) SKIP("shared data set rtk is missing");
  for (form as = AS_MATRICES; as <= AS_RTK_MATRICES; as++) {
    ct_error *error = NULL;
    ct_metrics m;
    double centre;
    CHECK_OK(compare("rtk/A_projections.mha", "rtk/A_fdk.mha", as, &m, &centre, &error));
    CHECK_BELOW(m.relative_rmse, 1e-5);
    CHECK_NEAR(m.slope, 1, 1e-5);
    CHECK_OK(compare("rtk/B_shortscan_projections.mha", "rtk/B_shortscan_fdk.mha", as, &m, &centre, &error));
    CHECK_BELOW(m.relative_rmse, 1e-5);
    CHECK_NEAR(m.slope, 1, 1e-5);
  }
}

/* Geometry and projections find each other by their names: either is opened. */
static void by_names(void) {
  static const struct {
    const char *scan, *reference;
  } sets[] = {{"rtk/A_projections.mha", "rtk/A_fdk.mha"},
              {"rtk/A_geometry.xml", "rtk/A_fdk.mha"},
              {"rtk/B_shortscan_projections.mha", "rtk/B_shortscan_fdk.mha"},
              {"rtk/B_shortscan_geometry.xml", "rtk/B_shortscan_fdk.mha"}};
  if (!ct_test_data("rtk/A_fdk.mha")) SKIP("shared data set rtk is missing");
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    ct_error *error = NULL;
    ct_metrics m;
    double centre;
    CHECK_OK(compare(sets[i].scan, sets[i].reference, AS_FILES, &m, &centre, &error));
    CHECK_BELOW(m.relative_rmse, 1e-6);
    CHECK_NEAR(m.slope, 1, 1e-6);
  }
}

static const ct_test tests[] = {
    {"projections with RTK's geometry file beside them", by_names},
    {"both, given as matrices, the axis along z and along y, are RTK's", by_matrices},
    {"FDK over the full circle is RTK's", full_circle},
    {"FDK of a short scan with Parker weights is RTK's", short_scan},
};
CT_TEST_MAIN(tests)
