/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both directions of Joseph's projector along z, at the instruction set being compiled. Own layouts; views NULL: all.
 */
#ifndef CT_FP_ISA_JOSEPH_3D_H
#define CT_FP_ISA_JOSEPH_3D_H

#include "recon/fp/isa/isa.h"
#include "recon/fp/joseph-3d-private.h"

#define ct_joseph_forward CT_ISA_SYMBOL(ct_joseph_forward)
void ct_joseph_forward(const ct_joseph *joseph, const int *views, int count, const float *x, float *y);
#define ct_joseph_back CT_ISA_SYMBOL(ct_joseph_back)
void ct_joseph_back(const ct_joseph *joseph, const int *views, int count, const float *y, float *x);
/* Instead of the transpose: voxel by voxel, which is faster (joseph-3d-voxels.c). */
#define ct_joseph_voxels CT_ISA_SYMBOL(ct_joseph_voxels)
void ct_joseph_voxels(const ct_joseph *joseph, const int *views, int count, const float *y, float *x);
/* Sums of squares of the rows (joseph-3d-squares.c). */
#define ct_joseph_row_squares CT_ISA_SYMBOL(ct_joseph_row_squares)
void ct_joseph_row_squares(const ct_joseph *joseph, float *y);

#endif
