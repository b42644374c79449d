/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any matrices: C-arms, tilted detectors. Lines of voxels along z read the transposed projections, where v is
 * contiguous: u changes little along z for all but extreme tilts, so that two or three columns serve W voxels. Where
 * the depth changes little along z in all views, as on C-arms, even and odd rows stand apart (line-halves.h); otherwise
 * windows are as in line.h. A tile of 16 x 16 columns of voxels takes one view after the other: its sums and its part
 * of a view stay in the second-level cache. */
#ifndef CT_BP_WINDOW_MATRICES_PRIVATE_H
#define CT_BP_WINDOW_MATRICES_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/layout/columns.h"
#include "recon/bp/layout/halves.h"
#include "recon/bp/layout/layouts.h"
#include "recon/bp/layout/tile.h"

#include <math.h>

/* Voxels of the longest line. */
enum { longest_line = 512 };
enum { tile_x = 16, tile_y = 16, slab = longest_line };

/* How views are kept: with even and odd rows apart, or as they are. */
typedef struct ct_matrices_views {
  bool halved;
  int windows; /* the widest of all views, in vectors; 0: not halved */
  ct_halves halves;
  ct_columns columns;
  int slots; /* for all layouts */
} ct_matrices_views;

struct ct_bp_state {
  ct_bp_request request;
  const ct_bp_layout_loops *loops;
  ct_bp_layouts layouts;
  ct_matrices_views views;
  void *halves;           /* [slots][halves.view] */
  float *units;           /* [slots]: stored numbers per 1 */
  double (*matrices)[12]; /* [slots] */
  ct_tiling tiling;
  float *tiles; /* [threads][tile_y][tile_x][tiling.column] */
};

/* Greatest relative change of w from the middle of a segment to its ends (line-halves.h). */
static const double ct_segment_limit = 1.6e-3;

/* Rows per voxel up to which windows of `windows` vectors hold both rows of `width` voxels. */
static inline double ct_segment_reach(int width, int windows) {
  return 2 * (windows * width - 2.6) / (width - 1);
}

/* Depth of the nearest of the voxels [i, i + nx) x [j, j + ny) x [k, k + nz). */
static inline double ct_matrices_least_depth(const double m[12], const ct_tile *t) {
  const int from[3] = {t->i, t->j, t->k}, count[3] = {t->columns, t->rows, t->length};
  double w = m[11];
  for (int n = 0; n < 3; n++) w += fmin(m[8 + n] * from[n], m[8 + n] * (from[n] + count[n] - 1));
  return w;
}

/* A bound on the rows per voxel that a view with `size` of them sees. */
static inline double ct_matrices_greatest_step(const double m[12], double size, double depth) {
  const double margin = 128, low = m[6] + margin * m[10], high = m[6] - (size + margin) * m[10];
  return fmax(fabs(low), fabs(high)) / depth;
}

/* The widest windows that a view needs, in vectors; 0 where line-halves.h does not serve. */
static inline int ct_matrices_windows(int width, const ct_geometry *g, const double m[12], const ct_tile *t) {
  const double depth = ct_matrices_least_depth(m, t);
  if (!(depth > 0.01) || fabs(m[10]) * (width - 1) / 2 > ct_segment_limit * depth) return 0;
  const double step = ct_matrices_greatest_step(m, g->nv, depth);
  for (int windows = 1; windows <= 4; windows *= 2)
    if (step <= ct_segment_reach(width, windows)) return windows;
  return 0;
}

CT_BP_DECLARE_LOOPS(ct_bp_layout_loops, ct_matrices_loops);

#endif
