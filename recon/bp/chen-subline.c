/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symmetry with sub-lines and batches, algorithm 1 of Chen et al. (2021), sections 3.1.3 and 3.1.5; subline_mp of
 * table 2. For a column of voxels and each of nb views the two detector columns at u are blended into one line, whole
 * and in order; then each voxel takes all nb views from their lines, two pixels a view instead of four, sums them in a
 * register and is updated once. */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

/* A line for each view of the batch. */
static size_t scratch_size(const ct_bp_request *request) {
  return (size_t)ct_chen_views(request) * ct_chen_stride(request);
}

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, scratch_size(request));
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, scratch_size(request), error);
}

static inline float sample(const float *restrict line, double row, double last) {
  const double t = ct_chen_clamp(row, last);
  const int r = (int)t;
  return ct_chen_mix(line[r], line[r + 1], (float)(t - r));
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const int nz = state->request.grid.nz, nv = state->request.geometry->nv;
  const double last = nv + 1;
  const double *mirrors = state->mirrors + first;
  double f[CT_CHEN_VIEWS], b[CT_CHEN_VIEWS], step[CT_CHEN_VIEWS];
  float weight[CT_CHEN_VIEWS];
  for (int s = 0; s < count; s++) {
    const ct_chen_shared shared = ct_chen_share(state, first + s, i, j);
    f[s] = shared.f, b[s] = shared.b, step[s] = shared.step, weight[s] = shared.weight;
    ct_chen_blend(&shared, state->stride, 0, nv + 3, scratch + (size_t)s * state->stride);
  }
  float *column = ct_chen_column_at(state, i, j);
  const int stride = (int)state->stride;
  for (int k = 0; k < (nz + 1) / 2; k++) {
    float sum = 0, mirrored = 0;
#pragma omp simd reduction(+ : sum, mirrored)
    for (int s = 0; s < count; s++) {
      const float *line = scratch + s * stride;
      const double row = (b[s] + step[s] * k) * f[s] + 1;
      sum += sample(line, row, last) * weight[s];
      mirrored += sample(line, mirrors[s] - row, last) * weight[s];
    }
    column[k] += sum;
    if (k != nz - 1 - k) column[nz - 1 - k] += mirrored;
  }
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, state->views, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_subline = {
    .id = "chen-subline",
    .title = "Sub-lines (Chen 4)",
    .explanation =
        "Symmetry, with the two detector columns of each view blended into one line first, in order, so that a voxel "
        "reads two pixels instead of four; up to 32 views a sweep are summed in a register before the voxel is "
        "written (Chen et al. 2021, algorithm 1).",
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .rank = 9,
    .tolerance = 5e-6,
    .accepts = ct_chen_accepts_mirror,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .finish = ct_chen_finish,
    .read_plane = ct_chen_read_plane,
    .free = ct_chen_free,
};
