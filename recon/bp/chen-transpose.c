/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turned projections and a turned volume, and the voxel loop otherwise unchanged: the innermost loop runs along z,
 * whose voxels project to neighbours in memory. Chen et al. (2021), section 3.1.1; transpose_mp of table 2. One view a
 * sweep, any matrices. */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, 0);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, 0, error);
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const ct_geometry *geometry = state->request.geometry;
  const double *m = state->matrices[first], last_s = geometry->nu + 1, last_t = geometry->nv + 1;
  const float *restrict turned = state->turned + (size_t)first * state->view;
  const size_t stride = state->stride;
  const int nz = state->request.grid.nz;
  float *restrict column = ct_chen_column_at(state, i, j);
  for (int k = 0; k < nz; k++) {
    const double w = m[8] * i + m[9] * j + m[10] * k + m[11];
    if (!(w > 0)) continue;
    const double f = 1 / w;
    const double s = ct_chen_clamp((m[0] * i + m[1] * j + m[2] * k + m[3]) * f + 1, last_s);
    const double t = ct_chen_clamp((m[4] * i + m[5] * j + m[6] * k + m[7]) * f + 1, last_t);
    const int c = (int)s, r = (int)t;
    const float *at = turned + (size_t)c * stride + r, *next = at + stride;
    const float along = (float)(s - c), low = ct_chen_mix(at[0], next[0], along),
                high = ct_chen_mix(at[1], next[1], along);
    column[k] += ct_chen_mix(low, high, (float)(t - r)) * (float)(f * f);
  }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, 1, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_transpose = {
    .id = "chen-transpose",
    .title = "Transposed (Chen 1)",
    .explanation =
        "The voxel loop with projections and volume turned so that z comes first in memory: voxels above each other "
        "read pixels above each other, one cache line serves many (Chen et al. 2021, section 3.1.1).",
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .rank = 6,
    .tolerance = 5e-6,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .finish = ct_chen_finish,
    .read_plane = ct_chen_read_plane,
    .free = ct_chen_free,
};
