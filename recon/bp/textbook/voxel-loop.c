/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The voxel loop as every introduction writes it, all cores: for each voxel, for each view, project, interpolate, add.
 * Positions in double precision (float32 positions alone lose 1e-5 of a pixel on a large detector), values in float32;
 * one image row at a time. All speed-ups are relative to it; RabbitCT's serial reference (Rohkohl et al. 2009) with
 * OpenMP over rows. Kernels other than nearest and linear go through the tap tables. */
#include "recon/bp/interp.h"
#include "recon/bp/kernels-private.h"
#include "recon/bp/nearest.h"
#include "recon/bp/support-private.h"
#include "recon/bp/layout/rounded.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

struct ct_bp_state {
  ct_bp_request request;
  ct_rounded rounded; /* the batch in work */
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

static inline float pixel(const float *projection, int nu, int nv, int column, int row) {
  return column >= 0 && column < nu && row >= 0 && row < nv ? projection[(ptrdiff_t)row * nu + column] : 0;
}

static inline float sample_linear(const float *projection, int nu, int nv, double u, double v) {
  if (!(u > -1 && u < nu && v > -1 && v < nv)) return 0;
  /* Both are above -1, so that truncation of the shifted value is the floor. */
  const int column = (int)(u + 1) - 1, row = (int)(v + 1) - 1;
  const float fu = (float)(u - column), fv = (float)(v - row);
  float p00, p01, p10, p11;
  if (column >= 0 && column + 1 < nu && row >= 0 && row + 1 < nv) {
    const float *at = projection + (ptrdiff_t)row * nu + column;
    p00 = at[0], p01 = at[1], p10 = at[nu], p11 = at[nu + 1];
  } else {
    p00 = pixel(projection, nu, nv, column, row), p01 = pixel(projection, nu, nv, column + 1, row);
    p10 = pixel(projection, nu, nv, column, row + 1), p11 = pixel(projection, nu, nv, column + 1, row + 1);
  }
  const float low = p00 + fu * (p01 - p00), high = p10 + fu * (p11 - p10);
  return low + fv * (high - low);
}

static inline float sample_nearest(const float *projection, int nu, int nv, double u, double v) {
  if (!(u > -1 && u < nu && v > -1 && v < nv)) return 0;
  return pixel(projection, nu, nv, (int)ct_bp_nearest(u, 1), (int)ct_bp_nearest(v, 1));
}

static float sample_taps(const ct_interp_shape *shape, const float *projection, int nu, int nv, double u, double v) {
  if (!(u > -1 - shape->radius && u < nu + shape->radius && v > -1 - shape->radius && v < nv + shape->radius)) return 0;
  double weights_u[CT_INTERP_TAPS], weights_v[CT_INTERP_TAPS];
  int first_u, first_v;
  const int count_u = ct_interp_taps(shape, u, &first_u, weights_u);
  const int count_v = ct_interp_taps(shape, v, &first_v, weights_v);
  float sum = 0;
  for (int r = 0; r < count_v; r++) {
    float line = 0;
    for (int c = 0; c < count_u; c++) line += (float)weights_u[c] * pixel(projection, nu, nv, first_u + c, first_v + r);
    sum += (float)weights_v[r] * line;
  }
  return sum;
}

static void add_row(const ct_bp_state *state, int n, int j, int k, float *row) {
  const ct_bp_request *request = &state->request;
  const double *m = state->rounded.matrices[n], worth = state->rounded.worth[n];
  const float *projection = state->rounded.projections[n];
  const int nu = request->geometry->nu, nv = request->geometry->nv;
  const ct_interp_shape *shape = ct_interp_get_shape(request->interp);
  const double a0 = m[1] * j + m[2] * k + m[3], b0 = m[5] * j + m[6] * k + m[7], w0 = m[9] * j + m[10] * k + m[11];
  for (int i = 0; i < request->grid.nx; i++) {
    const double w = w0 + m[8] * i;
    if (!(w > 0)) continue;
    const double inverse = 1 / w, u = (a0 + m[0] * i) * inverse, v = (b0 + m[4] * i) * inverse;
    float value;
    if (request->interp == CT_INTERP_LINEAR)
      value = sample_linear(projection, nu, nv, u, v);
    else if (request->interp == CT_INTERP_NEAREST)
      value = sample_nearest(projection, nu, nv, u, v);
    else
      value = sample_taps(shape, projection, nu, nv, u, v);
    row[i] += value * (float)(worth * inverse * inverse);
  }
}

static void add(ct_bp_state *state, int views, float *data, const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
#pragma omp parallel for collapse(2) schedule(dynamic, 8) num_threads(state->request.threads)
  for (int k = 0; k < grid->nz; k++)
    for (int j = 0; j < grid->ny; j++) {
      float *row = data + ((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx;
      for (int n = 0; n < views && !ct_bp_stopped(job); n++) add_row(state, n, j, k, row);
    }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_rounded_run(&state->rounded, state, add, batch, volume, job, error);
}

const ct_bp_kernel ct_bp_voxel_loop = {
    .id = "voxel-loop",
    .title = "Voxel loop",
    .explanation =
        "The plain loop over voxels and views with bilinear interpolation, on all cores; speed-ups are relative to it. "
        "RabbitCT's reference (Rohkohl et al. 2009).",
    .geometry = CT_GEOMETRY_ANY,
    .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR) | CT_BIT(CT_INTERP_CUBIC) |
               CT_BIT(CT_INTERP_GAUSSIAN) | CT_BIT(CT_INTERP_OVERSAMPLED),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16) | CT_BIT(CT_PRECISION_INT16),
    .tolerance = 5e-6,
    .memory = memory,
    .prepare = prepare,
    .rank_for = ct_bp_rank_of_cpu,
    .run = run,
    .free = free_state,
};
