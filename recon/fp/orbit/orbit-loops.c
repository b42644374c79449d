/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of weighted lines: orbit-loops.h says of what. */
#include "recon/fp/orbit/orbit-loops.h"

#include "recon/simd/vector.h"

#include <string.h>

/* Bytes of the storage, which is read once, that are asked for before they are needed: more than the hardware does by
 * itself. */
enum { AHEAD = 2048 };

CT_INLINE size_t step_size(ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? sizeof(ct_orbit_step_half) : sizeof(ct_orbit_step_float);
}

CT_INLINE veight weights_of(const char *step, ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? vload_eight_half(step) : vload_eight(step);
}

CT_INLINE const uint16_t *indices_of(const char *step, ct_orbit_precision precision) {
  return precision == CT_ORBIT_HALF ? ((const ct_orbit_step_half *)(const void *)step)->index
                                    : ((const ct_orbit_step_float *)(const void *)step)->index;
}

/* All four in one load: loads are what the wide loop waits for. */
CT_INLINE size_t index_at(uint64_t indices, int r) {
  return indices >> 16 * (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? r : 3 - r) & 0xffff;
}

#if W == 16
/* Two neighbouring lines of eight floats. */
typedef vf pair;

CT_INLINE pair no_pair(void) {
  return vset(0);
}

/* Weights 2 k and 2 k + 1. */
CT_INLINE pair pair_add(pair sum, veight w, int k, const float *lines) {
  return vfma(vspread_two(w, k), vload(lines), sum);
}

