/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection of spirals: what the loops, compiled once per level of instructions, share with their kernels. */
#ifndef CT_SOLVE_SPIRAL_SPIRAL_PRIVATE_H
#define CT_SOLVE_SPIRAL_SPIRAL_PRIVATE_H

#include "recon/geom/grid.h"
#include "recon/geom/spiral.h"
#include "recon/simd/compile.h"

#include <stdbool.h>
#include <stddef.h>

/* Share of the rows, about the middle, whose weight is 1. */
#define CT_SPIRAL_FLAT 0.6
/* Floats of the widest vector, to which rows and voxels are rounded up. */
enum { CT_SPIRAL_ROUND = 16 };
/* Registers that the rows of a vector of voxels may lie in; steeper columns go voxel by voxel. */
enum { CT_SPIRAL_WINDOWS = 4 };
/* Voxel columns side by side along x, whose places in the views are found together. */
enum { CT_SPIRAL_STRIP = 16 };
/* A column of a laid out view has its first row once more before it, and its last one behind. */
enum { CT_SPIRAL_BESIDE = 1 };
/* Floats before and behind all views, which vectors that reach out of a column may read: their weight is 0. */
enum { CT_SPIRAL_PAD = (CT_SPIRAL_WINDOWS + 1) * CT_SPIRAL_ROUND };

/* Rows of a view as the voxels of a column along z see them: v = v0 + t step for t = first .. end - 1. The column lies
 * between `left` and the one `pitch` floats behind; both begin at row 0. */
typedef struct ct_spiral_column {
  const float *left;
  int pitch;
  float share; /* of the right one */
  double v0, step;
  int first, end;
  float *sum; /* [voxels], to which are added */
} ct_spiral_column;

/* The voxels of an interval of the spiral: 0 below, 1 above and between them a line, for each of its ends: clamp(at[0]
 * + t slope[0]) clamp(at[1] + t slope[1]) factor. */
typedef struct ct_spiral_interval {
  double at[2], slope[2];
  float factor;
} ct_spiral_interval;

/* What all voxel columns of the weighted back-projection have in common. */
typedef struct ct_spiral_scan {
  const ct_geometry *geometry;
  const ct_grid *grid;
  ct_spiral_views views;
  const double *fans; /* [columns], radians */
  int rows, voxels;   /* floats of a column of a view, and of a voxel column */
} ct_spiral_scan;

/* How a view of a group sees a strip. All vectors and voxels are counted along z. */
typedef struct ct_spiral_sight {
  const float *view;
  double feed;         /* of its source, from the first one of its side on, in voxels */
  int first, end;      /* multiples of a vector: voxels that any column sees */
  int inner, outer;    /* that every column sees */
  int low, high, flat; /* whose rows all have the weight 1; whether the vector at hand has */
  /* Of the vector to come, by columns: the first voxel's row, and the part above it. */
  int whole[CT_SPIRAL_STRIP], beyond[CT_SPIRAL_STRIP];
  /* Of the vector at hand: where its windows begin, by how many rows the first voxel lies behind that, and which row it
   * sees, from the middle one on, in units of the weight's fall. */
  int from[CT_SPIRAL_STRIP];
  float part[CT_SPIRAL_STRIP], row[CT_SPIRAL_STRIP];
} ct_spiral_sight;

/* Voxel columns side by side in the views of one group. p, along: of the first one in the group's first view, and what
 * is added from one to the next. */
typedef struct ct_spiral_strip {
  const ct_spiral_scan *scan;
  int count;
  double p, along, more_p, more_along;
  double gantry;           /* of the first view, in the middle of the fan */
  int first, end;          /* views of the group that may see them */
  const float *layout;     /* [views of the group][columns][rows], from the first row of the first column on */
  float *totals;           /* [count][voxels] */
  ct_spiral_sight *sights; /* [most views of a group]: of the thread alone */
  int *seen;               /* [count][2]: slices first .. end - 1, by every group so far */
} ct_spiral_strip;

typedef struct ct_spiral_loops {
  /* The mean of the rays of a group that see each voxel, to the totals. */
  void (*add_strip)(const ct_spiral_strip *strip);
  void (*add_within)(const ct_spiral_column *column, const ct_spiral_interval *interval);
  /* totals[count][voxels] of columns side by side to slices of a volume that lie `slice` floats apart: added, or in
   * place of what is there; 0 where a slice is not seen, seen[count][2] being first .. end - 1. */
  void (*store)(const float *totals, int voxels, int count, const int *seen, bool first, ptrdiff_t slice, int nz,
                float *data);
} ct_spiral_loops;

CT_SIMD_DECLARE(ct_spiral_loops, ct_spiral_loops);

static inline int ct_spiral_round_up(int n) {
  return (n + CT_SPIRAL_ROUND - 1) / CT_SPIRAL_ROUND * CT_SPIRAL_ROUND;
}
/* Floats of a column of so many rows. */
static inline int ct_spiral_column_floats(int count) {
  return ct_spiral_round_up(count + 2 * CT_SPIRAL_BESIDE);
}

#endif
