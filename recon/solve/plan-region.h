/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of a volume, marked by a rectangle on one of its slices, as the grid of a plan with finer voxels. */
#ifndef CT_SOLVE_PLAN_REGION_H
#define CT_SOLVE_PLAN_REGION_H

#include "recon/solve/plan.h"

/* What is asked for. */
typedef struct ct_plan_region {
  ct_plane plane;
  double position;     /* mm along the plane's normal */
  double points[2][2]; /* opposite corners, mm along the slice's horizontal and vertical */
  double depth;        /* mm along the normal, half of it to either side; NAN: the rectangle's shorter side */
  int finer;           /* so many voxels in place of one along each axis: 1 to CT_MOST_FINER */
} ct_plan_region;
#define CT_MOST_FINER 20

/* Sets the plan's grid: in the slice the voxels that the rectangle touches, across it those that the depth about the
 * position touches, within the grid; each voxel is divided into whole finer ones. A grid of one slice keeps that.
 * CT_ERROR_ARGUMENT where the rectangle lies beside the grid, or more than 65536 voxels lie along an axis: then the
 * plan is as it was. */
bool ct_plan_set_region(ct_plan *plan, const ct_grid *grid, const ct_plan_region *region, ct_error **error);

#endif
