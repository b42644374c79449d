/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: the quality that few iterations or few views give. */
#include "app/bench/iterative-private.h"

#include "app/json.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

#include <math.h>

static void add_quality(bench *b, const iter_case *c, const char *data, const char *method, int iterations, double rmse,
                        double relative, double ssim) {
  iter_add_row(b, "quality",
               json_pack("{s:s, s:i, s:s, s:s, s:i, s:f, s:f, s:o}", "problem", c->problem.name, "views",
                         c->problem.views, "lines", data, "method", method, "iteration", iterations, "rmse", rmse,
                         "relative_rmse", relative, "ssim", gantry_json_real(ssim)));
}

static bool judge(bench *b, const iter_case *c, const char *data, ct_method method, const int *stops,
                  ct_error **error) {
  bench_say(b, "%s: %s", c->problem.name, iter_method_id(method));
  ct_iterative *run = iter_start(b, c, &(iter_run){method, .compared = true}, error);
  bool good = run != NULL;
  for (int i = 0; good && stops[i]; i++) {
    size_t count;
    good = ct_iterative_run(run, stops[i], NULL, b->job, error);
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    if (good)
      add_quality(b, c, data, iter_method_id(method), (int)count, curve[count - 1].rmse, curve[count - 1].relative_rmse,
                  curve[count - 1].ssim);
  }
  ct_iterative_free(run);
  return good;
}

/* The direct reconstruction of the same line integrals. */
static bool judge_direct(bench *b, const iter_case *c, const char *data, ct_error **error) {
  ct_stack *copy = ct_stack_dup(c->integrals, error);
  ct_scan *scan = copy ? ct_scan_new_memory(&c->geometry, copy, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, &b->backend, error) : NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  plan.nx = plan.ny = c->grid.nx;
  plan.voxel = c->grid.dx;
  plan.centre_method = CT_CENTRE_SCAN;
  plan.threads = b->options.threads;
  ct_volume *volume = pipeline ? ct_pipeline_volume(pipeline, &plan, NULL, b->job, error) : NULL;
  ct_metrics m;
  const bool good = volume && ct_compare(&(ct_comparison){.a = ct_volume_get_data(volume),
                                                          .b = ct_volume_get_data(c->truth),
                                                          .nx = c->grid.nx,
                                                          .ny = c->grid.ny,
                                                          .nz = 1,
                                                          .peak = NAN},
                                         &m, NULL, error);
  if (good) add_quality(b, c, data, "fbp", 0, m.rmse, m.relative_rmse, m.ssim);
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

enum { DENSE, SPARSE, QUALITIES };
static const iter_problem judged[QUALITIES] = {
    {"parallel-512-180", "parallel", 512, 1, 512, 180, CT_MODEL_JOSEPH, 180, 0},
    {"parallel-512-45", "parallel", 512, 1, 512, 45, CT_MODEL_JOSEPH, 180, 0}};

static bool judge_all(bench *b, const iter_case *c, const char *data, bool sparse, ct_error **error) {
  static const int sirt[] = {10, 50, 100, 0}, cgls[] = {10, 20, 0}, sart[] = {5, 10, 0}, tv[] = {50, 200, 0};
  if (!judge_direct(b, c, data, error)) return false;
  if (!sparse) return judge(b, c, data, CT_METHOD_SIRT, sirt, error) && judge(b, c, data, CT_METHOD_CGLS, cgls, error);
  return judge(b, c, data, CT_METHOD_SART, sart, error) && judge(b, c, data, CT_METHOD_FISTA_TV, tv, error) &&
         judge(b, c, data, CT_METHOD_FISTA_HAAR, tv, error) && judge(b, c, data, CT_METHOD_FISTA_SHEARLET, tv, error) &&
         judge(b, c, data, CT_METHOD_ASD_POCS, tv, error);
}

static bool run_quality(bench *b, ct_error **error) {
  for (int exact = 0; exact < 2; exact++)
    for (int n = 0; n < QUALITIES; n++) {
      iter_case c;
      if (!iter_chosen(b, judged + n)) continue;
      if (!iter_open(b, judged + n, &c, error)) return false;
      const bool good = (exact ? iter_project_exactly(b, &c, error) : iter_project(b, &c, error)) &&
                        judge_all(b, &c, exact ? "exact" : "of the voxels", n == SPARSE, error);
      iter_close(&c);
      if (!good) return false;
    }
  return true;
}

const iter_part iter_quality = {"quality", judged, QUALITIES, run_quality};
