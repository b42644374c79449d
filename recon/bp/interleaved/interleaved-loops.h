/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the loops of kernels with interleaved slices share (interleaved-private.h), compiled with each. */
#ifndef CT_BP_INTERLEAVED_INTERLEAVED_LOOPS_H
#define CT_BP_INTERLEAVED_INTERLEAVED_LOOPS_H

#include "recon/bp/interleaved/interleaved-private.h"
#include "recon/bp/nearest.h"
#include "recon/bp/layout/tile-add.h"
#include "recon/bp/support-private.h"
#include "recon/simd/vector.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

CT_INLINE vf ct_interleaved_bins(const float *at, int u, int nu) {
  return u >= 0 && u + W <= nu ? vload(at) : vload_between(at, -u, nu - u);
}

/* Bins u .. u + W - 1 of the detector line at row position v; zero outside. */
CT_INLINE vf ct_interleaved_line(const ct_bp_state *state, const float *projection, double v, int u) {
  const int nu = state->request.geometry->nu, nv = state->request.geometry->nv;
  v = ct_bp_nearest(v, state->request.interp == CT_INTERP_NEAREST);
  if (!(v > -1 && v < nv)) return vset(0);
  const int row = ct_bp_row_below(v, nv);
  const float fraction = (float)(v - row);
  const float *at = projection + (ptrdiff_t)row * nu + u;
  const vf low = row >= 0 ? ct_interleaved_bins(at, u, nu) : vset(0);
  const vf high = row + 1 < nv && fraction != 0 ? ct_interleaved_bins(at + nu, u, nu) : vset(0);
  return vfma(vset(fraction), high - low, low);
}

/* The words that are stored of bins u .. u + W - 1 of a slice on row v. */
typedef vf ct_interleaved_words(const ct_bp_state *state, int slot, const float *projection, double v, int u);

/* The technique's `lay` by `words`, which is inlined. */
CT_INLINE void ct_interleaved_lay(ct_interleaved_words *words, ct_bp_state *state, int slot, int piece, int k,
                                  int slices, const float *projection) {
  const double *height = state->heights[slot];
  const int nu = state->request.geometry->nu, nz = state->request.grid.nz, before = state->technique->before;
  const int first = piece * piece_bins - before, end = first + piece_bins < nu ? first + piece_bins : nu;
  const size_t bin = (size_t)slices, outside = bin * sizeof *state->bins;
  uint32_t *view = state->bins + (size_t)slot * state->view;
  if (piece == 0) memset(view, 0, (size_t)(border - before) * outside);
  if (end == nu) memset(view + ((size_t)nu + border) * bin, 0, border * outside);
  for (int u = first; u < end; u += W) {
    const int count = end - u < W ? end - u : W;
    for (int base = 0; base < slices; base += W) {
      vf square[W];
      for (int l = 0; l < W; l++) {
        const int slice = k + base + l;
        square[l] = slice < nz ? words(state, slot, projection, height[0] * slice + height[1], u) : vset(0);
      }
      vtranspose(square);
      uint32_t *out = view + (size_t)(u + border) * bin + base;
      for (int n = 0; n < count; n++) memcpy(out + (size_t)n * bin, &square[n], sizeof *square);
    }
  }
}

/* Where a part's voxels find their bins in the views of a pass, and what is kept of the position's fraction there. */
typedef struct ct_interleaved_places {
  _Alignas(64) unsigned from[part_voxels][pass]; /* first word of the bin, counted from the pass's first view */
  _Alignas(64) union {
    float part[part_voxels][pass]; /* what counts of the bin behind it; or as the technique has it: */
    int word[part_voxels][pass];
  } weight;
} ct_interleaved_places;

/* Voxels that are added to at once, as many as a register has room for the weights of: sums of their own keep the
 * multipliers busy. */
enum { beside = W / pass };

/* A position's fraction as the weight that is kept. */
typedef vi ct_interleaved_weight(vf fraction, vf scale);

/* Lanes: the views of a pass, for one voxel beside the other. */
CT_INLINE vf ct_interleaved_lanes(const float views[pass]) {
  vf all;
  for (int l = 0; l < W; l++) all[l] = views[l % pass];
  return all;
}

/* Positions count from the lowest bin that any voxel of the part meets: there float32 tells a millionth of a bin.
 * Beyond the detector everything reads zeros, and so do all voxels in the views that a pass lacks. `weight` is
 * inlined. */
