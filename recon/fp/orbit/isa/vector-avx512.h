/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h in AVX-512: a pair of lines is one register, its two weights are spread by one permute. */
#ifndef CT_FP_ORBIT_VECTOR_AVX512_H
#define CT_FP_ORBIT_VECTOR_AVX512_H

#include "recon/simd/cpu-bits.h"
#include "recon/simd/x86.h"

#define ISA_NAME "AVX-512"
#define ISA_CPU (CT_CPU_AVX2_FMA | CT_CPU_AVX512)
enum { PART = 16, LINE_PARTS = 4, ROWS = 4 };
typedef __m512 pair;
typedef __m512 part;
typedef __m512 weights;

INLINE weights weights_half(const void *p) {
  return _mm512_castps256_ps512(_mm256_cvtph_ps(_mm_loadu_si128(p)));
}
INLINE weights weights_float(const void *p) {
  return _mm512_castps256_ps512(_mm256_loadu_ps(p));
}
INLINE pair pair_zero(void) {
  return _mm512_setzero_ps();
}
/* Weights 2 k and 2 k + 1. */
INLINE pair pair_add(pair sum, weights w, int k, const float *lines) {
  const __m512i spread =
      _mm512_add_epi32(_mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), _mm512_set1_epi32(2 * k));
  return _mm512_fmadd_ps(_mm512_permutexvar_ps(spread, w), _mm512_loadu_ps(lines), sum);
}
INLINE void add_lines(float *out, pair a, pair b, float scale, const int32_t *turn) {
  __m512 sum = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
  if (turn) sum = _mm512_permutexvar_ps(_mm512_loadu_si512(turn), sum);
  _mm512_storeu_ps(out, _mm512_fmadd_ps(sum, _mm512_set1_ps(scale), _mm512_loadu_ps(out)));
}
INLINE void pairs_store(const pair sum[4], float scale, const int32_t *turn, float *out) {
  add_lines(out, sum[0], sum[1], scale, turn);
  add_lines(out + 16, sum[2], sum[3], scale, turn);
}
INLINE part part_zero(void) {
  return _mm512_setzero_ps();
}
INLINE part part_weight(weights w, int k) {
  return _mm512_permutexvar_ps(_mm512_set1_epi32(k), w);
}
INLINE part part_add(part sum, part weight, const float *line) {
  return _mm512_fmadd_ps(weight, _mm512_loadu_ps(line), sum);
}
INLINE void line_add(const part sum[LINE_PARTS], float scale, float *out) {
  for (int p = 0; p < LINE_PARTS; p++, out += PART)
    _mm512_storeu_ps(out, _mm512_fmadd_ps(sum[p], _mm512_set1_ps(scale), _mm512_loadu_ps(out)));
}
INLINE void line_add_turned(const part sum[LINE_PARTS], float scale, const int32_t *turn, float *out) {
  float line[64] __attribute__((aligned(64)));
  for (int p = 0; p < LINE_PARTS; p++) _mm512_store_ps(line + p * PART, sum[p]);
  for (int p = 0; p < LINE_PARTS; p++, out += PART, turn += 2) {
    const __m512d low = _mm512_castpd256_pd512(_mm256_load_pd((const double *)(line + 8 * turn[0])));
    const __m512d both = _mm512_insertf64x4(low, _mm256_load_pd((const double *)(line + 8 * turn[1])), 1);
    _mm512_storeu_ps(out, _mm512_fmadd_ps(_mm512_castpd_ps(both), _mm512_set1_ps(scale), _mm512_loadu_ps(out)));
  }
}
INLINE void eight_turned(const float *line, const int32_t *turn, float *copy) {
  _mm256_storeu_ps(copy, _mm256_permutevar8x32_ps(_mm256_loadu_ps(line), _mm256_loadu_si256((const __m256i *)turn)));
}

#endif
