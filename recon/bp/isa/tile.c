/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding a tile's sums to the volume, W x W voxels turned in registers at a time. */
#include "recon/bp/isa/tile.h"
#include "recon/bp/isa/vector.h"

int ct_tile_slots(const ct_bp_request *request, size_t bytes, int most) {
  const size_t fit = ((size_t)256 << 20) / (bytes ? bytes : 1);
  const int wanted = request->batch < most ? request->batch : most, slots = fit < (size_t)wanted ? (int)fit : wanted;
  return slots < 4 ? 4 : slots;
}

/* Levels from <= n < end of one square; the next square's lines lie `ahead` floats away and are fetched meanwhile. */
static void add_square(const float *in, size_t column, float *out, ptrdiff_t level, int from, int end, int width,
                       ptrdiff_t ahead) {
  vf square[W];
  for (int n = 0; n < W; n++) square[n] = vload(in + (size_t)n * column);
  vtranspose(square);
  for (int n = from; n < end; n++) {
    float *at = out + n * level;
    if (ahead) __builtin_prefetch(at + ahead, 1, 2);
    if (width == W)
      vstore(at, vload(at) + square[n]);
    else
      vstore_first(at, vload_first(at, width) + square[n], width);
  }
}

void ct_tile_add(const ct_grid *grid, const ct_tile *t, int pitch, int first, int step, int from, const float *sums,
                 size_t column, float *data) {
  const ptrdiff_t level = (ptrdiff_t)step * grid->ny * grid->nx;
  float *corner = data + ((size_t)first * (size_t)grid->ny + (size_t)t->j) * (size_t)grid->nx + (size_t)t->i;
  for (int begin = 0; begin < t->length; begin += W) {
    const int end = t->length - begin < W ? t->length - begin : W;
    for (int j = 0; j < t->rows; j++)
      for (int i = 0; i < t->columns; i += W)
        add_square(sums + ((size_t)j * (size_t)pitch + (size_t)i) * column + begin, column,
                   corner + begin * level + (size_t)j * (size_t)grid->nx + i, level, begin ? 0 : from, end,
                   t->columns - i < W ? t->columns - i : W,
                   j + 1 < t->rows              ? grid->nx
                   : t->length - begin >= 2 * W ? W * level - (ptrdiff_t)(t->rows - 1) * grid->nx
                                                : 0);
  }
}
