/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of kernels and projectors that are written in vectors: one form for each vector type, from one macro.
 * Portable vectors of 8 floats run on any processor, with the best instructions that the loops were compiled for. */
#ifndef CT_SIMD_FORMS_H
#define CT_SIMD_FORMS_H

#include "recon/simd/compile.h"

#define CT_SIMD_NOTE_PORTABLE(width)                                                                                   \
  " Written in the compiler's own vectors of " width " floats, without intrinsics: portable C."

/* CT_SIMD_FORMS: ROW(kind, end of the id, end of the title, end of the explanation) of each form, with a comma behind.
 * CT_SIMD_FORM_ROWS: pointers to the descriptors, for a table. CT_SIMD_X86: what only x86-64 has. */
#ifdef __x86_64__
enum { CT_SIMD_FORM_COUNT = 4 };
#define CT_SIMD_FORMS(ROW)                                                                                             \
  ROW(PORTABLE_8, "-c8", " (portable, 8 wide)", CT_SIMD_NOTE_PORTABLE("8"))                                            \
  ROW(PORTABLE_16, "-c16", " (portable, 16 wide)", CT_SIMD_NOTE_PORTABLE("16"))                                        \
  ROW(AVX2, "-avx2", " (AVX2)", "")                                                                                    \
  ROW(AVX512, "-avx512", " (AVX-512)", "")
#define CT_SIMD_FORM_ROWS(array) &array[0], &array[1], &array[2], &array[3]
#define CT_SIMD_X86(...) __VA_ARGS__
#else
enum { CT_SIMD_FORM_COUNT = 1 };
#define CT_SIMD_FORMS(ROW) ROW(PORTABLE_8, "-c8", " (portable, 8 wide)", CT_SIMD_NOTE_PORTABLE("8"))
#define CT_SIMD_FORM_ROWS(array) &array[0]
#define CT_SIMD_X86(...)
#endif

/* The members of a descriptor that say what its loops are. */
#define CT_SIMD_LOOPS(kind, table) .loops = CT_SIMD_##kind(table), CT_SIMD_VECTOR_##kind
#define CT_SIMD_VECTOR_PORTABLE_8 .width = 8, .portable = true
#define CT_SIMD_VECTOR_PORTABLE_16 .width = 16, .portable = true
#define CT_SIMD_VECTOR_AVX2 .width = 8
#define CT_SIMD_VECTOR_AVX512 .width = 16
#define CT_SIMD_VECTOR_VNNI .width = 16

#endif
