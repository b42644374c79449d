/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection of spirals: what the loops, compiled once per level of instructions, share with their kernels. */
#ifndef CT_SOLVE_SPIRAL_SPIRAL_PRIVATE_H
#define CT_SOLVE_SPIRAL_SPIRAL_PRIVATE_H

#include "recon/simd/compile.h"

#include <stdbool.h>
#include <stddef.h>

/* Share of the rows, about the middle, whose weight is 1. */
#define CT_SPIRAL_FLAT 0.6
/* Floats of the widest vector, to which rows and voxels are rounded up. */
enum { CT_SPIRAL_ROUND = 16 };
/* Registers that the rows of a vector of voxels may lie in; steeper columns go voxel by voxel. */
enum { CT_SPIRAL_WINDOWS = 4 };

/* Rows of one column of a parallel view as voxels along z see them: v = v0 + t step for t = first .. end - 1, where the
 * weight is not 0. The column lies between `left` and `right`, [rows] each; row count - 1 is repeated behind. */
typedef struct ct_spiral_column {
  const float *left, *right;
  float share;     /* of the right one */
  int count, rows; /* of the detector; rounded up */
  double v0, step;
  int first, end;
  float *buffer; /* of a thread: the column, behind `pad` floats and before as many */
  int pad;
  float *sum, *weight; /* [voxels], to which are added */
} ct_spiral_column;

/* The voxels of an interval of the spiral: in place of row weights 0 below, 1 above and between them a line, for each
 * of its ends: clamp(at[0] + t slope[0]) clamp(at[1] + t slope[1]) factor. */
typedef struct ct_spiral_interval {
  double at[2], slope[2];
  float factor;
} ct_spiral_interval;

typedef struct ct_spiral_loops {
  int width; /* floats of a vector */
  void (*add)(const ct_spiral_column *column);
  /* To column->sum alone. */
  void (*add_within)(const ct_spiral_column *column, const ct_spiral_interval *interval);
  /* total += sum / weight where the weight is not 0; both become 0. Of whole vectors. */
  void (*close)(float *total, float *sum, float *weight, int count);
} ct_spiral_loops;

CT_SIMD_DECLARE(ct_spiral_loops, ct_spiral_loops);

/* Floats of the pads, for a step of at most so many rows that vectors serve. */
static inline int ct_spiral_pad(void) {
  return (CT_SPIRAL_WINDOWS + 1) * CT_SPIRAL_ROUND;
}
static inline int ct_spiral_round_up(int n) {
  return (n + CT_SPIRAL_ROUND - 1) / CT_SPIRAL_ROUND * CT_SPIRAL_ROUND;
}

#endif
