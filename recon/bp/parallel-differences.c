/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, value-and-difference tables, without and with cached h_x: Chilingaryan et al. (2019), sections 6.4
 * ("advanced caching": s[b] and s[b + 1] - s[b] side by side make interpolation one multiplication and one addition)
 * and 6.8 (the part of a position that depends on the column alone is found once for a tile). Both together, with four
 * slices, are what section 6.10 found fastest on CPUs. */
#include "recon/bp/kernels-private.h"
#include "recon/bp/parallel-private.h"

/* Table [bin][value, difference][slice]. */
static void encode(ct_bp_state *state, int slot, int slices, const float *line) {
  const int bins = state->request.geometry->nu + 2 * ct_parallel_border;
  float *out = (float *)(state->tables + (size_t)slot * state->table);
  for (int bin = 0; bin < bins; bin++, line += slices, out += 2 * slices)
    for (int l = 0; l < slices; l++) {
      out[l] = line[l];
      out[slices + l] = bin + 1 < bins ? line[slices + l] - line[l] : 0;
    }
}

CT_INLINE void add_linear(int slices, const ct_bp_state *state, int slot, const int *at, const float *weight,
                          float *sums) {
  if (slices < 4) {
    for (int s = 0; s < ct_parallel_sweep; s++) {
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
    for (int s = 0; s < ct_parallel_sweep; s++) {
      const float *from = (const float *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * 2 * slices + l;
#pragma GCC unroll 8
      for (int q = 0; q < packs; q++)
        sum[q] += ct_pack_load(from + 4 * q) + weight[s] * ct_pack_load(from + slices + 4 * q);
    }
#pragma GCC unroll 8
    for (int q = 0; q < packs; q++) ct_pack_store(sums + l + 4 * q, sum[q]);
  }
}

static void add(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices,
                float *sums){CT_PARALLEL_FOR_SLICES(ct_parallel_walk, add_linear, slices, state, slot, tile, sums)}

/* As ct_parallel_walk; the columns' part of the positions, with the row's constant part, is kept for the whole tile. */
CT_INLINE void walk_cached(ct_parallel_voxel *voxel, int slices, const ct_bp_state *state, int slot,
                           const ct_parallel_tile *tile, float *sums) {
  const ct_parallel_views *views = &state->views[slot / ct_parallel_sweep];
  const double last = ct_parallel_last(state);
  double columns[ct_parallel_side][ct_parallel_sweep];
  for (int i = 0; i < tile->columns; i++)
    for (int s = 0; s < ct_parallel_sweep; s++) columns[i][s] = views->x[s] * (tile->i + i) + views->offset[s];
  for (int j = 0; j < tile->rows; j++) {
    double row[ct_parallel_sweep];
    for (int s = 0; s < ct_parallel_sweep; s++) row[s] = views->y[s] * (tile->j + j);
    for (int i = 0; i < tile->columns; i++) {
      int at[ct_parallel_sweep];
      float weight[ct_parallel_sweep];
      for (int s = 0; s < ct_parallel_sweep; s++) ct_parallel_place(columns[i][s] + row[s], last, &at[s], &weight[s]);
      voxel(slices, state, slot, at, weight, sums + ((size_t)j * (size_t)state->side + (size_t)i) * (size_t)slices);
    }
  }
}

static void add_cached(const ct_bp_state *state, int slot, const ct_parallel_tile *tile, int slices,
                       float *sums){CT_PARALLEL_FOR_SLICES(walk_cached, add_linear, slices, state, slot, tile, sums)}

#define SETTING(name, n, function)                                                                                     \
  static const ct_parallel_technique technique_##name = {                                                              \
      .least = 1, .slices = n, .samples = 1, .entry = 2 * sizeof(float), .encode = encode, .add = function};           \
  CT_PARALLEL_SETTING(name, &technique_##name)
SETTING(plain_1, 1, add) SETTING(plain_4, 4, add) SETTING(cached_1, 1, add_cached) SETTING(cached_4, 4, add_cached)

#define COMMON(name)                                                                                                   \
  CT_PARALLEL_FUNCTIONS(name), .interps = CT_BIT(CT_INTERP_LINEAR), .precisions = CT_BIT(CT_PRECISION_FLOAT32),        \
                               .tolerance = 5e-6

    const ct_bp_kernel ct_bp_differences[4] = {
        {COMMON(plain_1), .id = "differences-1", .title = "Values and differences, one slice", .rank = 20,
         .explanation =
             "Each bin is stored with its difference to the next, so that interpolation is one multiplication "
             "and one addition, for twice the memory: the advanced caching of Chilingaryan et al. (2019), "
             "section 6.4."},
        {COMMON(plain_4), .id = "differences-4", .title = "Values and differences, 4 slices", .rank = 22,
         .explanation = "The tables of values and differences with four slices interleaved (Chilingaryan et al. 2019, "
                        "section 6.4)."},
        {COMMON(cached_1), .id = "columns-1", .title = "Cached column positions, one slice", .rank = 20,
         .explanation = "With values and differences: the part of a voxel's position that its column decides (h_x) is "
                        "found once for a tile, so that one addition gives the position (Chilingaryan et al. 2019, "
                        "section 6.8)."},
        {COMMON(cached_4), .id = "columns-4", .title = "Cached column positions, 4 slices", .rank = 22,
         .explanation = "Values and differences, cached column positions and four slices together: the setting that "
                        "Chilingaryan et al. (2019, section 6.10, table 21) found fastest on CPUs."},
};
