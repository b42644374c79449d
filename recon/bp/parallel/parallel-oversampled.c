/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, four samples a bin, interpolated linearly once when the table is made; voxels then take the nearest.
 * Chilingaryan et al. (2019), section 7.2 with figure 17 and table 24: one load and no arithmetic a voxel, for four
 * times the memory and positions off by an eighth of a bin at most. */
#include "recon/bp/kernels-private.h"
#include "recon/bp/parallel/parallel-private.h"

enum { samples = 4 };

static void encode(ct_bp_state *state, int slot, int slices, const float *line) {
  const int bins = state->request.geometry->nu + 2 * ct_parallel_border;
  float *out = (float *)(state->tables + (size_t)slot * state->table);
  for (int bin = 0; bin < bins; bin++, line += slices)
    for (int sample = 0; sample < samples; sample++, out += slices)
      for (int l = 0; l < slices; l++) {
        const float behind = bin + 1 < bins ? line[slices + l] : 0;
        out[l] = line[l] + (float)sample / samples * (behind - line[l]);
      }
}

CT_INLINE void add_sample(int slices, const ct_bp_state *state, int slot, const int *at, const float *weight,
                          float *sums) {
  if (slices < 4) {
    for (int s = 0; s < ct_parallel_pass; s++) {
      const float *from = (const float *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * slices;
      for (int l = 0; l < slices; l++) sums[l] += from[l];
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
      for (int q = 0; q < packs; q++) sum[q] += ct_pack_load(from + 4 * q);
    }
#pragma GCC unroll 8
    for (int q = 0; q < packs; q++) ct_pack_store(sums + l + 4 * q, sum[q]);
  }
}

static void add(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices,
                float *sums){CT_PARALLEL_FOR_SLICES(ct_parallel_walk, add_sample, slices, state, slot, tile, sums)}

#define SETTING(n)                                                                                                     \
  static const ct_parallel_technique technique_##n = {                                                                 \
      .least = 1, .slices = n, .samples = samples, .entry = sizeof(float), .encode = encode, .add = add}
SETTING(1);
SETTING(4);
SETTING(16);

#define COMMON(n)                                                                                                      \
  CT_PARALLEL_FUNCTIONS(&technique_##n), .interps = CT_BIT(CT_INTERP_OVERSAMPLED),                                     \
                                         .precisions = CT_BIT(CT_PRECISION_FLOAT32), .tolerance = 5e-6

const ct_bp_kernel ct_bp_oversampled[3] = {
    {COMMON(1), .id = "oversampled-1", .title = "Four samples a bin, one slice",
     .explanation = "Four samples a bin are interpolated when the table is made, and voxels take the nearest: a load "
                    "and an addition each, nearly as sharp as linear interpolation (Chilingaryan et al. 2019, "
                    "section 7.2)."},
    {COMMON(4), .id = "oversampled-4", .title = "Four samples a bin, 4 slices",
     .explanation = "The nearest of four samples a bin, with four slices interleaved (Chilingaryan et al. 2019, "
                    "section 7.2, table 24)."},
    {COMMON(16), .id = "oversampled-16", .title = "Four samples a bin, 16 slices",
     .explanation = "The nearest of four samples a bin, with sixteen slices interleaved: what is left is one load and "
                    "one addition for every four voxels. After Chilingaryan et al. (2019), section 7.2."},
};
