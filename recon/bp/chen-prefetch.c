/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symmetry with a local buffer, and a second one: while the line of one view is summed, that of the next view is
 * blended into the other buffer, piece by piece in between, so that its loads are under way early. Chen et al. (2021),
 * algorithm 2; symmetry_pf_cl of table 2. OpenCL's work-items mix the two between barriers; pieces of 64 voxels do
 * here. */
#include "recon/bp/chen-private.h"
#include "recon/bp/kernels-private.h"

#include <string.h>

enum { piece = 64 };

static size_t scratch_size(const ct_bp_request *request) {
  return 2 * (ct_chen_stride(request) + ct_chen_sums(request));
}

static size_t memory(const ct_bp_request *request) {
  return ct_chen_memory(request, scratch_size(request));
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_chen_prepare(request, scratch_size(request), error);
}

CT_CHEN_NATIVE static void add_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const int nz = state->request.grid.nz, rows = state->request.geometry->nv + 3, half = (nz + 1) / 2;
  const int pieces = (half + piece - 1) / piece, blended = (rows + pieces - 1) / pieces;
  float *lines[2] = {scratch, scratch + state->stride};
  float *sums = lines[1] + state->stride, *mirrored = sums + ct_chen_sums(&state->request);
  memset(sums, 0, (size_t)half * sizeof *sums);
  memset(mirrored, 0, (size_t)half * sizeof *mirrored);
  ct_chen_shared shared = ct_chen_share(state, first, i, j);
  ct_chen_blend(&shared, state->stride, 0, rows, lines[0]);
  for (int n = 0; n < count; n++) {
    const ct_chen_shared next = n + 1 < count ? ct_chen_share(state, first + n + 1, i, j) : shared;
    for (int p = 0; p < pieces; p++) {
      const int from = p * piece, to = from + piece < half ? from + piece : half;
      const int row = p * blended < rows ? p * blended : rows, end = row + blended < rows ? row + blended : rows;
      if (n + 1 < count) ct_chen_blend(&next, state->stride, row, end, lines[(n + 1) % 2]);
      ct_chen_add_line_mirrored(&shared, state->mirrors[first + n], lines[n % 2], rows - 2, from, to, sums, mirrored);
    }
    shared = next;
  }
  ct_chen_add_halves(ct_chen_column_at(state, i, j), nz, sums, mirrored);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  return ct_chen_run(state, batch, state->views, add_column, job, error);
}

const ct_bp_kernel ct_bp_chen_prefetch = {
    .id = "chen-prefetch",
    .title = "Symmetry, prefetch (Chen 7)",
    .explanation = "Two local buffers: the line of the next view is loaded and blended while the present one is "
                   "summed, so that the "
                   "waiting for memory is hidden behind arithmetic (Chen et al. 2021, algorithm 2).",
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
