/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loops of the ladder of Chen et al. (2021), one function a kernel: plain C, from which the compiler makes
 * the vectors of the level that it is asked for. */
#include "recon/bp/chen/chen-private.h"

#include <string.h>

/* Transposed projections and a transposed volume, and the voxel loop otherwise unchanged: the innermost loop runs along
 * z, whose voxels project to neighbours in memory. Chen et al. (2021), section 3.1.1; transpose_mp of table 2. One view
 * a pass, any matrices. */
static void add_transpose(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const ct_geometry *geometry = state->request.geometry;
  const double *m = state->matrices[first], last_s = geometry->nu + 1, last_t = geometry->nv + 1;
  const float *restrict transposed = state->transposed + (size_t)first * state->view;
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
    const float *at = transposed + (size_t)c * stride + r, *next = at + stride;
    const float along = (float)(s - c), low = ct_chen_mix(at[0], next[0], along),
                high = ct_chen_mix(at[1], next[1], along);
    column[k] += ct_chen_mix(low, high, (float)(t - r)) * (float)(f * f);
  }
}

/* Transposed, with everything that a column of voxels shares taken out of the loop along z: w, u and the weight. Chen
 * et al. (2021), section 3.1.2 a; share_mp of table 2. One view a pass; needs detector columns along z. */
static void add_share(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
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

/* Shared, with one row position for two voxels: those as far above and below the source's plane project as far above
 * and below one row. Chen et al. (2021), section 3.1.2 b, after Zhao et al. (2009); symmetry_mp of table 2. One view a
 * pass. The paper mirrors at the detector's middle row; the row here is wherever the source's plane meets the
 * detector, so that vertical offsets are served, and an odd middle slice, too. */
static inline float sample_symmetry(const ct_chen_shared *shared, const float *restrict at, const float *restrict next,
                                    double row, double last) {
  const double t = ct_chen_clamp(row, last);
  const int r = (int)t;
  const float low = ct_chen_mix(at[r], next[r], shared->fraction);
  const float high = ct_chen_mix(at[r + 1], next[r + 1], shared->fraction);
  return ct_chen_mix(low, high, (float)(t - r)) * shared->weight;
}

static void add_symmetry(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
  const ct_chen_shared shared = ct_chen_share(state, first, i, j);
  const float *restrict at = shared.columns, *restrict next = at + state->stride;
  const double last = state->request.geometry->nv + 1, mirror = state->mirrors[first];
  const int nz = state->request.grid.nz;
  float *column = ct_chen_column_at(state, i, j);
#pragma omp simd
  for (int k = 0; k < nz / 2; k++) {
    const double row = (shared.b + shared.step * k) * shared.f + 1;
    column[k] += sample_symmetry(&shared, at, next, row, last);
    column[nz - 1 - k] += sample_symmetry(&shared, at, next, mirror - row, last);
  }
  if (nz % 2)
    column[nz / 2] += sample_symmetry(&shared, at, next, (shared.b + shared.step * (nz / 2)) * shared.f + 1, last);
}

/* Symmetry with sub-lines and batches, algorithm 1 of Chen et al. (2021), sections 3.1.3 and 3.1.5; subline_mp of
 * table 2. For a column of voxels and each of nb views the two detector columns at u are blended into one line, whole
 * and in order; then each voxel takes all nb views from their lines, two pixels a view instead of four, sums them in a
 * register and is updated once. */
static inline float sample_subline(const float *restrict line, double row, double last) {
  const double t = ct_chen_clamp(row, last);
  const int r = (int)t;
  return ct_chen_mix(line[r], line[r + 1], (float)(t - r));
}

static void add_subline(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
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
      sum += sample_subline(line, row, last) * weight[s];
      mirrored += sample_subline(line, mirrors[s] - row, last) * weight[s];
    }
    column[k] += sum;
    if (k != nz - 1 - k) column[nz - 1 - k] += mirrored;
  }
}

/* Sub-lines in a local buffer: one line, of the view in work, small enough for the first-level cache, and vectors along
 * z where algorithm 1 has them along the views. Listing 3 of Chen et al. (2021) without symmetry; share_lm_cl of
 * table 2. What OpenCL's work-items hold in registers over the batch, a sum a voxel, is an array beside the line here.
 */
static void add_share_local(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
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

/* Sub-lines in a local buffer, as in chen-share-local.c, with the mirrored half of a column from the same positions.
 * Listing 3 of Chen et al. (2021); symmetry_lm_cl of table 2. */
static void add_symmetry_local(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
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

/* Symmetry with a local buffer, and a second one: while the line of one view is summed, that of the next view is
 * blended into the other buffer, piece by piece in between, so that its loads are under way early. Chen et al. (2021),
 * algorithm 2; symmetry_pf_cl of table 2. OpenCL's work-items mix the two between barriers; pieces of 64 voxels do
 * here. */
enum { piece = 64 };

static void add_prefetch(const ct_bp_state *state, int first, int count, int i, int j, float *scratch) {
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

const ct_chen_loops CT_SIMD_TABLE(ct_chen_loops) = {
    .transpose = add_transpose,
    .share = add_share,
    .symmetry = add_symmetry,
    .subline = add_subline,
    .share_local = add_share_local,
    .symmetry_local = add_symmetry_local,
    .prefetch = add_prefetch,
};
