/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of this folder are compiled once per instruction set, x86-64-v3 (AVX2, FMA: 8 floats) and x86-64-v4
 * (AVX-512: 16 floats), and for comparison once more for each in portable vectors, without intrinsics; on other
 * machines in portable vectors of 8 floats alone. Names and descriptors carry the level. */
#ifndef CT_FP_ISA_ISA_H
#define CT_FP_ISA_ISA_H

#include "recon/simd/compile.h"
#include "recon/simd/cpu-bits.h"

/* Floats of a portable vector; 0: intrinsics. */
#ifndef CT_SIMD_PORTABLE
#define CT_SIMD_PORTABLE 0
#define CT_SIMD_WIDTH 0
#endif
#define CT_ISA_PORTABLE (CT_SIMD_PORTABLE * CT_SIMD_WIDTH)

#define CT_ISA_JOIN_(name, isa) name##_##isa
#define CT_ISA_JOIN(name, isa) CT_ISA_JOIN_(name, isa)
#define CT_ISA_SYMBOL(name) CT_ISA_JOIN(name, CT_ISA)

#if CT_ISA_LEVEL == 4
#define CT_ISA_CPU (CT_CPU_AVX2_FMA | CT_CPU_AVX512)
#elif CT_ISA_LEVEL == 3
#define CT_ISA_CPU CT_CPU_AVX2_FMA
#else
#define CT_ISA_CPU 0
#endif

/* CT_ISA_RANK: of a kernel whose intrinsics have rank n in AVX2, n = 40 .. 95. Portable vectors come behind all of
 * those, in the same order, and before plain C. */
#if CT_ISA_PORTABLE == 16
#define CT_ISA_ID "-c16"
#define CT_ISA_TITLE " (portable, 16 wide)"
#define CT_ISA_NOTE " Written in the compiler's own vectors of 16 floats, without intrinsics: portable C."
#define CT_ISA_RANK(n) (20 + (n) / 5)
#elif CT_ISA_PORTABLE == 8
#define CT_ISA_ID "-c8"
#define CT_ISA_TITLE " (portable, 8 wide)"
#define CT_ISA_NOTE " Written in the compiler's own vectors of 8 floats, without intrinsics: portable C."
#define CT_ISA_RANK(n) (20 + (n) / 5)
#elif CT_ISA_LEVEL == 4
#define CT_ISA_ID "-avx512"
#define CT_ISA_TITLE " (AVX-512)"
#define CT_ISA_NOTE
#define CT_ISA_RANK(n) ((n) + 5)
#else
#define CT_ISA_ID "-avx2"
#define CT_ISA_TITLE " (AVX2)"
#define CT_ISA_NOTE
#define CT_ISA_RANK(n) (n)
#endif

#endif
