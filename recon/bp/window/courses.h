/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where kernels of this folder look, for those who count what their loops do. */
#ifndef CT_BP_WINDOW_COURSES_H
#define CT_BP_WINDOW_COURSES_H

#include "recon/bp/kernel.h"

/* The lines through each slice that `lines` takes, `lanes` voxels at a time: along y or x, and voxels across a voxel
 * along (skew-private.h). */
typedef struct ct_course {
  bool along_y;
  double slope;
} ct_course;
ct_course ct_lines_course(const ct_bp_request *request, int lanes);

/* (u w, v w, w) in a view of pixel (0, 0) of its virtual detector (rectified-private.h), and per column and row. */
typedef struct ct_rectified_view {
  double origin[3], along_u[3], along_v[3];
} ct_rectified_view;

/* The virtual detectors of kernel `rectified` for all views of `from`, as a geometry (ct_geometry_clear), and where
 * their pixels lie in views[from->views]. */
bool ct_rectified_geometry(const ct_bp_kernel *kernel, const ct_geometry *from, ct_geometry *to,
                           ct_rectified_view *views, ct_error **error);

#endif
