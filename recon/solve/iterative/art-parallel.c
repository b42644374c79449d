/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parallel ART of Yu et al. 2018, Eq. 9: F += W^T (C * (P - W F)), c_i = relaxation / (M sum_j w_ij^2), W all rays
 * (their global-level blocking) or those of one view (view-level). M is a bound of the spectral radius; see solver.h.
 */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>

/* Products per bound: one view's is near its radius at once, that of all rays within a percent in about this many. */
enum { VIEW_STEPS = 1, GLOBAL_STEPS = 16 };

/* M = l v of the paper; the slices of a stack have a matrix each. */
static double rays_of_slice(const ct_problem *p, int views) {
  const ct_geometry *g = p->geometry;
  return (double)views * g->nu * (p->slices > 1 ? 1 : g->nv);
}

static bool prepare(ct_problem *p, int groups, ct_job *job, ct_error **error) {
  ct_sweep *sweep = p->own = ct_problem_room(p, 1, sizeof *sweep, error);
  if (!sweep || !ct_sweep_make(p, groups, sweep, error) || !(sweep->row = ct_square_weights(p, error))) return false;
  const ct_groups *g = &sweep->groups;
  double *factor = ct_problem_room(p, (size_t)g->count, sizeof *factor, error);
  float *x = sweep->before ? sweep->before : ct_problem_image(p, error);
  if (!factor || !x) return false;
  for (int n = 0; n < g->count; n++) {
    double bound = rays_of_slice(p, g->views[n]);
    const int *blocks = g->count == 1 ? NULL : g->blocks + g->first[n];
    const ct_radius_request request = {.blocks = blocks,
                                       .count = g->first[n + 1] - g->first[n],
                                       .w = sweep->row,
                                       .steps = g->count == 1 ? GLOBAL_STEPS : VIEW_STEPS,
                                       .x = x,
                                       .t = sweep->t,
                                       .y = sweep->y};
    if (p->options.divisor == CT_DIVISOR_RADIUS && !ct_radius_bound(p, &request, &bound, job, error)) return false;
    factor[n] = bound > 0 ? 1 / bound : 0;
  }
  sweep->factor = factor;
  sweep->column = p->mask;
  return true;
}

static bool prepare_global(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, 1, job, error);
}
static bool prepare_views(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, ct_view_groups(p), job, error);
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  return ct_sweep_run(p, p->own, step, job, error);
}

const ct_solver ct_solver_art_global = {
    .names = &ct_method_choices[CT_METHOD_ART_GLOBAL],
    .explanation =
        "ART made parallel: the corrections of all rays are averaged and applied together (Yu et al. 2018, "
        "Eq. 9, global-level "
        "blocking). M, the number of rays there, is a bound of the spectral radius here, and momentum carries "
        "each correction on (Nesterov 1983).",
    .residual = "of the image that the iteration began with; with momentum, of where it is carried",
    .uses = CT_USES_RELAXATION | CT_USES_MOMENTUM | CT_USES_BOUNDS | CT_USES_DIVISOR,
    .needs = CT_NEEDS_ROW_SQUARES,
    .iterations = 50,
    .relaxation = {1e-3, 1.999, 1.9},
    .momentum = true,
    .prepare = prepare_global,
    .iterate = iterate,
};

const ct_solver ct_solver_art_view = {
    .names = &ct_method_choices[CT_METHOD_ART_VIEW],
    .explanation = "ART made parallel: the corrections of one view's rays are averaged and applied together (Yu et al. "
                   "2018, Eq. 9, "
                   "view-level blocking): converges faster than all rays at once.",
    .residual = "gathered, each view's before its correction",
    .uses = CT_USES_RELAXATION | CT_USES_BOUNDS | CT_USES_ORDER | CT_USES_BLOCK | CT_USES_DIVISOR,
    .needs = CT_NEEDS_ROW_SQUARES,
    .iterations = 30,
    .relaxation = {1e-3, 1.999, 0.5},
    .prepare = prepare_views,
    .iterate = iterate,
};
