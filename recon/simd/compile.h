/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For sources that are compiled once per variant (meson.build beside this file), and for those that list the tables.
 *
 * A variant is a level, with intrinsics or in portable vectors: the same source in the vector extensions of GCC and
 * Clang, without intrinsics. Portable vectors of 8 floats exist at the baseline, so that they run on any processor, and
 * once more with the instructions of v3; those of 16 with the instructions of v4. The compiler sets:
 *   CT_SIMD_VARIANT   baseline, v3, v3_portable, v4, v4_portable or vnni: the end of the table's name
 *   CT_SIMD_WIDTH     floats of a vector
 *   CT_SIMD_PORTABLE  1: no intrinsics */
#ifndef CT_SIMD_COMPILE_H
#define CT_SIMD_COMPILE_H

#include "recon/simd/level.h"

#define CT_SIMD_JOIN_(name, variant) name##_##variant
#define CT_SIMD_JOIN(name, variant) CT_SIMD_JOIN_(name, variant)

/* The one global symbol of an object: CT_SIMD_TABLE(ct_rows_loops) = {...}. */
#define CT_SIMD_TABLE(name) CT_SIMD_JOIN(name, CT_SIMD_VARIANT)

/* Declares the tables of all variants; a kernel lists those that it is compiled for. */
#define CT_SIMD_DECLARE(type, name)                                                                                    \
  extern const type name##_baseline, name##_v3, name##_v3_portable, name##_v4, name##_v4_portable, name##_vnni

/* ct_simd_loops of one kernel. Plain: code that leaves vectors to the compiler. */
#ifdef __x86_64__
#define CT_SIMD_PLAIN(name)                                                                                            \
  {                                                                                                                    \
    { [CT_SIMD_BASELINE] = &name##_baseline, [CT_SIMD_V3] = &name##_v3, [CT_SIMD_V4] = &name##_v4 }                    \
  }
#define CT_SIMD_PORTABLE_8(name)                                                                                       \
  {                                                                                                                    \
    { [CT_SIMD_BASELINE] = &name##_baseline, [CT_SIMD_V3] = &name##_v3_portable }                                      \
  }
#define CT_SIMD_PORTABLE_16(name)                                                                                      \
  {                                                                                                                    \
    { [CT_SIMD_V4] = &name##_v4_portable }                                                                             \
  }
#define CT_SIMD_AVX2(name)                                                                                             \
  {                                                                                                                    \
    { [CT_SIMD_V3] = &name##_v3 }                                                                                      \
  }
#define CT_SIMD_AVX512(name)                                                                                           \
  {                                                                                                                    \
    { [CT_SIMD_V4] = &name##_v4 }                                                                                      \
  }
#define CT_SIMD_VNNI(name)                                                                                             \
  {                                                                                                                    \
    { [CT_SIMD_V4_VNNI] = &name##_vnni }                                                                               \
  }
#else
#define CT_SIMD_PLAIN(name)                                                                                            \
  {                                                                                                                    \
    { [CT_SIMD_BASELINE] = &name##_baseline }                                                                          \
  }
#define CT_SIMD_PORTABLE_8(name)                                                                                       \
  {                                                                                                                    \
    { [CT_SIMD_BASELINE] = &name##_baseline }                                                                          \
  }
#endif

#endif
