/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h in AVX2 with FMA and F16C: a pair of lines is two registers. */
#ifndef CT_FP_ORBIT_VECTOR_AVX2_H
#define CT_FP_ORBIT_VECTOR_AVX2_H

#include "recon/simd/cpu-bits.h"
#include "recon/simd/x86.h"

#define ISA_NAME "AVX2"
#define ISA_CPU CT_CPU_AVX2_FMA
enum { PART = 8, LINE_PARTS = 8, ROWS = 1 };
typedef struct pair {
  __m256 low, high;
} pair;
typedef __m256 part;
/* Weights 0 .. 3 and 4 .. 7, each four in both halves of a register: from there one is spread without crossing halves,
 * which costs half as much. */
typedef struct weights {
  __m256 four[2];
} weights;

INLINE weights weights_half(const void *p) {
  const double *two = p;
  return (weights){{_mm256_cvtph_ps(_mm_castpd_si128(_mm_loaddup_pd(two))),
                    _mm256_cvtph_ps(_mm_castpd_si128(_mm_loaddup_pd(two + 1)))}};
}
INLINE weights weights_float(const void *p) {
  const __m128 *two = p;
  return (weights){{_mm256_broadcast_ps(two), _mm256_broadcast_ps(two + 1)}};
}
INLINE part part_zero(void) {
  return _mm256_setzero_ps();
}
INLINE part part_weight(weights w, int k) {
  const __m256 four = w.four[k / 4];
  switch (k % 4) {
  case 0:
    return _mm256_permute_ps(four, 0x00);
  case 1:
    return _mm256_permute_ps(four, 0x55);
  case 2:
    return _mm256_permute_ps(four, 0xaa);
  default:
    return _mm256_permute_ps(four, 0xff);
  }
}
INLINE part part_add(part sum, part weight, const float *line) {
  return _mm256_fmadd_ps(weight, _mm256_loadu_ps(line), sum);
}
INLINE void part_store(float *p, part a) {
  _mm256_storeu_ps(p, a);
}
INLINE pair pair_zero(void) {
  return (pair){part_zero(), part_zero()};
}
/* Weights 2 k and 2 k + 1. */
INLINE pair pair_add(pair sum, weights w, int k, const float *lines) {
  return (pair){part_add(sum.low, part_weight(w, 2 * k), lines),
                part_add(sum.high, part_weight(w, 2 * k + 1), lines + 8)};
}
INLINE void pairs_store(const pair sum[4], float scale, const int32_t *turn, float *out) {
  for (int n = 0; n < 4; n++) {
    __m256 a = _mm256_add_ps(sum[n].low, sum[n].high);
    if (turn) a = _mm256_permutevar8x32_ps(a, _mm256_loadu_si256((const __m256i *)turn));
    part_store(out + 8 * n, _mm256_fmadd_ps(a, _mm256_set1_ps(scale), _mm256_loadu_ps(out + 8 * n)));
  }
}
INLINE void eight_turned(const float *line, const int32_t *turn, float *copy) {
  _mm256_storeu_ps(copy, _mm256_permutevar8x32_ps(_mm256_loadu_ps(line), _mm256_loadu_si256((const __m256i *)turn)));
}

#endif
