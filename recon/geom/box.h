/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes of voxels: parts of a grid. */
#ifndef CT_GEOM_BOX_H
#define CT_GEOM_BOX_H

#include "recon/base/error.h"
#include "recon/geom/grid.h"

#include <stdbool.h>

/* [begin, end) along x, y, z. */
typedef struct ct_box {
  int begin[3], end[3];
} ct_box;

/* The one slice of a plane, and all of a grid. */
ct_box ct_box_of_slice(const ct_grid *grid, ct_plane plane, int index);
ct_box ct_box_of_grid(const ct_grid *grid);
/* CT_ERROR_ARGUMENT with the range where the box is empty or reaches out of nx x ny x nz voxels. */
bool ct_box_check(const ct_box *box, int nx, int ny, int nz, ct_error **error);
/* The box's voxels as a grid of their own, which lie where they lay. */
ct_grid ct_box_grid(const ct_box *box, const ct_grid *grid);

#endif
