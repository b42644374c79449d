/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIRT, SART and OS-SART: x += relaxation C A^T R (b - A x), R and C the inverse sums of A's rows and columns, over all
 * rays, view by view, or by subsets of views. They differ in the groups alone. */
#include "recon/solve/iterative/solver-private.h"

static bool prepare(ct_problem *p, int groups, ct_job *job, ct_error **error) {
  ct_sweep *sweep = p->own = ct_problem_room(p, 1, sizeof *sweep, error);
  return sweep && ct_sweep_make(p, groups, sweep, error) && ct_sweep_columns(p, sweep, job, error) &&
         (sweep->row = ct_row_weights(p, error));
}

static bool prepare_sirt(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, 1, job, error);
}
static bool prepare_sart(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, ct_view_groups(p), job, error);
}
static bool prepare_subsets(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, p->options.subsets, job, error);
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  return ct_sweep_run(p, p->own, step, job, error);
}

const ct_solver ct_solver_sirt = {
    .names = &ct_method_choices[CT_METHOD_SIRT],
    .explanation = "All rays correct the image together, weighted by the sums of rows and columns: slow, smooth and "
                   "forgiving of noise "
                   "(Gilbert 1972, in the weighting of Gregor & Benson 2008).",
    .residual = "of the image that the iteration began with; with momentum, of where it is carried",
    .uses = CT_USES_RELAXATION | CT_USES_MOMENTUM | CT_USES_BOUNDS,
    .iterations = 100,
    .relaxation = {1e-3, 1.999, 1},
    .prepare = prepare_sirt,
    .iterate = iterate,
    .keep = ct_sweep_keep,
};

const ct_solver ct_solver_sart = {
    .names = &ct_method_choices[CT_METHOD_SART],
    .explanation =
        "One view after the other corrects the image: sharp after few sweeps; a smaller relaxation holds noise down "
        "(Andersen & Kak 1984).",
    .residual = "gathered, each view's before its correction",
    .uses = CT_USES_RELAXATION | CT_USES_BOUNDS | CT_USES_ORDER | CT_USES_BLOCK,
    .iterations = 10,
    .relaxation = {1e-3, 1.999, 0.5},
    .prepare = prepare_sart,
    .iterate = iterate,
    .keep = ct_sweep_keep,
};

const ct_solver ct_solver_os_sart = {
    .names = &ct_method_choices[CT_METHOD_OS_SART],
    .explanation = "Between SIRT (one subset) and SART (every view one): subsets of views spread over the arc correct "
                   "the image one after the "
                   "other (Wang & Jiang 2004).",
    .residual = "gathered, each subset's before its correction",
    .uses = CT_USES_RELAXATION | CT_USES_BOUNDS | CT_USES_ORDER | CT_USES_SUBSETS,
    .iterations = 10,
    .relaxation = {1e-3, 1.999, 1},
    .prepare = prepare_subsets,
    .iterate = iterate,
    .keep = ct_sweep_keep,
};
