/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of voxels along z, read through windows. Where the detector's columns are parallel to z, a voxel column (i,
 * j) sees one u and one weight 1/w^2 in a view, and v is affine in k (Chen et al. 2021, "share"). The view is
 * transposed, so that v is contiguous. For W consecutive voxels the rows floor(v) and floor(v) + 1 lie in one, two or
 * four vectors beginning at the first voxel's row: these windows are loaded from columns u and u + 1, blended, and each
 * voxel picks its two rows by register permutes instead of gathers. Positions are relative to the window, counted
 * in 2^-26 pixels, and exact to 3e-7 of one; so are the parts of window starts beside their whole numbers. Voxels k and
 * nz - 1 - k of a centred grid share row index and weights. Four views are summed in registers per pass over a tile of
 * 16 x 16 columns, which stays in the second-level cache until all views of the batch are in. Where more than one
 * vector of 8 would be wanted, the even and the odd rows stand apart, and with y = v / 2 the value is
 *   (1 - t) even[round(y)] + t odd[floor(y)], t = 2 |y - round(y)|:
 * each of the two needs one vector for steps up to 1.86 rows. */
#ifndef CT_BP_WINDOW_Z_WINDOW_PRIVATE_H
#define CT_BP_WINDOW_Z_WINDOW_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/layout/columns.h"
#include "recon/bp/layout/layouts.h"
#include "recon/bp/layout/tile.h"

/* visit: vectors of a voxel column per visit. */
enum { tile_x = 16, tile_y = 16, pass = 4, slab = 1024, visit = 16, most_views = 128 };

struct ct_bp_state {
  ct_bp_request request;
  const ct_bp_layout_loops *loops;
  int steps; /* of the interpolation, 0: positions are not rounded */
  ct_bp_layouts layouts;
  ct_columns columns;     /* with slots for all layouts */
  double (*matrices)[12]; /* [slots] */
  float *units;           /* [slots]: stored numbers per 1 */
  ct_tiling tiling;
  float *tiles; /* [threads][tiling.parts][tile_y][tile_x][tiling.column] */
};

/* Rows per voxel up to which `windows` vectors of `width` floats hold both rows of a vector of voxels. */
static inline double ct_z_window_reach(int width, int windows) {
  return (windows * width - 2.0) / (width - 1);
}

/* The same where even and odd rows have `windows` vectors each. */
static inline double ct_z_window_split_reach(int width, int windows) {
  return 2 * (windows * width - 1.5) / (width - 1);
}

CT_BP_DECLARE_LOOPS(ct_bp_layout_loops, ct_z_window_loops);

#endif
