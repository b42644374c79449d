/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of all CPU kernels, one file each. Those of isa/ exist once per instruction set (see isa/isa.h). */
#ifndef CT_BP_KERNELS_PRIVATE_H
#define CT_BP_KERNELS_PRIVATE_H

#include "recon/bp/kernel.h"

extern const ct_bp_kernel ct_bp_textbook;
extern const ct_bp_kernel ct_bp_voxel_loop;

extern const ct_bp_kernel ct_bp_serial_loop;
extern const ct_bp_kernel ct_bp_slabs, ct_bp_slabs_two_views, ct_bp_slabs_unroll_jam;
extern const ct_bp_kernel ct_bp_chen_transpose, ct_bp_chen_share, ct_bp_chen_symmetry, ct_bp_chen_subline;
extern const ct_bp_kernel ct_bp_chen_share_local, ct_bp_chen_symmetry_local, ct_bp_chen_prefetch;

extern const ct_bp_kernel ct_bp_plain_slices[6], ct_bp_differences[2], ct_bp_columns[2], ct_bp_oversampled[3],
    ct_bp_half_4;

extern const ct_bp_kernel ct_bp_free_c8, ct_bp_half_c8, ct_bp_lines_c8, ct_bp_rows_c8, ct_bp_slices_c8,
    ct_bp_zwindow_c8, ct_bp_rectified_c8;
#ifdef CT_BP_X86
extern const ct_bp_kernel ct_bp_free_c16, ct_bp_half_c16, ct_bp_lines_c16, ct_bp_rows_c16, ct_bp_slices_c16;
extern const ct_bp_kernel ct_bp_zwindow_c16;
extern const ct_bp_kernel ct_bp_rectified_c16, ct_bp_rectified_v3, ct_bp_rectified_v4;
extern const ct_bp_kernel ct_bp_free_v3, ct_bp_free_v4;
extern const ct_bp_kernel ct_bp_half_v3, ct_bp_half_v4;
extern const ct_bp_kernel ct_bp_lines_v3, ct_bp_lines_v4;
extern const ct_bp_kernel ct_bp_rows_v3, ct_bp_rows_v4;
extern const ct_bp_kernel ct_bp_slices_v3, ct_bp_slices_v4;
extern const ct_bp_kernel ct_bp_zwindow_v3, ct_bp_zwindow_v4;
extern const ct_bp_kernel ct_bp_slices_int16_v3, ct_bp_slices_int16_v4, ct_bp_zwindow_int16;
#endif

#endif
