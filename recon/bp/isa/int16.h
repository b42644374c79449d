/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels of 16-bit integers share. Samples are integers in units of a magnitude, 1/32767 of it is one; two of
 * them stand in a 32-bit word, whose lower half is the first. The operations beyond vector.h are written down for AVX2
 * and for AVX-512 with VNNI. */
#ifndef CT_BP_ISA_INT16_H
#define CT_BP_ISA_INT16_H

#include "recon/bp/isa/isa.h"
#include "recon/simd/vector.h"

#include "recon/base/error.h"

#include <stdbool.h>

#if CT_ISA_LEVEL == 4
#define CT_INT16_ID
#define CT_INT16_TITLE " (AVX-512 VNNI)"
#define CT_INT16_CPU (CT_ISA_CPU | CT_CPU_AVX512_VNNI)
#else
#define CT_INT16_ID CT_ISA_ID
#define CT_INT16_TITLE CT_ISA_TITLE
#define CT_INT16_CPU CT_ISA_CPU
#endif

/* The largest magnitude of count samples; infinite when one of them is not finite. */
#define ct_int16_magnitude CT_ISA_SYMBOL(ct_int16_magnitude)
float ct_int16_magnitude(const float *samples, size_t count);
/* The magnitudes of every `sweep` views become the largest of them. Returns the first view that is not finite, or -1.
 */
#define ct_int16_join CT_ISA_SYMBOL(ct_int16_join)
int ct_int16_join(float *magnitudes, int views, int sweep);
/* The error of a projection that is not finite; false. */
#define ct_int16_refuse CT_ISA_SYMBOL(ct_int16_refuse)
bool ct_int16_refuse(int view, ct_error **error);
/* Units per 1: 32767 / magnitude. Where that would overflow, magnitudes below 1e-30, the largest power of ten instead:
 * such samples fade to zero as single precision itself does. */
static inline float ct_int16_units(float magnitude) {
  return magnitude > 1e-30f ? 32767 / magnitude : magnitude > 0 ? 1e34f : 0;
}

#if CT_ISA_LEVEL == 4
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
