/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ASD-POCS (Sidky & Pan 2008): a sweep over the views towards the data (their ART; here view by view, as SART), bounds,
 * then steps down the total variation, whose length is a share of what the sweep changed and shrinks while smoothing
 * undoes more than the sweep did. */
#include "recon/solve/iterative/solver-private.h"

#include <math.h>

/* Their beta_red, r_max and alpha_red. */
#define RELAXATION_FADES 0.995
#define LARGEST_RATIO 0.95
#define STEP_SHRINKS 0.95
/* Smoothing of |D x|, relative to the root mean square of the image. */
#define SMOOTH 1e-6

typedef struct pocs {
  ct_sweep sweep;
  ct_tv tv;
  float *swept, *natural, *gradient; /* image; natural layout */
  double length;                     /* of a smoothing step; negative: not known yet */
} pocs;

static bool prepare(ct_problem *p, ct_job *job, ct_error **error) {
  pocs *own = p->own = ct_problem_room(p, 1, sizeof *own, error);
  if (!own || !(own->swept = ct_problem_image(p, error)) || !(own->natural = ct_problem_natural(p, error)) ||
      !(own->gradient = ct_problem_natural(p, error)) || !ct_tv_prepare(p, false, &own->tv, error))
    return false;
  own->length = -1;
  if (!ct_sweep_make(p, ct_view_groups(p), &own->sweep, error) || !ct_sweep_columns(p, &own->sweep, job, error))
    return false;
  return (own->sweep.row = ct_row_weights(p, error)) &&
         (own->sweep.before || (own->sweep.before = ct_problem_image(p, error)));
}

/* Steps of a fixed length down the total variation of p->x. */
static void smooth(ct_problem *p, pocs *own) {
  const size_t count = ct_grid_voxels(&p->grid);
  p->projector->image_out(p->state, p->x, own->natural);
  const double eps = SMOOTH * sqrt(ct_image_dot(p, p->x, p->x) / (double)count);
  for (int n = 0; n < p->options.tv_steps; n++) {
    const double norm = ct_tv_gradient(&own->tv, own->natural, eps, own->gradient);
    if (!(norm > 0)) break;
    ct_add(p, count, own->natural, own->gradient, -own->length / norm);
  }
  p->projector->image_in(p->state, own->natural, p->x);
#pragma omp parallel for simd schedule(static) num_threads(p->threads)
  for (size_t n = 0; n < p->shape.image; n++) {
    const float low = p->x[n] > p->low ? p->x[n] : p->low, within = low < p->high ? low : p->high;
    p->x[n] = p->mask[n] > 0 ? within : own->swept[n];
  }
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  pocs *own = p->own;
  float *before = own->sweep.before;
  double sums[2];
  if (own->sweep.groups.count == 1) ct_copy(p, p->shape.image, before, p->x);
  if (!ct_sweep_run(p, &own->sweep, step, job, error)) return false;
  const double swept = sqrt(step->change);
  if (own->length < 0) own->length = p->options.tv_weight * swept;
  ct_copy(p, p->shape.image, own->swept, p->x);
  smooth(p, own);
  ct_image_difference(p, p->x, own->swept, sums);
  const bool far = sqrt(step->residual) > p->options.stop_residual * p->size;
  if (sqrt(sums[0]) > LARGEST_RATIO * swept && far) own->length *= STEP_SHRINKS;
  own->sweep.relaxation *= RELAXATION_FADES;
  ct_image_difference(p, p->x, before, sums);
  step->change = sums[0];
  step->norm = sums[1];
  return true;
}

const ct_solver ct_solver_asd_pocs = {
    .names = &ct_method_choices[CT_METHOD_ASD_POCS],
    .explanation = "Sweeps of SART alternate with steps that smooth: the smoothest image that still agrees with the "
                   "data, for few views "
                   "(Sidky & Pan 2008).",
    .residual = "gathered, each view's before its correction",
    .uses = CT_USES_RELAXATION | CT_USES_BOUNDS | CT_USES_ORDER | CT_USES_TV | CT_USES_BLOCK,
    .iterations = 30,
    .relaxation = {1e-3, 1.999, 1},
    .tv_weight = {0, 1, 0.01},
    .tv_steps = {1, 1000, 20},
    .joint = true,
    .prepare = prepare,
    .iterate = iterate,
};
