/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transpose in a fan beam from running sums along the rays. Ray t crosses a row at p(t); between pixels i and i + 1
 * it contributes (i + 1 - p) y(t) to the one and (p - i) y(t) to the other. With n(i) / w(i) the ray coordinate of
 * pixel i, p(t) - i = (t w - n) / r(t): a cell's two contributions are n D0 - w D1 and w D1 - n D0 with the other
 * pixel's n and w, where D0 and D1 are the sums of y / r and of t y / r over its rays, which are differences of running
 * sums at floor(n / w) of its ends. So two look-ups a pixel serve any number of rays. Running sums are of integers
 * modulo 2^32, whose differences are exact. W rows are done side by side: their ray coordinates lie close to each
 * other. */
#include "recon/fp/joseph/joseph-2d-loops.h"

#include <math.h>
#include <string.h>

enum {
  most_edges = (CT_J2D_FAN_TILE + 2 + W - 1) / W * W,
  most_near = 2 * CT_J2D_FAN_REACH, /* running sums that a tile may need */
  behind = 3 * W                    /* that windows may reach past them */
};

/* The running sums near a tile, t counted from `middle`; the first one is that of ray `first`. */
typedef struct nearby {
  int first, middle;
  uint32_t even[most_near + behind], slanted[most_near + behind];
} nearby;

/* Of two numbers, neither NaN. */
CT_INLINE double least(double a, double b) {
  return a < b ? a : b;
}
CT_INLINE double most(double a, double b) {
  return a > b ? a : b;
}

/* Distance from the source, as the pencil counts it. */
CT_INLINE double distance(const ct_j2d_source *source, int column, int row) {
  return source->w0 + source->wl * column + source->wr * row;
}

CT_INLINE double coordinate(const ct_j2d_source *source, int column, int row) {
  return (source->c0 + source->cl * column + source->cr * row) / distance(source, column, row);
}

/* Corners of a tile with the columns beside it. */
typedef struct corners {
  double nearest, farthest; /* from the source */
  double low, high;         /* coordinates, if all are before the source */
} corners;

CT_INLINE corners find_corners(const ct_j2d_source *source, int column, int columns, int row, int last) {
  corners c = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (int n = 0; n < 4; n++) {
    const int i = n & 1 ? column - 1 : column + columns, r = n & 2 ? row : last;
    const double away = distance(source, i, r), at = coordinate(source, i, r);
    c.nearest = least(away, c.nearest), c.farthest = most(away, c.farthest);
    c.low = least(at, c.low), c.high = most(at, c.high);
  }
  return c;
}

/* False where there are too many. */
CT_INLINE bool fetch(const ct_j2d_source *source, const corners *tile, nearby *out) {
  const double beyond = source->count + CT_J2D_PAD - 1;
  const double low = least(most(floor(tile->low) - 2, -CT_J2D_PAD), beyond),
               high = most(least(tile->high + 2, beyond), low - 1);
  if (!(tile->nearest > 0 && high - low < most_near)) return false;
  const int count = high > low ? (int)(high - low) + 1 : 0;
  out->first = (int)low;
  out->middle = (int)(0.5 * (low + high));
  const uint32_t *even = source->even + out->first, *slanted = source->slanted + out->first;
  const uint32_t middle = (uint32_t)out->middle;
  for (int n = 0; n < count; n++) {
    out->even[n] = even[n];
    out->slanted[n] = slanted[n] - middle * even[n];
  }
  return true;
}

/* Rows of a band: the first and the last one have the ray coordinates (n + cl i) / (w + wl i) in column i, counted from
 * the middle of what is near. */
typedef struct band {
  double n[2], w[2], cl, wl;
  int first, edges; /* columns, one more on both sides than there are pixels */
  int start[most_edges];
  float shift[most_edges]; /* from the middle to a window's beginning */
} band;

/* The column in which the first row, or the last one, of all gets to a coordinate. */
CT_INLINE double column_of(const band *at, double coordinate, bool last) {
  const double slope = at->cl - coordinate * at->wl;
  const double a = (coordinate * at->w[0] - at->n[0]) / slope, b = (coordinate * at->w[1] - at->n[1]) / slope;
  return last == (a < b) ? b : a;
}

/* Returns how far apart the rows' coordinates are in any column: most of all, maybe, somewhere in the middle. */
CT_INLINE float place_windows(band *at, int to_middle) {
  const vf cl = vset((float)at->cl), wl = vset((float)at->wl);
  float apart[most_edges], widest = 0;
  for (int e = 0; e < at->edges; e += W) {
    const vf column = vlane() + vset((float)(at->first + e));
    vf place[2];
#pragma GCC unroll 2
    for (int side = 0; side < 2; side++)
      place[side] =
          vfma(cl, column, vset((float)at->n[side])) * vreciprocal(vfma(wl, column, vset((float)at->w[side])));
    const vi start = vtrunc(vmax(vmin(place[0], place[1]) + vset((float)to_middle - 0.01f), vset(0)));
    *(lanes_anywhere *)(at->start + e) = (lanes)start;
    vstore(at->shift + e, vset((float)to_middle) - vfloat(start));
    vstore(apart + e, vabs(place[0] - place[1]));
  }
  for (int e = 0; e < at->edges; e++) widest = apart[e] > widest ? apart[e] : widest;
  return widest;
}

