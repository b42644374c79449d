/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thin grids (slices on demand, single slices), coarse ones, and any grid where the detector is tilted or the matrices
 * are free. Lines of voxels read the projections as they are, so that nothing is transposed or copied for a plane;
 * windows as in line.h. They run along x or y, or skewed where a plane is rolled about its normal, so that each sees
 * few detector rows (skew-private.h). A piece of 16 lines takes one view after the other, whose few detector rows stay
 * in the cache for all of them, and which is fetched during the view before it. */
#ifndef CT_BP_WINDOW_LINES_PRIVATE_H
#define CT_BP_WINDOW_LINES_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/layout/rounded.h"
#include "recon/bp/window/skew-private.h"

/* row_floats: of a cache line. */
enum { piece_lines = 16, row_floats = 16 };

typedef struct ct_lines_loops {
  /* Adds views, whose matrices and numbers the state has, to the piece that begins with line `first`; sums: the
   * thread's. */
  void (*piece)(const ct_bp_state *state, int views, long first, float *sums, float *data, const ct_job *job);
} ct_lines_loops;

struct ct_bp_state {
  ct_bp_request request;
  const ct_lines_loops *loops;
  int steps; /* of the interpolation, 0: positions are not rounded */
  ct_skew skew;
  ct_rounded rounded; /* the views taken at a time */
  float *sums;        /* [threads][piece_lines][line_room] */
  size_t line_room;
};

CT_SIMD_DECLARE(ct_lines_loops, ct_lines_loops);

#endif
