/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intrinsics of x86-64. Built with -Davx512=emulated, those of AVX-512 and VNNI are functions for AVX2: SIMDe's,
 * and below those that SIMDe 0.7.4 lacks, as Intel's Intrinsics Guide defines them. So the kernels for wide vectors can
 * be tested on processors without; memory is touched in plain C, where sanitizers see it. */
#ifndef CT_SIMD_X86_H
#define CT_SIMD_X86_H

#ifndef CT_AVX512_EMULATED
#include <immintrin.h>
/* Tells the compiler to have a vector in a register here, rather than to load it for every use. */
#define CT_IN_REGISTER(a) __asm__("" : "+v"(a))
#else

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512/abs.h>
#include <simde/x86/avx512/add.h>
#include <simde/x86/avx512/and.h>
#include <simde/x86/avx512/blend.h>
#include <simde/x86/avx512/cast.h>
#include <simde/x86/avx512/dpwssd.h>
#include <simde/x86/avx512/fmadd.h>
#include <simde/x86/avx512/fnmadd.h>
#include <simde/x86/avx512/load.h>
#include <simde/x86/avx512/loadu.h>
#include <simde/x86/avx512/max.h>
#include <simde/x86/avx512/min.h>
#include <simde/x86/avx512/mov.h>
#include <simde/x86/avx512/mul.h>
#include <simde/x86/avx512/mulhrs.h>
#include <simde/x86/avx512/mullo.h>
#include <simde/x86/avx512/permutex2var.h>
#include <simde/x86/avx512/permutexvar.h>
#include <simde/x86/avx512/set1.h>
#include <simde/x86/avx512/set4.h>
#include <simde/x86/avx512/setr.h>
#include <simde/x86/avx512/setzero.h>
#include <simde/x86/avx512/shuffle.h>
#include <simde/x86/avx512/slli.h>
#include <simde/x86/avx512/srli.h>
#include <simde/x86/avx512/store.h>
#include <simde/x86/avx512/storeu.h>
#include <simde/x86/avx512/sub.h>
#include <simde/x86/avx512/test.h>
#include <simde/x86/f16c.h>
#include <simde/x86/fma.h>

#include <string.h>

/* The elements of a register, and its halves. */
typedef union ct_emulated {
  float f[16];
  int i[16];
  short s[32];
  __m256 low_high[2];
  __m256i low_high_i[2];
  __m256d low_high_d[2];
  __m512 whole;
  __m512i whole_i;
  __m512d whole_d;
} ct_emulated;

#define CT_EMULATED static inline __attribute__((always_inline))

