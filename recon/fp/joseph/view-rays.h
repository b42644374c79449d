/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rays of a whole view in voxel indices, for projectors that take any detector. With the view's matrix P = (p; q;
 * t) from voxel indices, pixel (u, v) looks along u (q x t) + v (t x p) + p x q, from the source, or, where t has no
 * part in space, from a point affine in (u, v). */
#ifndef CT_FP_VIEW_RAYS_H
#define CT_FP_VIEW_RAYS_H

#include "recon/fp/projector.h"

/* Point and direction of pixel (u, v) are at[0] + u at[1] + v at[2]. */
typedef struct ct_view_rays {
  double point[3][3], direction[3][3];
  double matrix[12]; /* row-major 3x4, from voxel indices to pixel indices */
} ct_view_rays;

void ct_view_rays_find(const ct_geometry *geometry, const ct_grid *grid, int view, ct_view_rays *rays);
/* Of one ray; the direction's length is arbitrary. */
void ct_view_rays_at(const ct_view_rays *rays, double u, double v, double point[3], double direction[3]);
/* False with an error where rays pass too nearly along the rotation axis for Joseph's model, which takes steps across
 * it.
 */
bool ct_view_rays_are_flat(const ct_geometry *geometry, const ct_grid *grid, int view, ct_error **error);

#endif
