/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sub-lines in a local buffer, as in chen-share-local.c, with the mirrored half of a column from the same positions.
 * Listing 3 of Chen et al. (2021); symmetry_lm_cl of table 2. */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

#include <string.h>

/* The line, the sums, and those of the mirrored half. */
static size_t scratch_size(const ct_bp_request *request) {
  return ct_chen_stride(request) + 2 * ct_chen_sums(request);
}

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, scratch_size(request));
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, scratch_size(request), error);
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const int nz = state->request.grid.nz, nv = state->request.geometry->nv, half = (nz + 1) / 2;
  float *line = scratch, *sums = line + state->stride, *mirrored = sums + ct_chen_sums(&state->request);
  memset(sums, 0, (size_t)half * sizeof *sums);
  memset(mirrored, 0, (size_t)half * sizeof *mirrored);
  for (int s = first; s < first + count; s++) {
    const ct_chen_shared shared = ct_chen_share(state, s, i, j);
    ct_chen_blend(&shared, state->stride, 0, nv + 3, line);
    ct_chen_add_line_mirrored(&shared, state->mirrors[s], line, nv + 1, 0, half, sums, mirrored);
  }
  ct_chen_add_halves(ct_chen_column_at(state, i, j), nz, sums, mirrored);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, state->views, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_symmetry_local = {
    .id = "chen-symmetry-local",
    .title = "Symmetry, local buffer (Chen 6)",
    .explanation =
        "Sub-lines of one view at a time, in a small buffer in the nearest cache instead of one of all views in the "
        "second; vectors run along z, where neighbours read neighbours (Chen et al. 2021, listing 3).",
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
