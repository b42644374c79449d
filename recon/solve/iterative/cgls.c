/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CGLS: conjugate gradients on the normal equations A^T A x = A^T b without forming them (Hestenes & Stiefel 1952;
 * Björck 1996, section 7.4). */
#include "recon/solve/iterative/solver-private.h"

typedef struct cgls {
  float *r, *q; /* rays: b - A x, A p */
  float *s, *p; /* images: A^T r, direction */
  double gamma; /* |s|^2 */
} cgls;

/* s = M A^T r, gamma */
static bool take_gradient(ct_problem *p, cgls *own, ct_error **error) {
  if (!ct_back(p, own->r, own->s, error)) return false;
  ct_multiply(p, p->shape.image, own->s, p->mask);
  own->gamma = ct_image_dot(p, own->s, own->s);
  return true;
}

static bool prepare(ct_problem *p, ct_job *job, ct_error **error) {
  cgls *own = p->own = ct_problem_room(p, 1, sizeof *own, error);
  if (!own || !(own->r = ct_problem_rays(p, error)) || !(own->q = ct_problem_rays(p, error)) ||
      !(own->s = ct_problem_image(p, error)) || !(own->p = ct_problem_image(p, error)))
    return false;
  if (!ct_forward(p, p->x, own->r, error)) return false;
  ct_residual(p, own->r, NULL);
  if (!take_gradient(p, own, error)) return false;
  ct_copy(p, p->shape.image, own->p, own->s);
  return true;
}

static bool iterate(ct_problem *p, ct_step *step, ct_job *job, ct_error **error) {
  cgls *own = p->own;
  if (!ct_forward(p, own->p, own->q, error) || !ct_job_may_go_on(job, error)) return false;
  const double curvature = ct_ray_dot(p, own->q, own->q), alpha = curvature > 0 ? own->gamma / curvature : 0;
  ct_add(p, p->shape.image, p->x, own->p, alpha);
  ct_add(p, p->shape.rays, own->r, own->q, -alpha);
  *step = (ct_step){.residual = ct_ray_dot(p, own->r, own->r),
                    .at = 1,
                    .change = alpha * alpha * ct_image_dot(p, own->p, own->p),
                    .norm = ct_image_dot(p, p->x, p->x)};
  const double before = own->gamma;
  if (!take_gradient(p, own, error)) return false;
  ct_blend(p, p->shape.image, own->p, own->s, before > 0 ? own->gamma / before : 0);
  return true;
}

/* r follows from x: made anew, it is that of the image but for rounding. */
static void keep(const ct_problem *p, ct_kept *kept) {
  cgls *own = p->own;
  kept->images[kept->count++] = own->p;
  kept->number = &own->gamma;
}

static bool take_up(ct_problem *p, ct_error **error) {
  cgls *own = p->own;
  if (!ct_forward(p, p->x, own->r, error)) return false;
  ct_residual(p, own->r, NULL);
  return true;
}

const ct_solver ct_solver_cgls = {
    .names = &ct_method_choices[CT_METHOD_CGLS],
    .explanation = "Least squares by conjugate gradients: the sharpest image for so few iterations. Noise grows when "
                   "it goes on, and values are "
                   "not bounded (Hestenes & Stiefel 1952).",
    .residual = "of the image that the iteration ended with",
    .needs = CT_NEEDS_MATCHED,
    .iterations = 15,
    .joint = true,
    .prepare = prepare,
    .iterate = iterate,
    .keep = keep,
    .take_up = take_up,
};
