/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of vector.h in AVX-512 intrinsics: 16 floats. */
#ifndef CT_SIMD_VECTOR_AVX512_H
#define CT_SIMD_VECTOR_AVX512_H

#include "recon/simd/x86.h"

#define W 16
typedef __m512 vf;
typedef __m512i vi;
typedef int lanes __attribute__((vector_size(64))); /* vi as numbers, for operators */
typedef float floats __attribute__((vector_size(64)));
CT_INLINE vf vload(const float *p) {
  return _mm512_loadu_ps(p);
}
/* For more than one use. */
CT_INLINE vf vload_kept(const float *p) {
  vf a = vload(p);
  CT_IN_REGISTER(a);
  return a;
}
CT_INLINE void vstore(float *p, vf a) {
  _mm512_storeu_ps(p, a);
}
/* W numbers of binary16, and W integers of 16 bits; stored, each is the nearest, ties to even. */
CT_INLINE vf vload_half(const void *p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(p));
}
CT_INLINE vf vload_short(const void *p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_loadu_si256(p)));
}
CT_INLINE void vstore_half(void *p, vf a) {
  float part[W];
  vstore(part, a);
  for (int h = 0; h < 2; h++)
    _mm_storeu_si128((__m128i *)p + h, _mm256_cvtps_ph(_mm256_loadu_ps(part + 8 * h), _MM_FROUND_TO_NEAREST_INT));
}
CT_INLINE void vstore_short(void *p, vf a) {
  float part[W];
  vstore(part, a);
  for (int h = 0; h < 2; h++) {
    const __m256i whole = _mm256_cvtps_epi32(_mm256_loadu_ps(part + 8 * h));
    _mm_storeu_si128((__m128i *)p + h,
                     _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1)));
  }
}
/* Past the caches, to a multiple of 64 bytes; others may read it after vstream_end. */
CT_INLINE void vstream(float *p, vf a) {
  _mm512_stream_ps(p, a);
}
CT_INLINE void vstream_end(void) {
  _mm_sfence();
}
CT_INLINE vi vload_int(const int *p) {
  return _mm512_loadu_si512(p);
}
CT_INLINE vf vset(float a) {
  return _mm512_set1_ps(a);
}
CT_INLINE vi viset(int a) {
  return _mm512_set1_epi32(a);
}
CT_INLINE vf vfma(vf a, vf b, vf c) {
  return _mm512_fmadd_ps(a, b, c);
}
CT_INLINE vi vtrunc(vf a) {
  return _mm512_cvttps_epi32(a);
}
CT_INLINE vf vfloat(vi a) {
  return _mm512_cvtepi32_ps(a);
}
CT_INLINE vi viadd(vi a, vi b) {
  return _mm512_add_epi32(a, b);
}
/* table[index mod 16], of 32 entries: table[index mod 32], and so on. */
CT_INLINE vf vlookup1(const vf t[1], vi index) {
  return _mm512_permutexvar_ps(index, t[0]);
}
CT_INLINE vf vlookup2(const vf t[2], vi index) {
  return _mm512_permutex2var_ps(t[0], index, t[1]);
}
CT_INLINE vf vlookup3(const vf t[3], vi index) {
  return _mm512_mask_blend_ps(_mm512_test_epi32_mask(index, _mm512_set1_epi32(32)), vlookup2(t, index),
                              vlookup1(t + 2, index));
}
CT_INLINE vf vlookup4(const vf t[4], vi index) {
  return _mm512_mask_blend_ps(_mm512_test_epi32_mask(index, _mm512_set1_epi32(32)), vlookup2(t, index),
                              vlookup2(t + 2, index));
}
CT_INLINE vf vlane(void) {
  return _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
CT_INLINE vf vmax(vf a, vf b) {
  return _mm512_max_ps(a, b);
}
CT_INLINE vf vmin(vf a, vf b) {
  return _mm512_min_ps(a, b);
}
/* a, but at least `low` and at most `high`, which is no less. */
CT_INLINE vf vclamp(vf a, vf low, vf high) {
  return vmin(vmax(a, low), high);
}
CT_INLINE vf vabs(vf a) {
  return _mm512_abs_ps(a);
}
CT_INLINE vf vreciprocal(vf a) {
  const vf guess = _mm512_rcp14_ps(a);
  return guess * _mm512_fnmadd_ps(a, guess, vset(2));
}
/* Lanes first <= l < end, the others zero; memory outside is not touched. */
CT_INLINE vf vload_between(const float *p, int first, int end) {
  const unsigned low = first > 0 ? first < W ? 0xffffu << first : 0 : 0xffffu;
  const unsigned high = end < W ? end > 0 ? 0xffffu >> (W - end) : 0 : 0xffffu;
  return _mm512_maskz_loadu_ps((__mmask16)(low & high), p);
}
/* Eight floats, each of which is to fill a vector; binary16 ones are not negative and not subnormal. */
typedef __m512 veight;
CT_INLINE veight vload_eight(const void *p) {
  return _mm512_castps256_ps512(_mm256_loadu_ps(p));
}
CT_INLINE veight vload_eight_half(const void *p) {
  return _mm512_castps256_ps512(_mm256_cvtph_ps(_mm_loadu_si128(p)));
}
/* Number k, a constant after inlining, in all lanes. */
CT_INLINE vf vspread(veight a, int k) {
  return _mm512_permutexvar_ps(_mm512_set1_epi32(k), a);
}
/* Number 2 k in the first eight lanes, 2 k + 1 in the others. */
CT_INLINE vf vspread_two(veight a, int k) {
  return _mm512_permutexvar_ps(
      _mm512_add_epi32(_mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), _mm512_set1_epi32(2 * k)), a);
}

#endif
