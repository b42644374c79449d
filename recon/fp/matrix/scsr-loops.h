/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two inner loops of the symmetric matrix, sixteen entries at a time, for one of the eight images of their pixels.
 * Entry e belongs to lane e mod 16. */
#ifndef CT_FP_MATRIX_SCSR_LOOPS_H
#define CT_FP_MATRIX_SCSR_LOOPS_H

#include "recon/fp/symmetry.h"
#include "recon/simd/forms.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ct_scsr_loops {
  /* sums[lane] += values[e] image[map(columns[e])] */
  void (*gather)(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                 const float *image, float sums[16]);
  /* image[map(columns[e])] += values[e] y[lane], for the lanes of the mask. No sixteen entries from a multiple of 16 on
   * that the mask lets through may have a column twice. */
  void (*scatter)(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                  const float y[16], unsigned mask, float *image);
} ct_scsr_loops;
CT_SIMD_DECLARE(ct_scsr_loops, ct_scsr_loops);

/* Those of the baseline go one entry after the other: columns may be there twice. */
#define CT_SCSR_LOOPS                                                                                                  \
  {                                                                                                                    \
    { [CT_SIMD_BASELINE] = &ct_scsr_loops_baseline, CT_SIMD_X86([CT_SIMD_V4] = &ct_scsr_loops_v4) }                    \
  }

#endif
