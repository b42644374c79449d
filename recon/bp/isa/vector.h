/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of W floats in one notation: the compilers' vector operators, and the operations that they do not name
 * (broadcast, fused multiply-add, permute by a run-time index) as inline functions. Three files write these down: in
 * AVX-512 intrinsics, in AVX2 intrinsics, and in the vector extensions of GCC and Clang alone, for any machine. An
 * operation that is added to one is added to all. */
#ifndef CT_BP_ISA_VECTOR_H
#define CT_BP_ISA_VECTOR_H

#include "recon/bp/isa/isa.h"

#include <stddef.h>

#define CT_INLINE static inline __attribute__((always_inline))

#if CT_ISA_PORTABLE
#include "recon/bp/isa/vector-portable.h"
#elif CT_ISA_LEVEL == 4
#include "recon/bp/isa/vector-avx512.h"
#else
#include "recon/bp/isa/vector-avx2.h"
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