CT_EMULATED __m512 ct_emulated_cvtepi32_ps(__m512i a) {
  ct_emulated r = {.whole_i = a};
  for (int h = 0; h < 2; h++) r.low_high[h] = _mm256_cvtepi32_ps(r.low_high_i[h]);
  return r.whole;
}
CT_EMULATED __m512i ct_emulated_cvtps_epi32(__m512 a) {
  ct_emulated r = {.whole = a};
  for (int h = 0; h < 2; h++) r.low_high_i[h] = _mm256_cvtps_epi32(r.low_high[h]);
  return r.whole_i;
}
CT_EMULATED __m512i ct_emulated_cvttps_epi32(__m512 a) {
  ct_emulated r = {.whole = a};
  for (int h = 0; h < 2; h++) r.low_high_i[h] = _mm256_cvttps_epi32(r.low_high[h]);
  return r.whole_i;
}
CT_EMULATED __m512 ct_emulated_cvtph_ps(__m256i a) {
  const union {
    __m256i whole;
    __m128i half[2];
  } from = {.whole = a};
  ct_emulated r;
  for (int h = 0; h < 2; h++) r.low_high[h] = _mm256_cvtph_ps(from.half[h]);
  return r.whole;
}
CT_EMULATED __m512i ct_emulated_cvtepi16_epi32(__m256i a) {
  const union {
    __m256i whole;
    __m128i half[2];
  } from = {.whole = a};
  ct_emulated r;
  for (int h = 0; h < 2; h++) r.low_high_i[h] = _mm256_cvtepi16_epi32(from.half[h]);
  return r.whole_i;
}
/* Rounded to 13 bits behind the point, so that the error comes up to the 2^-14 that processors may make. */
CT_EMULATED __m512 ct_emulated_rcp14_ps(__m512 a) {
  ct_emulated r = {.whole = a};
  for (int l = 0; l < 16; l++) {
    r.f[l] = 1 / r.f[l];
    r.i[l] = (int)(((unsigned)r.i[l] + 0x200) & ~0x3ffu);
  }
  return r.whole;
}
CT_EMULATED __m512i ct_emulated_mask_sub_epi16(__m512i src, __mmask32 k, __m512i a, __m512i b) {
  ct_emulated r = {.whole_i = src};
  const ct_emulated x = {.whole_i = a}, y = {.whole_i = b};
  for (int l = 0; l < 32; l++)
    if (k >> l & 1) r.s[l] = (short)(x.s[l] - y.s[l]);
  return r.whole_i;
}
CT_EMULATED __m512 ct_emulated_maskz_loadu_ps(__mmask16 k, const void *p) {
  ct_emulated r = {.f = {0}};
  for (int l = 0; l < 16; l++)
    if (k >> l & 1) memcpy(&r.f[l], (const char *)p + 4 * l, 4);
  return r.whole;
}
CT_EMULATED __m512i ct_emulated_maskz_loadu_epi32(__mmask16 k, const void *p) {
  return (__m512i)ct_emulated_maskz_loadu_ps(k, p);
}
CT_EMULATED __m512 ct_emulated_mask_i32gather_ps(__m512 src, __mmask16 k, __m512i index, const void *p, int scale) {
  ct_emulated r = {.whole = src};
  const ct_emulated at = {.whole_i = index};
  for (int l = 0; l < 16; l++)
    if (k >> l & 1) memcpy(&r.f[l], (const char *)p + (ptrdiff_t)at.i[l] * scale, 4);
  return r.whole;
}
CT_EMULATED __m512 ct_emulated_i32gather_ps(__m512i index, const void *p, int scale) {
  return ct_emulated_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, index, p, scale);
}
/* Quarters of a, a, b, b. */
CT_EMULATED __m512 ct_emulated_shuffle_f32x4(__m512 a, __m512 b, int which) {
  ct_emulated r;
  const ct_emulated x = {.whole = a}, y = {.whole = b};
  for (int q = 0; q < 4; q++) memcpy(r.f + 4 * q, (q < 2 ? x.f : y.f) + 4 * (which >> 2 * q & 3), 16);
  return r.whole;
}
/* In the order of the lanes: the last one of those that meet stays. */
CT_EMULATED void ct_emulated_mask_i32scatter_ps(void *p, __mmask16 k, __m512i index, __m512 a, int scale) {
  const ct_emulated from = {.whole = a}, at = {.whole_i = index};
  for (int l = 0; l < 16; l++)
    if (k >> l & 1) memcpy((char *)p + (ptrdiff_t)at.i[l] * scale, &from.f[l], 4);
}
CT_EMULATED __m512i ct_emulated_inserti64x4(__m512i a, __m256i b, int which) {
  ct_emulated r = {.whole_i = a};
  r.low_high_i[which & 1] = b;
  return r.whole_i;
}
CT_EMULATED __m256i ct_emulated_cvttpd_epi32(__m512d a) {
  const ct_emulated r = {.whole_d = a};
  return _mm256_set_m128i(_mm256_cvttpd_epi32(r.low_high_d[1]), _mm256_cvttpd_epi32(r.low_high_d[0]));
}
/* Of all modes the kernels use this one. */
CT_EMULATED __m512d ct_emulated_floor_pd(__m512d a) {
  ct_emulated r = {.whole_d = a};
  for (int h = 0; h < 2; h++) r.low_high_d[h] = _mm256_floor_pd(r.low_high_d[h]);
  return r.whole_d;
}
CT_EMULATED __mmask16 ct_emulated_cmplt_epi32_mask(__m512i a, __m512i b) {
  const ct_emulated x = {.whole_i = a}, y = {.whole_i = b};
  unsigned mask = 0;
  for (int l = 0; l < 16; l++) mask |= (unsigned)(x.i[l] < y.i[l]) << l;
  return (__mmask16)mask;
}
/* A plain store: what the caches do with it is no matter of values. */
CT_EMULATED void ct_emulated_stream_ps(void *p, __m512 a) {
  memcpy(p, &a, sizeof a);
}

#undef CT_EMULATED
#define CT_IN_REGISTER(a) ((void)(a))

#undef _mm512_cvtepi32_ps
#define _mm512_cvtepi32_ps ct_emulated_cvtepi32_ps
#undef _mm512_cvtps_epi32
#define _mm512_cvtps_epi32 ct_emulated_cvtps_epi32
#undef _mm512_cvttps_epi32
#define _mm512_cvttps_epi32 ct_emulated_cvttps_epi32
#undef _mm512_cvtph_ps
#define _mm512_cvtph_ps ct_emulated_cvtph_ps
#undef _mm512_cvtepi16_epi32
#define _mm512_cvtepi16_epi32 ct_emulated_cvtepi16_epi32
#undef _mm512_rcp14_ps
#define _mm512_rcp14_ps ct_emulated_rcp14_ps
#undef _mm512_shuffle_f32x4
#define _mm512_shuffle_f32x4 ct_emulated_shuffle_f32x4
#undef _mm512_mask_sub_epi16
#define _mm512_mask_sub_epi16 ct_emulated_mask_sub_epi16
#undef _mm512_maskz_loadu_ps
#define _mm512_maskz_loadu_ps ct_emulated_maskz_loadu_ps
#undef _mm512_maskz_loadu_epi32
#define _mm512_maskz_loadu_epi32 ct_emulated_maskz_loadu_epi32
#undef _mm512_mask_i32gather_ps
#define _mm512_mask_i32gather_ps ct_emulated_mask_i32gather_ps
#undef _mm512_i32gather_ps
#define _mm512_i32gather_ps ct_emulated_i32gather_ps
#undef _mm512_mask_i32scatter_ps
#define _mm512_mask_i32scatter_ps ct_emulated_mask_i32scatter_ps
#undef _mm512_inserti64x4
#define _mm512_inserti64x4 ct_emulated_inserti64x4
#undef _mm512_cvttpd_epi32
#define _mm512_cvttpd_epi32 ct_emulated_cvttpd_epi32
#undef _mm512_roundscale_pd
#define _mm512_roundscale_pd(a, mode)                                                                                  \
  ((void)sizeof(char[(mode) == (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC) ? 1 : -1]), ct_emulated_floor_pd(a))
#undef _mm512_cmplt_epi32_mask
#define _mm512_cmplt_epi32_mask ct_emulated_cmplt_epi32_mask
#undef _mm512_stream_ps
#define _mm512_stream_ps ct_emulated_stream_ps

#endif

#endif
