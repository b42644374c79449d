/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of kernels that exist in several vector types: one row each, from one macro. A kernel in portable vectors
 * of 8 floats runs on any processor, with the best instructions that its loops were compiled for. */
#ifndef CT_BP_VARIANTS_PRIVATE_H
#define CT_BP_VARIANTS_PRIVATE_H

#include "recon/simd/compile.h"

#define CT_BP_NOTE_PORTABLE(width)                                                                                     \
  " Written in the compiler's own vectors of " width " floats, without intrinsics: portable C."

/* ROW(kind, end of the id, end of the title, end of the explanation), each with a comma behind. */
#ifdef __x86_64__
enum { CT_BP_VARIANT_COUNT = 4 };
#define CT_BP_VARIANTS(ROW)                                                                                            \
  ROW(PORTABLE_8, "-c8", " (portable, 8 wide)", CT_BP_NOTE_PORTABLE("8"))                                              \
  ROW(PORTABLE_16, "-c16", " (portable, 16 wide)", CT_BP_NOTE_PORTABLE("16"))                                          \
  ROW(AVX2, "-avx2", " (AVX2)", "")                                                                                    \
  ROW(AVX512, "-avx512", " (AVX-512)", "")
#else
enum { CT_BP_VARIANT_COUNT = 1 };
#define CT_BP_VARIANTS(ROW) ROW(PORTABLE_8, "-c8", " (portable, 8 wide)", CT_BP_NOTE_PORTABLE("8"))
#endif

/* The members of a descriptor that say what its loops are. */
#define CT_BP_LOOPS(kind, table) .loops = CT_SIMD_##kind(table), CT_BP_VECTOR_##kind
#define CT_BP_VECTOR_PORTABLE_8 .width = 8, .portable = true
#define CT_BP_VECTOR_PORTABLE_16 .width = 16, .portable = true
#define CT_BP_VECTOR_AVX2 .width = 8
#define CT_BP_VECTOR_AVX512 .width = 16
#define CT_BP_VECTOR_VNNI .width = 16

#endif
