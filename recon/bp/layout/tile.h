/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of voxel columns: sums [y][x][z] that stay in the cache over a batch and are added to the volume [z][y][x]
 * once. */
#ifndef CT_BP_LAYOUT_TILE_H
#define CT_BP_LAYOUT_TILE_H

#include "recon/bp/layout/blocks.h"
#include "recon/bp/kernel.h"

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The thread's number in its team. */
static inline int ct_team_thread(void) {
  return omp_get_thread_num();
}

typedef struct ct_tile {
  int i, j, columns, rows; /* voxels [i, i + columns) x [j, j + rows) */
  int k, length;           /* upwards from k; mirrored: downwards from nz - 1 - k too */
} ct_tile;

/* The tile that begins at voxel (i, j, k), cut at the grid's end. */
static inline ct_tile ct_tile_at(const ct_grid *grid, int i, int columns, int j, int rows, int k, int length) {
  const ct_tile t = {i, j, columns, rows, k, length};
  return (ct_tile){i,
                   j,
                   i + columns < grid->nx ? t.columns : grid->nx - i,
                   j + rows < grid->ny ? t.rows : grid->ny - j,
                   k,
                   k + length < grid->nz ? t.length : grid->nz - k};
}

/* How many tiles of columns x rows voxels, side by side along x, should be summed one after the other, since the sums
 * of one fit into the cache, and added to the volume together: `most`, a power of two, or fewer where else there were
 * not enough for all threads. What is written at once to one page of memory counts: 512^3 sums take 50 ms in stretches
 * of 64 bytes, 26 in 128, 14 in 256 (2 threads, Zen 5). */
int ct_tiles_joined(const ct_bp_request *request, int columns, int rows, int most);

/* A grid in tiles of so many voxel columns, one slab of `length` voxels above the other; mirrored: a single slab from
 * the middle upwards, whose tiles stand for their images below, too. A tile has up to four parts, joined tiles. */
typedef struct ct_tiling {
  int columns, rows, length; /* of a part */
  int parts;                 /* of a tile */
  ct_blocks order;           /* of a slab's tiles: row by row unless a kernel wants blocks */
  int slabs;
  bool mirrored;
  size_t column; /* floats of a voxel column's sums, whole vectors; mirrored: the image's are column / 2 behind */
} ct_tiling;

/* Parts of columns x rows voxel columns, slabs of at most `longest` voxels, vectors of `vector` sums. */
ct_tiling ct_tiling_plan(const ct_bp_request *request, int columns, int rows, int longest, int vector, bool mirrored);
/* In blocks of so many voxel columns a side, whose tiles come one after the other. */
static inline void ct_tiling_in_blocks(ct_tiling *t, int side) {
  const int columns = side / (t->columns * t->parts), rows = side / t->rows;
  t->order.columns = columns > 0 ? columns : 1, t->order.rows = rows > 0 ? rows : 1;
}
static inline int ct_tiling_count(const ct_tiling *t) {
  return t->order.across * t->order.down * t->slabs;
}
/* Floats of a part's sums, and of a tile's, where one part's follow the other's. */
static inline size_t ct_tiling_part_sums(const ct_tiling *t) {
  return (size_t)t->columns * (size_t)t->rows * t->column;
}
static inline size_t ct_tiling_sums(const ct_tiling *t) {
  return (size_t)t->parts * ct_tiling_part_sums(t);
}
/* Tile n, slab by slab. */
ct_tile ct_tiling_tile(const ct_tiling *tiling, const ct_grid *grid, int n);
/* Part `part` of a tile, and its sums, cleared, of all the tile's; NULL: the tile or the grid ends before. */
static inline float *ct_tiling_begin_part(const ct_tiling *t, const ct_tile *tile, int part, float *sums,
                                          ct_tile *out) {
  const int left = tile->columns - part * t->columns;
  if (part >= t->parts || left <= 0) return NULL;
  *out = *tile;
  out->i += part * t->columns, out->columns = left < t->columns ? left : t->columns;
  const size_t used = (size_t)tile->rows * (size_t)t->columns * t->column;
  return memset(sums + (size_t)part * ct_tiling_part_sums(t), 0, used * sizeof *sums);
}
/* Views of `bytes` each that are kept in a kernel's own layout at once: up to `most`, within a quarter gigabyte, at
 * least 4. */
int ct_tile_slots(const ct_bp_request *request, size_t bytes, int most);

/* Views that are laid out at a time, up to `most`: many, so that the volume passes through memory seldom; but of a thin
 * grid, which takes no time, as many as stay in the cache. `samples` of a view's layout. */
static inline int ct_tile_views(const ct_grid *grid, size_t samples, int most) {
  const double views = 4.0 * (double)ct_grid_voxels(grid) / (double)samples;
  return views < 8 ? 8 : views < most ? (int)views : most;
}

/* A tile's sums [part][y][x][z]. */
typedef struct ct_tile_sums {
  const float *data;
  int columns;   /* voxels of a part's row, whole vectors where others follow */
  int pitch;     /* voxel columns from row to row */
  size_t column; /* floats of a voxel column */
  size_t part;   /* floats of a part */
  bool first;    /* the volume holds nothing yet */
} ct_tile_sums;
#endif
