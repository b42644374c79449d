/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-and-difference tables of the parallel beam, Chilingaryan et al. (2019), section 6.4: s[b] and s[b + 1] - s[b]
 * side by side make interpolation one multiplication and one addition. What parallel-differences.c and
 * parallel-columns.c share. */
#ifndef CT_BP_DIFFERENCES_PRIVATE_H
#define CT_BP_DIFFERENCES_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/parallel/parallel-private.h"

/* Table [bin][value, difference][slice]. */
static inline void ct_differences_encode(ct_bp_state *state, int slot, int slices, const float *line) {
  const int bins = state->request.geometry->nu + 2 * ct_parallel_border;
  float *out = (float *)(state->tables + (size_t)slot * state->table);
  for (int bin = 0; bin < bins; bin++, line += slices, out += 2 * slices)
    for (int l = 0; l < slices; l++) {
      out[l] = line[l];
      out[slices + l] = bin + 1 < bins ? line[slices + l] - line[l] : 0;
    }
}

CT_INLINE void ct_differences_add(int slices, const ct_bp_state *state, int slot, const int *at, const float *weight,
                                  float *sums) {
  if (slices < 4) {
    for (int s = 0; s < ct_parallel_pass; s++) {
      const float *from = (const float *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * 2 * slices;
      for (int l = 0; l < slices; l++) sums[l] += from[l] + weight[s] * from[l + slices];
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
      const float *from = (const float *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * 2 * slices + l;
#pragma GCC unroll 8
      for (int q = 0; q < packs; q++)
        sum[q] += ct_pack_load(from + 4 * q) + weight[s] * ct_pack_load(from + slices + 4 * q);
    }
#pragma GCC unroll 8
    for (int q = 0; q < packs; q++) ct_pack_store(sums + l + 4 * q, sum[q]);
  }
}

#define CT_DIFFERENCES_SETTING(name, n, function)                                                                      \
  static const ct_parallel_technique technique_##name = {.least = 1,                                                   \
                                                         .slices = n,                                                  \
                                                         .samples = 1,                                                 \
                                                         .entry = 2 * sizeof(float),                                   \
                                                         .encode = ct_differences_encode,                              \
                                                         .add = function}

#define CT_DIFFERENCES_COMMON(name)                                                                                    \
  CT_PARALLEL_FUNCTIONS(&technique_##name), .interps = CT_BIT(CT_INTERP_LINEAR),                                       \
                                            .precisions = CT_BIT(CT_PRECISION_FLOAT32), .tolerance = 5e-6

#endif
