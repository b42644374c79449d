/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Voxel columns of a spiral's back-projection in tiles: each thread has the sums of one along z in its cache, to which
 * all views of a batch are added before they go to the volume. */
#ifndef CT_SOLVE_SPIRAL_TILES_H
#define CT_SOLVE_SPIRAL_TILES_H

#include "recon/bp/kernel.h"
#include "recon/solve/spiral/spiral-private.h"

/* Whether interpolation and precision are those that there are; CT_ERROR_UNSUPPORTED with what would do. */
bool ct_spiral_takes(const ct_bp_request *request, ct_error **error);

typedef struct ct_spiral_tile {
  int i0, j0, width, height;
} ct_spiral_tile;

typedef struct ct_spiral_tiles {
  const ct_spiral_loops *loops;
  ct_grid grid;
  int threads, height; /* voxel columns along y */
  int voxels;          /* of a column, rounded up */
  size_t own;          /* floats of a thread beside the totals */
  float *scratch;
  int *seen; /* [ny][nx][2]: slices first .. end - 1, all others of a column are 0; at first all */
} ct_spiral_tiles;

/* `own`: floats that each thread has for itself, 0 at first. */
bool ct_spiral_tiles_init(ct_spiral_tiles *tiles, const ct_bp_request *request, const ct_spiral_loops *loops,
                          size_t own, ct_error **error);
void ct_spiral_tiles_clear(ct_spiral_tiles *tiles);
size_t ct_spiral_tiles_bytes(const ct_bp_request *request, size_t own);

/* Adds number n of a batch to totals[height][width][voxels] of a tile. */
typedef void (*ct_spiral_add)(const void *user, int n, const ct_spiral_tile *tile, float *totals, float *own);
void ct_spiral_tiles_run(const ct_spiral_tiles *tiles, const ct_bp_batch *batch, ct_spiral_add add, const void *user,
                         ct_volume *volume, ct_job *job);

/* A batch's groups of views: number n holds the views n, n + groups, ... of `count`, `most` at most, each a picture
 * [lines][columns]. */
typedef struct ct_spiral_layout {
  int groups, most, count, lines, columns;
  int rows; /* of a column in `out`, rounded up */
  float *out;
} ct_spiral_layout;

size_t ct_spiral_view_floats(const ct_spiral_layout *layout);
/* out[groups of the batch][most][columns][rows]: the columns of each view one behind the other, the first line repeated
 * before and the last one behind. */
void ct_spiral_lay(const ct_spiral_layout *layout, const ct_bp_batch *batch, int threads);

#endif
