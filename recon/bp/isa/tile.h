/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of voxel columns: sums [y][x][z] that stay in the cache over a batch and are added to the volume [z][y][x]
 * once. */
#ifndef CT_BP_ISA_TILE_H
#define CT_BP_ISA_TILE_H

#include "recon/bp/isa/isa.h"
#include "recon/bp/kernel.h"

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

/* Views of `bytes` each that are kept in a kernel's own layout at once: up to `most`, within a quarter gigabyte, at
 * least 4. */
#define ct_tile_slots CT_ISA_SYMBOL(ct_tile_slots)
int ct_tile_slots(const ct_bp_request *request, size_t bytes, int most);

/* Adds sums[y][x][z] (pitch columns per row, `column` floats per voxel column) to levels first + t * step of the
 * volume, from <= t < length. */
#define ct_tile_add CT_ISA_SYMBOL(ct_tile_add)
void ct_tile_add(const ct_grid *grid, const ct_tile *tile, int pitch, int first, int step, int from, const float *sums,
                 size_t column, float *data);

#endif
