/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the table of ranks (bp/ranks.c) asks of the kernels with windows. */
#ifndef CT_BP_WINDOW_CONDITIONS_PRIVATE_H
#define CT_BP_WINDOW_CONDITIONS_PRIVATE_H

#include "recon/bp/kernel.h"

/* Windows along z: columns in the middle of the grid step over more rows than windows have. */
bool ct_z_window_is_exceeded(const ct_bp_kernel *kernel, const ct_bp_request *request);
/* Windows along lines: grids so coarse that laying views out for other kernels takes longer than these take to read
 * them. */
bool ct_lines_is_coarse(const ct_bp_kernel *kernel, const ct_bp_request *request);
/* The kernels that run along z, or through all slices, are faster on thick grids where they apply. */
bool ct_lines_is_made_for(const ct_bp_kernel *kernel, const ct_bp_request *request);

#endif
