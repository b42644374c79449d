/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: what pictures are like (Table 2 and Fig. 15 of Yu et al. 2018), and the quality that few iterations
 * or few views give. */
#include "app/bench/iterative-private.h"

#include "app/json.h"
#include "recon/base/text-stream.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan_of_run {
  ct_method method;
  int iterations;
} plan_of_run;

/* The values along y = 0 of the phantom and of both pictures. */
static bool write_profile(const char *path, const iter_case *c, float *const pictures[2], ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = ct_text_stream(&text, &size);
  if (!file) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the profile.");
  const ct_grid *g = &c->grid;
  const size_t row = (size_t)(g->ny / 2) * (size_t)g->nx;
  fputs("x_mm,phantom,art_global,art_view\n", file);
  for (size_t i = 0; i < (size_t)g->nx; i++)
    fprintf(file, "%.6g,%.7g,%.7g,%.7g\n", g->x0 + (double)i * g->dx, (double)ct_volume_get_data(c->truth)[row + i],
            (double)pictures[0][row + i], (double)pictures[1][row + i]);
  const bool good = fclose(file) == 0 && ct_output_write_text(path, text, error);
  free(text);
  return good;
}

static bool make_picture(bench *b, const iter_case *c, plan_of_run plan, float *picture, ct_error **error) {
  bench_say(b, "%s: %s", c->problem.name, iter_method_id(plan.method));
  ct_iterative *run = iter_start(b, c, &(iter_run){plan.method, .nonnegative = true}, error);
  bool good = run && ct_iterative_run(run, plan.iterations, NULL, b->job, error);
  if (good) {
    ct_metrics m;
    size_t count;
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    double seconds = 0;
    for (size_t i = 0; i < count; i++) seconds += curve[i].seconds / (double)count;
    ct_iterative_read(run, picture);
    good = ct_compare(
        &(ct_comparison){
            .a = picture, .b = ct_volume_get_data(c->truth), .nx = c->grid.nx, .ny = c->grid.ny, .nz = 1, .peak = NAN},
        &m, NULL, error);
    if (good)
      iter_add_row(b, "pictures",
                   json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f}", "problem", c->problem.name, "method",
                             iter_method_id(plan.method), "projector", ct_iterative_get_projector(run)->id, "iteration",
                             (int)count, "rmse", m.rmse, "relative_rmse", m.relative_rmse, "ssim", m.ssim, "seconds",
                             seconds));
  }
  ct_iterative_free(run);
  return good;
}

static const iter_problem pictured = {"fan-1024-720", "fan", 1024, 1, 1024, 720, CT_MODEL_AREA, 360, 0};

static bool run_pictures(bench *b, ct_error **error) {
  static const plan_of_run runs[] = {{CT_METHOD_ART_GLOBAL, 50}, {CT_METHOD_ART_VIEW, 30}};
  iter_case c;
  float *pictures[2] = {NULL, NULL};
  if (!iter_open(b, &pictured, &c, error)) return false;
  bool good = iter_project(b, &c, error);
  for (int i = 0; good && i < 2; i++)
    good = (pictures[i] = ct_alloc(ct_grid_voxels(&c.grid), sizeof(float), "a picture", error)) &&
           make_picture(b, &c, runs[i], pictures[i], error);
  if (good && b->options.profile) good = write_profile(b->options.profile, &c, pictures, error);
  ct_free(pictures[0]);
  ct_free(pictures[1]);
  iter_close(&c);
  return good;
}

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

const iter_part iter_pictures = {"pictures", &pictured, 1, run_pictures};
const iter_part iter_quality = {"quality", judged, QUALITIES, run_quality};
