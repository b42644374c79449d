/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the inner loop needs of an instruction set:
 *   eight        eight floats, by the compiler's operators
 *   weights      eight weights; from half or single precision
 *   pair         two neighbouring lines of eight floats
 *   part         a vector of an interleaved line of 64 floats; LINE_PARTS of them, ROWS rows at a time in registers */
#ifndef CT_FP_ORBIT_VECTOR_H
#define CT_FP_ORBIT_VECTOR_H

#include "recon/base/machine.h"
#include "recon/fp/orbit/isa/orbit-kernels.h"

#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define SYMBOL(name) JOIN(name, CT_ISA)

typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));

#if CT_ISA_LEVEL == 4
#include "recon/fp/orbit/isa/vector-avx512.h"
#elif CT_ISA_LEVEL == 3
#include "recon/fp/orbit/isa/vector-avx2.h"
#else
#include "recon/fp/orbit/isa/vector-portable.h"
#endif

#if CT_ISA_LEVEL != 4
/* A line is added to what stands at out, where a part is eight floats. */
INLINE void line_add(const part sum[LINE_PARTS], float scale, float *out) {
  for (int p = 0; p < LINE_PARTS; p++) *(eight *)(out + 8 * p) += (eight)sum[p] * scale;
}
INLINE void line_add_turned(const part sum[LINE_PARTS], float scale, const int32_t *turn, float *out) {
  part line[LINE_PARTS];
  for (int p = 0; p < LINE_PARTS; p++) line[p] = sum[p];
  for (int p = 0; p < LINE_PARTS; p++) *(eight *)(out + 8 * p) += (eight)line[turn[p]] * scale;
}
#endif

#endif
