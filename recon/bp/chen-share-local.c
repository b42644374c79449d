/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sub-lines in a local buffer: one line, of the view in work, small enough for the first-level cache, and vectors along
 * z where algorithm 1 has them along the views. Listing 3 of Chen et al. (2021) without symmetry; share_lm_cl of
 * table 2. What OpenCL's work-items hold in registers over the batch, a sum a voxel, is an array beside the line here.
 */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

#include <string.h>

/* The line and the sums. */
static size_t scratch_size(const ct_bp_request *request) {
  return ct_chen_stride(request) + ct_chen_sums(request);
}

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, scratch_size(request));
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, scratch_size(request), error);
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const int nz = state->request.grid.nz, nv = state->request.geometry->nv;
  float *line = scratch, *sums = line + state->stride;
  memset(sums, 0, (size_t)nz * sizeof *sums);
  for (int s = first; s < first + count; s++) {
    const ct_chen_shared shared = ct_chen_share(state, s, i, j);
    ct_chen_blend(&shared, state->stride, 0, nv + 3, line);
    ct_chen_add_line(&shared, line, nv + 1, 0, nz, sums);
  }
  float *restrict column = ct_chen_column_at(state, i, j);
  for (int k = 0; k < nz; k++) column[k] += sums[k];
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, state->views, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_share_local = {
    .id = "chen-share-local",
    .title = "Shared, local buffer (Chen 5)",
    .explanation = "Shared, with sub-lines and batches but no symmetry: the line of one view lies in a small buffer in "
                   "the nearest "
                   "cache, and the compiler makes vectors along z. For grids off the source's plane (Chen et al. 2021, "
                   "listing 3).",
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .rank = 8,
    .tolerance = 5e-6,
    .accepts = ct_chen_accepts_columns,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .finish = ct_chen_finish,
    .read_plane = ct_chen_read_plane,
    .free = ct_chen_free,
};
