/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference: volume(x) += q(u, v) / w^2 in double precision straight from the formula, for every geometry and every
 * interpolation kernel, never optimised. All other kernels are tested against it. Feldkamp, Davis, Kress (1984); the
 * separable interpolation sums are Kak and Slaney (1988), section 3.3. */
#include "recon/bp/interp.h"
#include "recon/bp/kernels-private.h"
#include "recon/bp/support-private.h"
#include "recon/bp/layout/rounded.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

struct ct_bp_state {
  ct_bp_request request;
  ct_rounded rounded;
};

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return ct_rounded_memory(request);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_rounded_clear(&state->rounded);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  if (ct_rounded_init(&state->rounded, request, error)) return state;
  free_state(state);
  return NULL;
}

static double sample(const ct_interp_shape *shape, const float *projection, int nu, int nv, double u, double v) {
  /* Written so that NaN, from w = 0 say, is outside too. */
  if (!(u > -1 - shape->radius && u < nu + shape->radius && v > -1 - shape->radius && v < nv + shape->radius)) return 0;
  double weights_u[CT_INTERP_TAPS], weights_v[CT_INTERP_TAPS];
  int first_u, first_v;
  const int count_u = ct_interp_taps(shape, u, &first_u, weights_u);
  const int count_v = ct_interp_taps(shape, v, &first_v, weights_v);
  double sum = 0;
  for (int r = 0; r < count_v; r++) {
    const int row = first_v + r;
    if (row < 0 || row >= nv) continue;
    for (int c = 0; c < count_u; c++) {
      const int column = first_u + c;
      if (column < 0 || column >= nu) continue;
      sum += weights_v[r] * weights_u[c] * (double)projection[(size_t)row * (size_t)nu + (size_t)column];
    }
  }
  return sum;
}

static double voxel_sum(const ct_bp_request *request, const ct_bp_batch *batch, const ct_rounded *rounded,
                        const double point[3]) {
  const ct_geometry *geometry = request->geometry;
  const ct_interp_shape *shape = ct_interp_get_shape(request->interp);
  double sum = 0;
  for (int n = 0; n < batch->count; n++) {
    double matrix[12], u, v, w;
    ct_geometry_matrix(geometry, batch->views[n], matrix);
    ct_project(matrix, point, &u, &v, &w);
    if (!(w > 0)) continue;
    const double value = sample(shape, rounded->projections[n], geometry->nu, geometry->nv, u, v);
    sum += rounded->worth[n] * value / (w * w);
  }
  return sum;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_bp_request *request = &state->request;
  const ct_grid *grid = &request->grid;
  float *data = ct_volume_data(volume);
  if (!ct_rounded_take(&state->rounded, batch, request->threads, error)) return false;
#pragma omp parallel for collapse(2) schedule(dynamic, 4) num_threads(request->threads)
  for (int k = 0; k < grid->nz; k++)
    for (int j = 0; j < grid->ny; j++) {
      float *row = data + ((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx;
      for (int i = 0; i < grid->nx && !ct_bp_stopped(job); i++) {
        const double point[3] = {grid->x0 + i * grid->dx, grid->y0 + j * grid->dy, grid->z0 + k * grid->dz};
        row[i] = (float)((double)row[i] + voxel_sum(request, batch, &state->rounded, point));
      }
    }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_bp_textbook = {
    .id = "textbook",
    .title = "Textbook",
    .explanation =
        "Double precision, straight from the formula of Feldkamp, Davis and Kress (1984). Slow: it is the "
        "reference that every other kernel is measured against. Of precisions of 16 bits it shows what rounding the "
        "filtered projections costs alone.",
    .geometry = CT_GEOMETRY_ANY,
    .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR) | CT_BIT(CT_INTERP_CUBIC) |
               CT_BIT(CT_INTERP_GAUSSIAN) | CT_BIT(CT_INTERP_OVERSAMPLED),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16) | CT_BIT(CT_PRECISION_INT16) |
                  CT_BIT(CT_PRECISION_FLOAT64),
    .tolerance = 1e-7,
    .memory = memory,
    .prepare = prepare,
    .rank_for = ct_bp_rank_of_cpu,
    .run = run,
    .free = free_state,
};
