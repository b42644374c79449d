/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h in the vector extensions of GCC and Clang: for any machine. */
#ifndef CT_FP_ORBIT_VECTOR_PORTABLE_H
#define CT_FP_ORBIT_VECTOR_PORTABLE_H

#include <string.h>

#define ISA_NAME "portable vectors"
#define ISA_CPU 0
enum { PART = 8, LINE_PARTS = 8, ROWS = 1 };
typedef float part __attribute__((vector_size(32)));
typedef part weights;
typedef struct pair {
  part low, high;
} pair;

/* Exponent and fraction of binary16 moved to their places in binary32 are 2^-112 of the number. */
INLINE weights weights_half(const void *p) {
  typedef uint16_t halves __attribute__((vector_size(16)));
  typedef uint32_t words __attribute__((vector_size(32)));
  halves h;
  memcpy(&h, p, sizeof h);
  return (weights)(__builtin_convertvector(h, words) << 13) * 0x1p112f;
}
INLINE weights weights_float(const void *p) {
  return *(const eight *)p;
}
INLINE part part_zero(void) {
  return (part){0};
}
INLINE part part_weight(weights w, int k) {
  return w[k] - (part){0};
}
INLINE part part_add(part sum, part weight, const float *line) {
  return sum + weight * *(const eight *)line;
}
INLINE void part_store(float *p, part a) {
  *(eight *)p = a;
}
INLINE pair pair_zero(void) {
  return (pair){part_zero(), part_zero()};
}
/* Weights 2 k and 2 k + 1. */
INLINE pair pair_add(pair sum, weights w, int k, const float *lines) {
  return (pair){part_add(sum.low, part_weight(w, 2 * k), lines),
                part_add(sum.high, part_weight(w, 2 * k + 1), lines + 8)};
}
INLINE void eight_turned(const float *line, const int32_t *turn, float *copy) {
  for (int k = 0; k < 8; k++) copy[k] = line[turn[k]];
}
INLINE void pairs_store(const pair sum[4], float scale, const int32_t *turn, float *out) {
  for (int n = 0; n < 4; n++) {
    float line[8], turned[8];
    part_store(line, (sum[n].low + sum[n].high) * scale);
    if (turn) eight_turned(line, turn, turned);
    part_store(out + 8 * n, *(const eight *)(turn ? turned : line) + *(const eight *)(out + 8 * n));
  }
}

#endif
