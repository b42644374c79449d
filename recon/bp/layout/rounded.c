/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recon/bp/layout/rounded.h"

#include "recon/base/memory.h"
#include "recon/bp/layout/half.h"
#include "recon/bp/layout/int16.h"
#include "recon/bp/layout/stored.h"
#include "recon/bp/support.h"

#include <math.h>
#include <string.h>

static size_t pixels_of(const ct_bp_request *request) {
  return (size_t)request->geometry->nu * (size_t)request->geometry->nv;
}

size_t ct_rounded_memory(const ct_bp_request *request) {
  const size_t numbers = ct_is_stored(request->precision) ? pixels_of(request) * sizeof(float) : 0;
  return (size_t)request->batch * (numbers + 12 * sizeof(double));
}

bool ct_rounded_init(ct_rounded *r, const ct_bp_request *request, ct_error **error) {
  const size_t batch = (size_t)request->batch;
  *r = (ct_rounded){.request = *request, .pixels = pixels_of(request)};
  r->projections = ct_alloc(batch, sizeof *r->projections, "a batch", error);
  r->worth = ct_alloc(batch, sizeof *r->worth, "a batch", error);
  r->finite = ct_alloc(batch, sizeof *r->finite, "a batch", error);
  r->matrices = ct_alloc(batch, sizeof *r->matrices, "the views' matrices", error);
  bool good = r->projections && r->worth && r->finite && r->matrices;
  if (good && ct_is_stored(request->precision))
    good = (r->numbers = ct_alloc_zero(batch, r->pixels * sizeof *r->numbers, "the rounded projections", error));
  if (!good) ct_rounded_clear(r);
  return good;
}

void ct_rounded_clear(ct_rounded *r) {
  ct_free(r->numbers);
  ct_free(r->projections);
  ct_free(r->worth);
  ct_free(r->finite);
  ct_free(r->matrices);
  *r = (ct_rounded){0};
}

/* v is monotone along the grid's edges, so that its corners bound it. */
void ct_bp_rows_met(const ct_bp_request *request, int view, int *first, int *end) {
  enum { beside = 16, around = 5 };
  const ct_grid *grid = &request->grid;
  double m[12], low = INFINITY, high = -INFINITY;
  ct_bp_index_matrix(request->geometry, view, grid, m);
  *first = 0, *end = request->geometry->nv;
  for (int corner = 0; corner < 8; corner++) {
    const double i = corner & 1 ? grid->nx - 1 + beside : -beside, j = corner & 2 ? grid->ny - 1 + beside : -beside;
    const double k = corner & 4 ? grid->nz - 1 : 0, w = m[8] * i + m[9] * j + m[10] * k + m[11];
    if (!(w > 0.01)) return;
    const double v = (m[4] * i + m[5] * j + m[6] * k + m[7]) / w;
    low = fmin(low, v), high = fmax(high, v);
  }
  if (low - around > 0) *first = low - around < *end ? (int)(low - around) : *end;
  if (high + around < *end) *end = high + around > *first ? (int)(high + around) : *first;
}

static bool is_finite(const float *values, size_t count) {
  int32_t odd = 0;
  for (size_t n = 0; n < count; n++) {
    int32_t bits;
    memcpy(&bits, &values[n], sizeof bits);
    odd |= (bits & 0x7f800000) == 0x7f800000;
  }
  return !odd;
}

static void take_view(ct_rounded *r, int n, int view, const float *projection) {
  r->projections[n] = projection, r->worth[n] = 1, r->finite[n] = true;
  ct_bp_index_matrix(r->request.geometry, view, &r->request.grid, r->matrices[n]);
  if (!r->numbers) return;
  float *numbers = r->numbers + (size_t)n * r->pixels;
  const ct_precision precision = r->request.precision;
  r->finite[n] = precision != CT_PRECISION_INT16 || is_finite(projection, r->pixels);
  if (!r->finite[n]) return;
  const float units = ct_stored_units(precision, ct_half_magnitude(projection, r->pixels));
  const size_t nu = (size_t)r->request.geometry->nu;
  int first, end;
  ct_bp_rows_met(&r->request, view, &first, &end);
  const size_t before = (size_t)first * nu, count = (size_t)(end - first) * nu;
  ct_stored_numbers(precision, projection + before, count, units, numbers + before);
  r->projections[n] = numbers, r->worth[n] = units > 0 ? 1 / (double)units : 0;
}

bool ct_rounded_take(ct_rounded *r, const ct_bp_batch *batch, int threads, ct_error **error) {
  r->views = batch->views;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int n = 0; n < batch->count; n++) take_view(r, n, batch->views[n], batch->projections[n]);
  for (int n = 0; n < batch->count; n++)
    if (!r->finite[n]) return ct_int16_refuse(batch->views[n], error);
  return true;
}

bool ct_rounded_run(ct_rounded *r, ct_bp_state *state, ct_rounded_add *add, const ct_bp_batch *batch, ct_volume *volume,
                    ct_job *job, ct_error **error) {
  for (int first = 0; first < batch->count && !ct_bp_stopped(job); first += r->request.batch) {
    const int left = batch->count - first;
    ct_bp_batch part = *batch;
    part.count = left < r->request.batch ? left : r->request.batch;
    part.views += first, part.projections += first;
    if (!ct_rounded_take(r, &part, r->request.threads, error)) return false;
    add(state, part.count, ct_volume_data(volume), job);
  }
  return ct_bp_conclude(job, error);
}
