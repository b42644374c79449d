/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared, with one row position for two voxels: those as far above and below the source's plane project as far above
 * and below one row. Chen et al. (2021), section 3.1.2 b, after Zhao et al. (2009); symmetry_mp of table 2. One view a
 * sweep. The paper mirrors at the detector's middle row; the row here is wherever the source's plane meets the
 * detector, so that vertical offsets are served, and an odd middle slice, too. */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, 0);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, 0, error);
}

static inline float sample(const ct_chen_shared *shared, const float *restrict at, const float *restrict next,
                           double row, double last) {
  const double t = ct_chen_clamp(row, last);
  const int r = (int)t;
  const float low = ct_chen_mix(at[r], next[r], shared->fraction);
  const float high = ct_chen_mix(at[r + 1], next[r + 1], shared->fraction);
  return ct_chen_mix(low, high, (float)(t - r)) * shared->weight;
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const ct_chen_shared shared = ct_chen_share(state, first, i, j);
  const float *restrict at = shared.columns, *restrict next = at + state->stride;
  const double last = state->request.geometry->nv + 1, mirror = state->mirrors[first];
  const int nz = state->request.grid.nz;
  float *column = ct_chen_column_at(state, i, j);
#pragma omp simd
  for (int k = 0; k < nz / 2; k++) {
    const double row = (shared.b + shared.step * k) * shared.f + 1;
    column[k] += sample(&shared, at, next, row, last);
    column[nz - 1 - k] += sample(&shared, at, next, mirror - row, last);
  }
  if (nz % 2) column[nz / 2] += sample(&shared, at, next, (shared.b + shared.step * (nz / 2)) * shared.f + 1, last);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, 1, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_symmetry = {
    .id = "chen-symmetry",
    .title = "Symmetry (Chen 3)",
    .explanation =
        "Shared, for two voxels at once: those as far above and below the source's plane are seen as far above and "
        "below one detector row, so that one projection serves both (Chen et al. 2021, section 3.1.2).",
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .rank = 8,
    .tolerance = 5e-6,
    .accepts = ct_chen_accepts_mirror,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .finish = ct_chen_finish,
    .read_plane = ct_chen_read_plane,
    .free = ct_chen_free,
};
