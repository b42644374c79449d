/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, one slice, and 2, 4, 8, 16, 64 slices interleaved: the "standard" algorithm of Chilingaryan et al.
 * (2019), section 5.1, and its compound sinograms, section 5.2 with figure 5: in parallel beam the voxels above each
 * other need the same bin and weight in every view, so that place and weight are found once for all of them. Section
 * 6.10 and table 21 take it to the CPU: 4 slices, and 8 or more where registers are wider. */
#include "recon/bp/kernels-private.h"
#include "recon/bp/parallel/parallel-private.h"

CT_INLINE void add_values(bool linear, int slices, const ct_bp_state *state, int slot, const int *at,
                          const float *weight, float *sums) {
  if (slices < 4) {
    for (int s = 0; s < ct_parallel_pass; s++) {
      const float *from = (const float *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * slices;
      for (int l = 0; l < slices; l++) sums[l] += linear ? from[l] + weight[s] * (from[l + slices] - from[l]) : from[l];
    }
    return;
  }
  const int packs = slices / 4 < ct_parallel_packs ? slices / 4 : ct_parallel_packs;
  for (int l = 0; l < slices; l += 4 * packs) {
    ct_pack sum[ct_parallel_packs];
#pragma GCC unroll 8
    for (int q = 0; q < packs; q++) sum[q] = ct_pack_load(sums + l + 4 * q);
#pragma GCC unroll 8
    for (int s = 0; s < ct_parallel_pass; s++) {
      const float *from = (const float *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * slices + l;
#pragma GCC unroll 8
      for (int q = 0; q < packs; q++) {
        const ct_pack low = ct_pack_load(from + 4 * q);
        sum[q] += linear ? low + weight[s] * (ct_pack_load(from + slices + 4 * q) - low) : low;
      }
    }
#pragma GCC unroll 8
    for (int q = 0; q < packs; q++) ct_pack_store(sums + l + 4 * q, sum[q]);
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

static void add(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices, float *sums) {
  if (state->request.interp == CT_INTERP_NEAREST) {
    CT_PARALLEL_FOR_SLICES(ct_parallel_walk, add_nearest, slices, state, slot, tile, sums)
  } else {
    CT_PARALLEL_FOR_SLICES(ct_parallel_walk, add_linear, slices, state, slot, tile, sums)
  }
}

#define SETTING(n)                                                                                                     \
  static const ct_parallel_technique technique_##n = {                                                                 \
      .least = 1, .slices = n, .samples = 1, .entry = sizeof(float), .encode = NULL, .add = add}
SETTING(1);
SETTING(2);
SETTING(4);
SETTING(8);
SETTING(16);
SETTING(64);

#define COMMON(n)                                                                                                      \
  CT_PARALLEL_FUNCTIONS(&technique_##n), .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),              \
                                         .precisions = CT_BIT(CT_PRECISION_FLOAT32), .tolerance = 5e-6

const ct_bp_kernel ct_bp_plain_slices[6] = {
    {COMMON(1), .id = "slices-1", .title = "One slice at a time",
     .explanation = "Parallel beam, slice by slice: each slice's detector lines are drawn out once and tiles of voxels "
                    "stay in the cache while eight views are added. The standard algorithm of Chilingaryan et al. "
                    "(2019), section 5.1."},
    {COMMON(2), .id = "slices-2", .title = "2 slices interleaved",
     .explanation = "The projections of two slices lie bin by bin beside each other, so that the position of a voxel "
                    "in a view is found once for both (Chilingaryan et al. 2019, section 5.2)."},
    {COMMON(4), .id = "slices-4", .title = "4 slices interleaved",
     .explanation = "Four slices share each position, and their values are one register: loads and interpolation are "
                    "done once for four voxels (Chilingaryan et al. 2019, sections 5.2 and 6.10)."},
    {COMMON(8), .id = "slices-8", .title = "8 slices interleaved",
     .explanation = "Eight slices share each position: the search for the bin fades against the adding, as "
                    "Chilingaryan et al. (2019, section 6.10) advise for registers of 256 bits."},
    {COMMON(16), .id = "slices-16", .title = "16 slices interleaved",
     .explanation = "Sixteen slices share each position, so that a bin is a whole cache line and none of it is loaded "
                    "in vain. After Chilingaryan et al. (2019), section 5.2."},
    {COMMON(64), .id = "slices-64", .title = "64 slices interleaved",
     .explanation = "64 slices share each position: what it costs to find it no longer matters, only loads and "
                    "arithmetic are left. After Chilingaryan et al. (2019), section 5.2, taken to its end."},
};
