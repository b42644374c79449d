/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FISTA (Beck & Teboulle 2009): minimises |A x - b|^2 / 2 + weight R(x) within the bounds by gradient steps of 1 / L, L
 * a bound of the spectral radius of A^T A, each followed by a denoising step, with momentum that is dropped where it
 * leads uphill (O'Donoghue & Candès 2015). R is the total variation, or what soft thresholds are the proximal step of,
 * be it of Haar's coefficients, averaged over all shifts, or of those of shearlets: they are the gradient of a convex
 * function and bring no two images further apart, and by Moreau's theorem every such step is that of a convex R. Bounds
 * are then applied behind the step. */
#include "recon/solve/iterative/shearlet-private.h"
#include "recon/solve/iterative/solver-private.h"

#include <math.h>

enum { BOUND_STEPS = 16 };

typedef struct fista {
  float *ax, *ax_before, *rays; /* A x, that of the image before it, scratch */
  float *before, *u;            /* images: the one before x, scratch */
  float *natural;
  ct_tv tv;
  ct_haar haar;
  ct_shearlet shearlet;
  double lipschitz, weight;
  double t, momentum; /* of the coming iteration */
} fista;

static bool is_haar(const ct_problem *p) {
  return p->solver->uses & CT_USES_HAAR;
}
static bool is_shearlet(const ct_problem *p) {
  return p->solver->uses & CT_USES_SHEARLET;
}

static bool prepare_denoising(ct_problem *p, fista *own, ct_error **error) {
  if (is_shearlet(p)) return ct_shearlet_prepare(p, p->options.shearlet_scales, &own->shearlet, error);
  if (is_haar(p)) return ct_haar_prepare(p, p->options.haar_levels, &own->haar, error);
  return ct_tv_prepare(p, true, &own->tv, error);
}

/* The weight is a share of the largest element of A^T b: near 1 nothing but a flat image is left. */
static bool scale_weight(ct_problem *p, fista *own, ct_error **error) {
  float largest = 0;
  if (!ct_back(p, p->b, own->u, error)) return false;
  for (size_t n = 0; n < p->shape.image; n++)
    if (p->mask[n] > 0) largest = fmaxf(largest, fabsf(own->u[n]));
  own->weight = (is_shearlet(p) ? p->options.shearlet_weight
                 : is_haar(p)   ? p->options.haar_weight
                                : p->options.tv_weight) *
                (double)largest;
  return true;
}

static bool prepare(ct_problem *p, ct_job *job, ct_error **error) {
  fista *own = p->own = ct_problem_room(p, 1, sizeof *own, error);
  if (!own || !(own->ax = ct_problem_rays(p, error)) || !(own->ax_before = ct_problem_rays(p, error)) ||
      !(own->rays = ct_problem_rays(p, error)) || !(own->before = ct_problem_image(p, error)) ||
      !(own->u = ct_problem_image(p, error)) || !(own->natural = ct_problem_natural(p, error)) ||
      !prepare_denoising(p, own, error))
    return false;
  const ct_radius_request request = {.steps = BOUND_STEPS, .x = own->before, .t = own->u, .y = own->rays};
  if (!ct_radius_bound(p, &request, &own->lipschitz, job, error) || !scale_weight(p, own, error)) return false;
  if (!(own->lipschitz > 0)) return ct_error_set(error, CT_ERROR_ARGUMENT, "No ray meets the volume.");
  ct_copy(p, p->shape.image, own->before, p->x);
  own->t = 1;
  return true;
}

/* rays = A z - b with z = x + momentum (x - before), from what A makes of the two. */
static void extrapolate(const ct_problem *p, fista *own) {
  const float m = (float)own->momentum;
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (size_t n = 0; n < p->shape.rays; n++) own->rays[n] = own->ax[n] + m * (own->ax[n] - own->ax_before[n]) - p->b[n];
}

/* u = z - gradient / L. */
static void descend(const ct_problem *p, fista *own) {
  const float m = (float)own->momentum, f = (float)(1 / own->lipschitz);
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (size_t n = 0; n < p->shape.image; n++)
    own->u[n] = p->x[n] + m * (p->x[n] - own->before[n]) - f * p->mask[n] * own->u[n];
}

/* own->natural as the step of the weight leaves it. */
static bool denoise(const ct_problem *p, fista *own, ct_job *job, ct_error **error) {
  const double weight = own->weight / own->lipschitz;
  if (!is_haar(p) && !is_shearlet(p)) {
    ct_tv_denoise(&own->tv, own->natural, weight, p->options.tv_steps, p->low, p->high);
    return true;
  }
  if (is_haar(p))
    ct_haar_denoise(&own->haar, own->natural, weight);
  else if (!ct_shearlet_denoise(&own->shearlet, own->natural, weight, job, error))
    return false;
  const size_t count = ct_grid_voxels(&p->grid);
  float *image = own->natural;
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (size_t n = 0; n < count; n++) image[n] = fminf(fmaxf(image[n], p->low), p->high);
  return true;
}

/* Voxels outside the mask as they were. */
static void keep_outside(const ct_problem *p, float *x) {
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (size_t n = 0; n < p->shape.image; n++)
    if (!(p->mask[n] > 0)) x[n] = p->x[n];
}

/* Whether the momentum points against the step from z to the new image: <z - new, new - x> > 0. */
static bool is_uphill(const ct_problem *p, fista *own, const float *next) {
  const double m = own->momentum, xx = ct_image_dot(p, p->x, p->x), xn = ct_image_dot(p, p->x, next),
               nn = ct_image_dot(p, next, next), bn = ct_image_dot(p, own->before, next),
               bx = ct_image_dot(p, own->before, p->x);
  return (1 + m) * (xn - xx) - m * (bn - bx) - nn + xn > 0;
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  fista *own = p->own;
  if (!ct_forward(p, p->x, own->ax, error)) return false;
  double sums[2];
  ct_ray_difference(p, own->ax, p->b, sums);
  *step = (ct_step){.residual = sums[0]};
  extrapolate(p, own);
  if (!ct_job_may_go_on(job, error) || !ct_back(p, own->rays, own->u, error)) return false;
  descend(p, own);
  p->projector->image_out(p->state, own->u, own->natural);
  if (!denoise(p, own, job, error)) return false;
  p->projector->image_in(p->state, own->natural, own->u);
  keep_outside(p, own->u);
  ct_image_difference(p, own->u, p->x, sums);
  step->change = sums[0];
  step->norm = sums[1];
  const double next = is_uphill(p, own, own->u) ? 1 : (1 + sqrt(1 + 4 * own->t * own->t)) / 2;
  own->momentum = next == 1 ? 0 : (own->t - 1) / next;
  own->t = next;
  ct_copy(p, p->shape.image, own->before, p->x);
  ct_copy(p, p->shape.image, p->x, own->u);
  float *ax = own->ax;
  own->ax = own->ax_before;
  own->ax_before = ax;
  return true;
}

static void clear(ct_problem *p) {
  fista *own = p->own;
  if (own) ct_shearlet_clear(&own->shearlet);
}

const ct_solver ct_solver_fista_tv = {
    .names = &ct_method_choices[CT_METHOD_FISTA_TV],
    .explanation = "Least squares with a price on differences between neighbours: few or noisy views give flat regions "
                   "with sharp edges "
                   "(Beck & Teboulle 2009).",
    .residual = "of the image that the iteration began with",
    .uses = CT_USES_BOUNDS | CT_USES_TV,
    .needs = CT_NEEDS_MATCHED,
    .iterations = 100,
    .tv_weight = {0, 1, 3e-3},
    .tv_steps = {1, 1000, 10},
    .joint = true,
    .prepare = prepare,
    .iterate = iterate,
};

const ct_solver ct_solver_fista_haar = {
    .names = &ct_method_choices[CT_METHOD_FISTA_HAAR],
    .explanation = "Least squares with a price on the coefficients of Haar's transform, averaged over all shifts: few "
                   "or noisy views give smooth regions, edges at every scale stay (Coifman & Donoho 1995).",
    .residual = "of the image that the iteration began with",
    .uses = CT_USES_BOUNDS | CT_USES_HAAR,
    .needs = CT_NEEDS_MATCHED,
    .iterations = 100,
    .haar_weight = {0, 1, 3e-3},
    .haar_levels = {1, CT_HAAR_LEVELS, 5},
    .joint = true,
    .prepare = prepare,
    .iterate = iterate,
};

const ct_solver ct_solver_fista_shearlet = {
    .names = &ct_method_choices[CT_METHOD_FISTA_SHEARLET],
    .explanation =
        "Least squares with a price on the coefficients of shearlets, which are edges of every direction and "
        "length, in each slice: few or noisy views give smooth regions, curved edges stay smooth "
        "(Vandeghinste et al. 2013; Häuser & Steidl 2012).",
    .residual = "of the image that the iteration began with",
    .uses = CT_USES_BOUNDS | CT_USES_SHEARLET,
    .needs = CT_NEEDS_MATCHED,
    .iterations = 100,
    .shearlet_weight = {0, 1, 3e-3},
    .shearlet_scales = {1, CT_SHEARLET_SCALES, 3},
    .joint = true,
    .prepare = prepare,
    .clear = clear,
    .iterate = iterate,
};
