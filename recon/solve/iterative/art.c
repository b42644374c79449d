/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ART (Gordon, Bender, Herman 1970), Kaczmarz' method of 1937: ray by ray, x += relaxation (b_i - a_i x) a_i / |a_i|^2.
 * Views in the order of the options; within a view by golden steps, so that rays which share voxels do not follow each
 * other. The slices of a stack share nothing and go in parallel; one slice is one thread's work, as every ray needs the
 * image of the ray before it. */
#include "recon/solve/iterative/solver-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdatomic.h>

/* Views between two looks at the job. */
enum { VIEWS = 16 };

typedef struct art {
  float *weights; /* [view][v][u] 1 / |a_i|^2 over the mask, 0: the ray is left out */
  float *before;
  int *views, *place; /* [views] sorted by angle, order of the iteration */
  int *columns;       /* [nu] order within a view */
  double *sums;       /* [nv] residual of each slice */
  double relaxation;
  ct_groups groups;
} art;

typedef struct error_slot {
  ct_error **error;
  atomic_bool good;
} error_slot;

/* Keeps the first error of a team. */
static void give_error(error_slot *slot, ct_error *fault) {
#pragma omp critical(ct_solve_art)
  {
    atomic_store(&slot->good, false);
    if (slot->error && !*slot->error)
      *slot->error = fault;
    else
      ct_error_clear(&fault);
  }
}

static size_t ray_number(const ct_geometry *g, int view, int v, int u) {
  return ((size_t)view * (size_t)g->nv + (size_t)v) * (size_t)g->nu + (size_t)u;
}

static bool weigh_view(ct_problem *p, art *own, int view, ct_row *buffer, ct_error **error) {
  const ct_geometry *g = p->geometry;
  const double least = fmin(p->grid.dx, p->grid.dy) * fmin(p->grid.dx, p->grid.dy);
  for (int v = 0; v < g->nv; v++)
    for (int u = 0; u < g->nu; u++) {
      ct_projector_row row;
      double sum = 0;
      const size_t ray = ray_number(g, view, v, u);
      if (!p->projector->row(p->state, ray, buffer, &row, error)) return false;
      for (size_t n = 0; n < row.count; n++)
        sum += (double)row.values[n] * (double)row.values[n] * (double)p->mask[row.columns[n]];
      own->weights[ray] = sum > 0 ? (float)(1 / fmax(sum, least)) : 0;
    }
  return true;
}

static bool weigh(ct_problem *p, art *own, ct_job *job, ct_error **error) {
  error_slot slot = {error, true};
#pragma omp parallel num_threads(p->threads)
  {
    ct_row buffer;
    ct_row_init(&buffer);
#pragma omp for schedule(dynamic, 1)
    for (int view = 0; view < p->geometry->views; view++) {
      ct_error *fault = NULL;
      if (slot.good && ct_job_requested(job) != CT_JOB_CANCEL && !weigh_view(p, own, view, &buffer, &fault))
        give_error(&slot, fault);
    }
    ct_row_clear(&buffer);
  }
  return slot.good && ct_job_may_go_on(job, error);
}

static bool prepare(ct_problem *p, ct_job *job, ct_error **error) {
  const ct_geometry *g = p->geometry;
  const size_t views = (size_t)g->views;
  art *own = p->own = ct_problem_room(p, 1, sizeof *own, error);
  if (!own || !(own->weights = ct_problem_rays(p, error)) || !(own->before = ct_problem_image(p, error)) ||
      !(own->columns = ct_problem_room(p, (size_t)g->nu, sizeof(int), error)) ||
      !(own->views = ct_problem_room(p, views, sizeof(int), error)) ||
      !(own->sums = ct_problem_room(p, (size_t)g->nv, sizeof(double), error)) ||
      !ct_groups_make(p, 0, &own->groups, error))
    return false;
  own->relaxation = p->relaxation = ct_relaxation(p, 1);
  ct_order_fill(CT_ORDER_GOLDEN, g->nu, 0, 0, own->columns);
  int count = 0;
  for (int n = 0; n < own->groups.count; n++) {
    ct_projector_block block;
    p->projector->block(p->state, own->groups.blocks[n], &block);
    for (int m = 0; m < block.view_count; m++) own->views[count++] = block.views[m];
  }
  if (!(own->place = ct_problem_room(p, views, sizeof(int), error))) return false;
  return weigh(p, own, job, error);
}

