/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of squares of the rows of a projector's matrix, in the natural layout. */
#ifndef TESTS_FP_SQUARES_H
#define TESTS_FP_SQUARES_H

#include "recon/base/memory.h"
#include "recon/fp/projector.h"

#include <math.h>

/* False with an error, or without one where the own layout's padding is not 0. */
static bool take_squares(const ct_projector *projector, const ct_projector_request *request, float *natural,
                         ct_error **error) {
  const ct_geometry *g = request->geometry;
  const size_t count = (size_t)g->views * (size_t)g->nv * (size_t)g->nu;
  ct_projector_state *state = ct_projector_prepare(projector, request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  float *own = ct_alloc(shape.rays, sizeof *own, "rays", error);
  for (size_t n = 0; own && n < shape.rays; n++) own[n] = NAN;
  const bool good = own && projector->row_squares(state, own, error);
  double held = 0, sum = 0;
  if (good) {
    projector->rays_out(state, own, natural);
    for (size_t n = 0; n < shape.rays; n++) held += (double)own[n];
    for (size_t n = 0; n < count; n++) sum += (double)natural[n];
  }
  ct_free(own);
  projector->free(state);
  return good && fabs(held - sum) <= 1e-9 * sum;
}

#endif
