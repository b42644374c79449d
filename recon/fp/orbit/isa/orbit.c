/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of weighted lines: orbit-kernels.h says of what. */
#include "recon/fp/orbit/isa/vector.h"

#include <string.h>

/* Bytes of the storage, which is read once, that are asked for before they are needed: more than the hardware does by
 * itself. */
enum { AHEAD = 2048 };

INLINE size_t step_size(ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? sizeof(ct_orbit_step_half) : sizeof(ct_orbit_step_float);
}

INLINE weights weights_of(const char *step, ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? weights_half(step) : weights_float(step);
}

INLINE const uint16_t *indices_of(const char *step, ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? ((const ct_orbit_step_half *)(const void *)step)->index
                                    : ((const ct_orbit_step_float *)(const void *)step)->index;
}

/* All four in one load: loads are what the wide loop waits for. */
INLINE size_t index_at(uint64_t indices, int r) {
  return indices >> 16 * (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? r : 3 - r) & 0xffff;
}

INLINE void multiply_narrow(const ct_orbit_run *run, ct_orbit_precision precision, bool turned) {
  const char *step = run->steps;
  const float *in = run->in;
  for (size_t n = 0; n < run->count; n++) {
    const uint32_t header = run->headers[n];
    const int32_t *turn = turned ? run->turns[header >> CT_ORBIT_STEP_BITS & 7] : NULL;
    pair sum[4];
    for (int r = 0; r < 4; r++) sum[r] = pair_zero();
    for (uint32_t left = header & ((1u << CT_ORBIT_STEP_BITS) - 1); left; left--, step += step_size(precision)) {
      __builtin_prefetch(step + AHEAD, 0, 3);
      const weights w = weights_of(step, precision);
      const uint16_t *index = indices_of(step, precision);
#pragma GCC unroll 4
      for (int r = 0; r < 4; r++) sum[r] = pair_add(sum[r], w, r, in + 2 * (size_t)index[r]);
    }
    pairs_store(sum, run->scale, turn, run->out + 32 * (size_t)(header >> CT_ORBIT_SLICE_SHIFT));
  }
}

/* ROWS rows of every slice, from row `first` on. */
INLINE void multiply_rows(const ct_orbit_run *run, ct_orbit_precision precision, bool turned, const char *step,
                          uint32_t header, int first) {
  part sum[ROWS][LINE_PARTS];
#pragma GCC unroll 4
  for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 8
    for (int p = 0; p < LINE_PARTS; p++) sum[r][p] = part_zero();
  for (uint32_t left = header & ((1u << CT_ORBIT_STEP_BITS) - 1); left; left--, step += step_size(precision)) {
    if (first == 0) __builtin_prefetch(step + AHEAD, 0, 3);
    const weights w = weights_of(step, precision);
    uint64_t indices;
    memcpy(&indices, indices_of(step, precision), sizeof indices);
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) {
      const float *line = run->in + 2 * CT_ORBIT_WIDE * index_at(indices, first + r);
      const part low = part_weight(w, 2 * (first + r)), high = part_weight(w, 2 * (first + r) + 1);
#pragma GCC unroll 8
      for (int p = 0; p < LINE_PARTS; p++) sum[r][p] = part_add(sum[r][p], low, line + p * PART);
#pragma GCC unroll 8
      for (int p = 0; p < LINE_PARTS; p++) sum[r][p] = part_add(sum[r][p], high, line + 64 + p * PART);
    }
  }
  float *out = run->out + 64 * (4 * (size_t)(header >> CT_ORBIT_SLICE_SHIFT) + (size_t)first);
  const int32_t *turn = run->turns[header >> CT_ORBIT_STEP_BITS & 7];
#pragma GCC unroll 4
  for (int r = 0; r < ROWS; r++)
    if (turned)
      line_add_turned(sum[r], run->scale, turn, out + 64 * r);
    else
      line_add(sum[r], run->scale, out + 64 * r);
}

INLINE void multiply_wide(const ct_orbit_run *run, ct_orbit_precision precision, bool turned) {
  const char *step = run->steps;
  for (size_t n = 0; n < run->count; n++) {
    const uint32_t header = run->headers[n];
#pragma GCC unroll 4
    for (int first = 0; first < 4; first += ROWS) multiply_rows(run, precision, turned, step, header, first);
    step += step_size(precision) * (header & ((1u << CT_ORBIT_STEP_BITS) - 1));
  }
}

#define MULTIPLY(name, kind, precision, turned)                                                                        \
  static void name(const ct_orbit_run *run) {                                                                          \
    multiply_##kind(run, precision, turned);                                                                           \
  }
MULTIPLY(narrow_half_turned, narrow, CT_ORBIT_HALF, true)
MULTIPLY(narrow_float_turned, narrow, CT_ORBIT_FLOAT, true)
MULTIPLY(wide_half_turned, wide, CT_ORBIT_HALF, true)
MULTIPLY(wide_float_turned, wide, CT_ORBIT_FLOAT, true)
MULTIPLY(narrow_half, narrow, CT_ORBIT_HALF, false)
MULTIPLY(narrow_float, narrow, CT_ORBIT_FLOAT, false)
MULTIPLY(wide_half, wide, CT_ORBIT_HALF, false)
MULTIPLY(wide_float, wide, CT_ORBIT_FLOAT, false)

static void turn_narrow(const float *lines, size_t count, const int32_t *turn, float *copy) {
  for (size_t n = 0; n < count; n++) eight_turned(lines + 8 * n, turn, copy + 8 * n);
}

static void turn_wide(const float *lines, size_t count, const int32_t *turn, float *copy) {
  for (size_t n = 0; n < count; n++)
    for (size_t k = 0; k < 8; k++)
      *(eight *)(copy + 64 * n + 8 * k) = *(const eight *)(lines + 64 * n + 8 * (size_t)turn[k]);
}

const ct_orbit_kernels SYMBOL(ct_orbit_kernels) = {
    .name = ISA_NAME,
    .cpu = ISA_CPU,
    .turned = {{narrow_half_turned, narrow_float_turned}, {wide_half_turned, wide_float_turned}},
    .straight = {{narrow_half, narrow_float}, {wide_half, wide_float}},
    .turn = {turn_narrow, turn_wide},
};
