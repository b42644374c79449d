/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interleaved slices (interleaved-private.h) in 16-bit integers. A word holds the samples of one slice in a bin and in
 * the next, so that a voxel loads half as much, and one instruction (vpdpwssd; vpmaddwd and a sum) multiplies both by
 * the weights (1 - t, t) and adds them to a 32-bit sum. Eight views are added so before the sums go to single
 * precision.
 *
 * No sum can overflow, whatever the projections are: a sample is an integer of magnitude up to 32767, the pass's
 * largest magnitude (int16.h); weights are 2^13 - T and T with 0 <= T <= 2^13; eight views then add up to at most
 * 8 2^13 32767 = 2^31 - 2^16. A ninth would overflow silently. */
#include "recon/bp/interleaved/interleaved-loops.h"
#include "recon/bp/layout/int16-vector.h"
#include "recon/bp/layout/magnitude.h"

enum { weight_one = 1 << 13 };

CT_INLINE vi quantise(const ct_bp_state *state, int slot, const float *projection, double v, int u) {
  return vround(ct_interleaved_line(state, projection, v, u) * vset(ct_int16_units(state->magnitudes[slot])));
}

CT_INLINE vf words(const ct_bp_state *state, int slot, const float *projection, double v, int u) {
  return (vf)vpair(quantise(state, slot, projection, v, u), quantise(state, slot, projection, v, u + 1));
}

static void lay(ct_bp_state *state, int slot, int piece, int k, int slices, const float *projection) {
  ct_interleaved_lay(words, state, slot, piece, k, slices, projection);
}

CT_INLINE vi weight(vf fraction, vf scale) {
  const lanes behind = (lanes)vround(fraction * scale);
  return (vi)(weight_one - behind + behind * 0x10000);
}

/* Adds `views` views, rounded up to whole pairs, to voxels beside each other, n vectors of slices each. */
CT_INLINE void add_voxels(int views, int n, const uint32_t *view, const ct_interleaved_places *p, int voxel, vf unit,
                          float *at) {
  vi sum[beside * slab / W];
  for (int g = 0; g < beside * n; g++) sum[g] = viset(0);
#pragma GCC unroll 4
  for (int s = 0; s < views; s += 2)
#pragma GCC unroll 2
    for (int o = 0; o < beside; o++) {
      const uint64_t pair = ct_interleaved_pair(p, voxel + o, s);
#pragma GCC unroll 2
      for (int t = s; t < s + 2; t++) {
        const uint32_t *from = view + ct_interleaved_from(pair, t);
        const vi weights = (vi)ct_interleaved_spread(p, voxel, o, t);
        for (int g = 0; g < n; g++) sum[o * n + g] = vdot(sum[o * n + g], viload(from + g * W), weights);
      }
    }
  for (int g = 0; g < beside * n; g++) vstore(at + g * W, vfma(vfloat(sum[g]), unit, vload(at + g * W)));
}

/* Adds `views` views to a part. A column more than it has may be added to: a tile has room for it. */
CT_INLINE void add_places(int views, int n, const uint32_t *view, const ct_interleaved_places *p, const ct_tile *part,
                          float unit, float *sums) {
  for (int j = 0; j < part->rows; j++)
    for (int i = 0; i < part->columns; i += beside)
      add_voxels(views, n, view, p, j * part_x + i, vset(unit), sums + (size_t)(j * tile_pitch + i) * (size_t)(n * W));
}

CT_INLINE void add_vectors(int n, const ct_bp_state *state, int slot, int views, const ct_tile *part, float *sums) {
  const uint32_t *view = state->bins + (size_t)slot * state->view;
  const float magnitude = state->magnitudes[slot];
  if (!(magnitude > 0)) return;
  const float unit = 1 / ct_int16_units(magnitude) / weight_one;
  ct_interleaved_places p;
  ct_interleaved_find(weight, state->request.interp == CT_INTERP_NEAREST ? 0 : weight_one, state, slot, views, part,
                      n * W, &p);
  if (views == pass)
    add_places(pass, n, view, &p, part, unit, sums);
  else
    add_places(views, n, view, &p, part, unit, sums);
}

static void add(const ct_bp_state *state, int slot, int views, const ct_tile *part, int slices, float *sums) {
  CT_INTERLEAVED_FOR_VECTORS(add_vectors, slices, state, slot, views, part, sums)
}

/* The words of a bin need the one behind it: those of the zero before the detector are not all zero. */
const ct_interleaved_technique CT_SIMD_TABLE(ct_slices_int16_loops) = {
    .before = 1, .magnitude = ct_magnitude, .lay = lay, .add = add, .add_tile = ct_tile_add};
