/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grid's tiles; adding their sums to the volume, W x W voxels turned in registers at a time. */
#include "recon/bp/isa/tile.h"
#include "recon/bp/isa/vector.h"

int ct_tile_slots(const ct_bp_request *request, size_t bytes, int most) {
  const size_t fit = ((size_t)256 << 20) / (bytes ? bytes : 1);
  const int wanted = request->batch < most ? request->batch : most, slots = fit < (size_t)wanted ? (int)fit : wanted;
  return slots < 4 ? 4 : slots;
}

/* Levels from <= n < end of one square; `ahead`: a square's first level that is wanted soon. */
static void add_square(const float *in, size_t column, float *out, ptrdiff_t level, int from, int end, int width,
                       const float *ahead) {
  vf square[W];
  for (int n = 0; n < W; n++) square[n] = vload(in + (size_t)n * column);
  if (ahead)
    for (int n = 0; n < W; n++) __builtin_prefetch(ahead + n * level, 1, 2);
  vtranspose(square);
  for (int n = from; n < end; n++) {
    float *at = out + n * level;
    if (width == W)
      vstore(at, vload(at) + square[n]);
    else
      vstore_first(at, vload_first(at, width) + square[n], width);
  }
}

void ct_tile_add(const ct_grid *grid, const ct_tile *t, int pitch, int first, int step, int from, const float *sums,
                 size_t column, float *data) {
  enum { ahead = 4 };
  const ptrdiff_t row = grid->nx, level = (ptrdiff_t)step * grid->ny * row;
  const int across = (t->columns + W - 1) / W, layer = across * t->rows, squares = layer * ((t->length + W - 1) / W);
  float *corner = data + ((ptrdiff_t)first * grid->ny + t->j) * row + t->i;
  for (int square = 0; square < squares; square++) {
    const int begin = square / layer * W, j = square % layer / across, i = square % across * W;
    const int later = square + ahead, later_begin = later / layer * W;
    const float *wanted = later_begin + W <= t->length
                              ? corner + later_begin * level + later % layer / across * row + later % across * W
                              : NULL;
    add_square(sums + ((size_t)j * (size_t)pitch + (size_t)i) * column + begin, column,
               corner + begin * level + j * row + i, level, begin ? 0 : from,
               t->length - begin < W ? t->length - begin : W, t->columns - i < W ? t->columns - i : W, wanted);
  }
}

ct_tiling ct_tiling_plan(const ct_grid *grid, int columns, int rows, int longest, int vector, bool mirrored) {
  const int levels = mirrored ? (grid->nz + 1) / 2 : grid->nz, length = levels < longest ? levels : longest;
  const int across = (grid->nx + columns - 1) / columns, down = (grid->ny + rows - 1) / rows;
  return (ct_tiling){.columns = columns,
                     .rows = rows,
                     .length = length,
                     .order = {across, down, across, 1},
                     .slabs = mirrored ? 1 : (levels + length - 1) / length,
                     .mirrored = mirrored,
                     .column = (size_t)((length + vector - 1) / vector * vector) * (mirrored ? 2 : 1)};
}

ct_tile ct_tiling_tile(const ct_tiling *t, const ct_grid *grid, int n) {
  const int layer = t->order.across * t->order.down, s = n / layer;
  int x, y;
  ct_blocks_place(&t->order, n % layer, &x, &y);
  return ct_tile_at(grid, x * t->columns, t->columns, y * t->rows, t->rows, t->mirrored ? grid->nz / 2 : s * t->length,
                    t->length);
}

void ct_tiling_add(const ct_tiling *t, const ct_grid *grid, const ct_tile *tile, const float *sums, float *data) {
  ct_tile_add(grid, tile, t->columns, tile->k, 1, 0, sums, t->column, data);
  /* The middle voxel of an odd grid is in both halves. */
  if (t->mirrored)
    ct_tile_add(grid, tile, t->columns, grid->nz - 1 - tile->k, -1, grid->nz % 2, sums + t->column / 2, t->column,
                data);
}
