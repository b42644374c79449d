/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels with interleaved slices (interleaved-private.h). */
#include "recon/bp/interleaved/interleaved-private.h"
#include "recon/bp/support-private.h"
#include "recon/geom/questions.h"

#define ROW(kind, id_end, title_end, note)                                                                             \
  {.id = "slices" id_end,                                                                                              \
   .title = "Interleaved slices" title_end,                                                                            \
   .family = "slices",                                                                                                 \
   .explanation = "Parallel beam: all slices of a voxel share bin and weight, so that projections are stored slice "   \
                  "by slice beside each other and read as whole vectors. After Chilingaryan et al. (2019)." note,      \
   CT_INTERLEAVED_FUNCTIONS,                                                                                           \
   .precisions = CT_BIT(CT_PRECISION_FLOAT32),                                                                         \
   CT_SIMD_LOOPS(kind, ct_slices_loops),                                                                               \
   .tolerance = 5e-6},

const ct_bp_kernel ct_bp_slices[CT_SIMD_FORM_COUNT] = {CT_SIMD_FORMS(ROW)};

#ifdef __x86_64__
/* The tolerance is that of a filtered scan from 30 views on, whose sums cancel; 5e-5 of noise. */
#define ROW_INT16(kind, id_end, title_end)                                                                             \
  {                                                                                                                    \
    .id = "slices-int16" id_end, .title = "Interleaved slices, 16-bit integers" title_end, .family = "slices-int16",   \
    .explanation = "Parallel beam: interleaved slices with projections rounded to 16-bit integers. A bin and the "     \
                   "next share a word, so that a voxel loads half as much, and one product of pairs interpolates. "    \
                   "After Chilingaryan et al. (2019); the integers are this program's own.",                           \
    CT_INTERLEAVED_FUNCTIONS, .precisions = CT_BIT(CT_PRECISION_INT16), CT_SIMD_LOOPS(kind, ct_slices_int16_loops),    \
    .tolerance = 2e-4                                                                                                  \
  }

const ct_bp_kernel ct_bp_slices_int16[2] = {ROW_INT16(AVX2, "-avx2", " (AVX2)"),
                                            ROW_INT16(VNNI, "", " (AVX-512 VNNI)")};
#endif
