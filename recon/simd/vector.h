/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of W floats in one notation: the compilers' vector operators, and the operations that they do not name
 * (broadcast, fused multiply-add, permute by a run-time index) as inline functions. Three files write these down: in
 * AVX-512 intrinsics, in AVX2 intrinsics, and in the vector extensions of GCC and Clang alone, for any machine. An
 * operation that is added to one is added to all. */
#ifndef CT_SIMD_VECTOR_H
#define CT_SIMD_VECTOR_H

#include "recon/simd/compile.h"

#include <stddef.h>

#define CT_INLINE static inline __attribute__((always_inline))

/* An address or offset that stands in a register of its own, where the compiler would compute it anew from others in
 * each turn of a loop. */
#define CT_OWN_REGISTER(a) __asm__("" : "+r"(a))

#if CT_SIMD_PORTABLE
#include "recon/simd/vector-portable.h"
#elif CT_SIMD_WIDTH == 16
#include "recon/simd/vector-avx512.h"
#else
#include "recon/simd/vector-avx2.h"
#endif

/* Table of `windows` registers; a constant after inlining. */
CT_INLINE vf vlookup(int windows, const vf *table, vi index) {
  return windows == 1   ? vlookup1(table, index)
         : windows == 2 ? vlookup2(table, index)
         : windows == 3 ? vlookup3(table, index)
                        : vlookup4(table, index);
}

/* Added to a float below 2^22, it leaves the nearest integer in the lowest bits. */
#define CT_ROUNDER 12582912.0f

/* Exchanges bit s of the row with bit s of the lane. */
#define LOW(l, s) ((l) & (s) ? W + (l) - (s) : (l))
#define HIGH(l, s) ((l) & (s) ? W + (l) : (l) + (s))
#define EIGHT(lane, l, s)                                                                                              \
  lane(l, s), lane(l + 1, s), lane(l + 2, s), lane(l + 3, s), lane(l + 4, s), lane(l + 5, s), lane(l + 6, s),          \
      lane(l + 7, s)
#if W == 16
#define LANES(lane, s) EIGHT(lane, 0, s), EIGHT(lane, 8, s)
#else
#define LANES(lane, s) EIGHT(lane, 0, s)
#endif
#define EXCHANGE(s)                                                                                                    \
  _Pragma("GCC unroll 16") for (int r = 0; r < W; r++) if (!(r & (s))) {                                               \
    const floats a = (floats)rows[r], b = (floats)rows[r + (s)];                                                       \
    rows[r] = (vf)__builtin_shufflevector(a, b, LANES(LOW, s));                                                        \
    rows[r + (s)] = (vf)__builtin_shufflevector(a, b, LANES(HIGH, s));                                                 \
  }

/* A W x W transposition. */
CT_INLINE void vtranspose(vf rows[W]) {
#if W == 16
  EXCHANGE(8)
#endif
  EXCHANGE(4)
  EXCHANGE(2)
  EXCHANGE(1)
}

#define EVEN(l, s) (2 * (l))
#define ODD(l, s) (2 * (l) + 1)
/* Every second float of a and then b. */
CT_INLINE vf veven(vf a, vf b) {
  return (vf)__builtin_shufflevector((floats)a, (floats)b, LANES(EVEN, 0));
}
CT_INLINE vf vodd(vf a, vf b) {
  return (vf)__builtin_shufflevector((floats)a, (floats)b, LANES(ODD, 0));
}

#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef EIGHT
#undef LANES
#undef EXCHANGE

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
