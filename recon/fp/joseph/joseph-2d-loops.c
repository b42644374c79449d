/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All loops of the projector joseph-2d for the variant being compiled in one table, and the transposition of an image.
 */
#include "recon/fp/joseph/joseph-2d-loops.h"

/* to[i][j] = from[j][i] */
static void transpose(const float *from, ptrdiff_t pitch, int rows, int columns, float *to, ptrdiff_t to_pitch) {
  for (int i = 0; i < columns; i += W)
    for (int j = 0; j < rows; j += W) {
      const float *corner = from + j * pitch + i;
      float *transposed = to + i * to_pitch + j;
      if (i + W <= columns && j + W <= rows) {
        vf square[W];
#pragma GCC unroll 16
        for (int n = 0; n < W; n++) square[n] = vload(corner + n * pitch);
        vtranspose(square);
#pragma GCC unroll 16
        for (int n = 0; n < W; n++) vstore(transposed + n * to_pitch, square[n]);
      } else {
        for (int m = 0; m < W && i + m < columns; m++)
          for (int n = 0; n < W && j + n < rows; n++) transposed[m * to_pitch + n] = corner[n * pitch + m];
      }
    }
}

CT_SIMD_DECLARE(ct_j2d_forward_loops, ct_j2d_forward_loops);
CT_SIMD_DECLARE(ct_j2d_back_loops, ct_j2d_back_loops);
CT_SIMD_DECLARE(ct_j2d_fan_loops, ct_j2d_fan_loops);
CT_SIMD_DECLARE(ct_j2d_slices_loops, ct_j2d_slices_loops);
CT_SIMD_DECLARE(ct_j2d_eights_loops, ct_j2d_eights_loops);

const ct_j2d_loops CT_SIMD_TABLE(ct_j2d_loops) = {
    .forward = &CT_SIMD_TABLE(ct_j2d_forward_loops),
    .back = &CT_SIMD_TABLE(ct_j2d_back_loops),
    .fan = &CT_SIMD_TABLE(ct_j2d_fan_loops),
    .slices = &CT_SIMD_TABLE(ct_j2d_slices_loops),
#if W == 8
    .eights = &CT_SIMD_TABLE(ct_j2d_eights_loops),
#endif
    .transpose = transpose,
};
