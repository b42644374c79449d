/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: what an unmatched pair does to methods that forgive it, iteration by iteration beside the matched
 * one, on line integrals of the voxels. */
#include "app/bench/iterative-private.h"

#include "app/json.h"

static bool compare_pairs(bench *b, const iter_case *c, ct_method method, bool unmatched, ct_error **error) {
  /* One correction in an iteration, or one for each view or subset. */
  static const int single[] = {10, 50, 100, 200}, several[] = {2, 5, 10, 50};
  const int *stops = method == CT_METHOD_SIRT || method == CT_METHOD_MLEM ? single : several;
  ct_error *fault = NULL;
  bench_say(b, "%s: %s, %s", c->problem.name, iter_method_id(method), unmatched ? "unmatched" : "matched");
  ct_iterative *run = iter_start(b, c, &(iter_run){.method = method, .unmatched = unmatched, .compared = true}, &fault);
  for (int i = 0; run && i < 4; i++) {
    size_t count;
    if (!ct_iterative_run(run, stops[i], NULL, b->job, &fault)) break;
    const ct_iteration *now = ct_iterative_get_curve(run, &count) + stops[i] - 1;
    const ct_projector *projector = ct_iterative_get_projector(run);
    iter_add_row(b, "pairs",
                 json_pack("{s:s, s:s, s:s, s:b, s:i, s:f, s:f, s:f}", "problem", c->problem.name, "method",
                           iter_method_id(method), "projector", projector->id, "matched", projector->matched,
                           "iteration", now->index, "rmse", now->rmse, "residual", now->residual, "seconds",
                           now->seconds));
  }
  ct_iterative_free(run);
  return !fault || iter_skip(b, c->problem.name, iter_method_id(method), &fault, error);
}

/* cone-64x32: its detector rows are twice as coarse as the volume's slices. */
static const iter_problem problems[] = {{"cone-64", "cone", 64, 64, 64, 120, CT_MODEL_JOSEPH, 360, 0.5},
                                        {"cone-64x32", "cone", 64, 64, 32, 120, CT_MODEL_JOSEPH, 360, 0.5},
                                        {"cone-128", "cone", 128, 128, 128, 120, CT_MODEL_JOSEPH, 360, 0.5}};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static bool run(bench *b, ct_error **error) {
  static const ct_method methods[] = {CT_METHOD_SIRT, CT_METHOD_OS_SART, CT_METHOD_SART, CT_METHOD_MLEM};
  for (int p = 0; p < PROBLEMS; p++) {
    iter_case c;
    if (!iter_chosen(b, problems + p)) continue;
    if (!iter_open(b, &problems[p], &c, error)) return false;
    bool good = iter_project(b, &c, error);
    for (int m = 0; good && m < 4; m++)
      good = compare_pairs(b, &c, methods[m], false, error) && compare_pairs(b, &c, methods[m], true, error);
    iter_close(&c);
    if (!good) return false;
  }
  return true;
}

const iter_part iter_pairs = {"pairs", problems, PROBLEMS, run};
