/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding the sums of a tile to the volume, W x W voxels transposed in registers at a time: compiled with the loops that
 * use it. */
#ifndef CT_BP_LAYOUT_TILE_ADD_H
#define CT_BP_LAYOUT_TILE_ADD_H

#include "recon/bp/layout/tile.h"
#include "recon/simd/vector.h"

#include <stdint.h>

/* W x W sums, `column` floats from voxel column to voxel column, transposed into rows of the volume. */
CT_INLINE void ct_tile_turn_square(const float *in, size_t column, vf square[W]) {
  for (int n = 0; n < W; n++) square[n] = vload(in + (size_t)n * column);
  vtranspose(square);
}

/* Slices from <= n < end of one square; `ahead`: a square's first slice that is wanted soon. */
CT_INLINE void ct_tile_add_square(bool first, const float *in, size_t column, float *out, ptrdiff_t slice, int from,
                                  int end, int width, const float *ahead) {
  vf square[W];
  if (ahead)
    for (int n = 0; n < W; n++) __builtin_prefetch(ahead + n * slice, 1, 2);
  ct_tile_turn_square(in, column, square);
  for (int n = from; n < end; n++) {
    float *at = out + n * slice;
    const vf before = first ? vset(0) : width == W ? vload(at) : vload_first(at, width), sum = before + square[n];
    if (width == W)
      vstore(at, sum);
    else
      vstore_first(at, sum, width);
  }
}

/* The sums of voxel (i, j, begin) of a tile. */
static inline const float *ct_sums_at(const ct_tile_sums *sums, int i, int j, int begin) {
  const int part = i / sums->columns;
  return sums->data + (size_t)part * sums->part +
         ((size_t)j * (size_t)sums->pitch + (size_t)(i - part * sums->columns)) * sums->column + begin;
}

CT_INLINE void ct_tile_add_squares(bool first, const ct_grid *grid, const ct_tile *t, const ct_tile_sums *sums,
                                   int step, int from, float *corner) {
  enum { ahead = 4 };
  const ptrdiff_t row = grid->nx, slice = (ptrdiff_t)step * grid->ny * row;
  const int across = (t->columns + W - 1) / W, layer = across * t->rows, squares = layer * ((t->length + W - 1) / W);
  for (int square = 0; square < squares; square++) {
    const int begin = square / layer * W, j = square % layer / across, i = square % across * W;
    const int later = square + ahead, later_begin = later / layer * W;
    const float *wanted = !first && later_begin + W <= t->length
                              ? corner + later_begin * slice + later % layer / across * row + later % across * W
                              : NULL;
    ct_tile_add_square(first, ct_sums_at(sums, i, j, begin), sums->column, corner + begin * slice + j * row + i, slice,
                       begin ? 0 : from, t->length - begin < W ? t->length - begin : W,
                       t->columns - i < W ? t->columns - i : W, wanted);
  }
}

/* The first sums in whole cache lines, past the caches: no line is read before, and the projections stay. */
enum { ct_tile_line = 64 / sizeof(float) };

static inline void ct_tile_stream_lines(const ct_grid *grid, const ct_tile *t, const ct_tile_sums *sums, int step,
                                        int from, float *corner) {
  const ptrdiff_t row = grid->nx, slice = (ptrdiff_t)step * grid->ny * row;
  for (int begin = 0; begin < t->length; begin += W)
    for (int j = 0; j < t->rows; j++)
      for (int i = 0; i < t->columns; i += ct_tile_line) {
        const float *in = ct_sums_at(sums, i, j, begin);
        float *out = corner + begin * slice + j * row + i;
        const int end = t->length - begin < W ? t->length - begin : W;
        vf squares[ct_tile_line / W][W];
        for (int n = 0; n < ct_tile_line / W; n++)
          ct_tile_turn_square(in + (size_t)(n * W) * sums->column, sums->column, squares[n]);
        for (int k = begin ? 0 : from; k < end; k++)
          for (int n = 0; n < ct_tile_line / W; n++) vstream(out + k * slice + n * W, squares[n][k]);
      }
  vstream_end();
}

/* Adds sums to slices begin + t * step of the volume, from <= t < length. */
static inline void ct_tile_add(const ct_grid *grid, const ct_tile *t, const ct_tile_sums *sums, int begin, int step,
                               int from, float *data) {
  float *corner = data + ((ptrdiff_t)begin * grid->ny + t->j) * grid->nx + t->i;
  if (!sums->first)
    ct_tile_add_squares(false, grid, t, sums, step, from, corner);
  else if (grid->nx % ct_tile_line || t->columns % ct_tile_line || (uintptr_t)corner % (ct_tile_line * sizeof(float)))
    ct_tile_add_squares(true, grid, t, sums, step, from, corner);
  else
    ct_tile_stream_lines(grid, t, sums, step, from, corner);
}

/* Adds a tile's sums, and those of its image, to the volume; stores them where they are the first (ct_bp_batch). */
static inline void ct_tiling_add(const ct_tiling *t, const ct_grid *grid, const ct_tile *tile, bool first,
                                 const float *sums, float *data) {
  const ct_tile_sums above = {sums, t->columns, t->columns, t->column, ct_tiling_part_sums(t), first};
  ct_tile_sums below = above;
  below.data += t->column / 2;
  ct_tile_add(grid, tile, &above, tile->k, 1, 0, data);
  /* The middle voxel of an odd grid is in both halves. */
  if (t->mirrored) ct_tile_add(grid, tile, &below, grid->nz - 1 - tile->k, -1, grid->nz % 2, data);
}

#endif
