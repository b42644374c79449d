/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, tables in half precision, arithmetic in single: Chilingaryan et al. (2019), sections 5.3 and 6.7. Each
 * view's numbers are scaled by a power of two to fill the range of a half, so that small ones keep their digits.
 * Conversion is integer arithmetic here, an instruction in half.c. */
#include "recon/bp/layout/half.h"
#include "recon/bp/kernels-private.h"
#include "recon/bp/parallel/parallel-private.h"

void ct_parallel_encode_half(ct_bp_state *state, int slot, int slices, const float *line) {
  const size_t count = ((size_t)state->request.geometry->nu + 2 * ct_parallel_border) * (size_t)slices;
  uint16_t *out = (uint16_t *)(state->tables + (size_t)slot * state->table);
  const float scale = ct_half_scale(ct_half_magnitude(line, count));
  state->scales[slot] = 1 / scale;
  ct_halves_from_floats(line, count, scale, out);
}

typedef uint16_t four_halves __attribute__((vector_size(8)));
typedef uint32_t four_words __attribute__((vector_size(16)));

/* As ct_half_to_float. */
CT_INLINE ct_pack load_halves(const uint16_t *from) {
  four_halves halves;
  memcpy(&halves, from, sizeof halves);
  const four_words wide = __builtin_convertvector(halves, four_words), shifted = (wide & 0x7fff) << 13;
  const ct_pack magnitude = (ct_pack)shifted * 0x1p112f;
  return (ct_pack)((four_words)magnitude | (wide & 0x8000) << 16 | ((four_words)(shifted >= 0x0f800000) & 0x7f800000));
}

CT_INLINE void add_values(bool linear, int slices, const ct_bp_state *state, int slot, const int *at,
                          const float *weight, float *sums) {
  for (int s = 0; s < ct_parallel_pass; s++) {
    const uint16_t *from = (const uint16_t *)ct_parallel_table(state, slot + s) + (ptrdiff_t)at[s] * slices;
    const float scale = state->scales[slot + s];
    if (slices < 4)
      for (int l = 0; l < slices; l++) {
        const float low = ct_half_to_float(from[l]), high = linear ? ct_half_to_float(from[l + slices]) : low;
        sums[l] += scale * (low + weight[s] * (high - low));
      }
    else
      for (int l = 0; l < slices; l += 4) {
        const ct_pack low = load_halves(from + l), high = linear ? load_halves(from + l + slices) : low;
        ct_pack_store(sums + l, ct_pack_load(sums + l) + scale * (linear ? low + weight[s] * (high - low) : low));
      }
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
  const bool nearest = state->request.interp == CT_INTERP_NEAREST;
  if (slices == 1 && nearest)
    ct_parallel_walk(add_nearest, 1, state, slot, tile, sums);
  else if (slices == 1)
    ct_parallel_walk(add_linear, 1, state, slot, tile, sums);
  else if (slices == 2 && nearest)
    ct_parallel_walk(add_nearest, 2, state, slot, tile, sums);
  else if (slices == 2)
    ct_parallel_walk(add_linear, 2, state, slot, tile, sums);
  else if (nearest)
    ct_parallel_walk(add_nearest, 4, state, slot, tile, sums);
  else
    ct_parallel_walk(add_linear, 4, state, slot, tile, sums);
}

static const ct_parallel_technique technique = {
    .least = 1, .slices = 4, .samples = 1, .entry = sizeof(uint16_t), .encode = ct_parallel_encode_half, .add = add};

const ct_bp_kernel ct_bp_half_4 = {
    .id = "half-4",
    .title = "Half precision, 4 slices",
    .explanation = "Projections stored as 16-bit floats, sums in single precision: half the memory traffic, paid with "
                   "a conversion at every load, which a CPU without the instruction feels (Chilingaryan et al. 2019, "
                   "sections 5.3 and 6.7).",
    CT_PARALLEL_FUNCTIONS(&technique),
    .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT16),
    .tolerance = 3e-4, /* of a filtered scan: the samples' rounding alone, 2^-11 / sqrt 3 in the mean square at worst */
};
