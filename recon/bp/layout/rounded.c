/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recon/bp/layout/rounded.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/half.h"
#include "recon/bp/layout/int16.h"
#include "recon/bp/layout/stored.h"

#include <math.h>

static size_t pixels_of(const ct_bp_request *request) {
  return (size_t)request->geometry->nu * (size_t)request->geometry->nv;
}

size_t ct_rounded_memory(const ct_bp_request *request) {
  return ct_is_stored(request->precision) ? (size_t)request->batch * pixels_of(request) * sizeof(float) : 0;
}

bool ct_rounded_init(ct_rounded *r, const ct_bp_request *request, ct_error **error) {
  const size_t batch = (size_t)request->batch;
  *r = (ct_rounded){.precision = request->precision, .pixels = pixels_of(request)};
  r->projections = ct_alloc(batch, sizeof *r->projections, "a batch", error);
  r->worth = ct_alloc(batch, sizeof *r->worth, "a batch", error);
  r->finite = ct_alloc(batch, sizeof *r->finite, "a batch", error);
  bool good = r->projections && r->worth && r->finite;
  if (good && ct_is_stored(r->precision))
    good = (r->numbers = ct_alloc(batch, r->pixels * sizeof *r->numbers, "the rounded projections", error));
  if (!good) ct_rounded_clear(r);
  return good;
}

void ct_rounded_clear(ct_rounded *r) {
  ct_free(r->numbers);
  ct_free(r->projections);
  ct_free(r->worth);
  ct_free(r->finite);
  *r = (ct_rounded){0};
}

static void take_view(ct_rounded *r, int n, const float *projection) {
  r->projections[n] = projection, r->worth[n] = 1, r->finite[n] = true;
  if (!r->numbers) return;
  float *numbers = r->numbers + (size_t)n * r->pixels;
  for (size_t at = 0; r->precision == CT_PRECISION_INT16 && at < r->pixels; at++)
    if (!isfinite(projection[at])) r->finite[n] = false;
  if (!r->finite[n]) return;
  const float units = ct_stored_units(r->precision, ct_half_magnitude(projection, r->pixels));
  ct_stored_numbers(r->precision, projection, r->pixels, units, numbers);
  r->projections[n] = numbers, r->worth[n] = units > 0 ? 1 / (double)units : 0;
}

bool ct_rounded_take(ct_rounded *r, const ct_bp_batch *batch, int threads, ct_error **error) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int n = 0; n < batch->count; n++) take_view(r, n, batch->projections[n]);
  for (int n = 0; n < batch->count; n++)
    if (!r->finite[n]) return ct_int16_refuse(batch->views[n], error);
  return true;
}
