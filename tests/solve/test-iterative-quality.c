/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How good images are: the modified Shepp-Logan phantom from exact line integrals, against its area average within 0.98
 * of the radius; total variation, Haar's transform and shearlets against filtered back-projection where views are few.
 * The values of larger problems: bench iterative. */
#include "tests/solve/iterative-problem.h"
#include "tests/test.h"

#include "recon/solve/pipeline.h"

enum { N = 128, VIEWS = 90, FEW = 24 };

/* The small problem with a detector as wide as the phantom and values of the phantom's own scale. */
static bool quality_init(small_problem *p, int views, ct_error **error) {
  memset(p, 0, sizeof *p);
  if (!ct_geometry_init(&p->geometry, CT_BEAM_PARALLEL, N, 1, views, error)) return false;
  p->geometry.du = p->geometry.dv = 2 * problem_radius / N;
  ct_geometry_set_arc(&p->geometry, 0.5 * M_PI / views, M_PI / views);
  p->grid = ct_grid_centred(N, N, 1, 2 * problem_radius / N, NULL);
  const ct_phantom *phantom = ct_phantom_find("shepp-logan");
  p->truth = ct_volume_new(&p->grid, error);
  if (!p->truth || !ct_phantom_voxelise(phantom, problem_radius, 1, 8, p->truth, NULL, error)) return false;
  p->lines = ct_phantom_project(phantom, problem_radius, 1, &p->geometry, 1, NULL, error);
  p->request = (ct_iterative_request){
      .geometry = &p->geometry, .grid = p->grid, .integrals = p->lines, .reference = p->truth, .threads = 1};
  ct_iterative_options_init(&p->request.options);
  return p->lines != NULL;
}

static double rmse_inside(const small_problem *p, const float *image) {
  const float *truth = ct_volume_get_data(p->truth);
  double sum = 0;
  size_t count = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      if (hypot(p->grid.x0 + i * p->grid.dx, p->grid.y0 + j * p->grid.dy) > 0.98 * problem_radius) continue;
      const double d = (double)image[j * N + i] - (double)truth[j * N + i];
      sum += d * d;
      count++;
    }
  return sqrt(sum / (double)count);
}

/* RMSE after these iterations of one run. */
static bool rmse_at(small_problem *p, ct_method method, const int *iterations, int count, double *rmse,
                    ct_error **error) {
  p->request.options.method = method;
  float *image = ct_alloc(N * N, sizeof *image, "the image", error);
  ct_iterative *run = image ? ct_iterative_new(&p->request, NULL, error) : NULL;
  bool good = run != NULL;
  for (int n = 0; good && n < count; n++) {
    good = ct_iterative_run(run, iterations[n], NULL, NULL, error);
    if (!good) break;
    ct_iterative_read(run, image);
    rmse[n] = rmse_inside(p, image);
  }
  ct_iterative_free(run);
  ct_free(image);
  return good;
}

static void views_enough(void) {
  ct_error *error = NULL;
  small_problem p;
  double rmse[3];
  CHECK_OK(quality_init(&p, VIEWS, &error));
  CHECK_OK(rmse_at(&p, CT_METHOD_SIRT, (const int[]){10, 50, 100}, 3, rmse, &error));
  printf("# SIRT %.4f %.4f %.4f\n", rmse[0], rmse[1], rmse[2]);
  CHECK(rmse[0] < 0.16 && rmse[1] < 0.09 && rmse[2] < 0.07);
  CHECK_OK(rmse_at(&p, CT_METHOD_CGLS, (const int[]){5, 10}, 2, rmse, &error));
  printf("# CGLS %.4f %.4f\n", rmse[0], rmse[1]);
  CHECK(rmse[0] < 0.09 && rmse[1] < 0.07);
  CHECK_OK(rmse_at(&p, CT_METHOD_SART, (const int[]){1, 3}, 2, rmse, &error));
  printf("# SART %.4f %.4f\n", rmse[0], rmse[1]);
  CHECK(rmse[0] < 0.1 && rmse[1] < 0.07);
  problem_clear(&p);
}

static bool direct(const small_problem *p, float *image, ct_error **error) {
  ct_stack *lines = ct_stack_dup(p->lines, error);
  ct_scan *scan = lines ? ct_scan_new_memory(&p->geometry, lines, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, NULL, error) : NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  plan.nx = plan.ny = N;
  plan.nz = 1;
  plan.voxel = p->grid.dx;
  const bool good = pipeline && ct_pipeline_slice(pipeline, &plan, CT_AXIAL, 0, image, NULL, error);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

static void views_few(void) {
  static const ct_method methods[] = {CT_METHOD_FISTA_TV, CT_METHOD_ASD_POCS, CT_METHOD_FISTA_HAAR,
                                      CT_METHOD_FISTA_SHEARLET};
  ct_error *error = NULL;
  small_problem p;
  float *image = ct_alloc(N * N, sizeof *image, "the image", &error);
  CHECK_OK(image && quality_init(&p, FEW, &error));
  CHECK_OK(direct(&p, image, &error));
  const double fbp = rmse_inside(&p, image);
  for (int m = 0; m < 4; m++) {
    double rmse;
    p.request.options.nonnegative = 1;
    CHECK_OK(rmse_at(&p, methods[m], (const int[]){60}, 1, &rmse, &error));
    printf("# FBP %.4f, method %d %.4f\n", fbp, (int)methods[m], rmse);
    CHECK_BELOW(rmse, fbp / 2);
  }
  ct_free(image);
  problem_clear(&p);
}

static const ct_test tests[] = {
    {"SIRT, CGLS and SART come as near as they should", views_enough},
    {"price on total variation, Haar's transform or shearlets halves the error of few views", views_few},
};
CT_TEST_MAIN(tests)
