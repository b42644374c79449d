/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of all CPU kernels, a folder for each family. */
#ifndef CT_BP_KERNELS_PRIVATE_H
#define CT_BP_KERNELS_PRIVATE_H

#include "recon/bp/kernel.h"
#include "recon/simd/forms.h"

/* The members of a descriptor whose loops are compiled for every storage of samples (layout/sample.h), and their
 * tables. Not in portable form: without instructions that widen, 16 bits take three times as long as floats. There
 * textbook, voxel-loop and lines serve, which round (layout/rounded.h).
 */
#define CT_BP_LOOPS(kind, table)                                                                                       \
  CT_SIMD_LOOPS(kind, table), .precisions = CT_BP_STORES_##kind, .stored = CT_BP_STORED_##kind(table)
#define CT_BP_STORES_PORTABLE_8 CT_BIT(CT_PRECISION_FLOAT32)
#define CT_BP_STORES_PORTABLE_16 CT_BP_STORES_PORTABLE_8
#define CT_BP_STORES_AVX2 (CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16) | CT_BIT(CT_PRECISION_INT16))
#define CT_BP_STORES_AVX512 CT_BP_STORES_AVX2
#define CT_BP_STORED_PORTABLE_8(table)                                                                                 \
  {                                                                                                                    \
    {                                                                                                                  \
      { 0 }                                                                                                            \
    }                                                                                                                  \
  }
#define CT_BP_STORED_PORTABLE_16(table) CT_BP_STORED_PORTABLE_8(table)
#define CT_BP_STORED_AVX2(table)                                                                                       \
  { CT_SIMD_AVX2(table##_float16), CT_SIMD_AVX2(table##_int16) }
#define CT_BP_STORED_AVX512(table)                                                                                     \
  { CT_SIMD_AVX512(table##_float16), CT_SIMD_AVX512(table##_int16) }
#define CT_BP_DECLARE_LOOPS(type, name)                                                                                \
  CT_SIMD_DECLARE(type, name);                                                                                         \
  CT_SIMD_DECLARE(type, name##_float16);                                                                               \
  CT_SIMD_DECLARE(type, name##_int16)

extern const ct_bp_kernel ct_bp_textbook, ct_bp_voxel_loop;

extern const ct_bp_kernel ct_bp_serial_loop, ct_bp_slabs, ct_bp_slabs_two_views, ct_bp_slabs_unroll_jam;

enum { CT_CHEN_KERNELS = 7 };
extern const ct_bp_kernel ct_bp_chen[CT_CHEN_KERNELS];

extern const ct_bp_kernel ct_bp_plain_slices[6], ct_bp_differences[2], ct_bp_columns[2], ct_bp_oversampled[3];
extern const ct_bp_kernel ct_bp_half_4;

extern const ct_bp_kernel ct_bp_half_64[CT_SIMD_FORM_COUNT];
extern const ct_bp_kernel ct_bp_slices[CT_SIMD_FORM_COUNT];
extern const ct_bp_kernel ct_bp_rows[CT_SIMD_FORM_COUNT], ct_bp_lines[CT_SIMD_FORM_COUNT];
extern const ct_bp_kernel ct_bp_z_window[CT_SIMD_FORM_COUNT], ct_bp_matrices[CT_SIMD_FORM_COUNT];
extern const ct_bp_kernel ct_bp_rectified[CT_SIMD_FORM_COUNT], ct_bp_taps[CT_SIMD_FORM_COUNT];
#ifdef __x86_64__
extern const ct_bp_kernel ct_bp_slices_int16[2], ct_bp_z_window_int16;
#endif

/* rank_for of all of them (ranks.c). */
int ct_bp_rank_of_cpu(const ct_bp_kernel *kernel, const ct_bp_request *request);

#endif
