/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two inner loops of the symmetric matrix, sixteen entries at a time, for one of the eight images of their pixels.
 * Entry e belongs to lane e mod 16. */
#ifndef CT_FP_MATRIX_LANES_H
#define CT_FP_MATRIX_LANES_H

#include "recon/fp/symmetry.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ct_scsr_lanes {
  /* sums[lane] += values[e] image[map(columns[e])] */
  void (*gather)(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                 const float *image, float sums[16]);
  /* image[map(columns[e])] += values[e] y[lane], for the lanes of the mask. No sixteen entries from a multiple of 16 on
   * that the mask lets through may have a column twice. */
  void (*scatter)(const uint32_t *columns, const float *values, size_t count, const ct_symmetry_pixels *map,
                  const float y[16], unsigned mask, float *image);
} ct_scsr_lanes;

/* One entry after the other: columns may be there twice. */
extern const ct_scsr_lanes ct_scsr_lanes_portable;
/* Gathers and scatters of AVX-512; CT_CPU_AVX512. */
extern const ct_scsr_lanes ct_scsr_lanes_v4;

#endif
