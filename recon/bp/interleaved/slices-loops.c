/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interleaved slices (interleaved-private.h) in single precision: a voxel adds two bins as whole vectors of slices. Two
 * loads of a vector an update are the bound: trials that share them between neighbouring voxels, or keep values beside
 * differences, pay as much in arithmetic. */
#include "recon/bp/interleaved/interleaved-loops.h"

CT_INLINE vf words(const ct_bp_state *state, int slot, const float *projection, double v, int u) {
  (void)slot;
  return ct_interleaved_line(state, projection, v, u);
}

static void lay(ct_bp_state *state, int slot, int piece, int k, int slices, const float *projection) {
  ct_interleaved_lay(words, state, slot, piece, k, slices, projection);
}

CT_INLINE vi weight(vf fraction, vf scale) {
  (void)scale;
  return (vi)fraction;
}

/* Adds `views` views, rounded up to whole pairs, to voxels beside each other, n vectors of slices each. */
CT_INLINE void add_voxels(bool nearest, int views, int n, const float *view, const ct_interleaved_places *p, int voxel,
                          float *at) {
  const size_t slices = (size_t)n * W;
  vf sum[beside * slab / W];
  for (int g = 0; g < beside * n; g++) sum[g] = vload(at + g * W);
#pragma GCC unroll 4
  for (int s = 0; s < views; s += 2)
#pragma GCC unroll 2
    for (int o = 0; o < beside; o++) {
      const uint64_t pair = ct_interleaved_pair(p, voxel + o, s);
#pragma GCC unroll 2
      for (int t = s; t < s + 2; t++) {
        const float *from = view + ct_interleaved_from(pair, t);
        const vf weight1 = ct_interleaved_spread(p, voxel, o, t), weight0 = vset(1) - weight1;
        for (int g = 0; g < n; g++) {
          vf *to = sum + o * n + g;
          if (nearest)
            *to = *to + vload(from + g * W);
          else
            *to = vfma(weight1, vload(from + slices + g * W), vfma(weight0, vload(from + g * W), *to));
        }
      }
    }
  for (int g = 0; g < beside * n; g++) vstore(at + g * W, sum[g]);
}

/* Adds `views` views to a part. A column more than it has may be added to: a tile has room for it. */
CT_INLINE void add_places(bool nearest, int views, int n, const float *view, const ct_interleaved_places *p,
                          const ct_tile *part, float *sums) {
  for (int j = 0; j < part->rows; j++)
    for (int i = 0; i < part->columns; i += beside)
      add_voxels(nearest, views, n, view, p, j * part_x + i, sums + (size_t)(j * tile_pitch + i) * (size_t)(n * W));
}

CT_INLINE void add_vectors(int n, const ct_bp_state *state, int slot, int views, const ct_tile *part, float *sums) {
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  const float *view = (const float *)(state->bins + (size_t)slot * state->view);
  ct_interleaved_places p;
  ct_interleaved_find(weight, 1, state, slot, views, part, n * W, &p);
  if (views == pass && nearest)
    add_places(true, pass, n, view, &p, part, sums);
  else if (views == pass)
    add_places(false, pass, n, view, &p, part, sums);
  else
    add_places(nearest, views, n, view, &p, part, sums);
}

static void add(const ct_bp_state *state, int slot, int views, const ct_tile *part, int slices, float *sums) {
  CT_INTERLEAVED_FOR_VECTORS(add_vectors, slices, state, slot, views, part, sums)
}

const ct_interleaved_technique CT_SIMD_TABLE(ct_slices_loops) = {.lay = lay, .add = add, .add_tile = ct_tile_add};
