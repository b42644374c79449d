/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: how ART and its parallel forms converge (Fig. 13 of Yu et al. 2018), as they come (convergence) and
 * at the paper's pace (pace): one RMSE after 15 iterations ray by ray, 30 view by view, 50 of all rays at once. */
#include "app/bench/iterative-private.h"

#include "app/json.h"
#include "recon/solve/iterative/solver.h"

#include <math.h>

/* Fall of the RMSE in one iteration below which a run counts as converged. */
static const double settled = 0.01;

typedef struct pace {
  const char *set; /* "own", "Eq. 9", "paper" */
  ct_method method;
  int iterations;
  ct_momentum momentum;
  bool nonnegative;
  double relaxation; /* 0: the method's own */
  int block;         /* views at a time; 0: one */
} pace;

static ct_iterative *run_pace(bench *b, const iter_case *c, const pace *asked, ct_error **error) {
  bench_say(b, "%s: %s, %s", c->problem.name, iter_method_id(asked->method), asked->set);
  ct_iterative *run = iter_start(b, c,
                                 &(iter_run){.method = asked->method,
                                             .compared = true,
                                             .nonnegative = asked->nonnegative,
                                             .relaxation = asked->relaxation,
                                             .momentum = asked->momentum,
                                             .block = asked->block},
                                 error);
  if (!run || ct_iterative_run(run, asked->iterations, NULL, b->job, error)) return run;
  ct_iterative_free(run);
  return NULL;
}

static bool has_momentum(const pace *asked) {
  ct_iterative_options options;
  ct_iterative_options_init(&options);
  options.momentum = (int)asked->momentum;
  if (asked->relaxation > 0) options.relaxation = asked->relaxation;
  return ct_solver_has_momentum(ct_solver_find(asked->method), &options);
}

static json_t *describe(const iter_case *c, const pace *asked, const ct_iterative *run) {
  return json_pack("{s:s, s:s, s:s, s:s, s:b, s:f, s:s}", "problem", c->problem.name, "set", asked->set, "values",
                   asked->nonnegative ? "not negative" : "free", "method", iter_method_id(asked->method), "momentum",
                   has_momentum(asked), "relaxation", ct_iterative_get_relaxation(run), "projector",
                   ct_iterative_get_projector(run)->id);
}

static void add_curve(bench *b, const char *part, const iter_case *c, const pace *asked, const ct_iterative *run) {
  size_t count;
  const ct_iteration *curve = ct_iterative_get_curve(run, &count);
  for (size_t i = 0; i < count; i++) {
    json_t *row = describe(c, asked, run);
    json_object_update_new(row, json_pack("{s:i, s:f, s:f, s:f, s:o, s:f}", "iteration", curve[i].index, "rmse",
                                          curve[i].rmse, "relative_rmse", curve[i].relative_rmse, "residual",
                                          curve[i].residual, "ssim", gantry_json_real(curve[i].ssim), "seconds",
                                          curve[i].seconds));
    iter_add_row(b, part, row);
  }
}

static double last_rmse(const ct_iterative *run) {
  size_t count;
  const ct_iteration *curve = ct_iterative_get_curve(run, &count);
  return curve[count - 1].rmse;
}

/* A curve, and its end in *last (may be NULL). What cannot run here is said and left out. */
static bool follow(bench *b, const char *part, const iter_case *c, const pace *asked, double *last, ct_error **error) {
  ct_error *fault = NULL;
  ct_iterative *run = run_pace(b, c, asked, &fault);
  if (!run) return iter_skip(b, c->problem.name, iter_method_id(asked->method), &fault, error);
  if (last) *last = last_rmse(run);
  add_curve(b, part, c, asked, run);
  ct_iterative_free(run);
  return true;
}

/* The run that ends at the RMSE `target`, by its relaxation: secants of the logarithms, as slow corrections go by the
 * product of relaxation and iterations. */