CT_INLINE vi look_up(int windows, const uint32_t *sums, vi index) {
  vf window[4];
#pragma GCC unroll 4
  for (int part = 0; part < windows; part++) window[part] = vload((const float *)(const void *)(sums + part * W));
  return (vi)vlookup(windows, window, index);
}

/* Modulo 2^32. */
CT_INLINE vi less(vi a, vi b) {
  typedef uint32_t wrapping __attribute__((vector_size(W * sizeof(uint32_t))));
  return (vi)((wrapping)a - (wrapping)b);
}

/* The scale of the running sums goes into n and w. */
CT_INLINE void add_cells(int windows, const nearby *sums, const band *at, float scale, float *to) {
  const double per = 1.0 / (W - 1);
  const vf n0 = vset(scale) * vfma(vlane(), vset((float)((at->n[1] - at->n[0]) * per)), vset((float)at->n[0]));
  const vf w0 = vset(scale) * vfma(vlane(), vset((float)((at->w[1] - at->w[0]) * per)), vset((float)at->w[0]));
  const vf cl = vset(scale * (float)at->cl), wl = vset(scale * (float)at->wl);
  vf column = vset((float)at->first), n = vset(0), w = vset(0), given = vset(0);
  vi even = viset(0), slanted = viset(0);
#pragma GCC unroll 2
  for (int e = 0; e < at->edges; e++) {
    const vf n_next = vfma(cl, column, n0), w_next = vfma(wl, column, w0);
    const vi index = vtrunc(vfma(n_next, vreciprocal(w_next), vset(at->shift[e])));
    const vi even_next = look_up(windows, sums->even + at->start[e], index),
             slanted_next = look_up(windows, sums->slanted + at->start[e], index);
    const vf d0 = vfloat(less(even_next, even)), d1 = vfloat(less(slanted_next, slanted));
    if (e > 1) vstore(to + (e - 2) * W, vload(to + (e - 2) * W) + (given + (n_next * d0 - w_next * d1)));
    given = w * d1 - n * d0;
    n = n_next, w = w_next, even = even_next, slanted = slanted_next;
    column += vset(1);
  }
}

/* Pixels [from, end); false where no window serves. */
CT_INLINE bool add_pixels(const nearby *sums, band *at, int from, int end, float scale, float *to) {
  at->first = from - 1;
  at->edges = end - from + 2;
  const double span = place_windows(at, sums->middle - sums->first);
  if (!(span < 3 * W - 1.05)) return false;
  to += from * W;
  if (span < W - 1.05)
    add_cells(1, sums, at, scale, to);
  else if (span < 2 * W - 1.05)
    add_cells(2, sums, at, scale, to);
  else
    add_cells(3, sums, at, scale, to);
  return true;
}

CT_INLINE void add_band(const ct_j2d_source *source, const nearby *sums, int column, int columns, int row, float *to) {
  band at;
  at.cl = source->cl - sums->middle * source->wl, at.wl = source->wl;
  for (int side = 0; side < 2; side++) {
    const int r = row + side * (W - 1);
    at.w[side] = source->w0 + source->wl * column + source->wr * r;
    at.n[side] = source->c0 + source->cl * column + source->cr * r - sums->middle * at.w[side];
  }
  /* Pixels beside all rays are left out. */
  const double first = most(floor(column_of(&at, -sums->middle, false)), 0),
               last = least(ceil(column_of(&at, source->count - 1 - sums->middle, true) + 1), columns);
  if (first < last && !add_pixels(sums, &at, (int)first, (int)last, source->scale, to))
    ct_j2d_plain_fan(source, column, column + columns, row, W, to);
}

static void add_bands(const ct_j2d_source *source, const ct_j2d_bands *bands) {
  nearby sums;
  const int column = bands->column, columns = bands->columns;
  const int begin = bands->row < bands->last ? bands->row : bands->last, after = bands->row + (bands->count - 1) * W,
            last = (after < bands->last ? after : bands->last) + W - 1;
  const corners tile = find_corners(source, column, columns, begin, last);
  /* Next to the source rays are so dense on one side of the tile that their middle is far from the other side. */
  const bool by_bands = !(tile.farthest < 2 * tile.nearest);
  bool fetched = !source->plain && !by_bands && fetch(source, &tile, &sums);
  for (int n = 0; n < bands->count; n++) {
    const int own = bands->row + n * W, row = own < bands->last ? own : bands->last;
    float *to = bands->to + n * CT_J2D_FAN_TILE * W;
    if (by_bands && !source->plain) {
      const corners part = find_corners(source, column, columns, row, row + W - 1);
      fetched = fetch(source, &part, &sums);
    }
    if (fetched)
      add_band(source, &sums, column, columns, row, to);
    else
      ct_j2d_plain_fan(source, column, column + columns, row, W, to);
  }
}

const ct_j2d_fan_loops CT_SIMD_TABLE(ct_j2d_fan_loops) = {.add = add_bands};
