/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of 16-bit integers in 32-bit words (int16.h), in the intrinsics of AVX2 and of AVX-512 with VNNI, beyond the
 * operations of simd/vector.h. */
#ifndef CT_BP_LAYOUT_INT16_VECTOR_H
#define CT_BP_LAYOUT_INT16_VECTOR_H

#include "recon/bp/layout/int16.h"
#include "recon/simd/vector.h"

#if CT_SIMD_WIDTH == 16
CT_INLINE vi vround(vf a) {
  return _mm512_cvtps_epi32(a);
}
CT_INLINE vi viload(const void *p) {
  return _mm512_loadu_si512(p);
}
/* Words of the lower halves of both. */
CT_INLINE vi vpair(vi low, vi high) {
  return _mm512_mask_blend_epi16(0xaaaaaaaa, low, _mm512_slli_epi32(high, 16));
}
/* sum + the products of both halves, which add up to less than 2^31. */
CT_INLINE vi vdot(vi sum, vi a, vi b) {
  return _mm512_dpwssd_epi32(sum, a, b);
}
#else
CT_INLINE vi vround(vf a) {
  return _mm256_cvtps_epi32(a);
}
CT_INLINE vi viload(const void *p) {
  return _mm256_loadu_si256(p);
}
CT_INLINE vi vpair(vi low, vi high) {
  return _mm256_blend_epi16(low, _mm256_slli_epi32(high, 16), 0xaa);
}
CT_INLINE vi vdot(vi sum, vi a, vi b) {
  vi more = viadd(sum, _mm256_madd_epi16(a, b));
  CT_IN_REGISTER(more); /* or the compiler would add many products pair by pair and run out of registers */
  return more;
}
#endif

#endif