/* One ray; returns its residual squared. */
static double correct(ct_problem *p, const art *own, const ct_projector_row *row, size_t ray) {
  float *x = p->x;
  const float *mask = p->mask, low = p->low, high = p->high;
  double sum = 0;
  for (size_t n = 0; n < row->count; n++) sum += (double)(row->values[n] * x[row->columns[n]]);
  const double residual = (double)p->b[ray] - sum;
  const float step = (float)(own->relaxation * residual * (double)own->weights[ray]);
  if (step != 0)
    for (size_t n = 0; n < row->count; n++) {
      const uint32_t at = row->columns[n];
      if (!(mask[at] > 0)) continue;
      const float value = x[at] + step * row->values[n];
      x[at] = value < low ? low : value > high ? high : value;
    }
  return residual * residual;
}

static bool sweep_views(ct_problem *p, art *own, int from, int to, int v, ct_row *buffer, ct_error **error) {
  const ct_geometry *g = p->geometry;
  for (int n = from; n < to; n++)
    for (int m = 0; m < g->nu; m++) {
      ct_projector_row row;
      const size_t ray = ray_number(g, own->views[own->place[n]], v, own->columns[m]);
      if (!p->projector->row(p->state, ray, buffer, &row, error)) return false;
      own->sums[v] += correct(p, own, &row, ray);
    }
  return true;
}

/* Some views of every slice. */
static bool sweep_slices(ct_problem *p, art *own, int from, int to, ct_error **error) {
  error_slot slot = {error, true};
#pragma omp parallel num_threads(p->threads) if (p->geometry->nv > 1 && p->slices > 1)
  {
    ct_row buffer;
    ct_row_init(&buffer);
#pragma omp for schedule(dynamic, 1)
    for (int v = 0; v < p->geometry->nv; v++) {
      ct_error *fault = NULL;
      if (slot.good && !sweep_views(p, own, from, to, v, &buffer, &fault)) give_error(&slot, fault);
    }
    ct_row_clear(&buffer);
  }
  return slot.good;
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  art *own = p->own;
  const int views = p->geometry->views;
  *step = (ct_step){.at = ct_gathered_at((double)views * p->geometry->nu)};
  for (int v = 0; v < p->geometry->nv; v++) own->sums[v] = 0;
  ct_copy(p, p->shape.image, own->before, p->x);
  ct_order_fill((ct_view_order)p->options.order, views, p->options.seed, p->done, own->place);
  for (int at = 0; at < views; at += VIEWS)
    if (!ct_job_may_go_on(job, error) || !sweep_slices(p, own, at, at + VIEWS < views ? at + VIEWS : views, error)) {
      ct_copy(p, p->shape.image, p->x, own->before);
      return false;
    }
  double sums[2];
  ct_image_difference(p, p->x, own->before, sums);
  for (int v = 0; v < p->geometry->nv; v++) step->residual += own->sums[v];
  step->change = sums[0];
  step->norm = sums[1];
  return true;
}

const ct_solver ct_solver_art = {
    .names = &ct_method_choices[CT_METHOD_ART],
    .explanation = "One ray after the other corrects the image: converges in the fewest sweeps, and leaves no room for "
                   "parallel work within a "
                   "slice (Gordon, Bender & Herman 1970).",
    .residual = "gathered, each ray's before its correction",
    .uses = CT_USES_RELAXATION | CT_USES_BOUNDS | CT_USES_ORDER,
    .needs = CT_NEEDS_ROWS,
    .iterations = 15,
    .relaxation = {1e-3, 1.999, 0.1},
    .prepare = prepare,
    .iterate = iterate,
};