static ct_iterative *find_pace(bench *b, const iter_case *c, pace *asked, double target, ct_error **error) {
  enum { TRIALS = 8 };
  const ct_solver_range *range = &ct_solver_find(asked->method)->relaxation;
  double before = 0, off_before = 0;
  asked->relaxation = 0.02;
  for (int trial = 0;; trial++) {
    ct_iterative *run = run_pace(b, c, asked, error);
    if (!run) return NULL;
    const double now = asked->relaxation, off = log(last_rmse(run) / target);
    if (fabs(off) < settled || trial == TRIALS) return run;
    ct_iterative_free(run);
    const double slope = before > 0 && before != now ? (off - off_before) / log(now / before) : -1;
    const double step = fmin(fmax(-off / fmin(slope, -0.1), -1.5), 1.5);
    before = now;
    off_before = off;
    asked->relaxation = fmin(fmax(now * exp(step), range->low), range->high);
  }
}

/* The set at the paper's pace: what all rays at once have after 50 iterations, the others have after 30 and 15. */
static bool follow_paper(bench *b, const iter_case *c, ct_error **error) {
  const pace global = {"paper", CT_METHOD_ART_GLOBAL, 50, CT_MOMENTUM_AUTO, true, 0, 0};
  pace others[] = {{"paper", CT_METHOD_ART_VIEW, 30, CT_MOMENTUM_AUTO, true, 0, 0},
                   {"paper", CT_METHOD_ART, 15, CT_MOMENTUM_AUTO, true, 0, 0}};
  double target = NAN;
  if (!follow(b, "pace", c, &global, &target, error)) return false;
  for (int i = 0; i < 2 && !isnan(target); i++) {
    ct_error *fault = NULL;
    ct_iterative *run = find_pace(b, c, &others[i], target, &fault);
    if (run)
      add_curve(b, "pace", c, &others[i], run);
    else if (!iter_skip(b, c->problem.name, iter_method_id(others[i].method), &fault, error))
      return false;
    ct_iterative_free(run);
  }
  return true;
}

static const iter_problem problem = {"fan-512-720", "fan", 512, 1, 1024, 720, CT_MODEL_AREA, 360, 0};

static bool follow_own(bench *b, const iter_case *c, bool nonnegative, ct_error **error) {
  /* View by view as the paper has it, and so many views at a time that the orbit matrix serves. */
  const pace runs[] = {{"own", CT_METHOD_ART_VIEW, 60, CT_MOMENTUM_AUTO, nonnegative, 0, 0},
                       {"own, 8 views", CT_METHOD_ART_VIEW, 60, CT_MOMENTUM_AUTO, nonnegative, 0, 8},
                       {"own", CT_METHOD_ART_GLOBAL, 100, CT_MOMENTUM_AUTO, nonnegative, 0, 0},
                       {"Eq. 9", CT_METHOD_ART_GLOBAL, 100, CT_MOMENTUM_NO, nonnegative, 0, 0},
                       {"own", CT_METHOD_ART, 30, CT_MOMENTUM_AUTO, nonnegative, 0, 0}};
  enum { RUNS = sizeof runs / sizeof *runs };
  bool good = true;
  for (int i = 0; good && i < RUNS; i++) good = follow(b, "convergence", c, &runs[i], NULL, error);
  return good;
}

static bool run_convergence(bench *b, ct_error **error) {
  iter_case c;
  if (!iter_open(b, &problem, &c, error)) return false;
  const bool good = iter_project(b, &c, error) && follow_own(b, &c, true, error) && follow_own(b, &c, false, error);
  iter_close(&c);
  return good;
}

static bool run_pace_of_paper(bench *b, ct_error **error) {
  iter_case c;
  if (!iter_open(b, &problem, &c, error)) return false;
  const bool good = iter_project(b, &c, error) && follow_paper(b, &c, error);
  iter_close(&c);
  return good;
}

const iter_part iter_convergence = {"convergence", &problem, 1, run_convergence};
const iter_part iter_pace = {"pace", &problem, 1, run_pace_of_paper};
