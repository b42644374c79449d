/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of vector.h in AVX2 intrinsics: 8 floats. */
#ifndef CT_SIMD_VECTOR_AVX2_H
#define CT_SIMD_VECTOR_AVX2_H

#include "recon/simd/x86.h"

#define W 8
typedef __m256 vf;
typedef __m256i vi;
typedef int lanes __attribute__((vector_size(32))); /* vi as numbers, for operators */
typedef float floats __attribute__((vector_size(32)));
CT_INLINE vf vload(const float *p) {
  return _mm256_loadu_ps(p);
}
/* For more than one use. */
CT_INLINE vf vload_kept(const float *p) {
  vf a = vload(p);
  CT_IN_REGISTER(a);
  return a;
}
CT_INLINE void vstore(float *p, vf a) {
  _mm256_storeu_ps(p, a);
}
/* W numbers of binary16, and W integers of 16 bits; stored, each is the nearest, ties to even. */
CT_INLINE vf vload_half(const void *p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(p));
}
CT_INLINE void vstore_half(void *p, vf a) {
  _mm_storeu_si128(p, _mm256_cvtps_ph(a, _MM_FROUND_TO_NEAREST_INT));
}
CT_INLINE vf vload_short(const void *p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(p)));
}
CT_INLINE void vstore_short(void *p, vf a) {
  const __m256i whole = _mm256_cvtps_epi32(a);
  _mm_storeu_si128(p, _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1)));
}
/* Past the caches, to a multiple of 32 bytes; others may read it after vstream_end. */
CT_INLINE void vstream(float *p, vf a) {
  _mm256_stream_ps(p, a);
}
CT_INLINE void vstream_end(void) {
  _mm_sfence();
}
CT_INLINE vi vload_int(const int *p) {
  return _mm256_loadu_si256((const __m256i *)(const void *)p);
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
CT_INLINE vf vlookup3(const vf t[3], vi index) {
  return vselect(vlookup2(t, index), vlookup1(t + 2, index), index, 27);
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
/* a, but at least `low` and at most `high`, which is no less. */
CT_INLINE vf vclamp(vf a, vf low, vf high) {
  return vmin(vmax(a, low), high);
}
CT_INLINE vf vabs(vf a) {
  return _mm256_andnot_ps(vset(-0.0f), a);
}
CT_INLINE vf vreciprocal(vf a) {
  return _mm256_div_ps(vset(1), a);
}
/* Lanes first <= l < end, the others zero; memory outside is not touched. */
CT_INLINE vf vload_between(const float *p, int first, int end) {
  const vi lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const vi mask = _mm256_and_si256(_mm256_cmpgt_epi32(lane, viset(first - 1)), _mm256_cmpgt_epi32(viset(end), lane));
  return _mm256_maskload_ps(p, mask);
}
/* Eight floats, each of which is to fill a vector; binary16 ones are not negative and not subnormal. Numbers 0 .. 3 and
 * 4 .. 7 stand in both halves of a register each: from there one is spread without crossing halves, which costs half as
 * much. */
typedef struct veight {
  __m256 four[2];
} veight;
CT_INLINE veight vload_eight(const void *p) {
  const __m128 *two = p;
  return (veight){{_mm256_broadcast_ps(two), _mm256_broadcast_ps(two + 1)}};
}
CT_INLINE veight vload_eight_half(const void *p) {
  const double *two = p;
  return (veight){{_mm256_cvtph_ps(_mm_castpd_si128(_mm_loaddup_pd(two))),
                   _mm256_cvtph_ps(_mm_castpd_si128(_mm_loaddup_pd(two + 1)))}};
}
/* Number k, a constant after inlining, in all lanes. */
CT_INLINE vf vspread(veight a, int k) {
  const __m256 four = a.four[k / 4];
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

#endif
