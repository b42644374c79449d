/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of W floats in one notation for both instruction sets: GCC's vector operators, and the few operations that
 * they do not name (broadcast, fused multiply-add, permute by a run-time index) as inline functions. */
#ifndef CT_BP_ISA_VECTOR_H
#define CT_BP_ISA_VECTOR_H

#include <immintrin.h>
#include <stddef.h>

#define CT_INLINE static inline __attribute__((always_inline))

/* Masks for loads at a border: lanes first <= l < end. Memory outside is not touched. */
#if CT_ISA_LEVEL == 4
#define W 16
typedef __m512 vf;
typedef __m512i vi;
typedef int lanes __attribute__((vector_size(64)));
typedef float floats __attribute__((vector_size(64)));
CT_INLINE vf vload(const float *p) {
  return _mm512_loadu_ps(p);
}
CT_INLINE void vstore(float *p, vf a) {
  _mm512_storeu_ps(p, a);
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
CT_INLINE vf vabs(vf a) {
  return _mm512_abs_ps(a);
}
CT_INLINE vf vreciprocal(vf a) {
  const vf guess = _mm512_rcp14_ps(a);
  return guess * _mm512_fnmadd_ps(a, guess, vset(2));
}
CT_INLINE vf vload_between(const float *p, int first, int end) {
  const unsigned low = first > 0 ? first < W ? 0xffffu << first : 0 : 0xffffu;
  const unsigned high = end < W ? end > 0 ? 0xffffu >> (W - end) : 0 : 0xffffu;
  return _mm512_maskz_loadu_ps((__mmask16)(low & high), p);
}
#else
#define W 8
typedef __m256 vf;
typedef __m256i vi;
typedef int lanes __attribute__((vector_size(32)));
typedef float floats __attribute__((vector_size(32)));
CT_INLINE vf vload(const float *p) {
  return _mm256_loadu_ps(p);
}
CT_INLINE void vstore(float *p, vf a) {
  _mm256_storeu_ps(p, a);
}
CT_INLINE vf vset(float a) {
  return _mm256_set1_ps(a);
}
CT_INLINE vi viset(int a) {
  return _mm256_set1_epi32(a);
}
CT_INLINE vf vfma(vf a, vf b, vf c) {
  return _mm256_fmadd_ps(a, b, c);
}
CT_INLINE vi vtrunc(vf a) {
  return _mm256_cvttps_epi32(a);
}
CT_INLINE vf vfloat(vi a) {
  return _mm256_cvtepi32_ps(a);
}
CT_INLINE vi viadd(vi a, vi b) {
  return _mm256_add_epi32(a, b);
}
CT_INLINE vf vselect(vf a, vf b, vi index, int shift) {
  return _mm256_blendv_ps(a, b, _mm256_castsi256_ps(_mm256_slli_epi32(index, shift)));
}
CT_INLINE vf vlookup1(const vf t[1], vi index) {
  return _mm256_permutevar8x32_ps(t[0], index);
}
CT_INLINE vf vlookup2(const vf t[2], vi index) {
  return vselect(vlookup1(t, index), vlookup1(t + 1, index), index, 28);
}
CT_INLINE vf vlookup4(const vf t[4], vi index) {
  return vselect(vlookup2(t, index), vlookup2(t + 2, index), index, 27);
}
CT_INLINE vf vlane(void) {
  return _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7);
}
CT_INLINE vf vmax(vf a, vf b) {
  return _mm256_max_ps(a, b);
}
CT_INLINE vf vmin(vf a, vf b) {
  return _mm256_min_ps(a, b);
}
CT_INLINE vf vabs(vf a) {
  return _mm256_andnot_ps(vset(-0.0f), a);
}
CT_INLINE vf vreciprocal(vf a) {
  return _mm256_div_ps(vset(1), a);
}
CT_INLINE vf vload_between(const float *p, int first, int end) {
  const vi lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const vi mask = _mm256_and_si256(_mm256_cmpgt_epi32(lane, viset(first - 1)), _mm256_cmpgt_epi32(viset(end), lane));
  return _mm256_maskload_ps(p, mask);
}
#endif

/* Table of `windows` registers; a constant after inlining. */
CT_INLINE vf vlookup(int windows, const vf *table, vi index) {
  return windows == 1 ? vlookup1(table, index) : windows == 2 ? vlookup2(table, index) : vlookup4(table, index);
}

/* A W x W transposition by exchanging bit s of the row with bit s of the lane, s = W/2 .. 1. */
CT_INLINE void vtranspose(vf rows[W]) {
#pragma GCC unroll 5
  for (int s = W / 2; s; s /= 2) {
    lanes low, high;
    for (int l = 0; l < W; l++) low[l] = l & s ? W + l - s : l, high[l] = l & s ? W + l : l + s;
#pragma GCC unroll 16
    for (int r = 0; r < W; r++)
      if (!(r & s)) {
        const floats a = (floats)rows[r], b = (floats)rows[r + s];
        rows[r] = (vf)__builtin_shuffle(a, b, low);
        rows[r + s] = (vf)__builtin_shuffle(a, b, high);
      }
  }
}

/* The first n of W floats; the others are zero, and memory behind is not touched. */
CT_INLINE vf vload_first(const float *p, int n) {
  return vload_between(p, 0, n);
}

CT_INLINE void vstore_first(float *p, vf a, int n) {
  float part[W];
  vstore(part, a);
  for (int l = 0; l < n; l++) p[l] = part[l];
}

#endif
