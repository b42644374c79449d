/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transpose in a parallel beam, as a gather: pixel c rays from the beginning gets max(0, 1 - A f) y(k) +
 * max(0, 1 - A (1 - f)) y(k + 1), k + f = c, A >= 1 the distance of adjacent rays along the row in pixels. Tiles stay
 * in registers over all the views of a list; up to four views share k and the weights, each for the pixels where it is
 * the mirror image of the first, and where half turns map the scan onto itself, once more from the detector's other
 * end. */
#include "recon/fp/joseph/joseph-2d-loops.h"

#include <math.h>

enum { tile_rows = CT_J2D_TILE, batch = 8, most = 4 };

/* W pixels of each row of a tile as seen by a source. */
typedef struct seen {
  const ct_j2d_source *source;
  int start[tile_rows];
  float at[tile_rows];      /* of lane 0 in its window */
  float slope, pitch, rest; /* per lane; of the rays, pixels; 1 - pitch */
} seen;

/* False where the tile lies beside all rays. */
CT_INLINE bool find_run(const ct_j2d_source *source, int column, int row, seen *out) {
  const double c = source->c0 + source->cl * column, step = source->cr;
  const double least = source->cl < 0 ? source->cl * (W - 1) : 0, low = -2 * W, high = source->count + W / 2;
  const double first = c + least + step * row, last = first + step * (tile_rows - 1);
  if ((first < -2 * W && last < -2 * W) || (first > source->count && last > source->count)) return false;
#pragma omp simd
  for (int n = 0; n < tile_rows; n++) {
    const double at = c + step * (row + n), below = at + least, above = below > low ? below : low;
    const int start = (int)floor(above < high ? above : high) & -(W / 2);
    out->start[n] = start;
    out->at[n] = (float)(at - start);
  }
  out->source = source;
  out->slope = (float)source->cl;
  out->pitch = source->alike;
  out->rest = 1 - source->alike;
  return true;
}

/* W columns of some rows of the target. */
typedef struct tile {
  int lane, row, rows;
  bool begin; /* overwritten; otherwise added to */
} tile;

CT_INLINE void add_tile(int members, bool paired, const seen *runs, int count, tile at, const ct_j2d_target *target) {
  const int apart = members < 4;
  const vf lanes_up = vlane();
  for (int n = 0; n < at.rows; n++) {
    const ptrdiff_t place = (at.row + n) * target->stride + at.lane;
    vf straight[2][most], mirrored[2][most];
#pragma GCC unroll 4
    for (int m = 0; m < members; m++) {
      straight[0][m] = at.begin ? vset(0) : vload(target->straight[m] + place);
      straight[1][m] = mirrored[1][m] = vset(0);
      if (paired) mirrored[0][m] = at.begin ? vset(0) : vload(target->mirrored[m] + place);
    }
    for (int s = 0; s < count; s++) {
      const seen *run = runs + s;
      const ct_j2d_source *source = run->source;
      const ptrdiff_t start = run->start[n];
      vf fraction, window[2];
      const vi index = vsplit(vfma(lanes_up, vset(run->slope), vset(run->at[n])), &fraction);
      const vi next = viadd(index, viset(1)), index_back = vfrom_end(index), next_back = vfrom_end(next);
      const vf reach = vset(run->pitch) * fraction;
      const vf low = vmax(vset(1) - reach, vset(0)), high = vmax(reach + vset(run->rest), vset(0));
#pragma GCC unroll 4
      for (int m = 0; m < members; m++) {
        vload_window(source->straight[m] + start, window);
        straight[0][m] = vfma(low, vlookup2(window, index), straight[0][m]);
        straight[apart][m] = vfma(high, vlookup2(window, next), straight[apart][m]);
        if (paired) {
          vload_window(source->mirrored[m] - start - (2 * W - 1), window);
          mirrored[0][m] = vfma(low, vlookup2(window, index_back), mirrored[0][m]);
          mirrored[apart][m] = vfma(high, vlookup2(window, next_back), mirrored[apart][m]);
        }
      }
    }
#pragma GCC unroll 4
    for (int m = 0; m < members; m++) {
      vstore(target->straight[m] + place, straight[0][m] + straight[1][m]);
      if (paired) vstore(target->mirrored[m] + place, mirrored[0][m] + mirrored[1][m]);
    }
  }
}

CT_INLINE void add_sources(int members, bool paired, const ct_j2d_source *sources, int count,
                           const ct_j2d_target *target) {
  seen runs[batch];
  for (int lane = 0; lane < CT_J2D_LANES; lane += W)
    for (int row = 0; row < target->rows; row += tile_rows) {
      const int rows = target->rows - row < tile_rows ? target->rows - row : tile_rows;
      bool begin = target->begin;
      int s = 0;
      do {
        int met = 0;
        for (; s < count && met < batch; s++)
          met += find_run(sources + s, target->column + lane, target->row + row, runs + met);
        if (met || begin) add_tile(members, paired, runs, met, (tile){lane, row, rows, begin}, target);
        begin = false;
      } while (s < count);
    }
}

/* Rays ascend by no more than one a pixel: half a vector that a place is rounded down by, as much that its vector is,
 * and the lanes lie within two vectors. */
static void back_row(const ct_j2d_source *source, const ct_j2d_place *places, int row, int columns, float *to) {
  const double slope = source->cl, place = source->c0 + source->cr * row, least = slope < 0 ? slope * (W - 1) : 0;
  const int start = (int)floor(place + least) & -(W / 2), low = -2 * W, high = source->count + W / 2;
  const vf lanes_up = vfma(vlane(), vset((float)slope), vset((float)(place - start)));
  const vf pitch = vset(source->alike), rest = vset(1 - source->alike);
  const float *rays = source->straight[0];
  for (int n = 0; n * W < columns; n++) {
    const int column = n * W < columns - W ? n * W : columns - W, first = start + places[n].whole;
    const int above = first > low ? first : low, within = above < high ? above : high;
    vf fraction, window[2];
    const vi index = vsplit(lanes_up + vset(places[n].part), &fraction), next = viadd(index, viset(1));
    const vf reach = pitch * fraction;
    const vf near = vpositive(vset(1) - reach), far = vpositive(reach + rest);
    vload_window(rays + within, window);
    vstore(to + column, vfma(near, vlookup2(window, index), far * vlookup2(window, next)));
  }
}

static void find_row_places(const ct_j2d_source *source, int columns, ct_j2d_place *places) {
  for (int column = 0; column < columns; column += W, places++) {
    const double away = source->cl * (column + W > columns ? columns - W : column);
    places->whole = (int)floor(away) & -(W / 2);
    places->part = (float)(away - places->whole);
  }
}

static void back_one(const ct_j2d_source *sources, int count, const ct_j2d_target *target) {
  add_sources(1, false, sources, count, target);
}
static void back_pair(const ct_j2d_source *sources, int count, const ct_j2d_target *target) {
  add_sources(1, true, sources, count, target);
}
static void back_pairs2(const ct_j2d_source *sources, int count, const ct_j2d_target *target) {
  add_sources(2, true, sources, count, target);
}
static void back_pairs4(const ct_j2d_source *sources, int count, const ct_j2d_target *target) {
  add_sources(4, true, sources, count, target);
}

const ct_j2d_back_loops CT_SIMD_TABLE(ct_j2d_back_loops) = {.one = back_one,
                                                            .pair = back_pair,
                                                            .pairs2 = back_pairs2,
                                                            .pairs4 = back_pairs4,
                                                            .places = find_row_places,
                                                            .row = back_row};
