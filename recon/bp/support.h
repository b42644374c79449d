/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What writers of back-projection kernels need, on the processor and on graphics cards: the view's matrix in voxel
 * indices, and the answer to a cancel. */
#ifndef CT_BP_SUPPORT_H
#define CT_BP_SUPPORT_H

#include "recon/bp/kernel.h"

/* m (row-major 3x4) maps voxel indices: (a, b, w) = m (i, j, k, 1), u = a / w, v = b / w. */
void ct_bp_index_matrix(const ct_geometry *geometry, int view, const ct_grid *grid, double m[12]);

/* Whether u and w of a voxel do not depend on k in any view, to 1e-7 pixels over the grid: the detector's columns are
 * parallel to z. Then v is affine in k. */
bool ct_bp_columns_along_z(const ct_bp_request *request);

/* Whether voxels k and nz - 1 - k of every column see rows as far above and below one row or the middle of two, which
 * then is *twice_centre / 2: a centred grid of at most `most` slices before a detector without tilt (the symmetry of
 * Chen et al. 2021). */
bool ct_bp_mirrored(const ct_bp_request *request, int most, int *twice_centre);

static inline bool ct_bp_stopped(const ct_job *job) {
  return ct_job_requested(job) == CT_JOB_CANCEL;
}

/* The end of every run: false with CT_ERROR_CANCELLED when the job was cancelled. */
bool ct_bp_conclude(const ct_job *job, ct_error **error);

#endif
