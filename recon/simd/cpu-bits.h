/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The usable level as bits: for what does not state its level yet. */
#ifndef CT_SIMD_CPU_BITS_H
#define CT_SIMD_CPU_BITS_H

#include "recon/simd/level.h"

enum { CT_CPU_AVX2_FMA = 1 << 0, CT_CPU_AVX512 = 1 << 1, CT_CPU_AVX512_VNNI = 1 << 2, CT_CPU_AVX512_VBMI = 1 << 3 };

static inline unsigned ct_cpu_features(void) {
  return (1u << ct_simd_usable()) - 1;
}

#endif
