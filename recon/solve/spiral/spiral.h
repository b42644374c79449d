/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted filtered back-projection of spirals (Stierstorfer, Rauscher, Boese, Bruder, Schaller, Flohr: Weighted FBP, a
 * simple approximate 3D FBP algorithm for multislice spiral CT with good dose usage for arbitrary pitch. Phys. Med.
 * Biol. 49 (2004) 2209).
 *
 * The line integrals, by the cosine of their angle to the plane z = const, are sorted into parallel views
 * (geom/spiral.h), row by row, by cubic interpolation between views and between columns, and filtered along p as
 * parallel beams are. In the back-projection every voxel x takes for each direction theta, of which one group holds all
 * parallel views half turns apart, sum over k of W(v_k) P_k(p_k, v_k) / sum over k of W(v_k), the mean of the rays that
 * see it, by a weight W of the detector row alone: 1 in the middle 60 % of the rows, falling to 0 at the edges.
 * Whatever the pitch, each direction counts once. Voxels that a direction does not see are 0.
 *
 * A stack of filtered projections then holds a group in each view: [views in it][rows][columns]. */
#ifndef CT_SOLVE_SPIRAL_SPIRAL_H
#define CT_SOLVE_SPIRAL_SPIRAL_H

#include "recon/bp/kernel.h"
#include "recon/data/stack.h"
#include "recon/geom/spiral.h"

/* What a stack of sorted views has: columns, rows in all, groups. */
typedef struct ct_sorted_size {
  int nu, nv, views;
} ct_sorted_size;

/* Whether it can serve the spiral (spiral.h of geom makes one of matrices): the views go round by half a turn and the
 * fan, evenly; the detector is not tilted, not displaced and of several rows; the feed leaves no gaps.
 * CT_ERROR_UNSUPPORTED with what would do, where not. */
bool ct_spiral_serves(const ct_geometry *spiral, ct_error **error);
ct_sorted_size ct_sorted_size_of(const ct_geometry *spiral);
/* The geometry that the sorted views are filtered as: parallel beam over half a turn, a group in a view. */
bool ct_sorted_geometry(const ct_geometry *spiral, ct_geometry *parallel, ct_error **error);

typedef struct ct_sorter ct_sorter;
ct_sorter *ct_sorter_new(const ct_geometry *spiral, ct_error **error);
void ct_sorter_free(ct_sorter *sorter);
/* `count` groups of the spiral's line integrals, each into [nv][nu] of ct_sorted_size. */
void ct_sorter_sort(const ct_sorter *sorter, const ct_stack *integrals, const int *groups, int count, float *const *out,
                    int threads);

/* It is no row of the table of kernels: its geometry is a spiral and its views are groups. */
extern const ct_bp_kernel ct_spiral_kernel;

#endif
