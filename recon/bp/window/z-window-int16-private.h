/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of voxels along z in 16-bit integers: the windows of z-window-private.h with 32 rows in a register. A voxel
 * column (i, j) sees one u and one weight 1/w^2 in a view, and v is affine in k. The windows of columns u and u + 1 of
 * the transposed view are blended with the distance weight (vpmulhrsw). Then each of 16 voxels picks its rows n =
 * floor(v) and n + 1 as one pair of samples (vpermw), and vpdpwssd multiplies the pair by (1 - t, t) and adds both
 * products to a 32-bit sum. Four views are added so before the sums go to single precision.
 *
 * No intermediate can overflow, whatever the projections are:
 * - A sample is an integer q with |q| <= 32767: the pass's largest magnitude becomes 32767 (int16.h).
 * - The blend is round(q0 a / 2^15) + round(q1 b / 2^15) with integers a, b >= 0, a + b <= 32767, so that its magnitude
 *   is at most 32767 (a + b) / 2^15 + 2 / 2 <= 32766.0001 + 1, and being an integer at most 32767: it fits 16 bits.
 * - A pair's weights are 2^14 - T and T with 0 <= T < 2^14. Their products with two samples add up to at most
 *   2^14 32767 in magnitude, and four views to 4 2^14 32767 = 2^31 - 2^16 < 2^31. A fifth view would overflow
 *   silently. */
#ifndef CT_BP_WINDOW_Z_WINDOW_INT16_PRIVATE_H
#define CT_BP_WINDOW_Z_WINDOW_INT16_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/layout/columns-int16.h"
#include "recon/bp/layout/tile.h"

/* group: voxels of one step along z, two vectors of 32-bit sums; visit: groups of a voxel column per visit; pass:
 * views per sum. */
enum { tile_x = 16, tile_y = 16, pass = 4, slab = 1024, group = 2 * 16, visit = 8, words = 2 * 16, most_views = 64 };
/* Positions within a group are in 1/2^16 of a row, weights in 1/2^14. */
enum { position_bits = 16, weight_bits = 14, weight_one = 1 << weight_bits };
/* Rows per voxel that the widest window serves. */
static const double most_step = 4;

typedef struct ct_z_window_int16_loops {
  float (*magnitude)(const float *samples, size_t count);
  void (*lay)(ct_columns16 *columns, int slot, int piece, const float *projection, float magnitude);
  /* Adds views 0 .. views - 1 of the layout to tile n; `first`: the volume holds nothing yet. */
  void (*tile)(const ct_bp_state *state, int n, int views, bool first, float *data, const ct_job *job);
} ct_z_window_int16_loops;

struct ct_bp_state {
  ct_bp_request request;
  const ct_z_window_int16_loops *loops;
  ct_columns16 columns;
  double (*matrices)[12]; /* [slots] */
  float *magnitudes;      /* [slots], of a view at first, then of its pass */
  ct_tiling tiling;
  float *tiles; /* [threads][tiling.parts][tile_y][tile_x][tiling.column] */
};

CT_SIMD_DECLARE(ct_z_window_int16_loops, ct_z_window_int16_loops);

#endif
