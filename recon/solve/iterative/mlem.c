/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MLEM: x *= A^T (b / A x) / A^T 1, the likeliest image where line integrals are counts (Shepp & Vardi 1982, Lange &
 * Carson 1984), written x += x C A^T (b / A x - 1). OSEM: the same by subsets of views (Hudson & Larkin 1994), with C
 * from the largest sum that a subset gives a voxel, as RAMLA (Browne & De Pierro 1996): values stay positive and
 * consistent data are a fixed point also where subsets are not balanced. */
#include "recon/solve/iterative/solver-private.h"

#include "recon/base/memory.h"

#include <math.h>

/* A voxel at 0 stays there: a start is lifted to this part of the mean. */
#define LEAST 1e-2

/* The mean of each slice (of all of a 3-D problem): line integrals by the lengths of their rays. */
static void take_means(const ct_problem *p, const float *data, const float *paths, float *means) {
  const ct_geometry *g = p->geometry;
  const int count = p->slices > 0 ? p->slices : 1;
  const size_t run = (size_t)g->nv * (size_t)g->nu / (size_t)count;
  for (int k = 0; k < count; k++) {
    double sum = 0, length = 0;
    for (int view = 0; view < g->views; view++)
      for (size_t n = 0; n < run; n++) {
        const size_t ray = ((size_t)view * (size_t)count + (size_t)k) * run + n;
        sum += (double)data[ray];
        length += (double)paths[ray];
      }
    means[k] = length > 0 ? (float)(sum / length) : 0;
  }
}

/* x = at least `share` of its slice's mean. */
static void lift(ct_problem *p, const float *means, float share, float *natural, float *own) {
  const ct_grid *g = &p->grid;
  const size_t plane = (size_t)g->nx * (size_t)g->ny;
  for (size_t n = 0; n < plane * (size_t)g->nz; n++) natural[n] = share * means[p->slices > 1 ? n / plane : 0];
  p->projector->image_in(p->state, natural, own);
  for (size_t n = 0; n < p->shape.image; n++)
    if (p->mask[n] > 0) p->x[n] = fmaxf(p->x[n], own[n]);
}

/* Rays whose voxels are all 0 would be left out for ever, and a start of 0 altogether. Slices that are problems of
 * their own start so. */
static bool make_positive(ct_problem *p, ct_sweep *sweep, ct_error **error) {
  const ct_geometry *g = p->geometry;
  const size_t rays = (size_t)g->views * (size_t)g->nv * (size_t)g->nu;
  if (!ct_forward(p, p->mask, sweep->y, error)) return false;
  double data = 0;
  for (size_t n = 0; n < p->shape.rays; n++) data += (double)(p->b[n] = fmaxf(p->b[n], 0));
  if (!(data > 0))
    return ct_error_set(error, CT_ERROR_DATA, "%s needs line integrals above 0: there are none.",
                        p->solver->names->title);
  float *integrals = ct_alloc(rays, sizeof *integrals, "line integrals", error),
        *paths = ct_alloc(rays, sizeof *paths, "lengths of rays", error),
        *means = ct_alloc((size_t)p->grid.nz, sizeof *means, "means of slices", error),
        *natural = ct_alloc(ct_grid_voxels(&p->grid), sizeof *natural, "the start", error);
  const bool good = integrals && paths && means && natural;
  if (good) {
    p->projector->rays_out(p->state, p->b, integrals);
    p->projector->rays_out(p->state, sweep->y, paths);
    take_means(p, integrals, paths, means);
    lift(p, means, p->options.start == CT_START_ZERO ? 1 : (float)LEAST, natural, sweep->t);
  }
  ct_free(integrals);
  ct_free(paths);
  ct_free(means);
  ct_free(natural);
  return good;
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
    .names = &ct_method_choices[CT_METHOD_MLEM],
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
    .names = &ct_method_choices[CT_METHOD_OSEM],
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