CT_INLINE void ct_interleaved_find(ct_interleaved_weight *weight, float scale, const ct_bp_state *state, int slot,
                                   int views, const ct_tile *part, int slices, ct_interleaved_places *out) {
  const double far = 1e6, last = state->request.geometry->nu + border;
  float across[pass] = {0}, down[pass] = {0}, start[pass] = {0}, low[pass] = {0}, high[pass] = {0};
  int from[pass] = {0};
  for (int s = 0; s < views; s++) {
    const double x = state->x[slot + s], y = state->y[slot + s];
    const double at = x * part->i + y * part->j + state->offset[slot + s];
    const double lowest = at + (x < 0 ? x : 0) * (part_x - 1) + (y < 0 ? y : 0) * (part_y - 1);
    const double first = floor(lowest < -far ? -far : lowest > far ? far : lowest), rest = at - first;
    across[s] = (float)x, down[s] = (float)y;
    start[s] = (float)(rest < -far ? -far : rest > far ? far : rest);
    low[s] = (float)-first, high[s] = (float)(last - first);
    from[s] = (int)first * slices + (int)state->view * s;
  }
  const vf x = ct_interleaved_lanes(across), y = ct_interleaved_lanes(down), begin = ct_interleaved_lanes(start);
  const vf least = ct_interleaved_lanes(low), most = ct_interleaved_lanes(high);
  vf column;
  lanes view;
  for (int l = 0; l < W; l++) column[l] = (float)(l / pass), view[l] = from[l % pass];
  for (int j = 0; j < part_y; j++) {
    const vf row = vfma(column, x, vfma(vset((float)j), y, begin));
    for (int i = 0; i < part_x; i += beside) {
      const vf u = vfma(vset((float)i), x, row), inside = vclamp(u, least, most);
      const vi bin = vtrunc(inside), kept = weight(inside - vfloat(bin), vset(scale));
      const lanes place = (lanes)bin * slices + view;
      memcpy(out->weight.word[j * part_x + i], &kept, sizeof kept);
      memcpy(out->from[j * part_x + i], &place, sizeof place);
    }
  }
}

/* The places of view s, even, and of the next one, by one load: loads bound these kernels. */
CT_INLINE uint64_t ct_interleaved_pair(const ct_interleaved_places *p, int voxel, int s) {
  uint64_t pair;
  memcpy(&pair, &p->from[voxel][s], sizeof pair);
  return pair;
}

CT_INLINE uint32_t ct_interleaved_from(uint64_t pair, int s) {
  const bool first = (s % 2 == 0) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  return (uint32_t)(first ? pair : pair >> 32);
}

/* The weight of view s, in all lanes, for the voxel `o` behind the first of those at once; s and o are constants. */
CT_INLINE vf ct_interleaved_spread(const ct_interleaved_places *p, int voxel, int o, int s) {
  if (W == pass) return vset(p->weight.part[voxel + o][s]);
  const vf weights = vload(p->weight.part[voxel]);
  return vlookup1(&weights, viset(o * pass + s));
}

/* `add` with the vectors of `slices` slices, a constant in each. */
#if W == 8
#define CT_INTERLEAVED_FOR_HALF_VECTORS(add, ...)                                                                      \
  CT_INTERLEAVED_CASE(5, add, __VA_ARGS__)                                                                             \
  CT_INTERLEAVED_CASE(6, add, __VA_ARGS__)                                                                             \
  CT_INTERLEAVED_CASE(7, add, __VA_ARGS__)                                                                             \
  CT_INTERLEAVED_CASE(8, add, __VA_ARGS__)
#else
#define CT_INTERLEAVED_FOR_HALF_VECTORS(add, ...)
#endif
#define CT_INTERLEAVED_CASE(n, add, ...)                                                                               \
  case n:                                                                                                              \
    add(n, __VA_ARGS__);                                                                                               \
    break;
#define CT_INTERLEAVED_FOR_VECTORS(add, slices, ...)                                                                   \
  switch ((slices) / W) {                                                                                              \
    CT_INTERLEAVED_CASE(1, add, __VA_ARGS__)                                                                           \
    CT_INTERLEAVED_CASE(2, add, __VA_ARGS__)                                                                           \
    CT_INTERLEAVED_CASE(3, add, __VA_ARGS__)                                                                           \
    CT_INTERLEAVED_CASE(4, add, __VA_ARGS__)                                                                           \
    CT_INTERLEAVED_FOR_HALF_VECTORS(add, __VA_ARGS__)                                                                  \
  }

#endif