CT_INLINE void add_pairs(pair a, pair b, float scale, const int32_t *turn, float *out) {
  const floats x = (floats)a, y = (floats)b;
  const floats low = __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  const floats high = __builtin_shufflevector(x, y, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  vf sum = (vf)(low + high);
  if (turn) sum = vlookup1(&sum, vload_int(turn));
  vstore(out, vfma(sum, vset(scale), vload(out)));
}

CT_INLINE void pairs_store(const pair sum[4], float scale, const int32_t *turn, float *out) {
  add_pairs(sum[0], sum[1], scale, turn, out);
  add_pairs(sum[2], sum[3], scale, turn, out + W);
}

CT_INLINE vf load_eights(const float *line, const int32_t *turn) {
  typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
  const eight low = *(const eight *)(line + 8 * turn[0]), high = *(const eight *)(line + 8 * turn[1]);
  return (vf)__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
#else
/* Two neighbouring lines of eight floats. */
typedef struct pair {
  vf low, high;
} pair;

CT_INLINE pair no_pair(void) {
  return (pair){vset(0), vset(0)};
}

/* Weights 2 k and 2 k + 1. */
CT_INLINE pair pair_add(pair sum, veight w, int k, const float *lines) {
  return (pair){vfma(vspread(w, 2 * k), vload(lines), sum.low),
                vfma(vspread(w, 2 * k + 1), vload(lines + W), sum.high)};
}

CT_INLINE void pairs_store(const pair sum[4], float scale, const int32_t *turn, float *out) {
  for (int n = 0; n < 4; n++, out += W) {
    vf a = sum[n].low + sum[n].high;
    if (turn) a = vlookup1(&a, vload_int(turn));
    vstore(out, vfma(a, vset(scale), vload(out)));
  }
}

CT_INLINE vf load_eights(const float *line, const int32_t *turn) {
  return vload(line + 8 * turn[0]);
}
#endif

CT_INLINE void multiply_narrow(const ct_orbit_run *run, ct_orbit_precision precision, bool turned) {
  const char *step = run->steps;
  const float *in = run->in;
  for (size_t n = 0; n < run->count; n++) {
    const uint32_t header = run->headers[n];
    const int32_t *turn = turned ? run->turns[header >> CT_ORBIT_STEP_BITS & 7] : NULL;
    pair sum[4];
    for (int r = 0; r < 4; r++) sum[r] = no_pair();
    for (uint32_t left = header & ((1u << CT_ORBIT_STEP_BITS) - 1); left; left--, step += step_size(precision)) {
      __builtin_prefetch(step + AHEAD, 0, 3);
      const veight w = weights_of(step, precision);
      const uint16_t *index = indices_of(step, precision);
#pragma GCC unroll 4
      for (int r = 0; r < 4; r++) sum[r] = pair_add(sum[r], w, r, in + 2 * (size_t)index[r]);
    }
    pairs_store(sum, run->scale, turn, run->out + 32 * (size_t)(header >> CT_ORBIT_GROUP_SHIFT));
  }
}

/* An interleaved line of 64 floats: vectors of it, and rows that have one each in registers at a time. */
enum { LINE = 64, PARTS = LINE / W, ROWS = W == 16 ? 4 : 1 };

CT_INLINE void add_line(const vf sum[PARTS], float scale, float *out) {
  for (int p = 0; p < PARTS; p++, out += W) vstore(out, vfma(sum[p], vset(scale), vload(out)));
}

CT_INLINE void add_line_turned(const vf sum[PARTS], float scale, const int32_t *turn, float *out) {
  float line[LINE] __attribute__((aligned(64)));
  for (int p = 0; p < PARTS; p++) vstore(line + p * W, sum[p]);
  for (int p = 0; p < PARTS; p++, out += W, turn += W / 8)
    vstore(out, vfma(load_eights(line, turn), vset(scale), vload(out)));
}

/* ROWS rows of every row group, from row `first` on. */
CT_INLINE void multiply_rows(const ct_orbit_run *run, ct_orbit_precision precision, bool turned, const char *step,
                             uint32_t header, int first) {
  vf sum[ROWS][PARTS];
#pragma GCC unroll 4
  for (int r = 0; r < ROWS; r++)
#pragma GCC unroll 8
    for (int p = 0; p < PARTS; p++) sum[r][p] = vset(0);
  for (uint32_t left = header & ((1u << CT_ORBIT_STEP_BITS) - 1); left; left--, step += step_size(precision)) {
    if (first == 0) __builtin_prefetch(step + AHEAD, 0, 3);
    const veight w = weights_of(step, precision);
    uint64_t indices;
    memcpy(&indices, indices_of(step, precision), sizeof indices);
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) {
      const float *line = run->in + 2 * CT_ORBIT_WIDE * index_at(indices, first + r);
      const vf low = vspread(w, 2 * (first + r)), high = vspread(w, 2 * (first + r) + 1);
#pragma GCC unroll 8
      for (int p = 0; p < PARTS; p++) sum[r][p] = vfma(low, vload(line + p * W), sum[r][p]);
#pragma GCC unroll 8
      for (int p = 0; p < PARTS; p++) sum[r][p] = vfma(high, vload(line + LINE + p * W), sum[r][p]);
    }
  }
  float *out = run->out + 64 * (4 * (size_t)(header >> CT_ORBIT_GROUP_SHIFT) + (size_t)first);
  const int32_t *turn = run->turns[header >> CT_ORBIT_STEP_BITS & 7];
#pragma GCC unroll 4
  for (int r = 0; r < ROWS; r++)
    if (turned)
      add_line_turned(sum[r], run->scale, turn, out + 64 * r);
    else
      add_line(sum[r], run->scale, out + 64 * r);
}

CT_INLINE void multiply_wide(const ct_orbit_run *run, ct_orbit_precision precision, bool turned) {
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
  const vi places = vload_int(turn);
  for (size_t n = 0; n < 8 * count; n += W) {
    const vf line = vload(lines + n);
    vstore(copy + n, vlookup1(&line, places));
  }
}

static void turn_wide(const float *lines, size_t count, const int32_t *turn, float *copy) {
  for (size_t n = 0; n < count; n++)
    for (size_t k = 0; k < 8; k++)
      memcpy(copy + 64 * n + 8 * k, lines + 64 * n + 8 * (size_t)turn[k], 8 * sizeof *copy);
}

const ct_orbit_loops CT_SIMD_TABLE(ct_orbit_loops) = {
    .turned = {{narrow_half_turned, narrow_float_turned}, {wide_half_turned, wide_float_turned}},
    .straight = {{narrow_half, narrow_float}, {wide_half, wide_float}},
    .turn = {turn_narrow, turn_wide},
};
