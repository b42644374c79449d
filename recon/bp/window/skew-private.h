/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of voxels through each slice of a grid that follow the detector's lines as well as one direction can for all
 * views: along x or y, and each voxel as far across as the nearest whole number of voxels allows (a digital straight
 * line). In a plane that is rolled about its normal, rows of voxels would cross many detector lines. */
#ifndef CT_BP_WINDOW_SKEW_PRIVATE_H
#define CT_BP_WINDOW_SKEW_PRIVATE_H

#include "recon/bp/kernel.h"

typedef struct ct_skew {
  bool along_y;      /* the other of x and y is across */
  double slope;      /* voxels across a voxel along, -1 .. 1; 0: rows or columns of the grid */
  int length, lines; /* voxels along; lines of a slice */
  int lowest;        /* across of line 0 at its first voxel */
  double most;       /* of |aside| */
  int *across;       /* [length]: voxel t of line n is at lowest + n + across[t] across; monotonous */
  float *aside;      /* [length, rounded up to 16]: across[t] - slope t, zeros behind */
  int (*span)[2];    /* [lines]: the first voxel in the grid, and the one behind the last */
} ct_skew;

/* Rows, unless lanes (voxels of a vector) or more of them next to each other see more than one detector line and
 * another direction sees less than half as many; columns where the rows are shorter than that. CT_ERROR_MEMORY. */
bool ct_skew_init(ct_skew *skew, const ct_bp_request *request, int lanes, ct_error **error);
void ct_skew_clear(ct_skew *skew);

/* Bytes that ct_skew_init takes at most. */
size_t ct_skew_memory(const ct_grid *grid);

#endif
