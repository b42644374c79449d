/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, up to 64 slices interleaved, tables in half precision, widened to single by the processor's own
 * instruction (F16C, AVX-512), in portable vectors by integer arithmetic: Chilingaryan et al. (2019), sections 5.3 and
 * 6.7, on the CPU. */
#include "recon/bp/parallel/half-loops-private.h"
#include "recon/simd/vector.h"

enum { most_vectors = 4 };

CT_INLINE void add_values(bool linear, int slices, const ct_bp_state *state, int slot, const int *at,
                          const float *weight, float *sums) {
  const int vectors = slices / W < most_vectors ? slices / W : most_vectors;
  for (int l = 0; l < slices; l += vectors * W) {
    vf sum[most_vectors];
#pragma GCC unroll 4
    for (int q = 0; q < vectors; q++) sum[q] = vload(sums + l + q * W);
#pragma GCC unroll 8
    for (int s = 0; s < ct_parallel_pass; s++) {
      const uint16_t *from = (const uint16_t *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * slices + l;
      const float scale = state->scales[slot + s], high = scale * weight[s];
      const vf weight0 = vset(linear ? scale - high : scale), weight1 = vset(high);
#pragma GCC unroll 4
      for (int q = 0; q < vectors; q++) {
        sum[q] = vfma(weight0, vload_half(from + q * W), sum[q]);
        if (linear) sum[q] = vfma(weight1, vload_half(from + slices + q * W), sum[q]);
      }
    }
#pragma GCC unroll 4
    for (int q = 0; q < vectors; q++) vstore(sums + l + q * W, sum[q]);
  }
}

CT_INLINE void add_linear(int slices, const ct_bp_state *state, int slot, const int *at, const float *weight,
                          float *sums) {
  add_values(true, slices, state, slot, at, weight, sums);
}

CT_INLINE void add_nearest(int slices, const ct_bp_state *state, int slot, const int *at, const float *weight,
                           float *sums) {
  add_values(false, slices, state, slot, at, weight, sums);
}

CT_INLINE void add_some(int slices, const ct_bp_state *state, int slot, const ct_parallel_tile *tile, float *sums) {
  if (state->request.interp == CT_INTERP_NEAREST)
    ct_parallel_walk(add_nearest, slices, state, slot, tile, sums);
  else
    ct_parallel_walk(add_linear, slices, state, slot, tile, sums);
}

static void add(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices, float *sums) {
  switch (slices) {
#if W == 8
  case 8:
    add_some(8, state, slot, tile, sums);
    break;
#endif
  case 16:
    add_some(16, state, slot, tile, sums);
    break;
  case 32:
    add_some(32, state, slot, tile, sums);
    break;
  default:
    add_some(64, state, slot, tile, sums);
    break;
  }
}

const ct_half_loops CT_SIMD_TABLE(ct_half_loops) = {.add = add};
