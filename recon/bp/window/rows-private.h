/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, single slices: rows of voxels along x. Each view is brought to the slice's one detector line, with
 * zeros on either side; the position is affine along the row, so that the samples of W voxels lie in one, two or four
 * vectors that begin at the lowest of them, and each voxel picks its two by register permutes: the windows of
 * z-window-private.h laid along x. Eight views are summed in registers per pass over a row; a piece of 16 rows keeps
 * their lines in the cache. Of a coronal plane each slice has a row or two, and takes its lines pass by pass: threads
 * share out slices.
 */
#ifndef CT_BP_WINDOW_ROWS_PRIVATE_H
#define CT_BP_WINDOW_ROWS_PRIVATE_H

#include "recon/bp/kernels-private.h"

enum { piece_rows = 16, pass = 8, most_groups = 32, pad = 80 };

typedef struct ct_rows_loops {
  /* The line of the view in slot n that slice k sees, with zeros on either side; projection: the view's. */
  void (*line)(const ct_bp_state *state, const float *projection, int n, int k, float *padded);
  /* Adds `views` views (1 or a pass), whose lines these are, to the sums of rows j0 .. j1 - 1. */
  void (*add)(const ct_bp_state *state, int slot, const float *lines, int views, int j0, int j1, float *sums);
  /* Adds the sums of so many rows to the volume's rows from `out` on. */
  void (*store)(const ct_bp_state *state, const float *sums, int rows, float *out);
} ct_rows_loops;

struct ct_bp_state {
  ct_bp_request request;
  const ct_rows_loops *loops;
  int slots;
  size_t line, room;      /* floats of a padded detector line, of a voxel row's sums */
  float *lines;           /* [slots][line], or [threads][pass][line] where slices are shared out */
  double (*matrices)[12]; /* [slots] */
  float *sums;            /* [threads][piece_rows][room] */
};

CT_SIMD_DECLARE(ct_rows_loops, ct_rows_loops);

#endif
