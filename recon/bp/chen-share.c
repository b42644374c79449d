/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposed, with everything that a column of voxels shares taken out of the loop along z: w, u and the weight. Chen
 * et al. (2021), section 3.1.2 a; share_mp of table 2. One view a sweep; needs detector columns along z. */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, 0);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, 0, error);
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const ct_chen_shared shared = ct_chen_share(state, first, i, j);
  const float *restrict at = shared.columns, *restrict next = at + state->stride;
  const double last = state->request.geometry->nv + 1;
  const int nz = state->request.grid.nz;
  float *restrict column = ct_chen_column_at(state, i, j);
#pragma omp simd
  for (int k = 0; k < nz; k++) {
    const double t = ct_chen_clamp((shared.b + shared.step * k) * shared.f + 1, last);
    const int r = (int)t;
    const float low = ct_chen_mix(at[r], next[r], shared.fraction);
    const float high = ct_chen_mix(at[r + 1], next[r + 1], shared.fraction);
    column[k] += ct_chen_mix(low, high, (float)(t - r)) * shared.weight;
  }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, 1, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_share = {
    .id = "chen-share",
    .title = "Shared (Chen 2)",
    .explanation =
        "Transposed, with the depth, the detector column and the weight calculated once for a column of voxels and "
        "shared by all of them: two of three dot products and the division leave the inner loop (Chen et al. "
        "2021, section 3.1.2).",
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .rank = 7,
    .tolerance = 5e-6,
    .accepts = ct_chen_accepts_columns,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .finish = ct_chen_finish,
    .read_plane = ct_chen_read_plane,
    .free = ct_chen_free,
};
