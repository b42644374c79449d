/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vector code of the projector joseph-2d at the level being compiled, gathered; and squares of an image turned. */
#include "recon/fp/isa/joseph-2d.h"

/* to[i][j] = from[j][i] */
static void transpose(const float *from, ptrdiff_t pitch, int rows, int columns, float *to, ptrdiff_t to_pitch) {
  for (int i = 0; i < columns; i += W)
    for (int j = 0; j < rows; j += W) {
      const float *corner = from + j * pitch + i;
      float *turned = to + i * to_pitch + j;
      if (i + W <= columns && j + W <= rows) {
        vf square[W];
#pragma GCC unroll 16
        for (int n = 0; n < W; n++) square[n] = vload(corner + n * pitch);
        vtranspose(square);
#pragma GCC unroll 16
        for (int n = 0; n < W; n++) vstore(turned + n * to_pitch, square[n]);
      } else {
        for (int m = 0; m < W && i + m < columns; m++)
          for (int n = 0; n < W && j + n < rows; n++) turned[m * to_pitch + n] = corner[n * pitch + m];
      }
    }
}

const ct_j2d_kernels CT_ISA_SYMBOL(ct_j2d_kernels) = {
    .cpu = CT_ISA_CPU,
    .forward = CT_ISA_SYMBOL(ct_j2d_forward),
    .pair = CT_ISA_SYMBOL(ct_j2d_pair),
    .pairs2 = CT_ISA_SYMBOL(ct_j2d_pairs2),
    .pairs4 = CT_ISA_SYMBOL(ct_j2d_pairs4),
    .back = CT_ISA_SYMBOL(ct_j2d_back),
    .back_pair = CT_ISA_SYMBOL(ct_j2d_back_pair),
    .back_pairs2 = CT_ISA_SYMBOL(ct_j2d_back_pairs2),
    .back_pairs4 = CT_ISA_SYMBOL(ct_j2d_back_pairs4),
    .fan = CT_ISA_SYMBOL(ct_j2d_fan),
    .transpose = transpose,
};
