/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interpolation kernels as data: a separable weight function of the distance to a pixel centre, and its support. */
#ifndef CT_BP_INTERP_H
#define CT_BP_INTERP_H

#include "recon/bp/kernel.h"

/* No kernel touches more pixels along one axis. */
#define CT_INTERP_TAPS 5

typedef struct ct_interp_shape {
  double radius;              /* pixels; the weight is zero beyond */
  double (*weight)(double t); /* t = position - pixel index */
  int steps;                  /* positions are rounded to 1/steps of a pixel first; 0: they are not */
  bool normalise;             /* divide by the sum of the weights (kernels that are no partition of unity) */
  int operations;             /* for the weights along one axis: additions, multiplications, divisions, roundings and
                               * exponentials of the formula as it is written, signs and comparisons left out */
} ct_interp_shape;

const ct_interp_shape *ct_interp_get_shape(ct_interp interp);

/* Weights of pixels *first, *first + 1, ... at a position; returns their number. The position must be within int range.
 */
int ct_interp_taps(const ct_interp_shape *shape, double position, int *first, double weights[CT_INTERP_TAPS]);

/* What a voxel takes of a view, by the formula: pixels of several rows or of one (axes 2 or 1), and operations on them,
 * those of the weights, and a multiplication for each value and an addition for each but one along every line. Tuned
 * kernels make do with fewer. */
typedef struct ct_interp_cost {
  int values, operations;
} ct_interp_cost;
ct_interp_cost ct_interp_get_cost(ct_interp interp, int axes);

#endif
