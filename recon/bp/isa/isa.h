/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of this folder are compiled once per instruction set: x86-64-v3 (AVX2, FMA: 8 floats) and x86-64-v4
 * (AVX-512: 16 floats). Names and descriptors carry the level. */
#ifndef CT_BP_ISA_H
#define CT_BP_ISA_H

#include "recon/base/machine.h"

#define CT_ISA_JOIN_(name, isa) name##_##isa
#define CT_ISA_JOIN(name, isa) CT_ISA_JOIN_(name, isa)
#define CT_ISA_SYMBOL(name) CT_ISA_JOIN(name, CT_ISA)

#if CT_ISA_LEVEL == 4
#define CT_ISA_ID "-avx512"
#define CT_ISA_TITLE " (AVX-512)"
#define CT_ISA_CPU (CT_CPU_AVX2_FMA | CT_CPU_AVX512)
#define CT_ISA_RANK 5
#else
#define CT_ISA_ID "-avx2"
#define CT_ISA_TITLE " (AVX2)"
#define CT_ISA_CPU CT_CPU_AVX2_FMA
#define CT_ISA_RANK 0
#endif

#endif
