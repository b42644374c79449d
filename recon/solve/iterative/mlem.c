/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MLEM: x *= A^T (b / A x) / A^T 1, the likeliest image where line integrals are counts (Shepp & Vardi 1982, Lange &
 * Carson 1984), written x += x C A^T (b / A x - 1). OSEM: the same by subsets of views (Hudson & Larkin 1994), with C
 * from the largest sum that a subset gives a voxel, as RAMLA (Browne & De Pierro 1996): values stay positive and
 * consistent data are a fixed point also where subsets are not balanced. */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>

/* A voxel at 0 stays there: a start is lifted to this part of the mean image. */
#define LEAST 1e-2

/* Rays whose voxels are all 0 would be left out for ever, and a start of 0 altogether. */
static bool make_positive(ct_problem *p, ct_sweep *sweep, ct_error **error) {
  if (!ct_forward(p, p->mask, sweep->y, error)) return false;
  double data = 0, paths = 0;
  for (size_t n = 0; n < p->shape.rays; n++) {
    const double share = p->ray_share ? (double)p->ray_share[n] : 1;
    p->b[n] = fmaxf(p->b[n], 0);
    data += share * (double)p->b[n];
    paths += share * (double)sweep->y[n];
  }
  if (!(data > 0 && paths > 0))
    return ct_error_set(error, CT_ERROR_DATA, "%s needs line integrals above 0: there are none.", p->solver->title);
  const float mean = (float)(data / paths);
  float largest = 0;
  for (size_t n = 0; n < p->shape.image; n++) largest = fmaxf(largest, p->x[n]);
  for (size_t n = 0; n < p->shape.image; n++)
    if (p->mask[n] > 0) p->x[n] = largest > 0 ? fmaxf(p->x[n], (float)LEAST * mean) : mean;
  return true;
}

static bool prepare(ct_problem *p, int groups, ct_job *job, ct_error **error) {
  ct_sweep *sweep = p->own = ct_problem_room(p, 1, sizeof *sweep, error);
  if (!sweep || !ct_sweep_make(p, groups, sweep, error) || !ct_sweep_columns(p, sweep, job, error)) return false;
  sweep->ratio = true;
  sweep->relaxation = 1;
  p->low = 0;
  return make_positive(p, sweep, error);
}

static bool prepare_all(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, 1, job, error);
}
static bool prepare_subsets(ct_problem *p, ct_job *job, ct_error **error) {
  return prepare(p, p->options.subsets, job, error);
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  return ct_sweep_run(p, p->own, step, job, error);
}

const ct_solver ct_solver_mlem = {
    .method = CT_METHOD_MLEM,
    .id = "mlem",
    .title = "MLEM",
    .explanation = "Multiplies the image by what the quotients of measured and computed line integrals carry back: "
                   "values stay positive, "
                   "dark regions settle slowly (Shepp & Vardi 1982).",
    .residual = "of the image that the iteration began with",
    .uses = CT_USES_BOUNDS,
    .needs = CT_NEEDS_POSITIVE,
    .iterations = 50,
    .prepare = prepare_all,
    .iterate = iterate,
};

const ct_solver ct_solver_osem = {
    .method = CT_METHOD_OSEM,
    .id = "osem",
    .title = "OSEM",
    .explanation = "MLEM by subsets of views: nearly as many times faster as there are subsets (Hudson & Larkin 1994, "
                   "with the step of Browne "
                   "& De Pierro 1996).",
    .residual = "gathered, each subset's before its correction",
    .uses = CT_USES_BOUNDS | CT_USES_ORDER | CT_USES_SUBSETS,
    .needs = CT_NEEDS_POSITIVE,
    .iterations = 10,
    .prepare = prepare_subsets,
    .iterate = iterate,
};
