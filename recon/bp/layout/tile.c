/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cutting a grid into tiles. */
#include "recon/bp/layout/tile.h"

int ct_tile_slots(const ct_bp_request *request, size_t bytes, int most) {
  const size_t fit = ((size_t)256 << 20) / (bytes ? bytes : 1);
  const int wanted = request->batch < most ? request->batch : most, slots = fit < (size_t)wanted ? (int)fit : wanted;
  return slots < 4 ? 4 : slots;
}

int ct_tiles_joined(const ct_bp_request *request, int columns, int rows, int most) {
  enum { tiles_a_thread = 8 };
  const int across = (request->grid.nx + columns - 1) / columns, down = (request->grid.ny + rows - 1) / rows;
  int joined = most;
  while (joined > 1 && (long)((across + joined - 1) / joined) * down < (long)tiles_a_thread * request->threads)
    joined /= 2;
  return joined;
}

ct_tiling ct_tiling_plan(const ct_bp_request *request, int columns, int rows, int longest, int vector, bool mirrored) {
  const ct_grid *grid = &request->grid;
  const int slices = mirrored ? (grid->nz + 1) / 2 : grid->nz, length = slices < longest ? slices : longest;
  const int joined = ct_tiles_joined(request, columns, rows, 4), wide = joined * columns;
  const int across = (grid->nx + wide - 1) / wide, down = (grid->ny + rows - 1) / rows;
  return (ct_tiling){.columns = columns,
                     .rows = rows,
                     .length = length,
                     .parts = joined,
                     .order = {across, down, across, 1},
                     .slabs = mirrored ? 1 : (slices + length - 1) / length,
                     .mirrored = mirrored,
                     .column = (size_t)((length + vector - 1) / vector * vector) * (mirrored ? 2 : 1)};
}

ct_tile ct_tiling_tile(const ct_tiling *t, const ct_grid *grid, int n) {
  const int layer = t->order.across * t->order.down, s = n / layer;
  int x, y;
  ct_blocks_place(&t->order, n % layer, &x, &y);
  const int wide = t->columns * t->parts;
  return ct_tile_at(grid, x * wide, wide, y * t->rows, t->rows, t->mirrored ? grid->nz / 2 : s * t->length, t->length);
}
