/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the voxel columns of a strip are seen by the views of a group. The views from one side differ by the heights of
 * their sources alone, so that their ranges and vectors are found together. */
#ifndef CT_SOLVE_SPIRAL_SPIRAL_PLACES_H
#define CT_SOLVE_SPIRAL_SPIRAL_PLACES_H

#include "recon/simd/vector.h"
#include "recon/solve/spiral/spiral-private.h"

#include <math.h>

/* Row weights in rows from the middle row: (half - |row|) fall, between 0 and 1, as t^2 (3 - 2 t), which is a cosine's
 * fall to 1 %. */
typedef struct row_weights {
  double middle;
  float half, fall;
  double flat; /* |row| up to which the weight is 1 */
} row_weights;

static row_weights weights_of(int rows) {
  const double half = 0.5 * rows;
  return (row_weights){half - 0.5, (float)half, (float)(1 / ((1 - CT_SPIRAL_FLAT) * half)), CT_SPIRAL_FLAT * half};
}

/* Registers that hold the rows of a vector of voxels and the one above the highest; 0: too many. */
CT_INLINE int windows_of(double step) {
  const double rows = 3 + (W - 1) * step;
  return rows <= W ? 1 : rows <= 2 * W ? 2 : rows <= 3 * W ? 3 : rows <= 4 * W ? 4 : 0;
}

CT_INLINE int vector_before(int t) {
  return t & ~(W - 1);
}

CT_INLINE int between(int low, int a, int high) {
  const int above = a < low ? low : a;
  return above > high ? high : above;
}

/* floor(a) where it is no less than -2^20, else something negative; of a loop that is vectorized. */
enum { FAR = 1 << 20 };
CT_INLINE int floor_of(double a) {
  return (int)(a + FAR) - FAR;
}

/* Voxels along z, not whole ones: in every column that is seen, by a view whose source stands at the grid's first. */
typedef struct heights {
  double first, end;   /* that any column sees */
  double inner, outer; /* that all of them see */
  double low, high;    /* that all of them see in rows whose weight is 1 */
} heights;

/* How the views of a group see a strip from one side: all but the heights of their sources. */
typedef struct side {
  double v[CT_SPIRAL_STRIP], step[CT_SPIRAL_STRIP];    /* row of voxel 0 in the first of them, rows a voxel */
  double from[CT_SPIRAL_STRIP], to[CT_SPIRAL_STRIP];   /* voxels that see its rows; from > to: the column sees none */
  int at[CT_SPIRAL_STRIP];                             /* floats to the left column of a view */
  float share[CT_SPIRAL_STRIP];                        /* of the right one */
  float rise[CT_SPIRAL_STRIP], slant[CT_SPIRAL_STRIP]; /* rows a voxel, and in units of the weight's fall */
  int stride[CT_SPIRAL_STRIP], stride_part[CT_SPIRAL_STRIP]; /* rows a vector: whole ones, and in 1 / ROW */
  float room[CT_SPIRAL_STRIP]; /* rows that the first voxel of a vector may lie behind its windows */
  heights heights;
  int windows; /* of all columns, 0: too many */
  bool all;    /* every column is seen */
} side;

/* Parts of a row are counted, so that they add up in integers. */
enum { ROW_BITS = 26, ROW = 1 << ROW_BITS };
/* Rows a voxel, more than windows serve. */
enum { MOST_STEP = 8 };

/* Where columns are seen, and under which fan angle. */
typedef struct paths {
  double column[CT_SPIRAL_STRIP], fan[CT_SPIRAL_STRIP];
  double fall[CT_SPIRAL_STRIP]; /* mm a row, 0: not seen */
} paths;

static void find_paths(const ct_spiral_strip *s, int n, paths *out) {
  const ct_spiral_scan *scan = s->scan;
  const ct_geometry *g = scan->geometry;
  const double sign = n ? -1 : 1, centre = scan->views.centre, per_p = 1 / scan->views.pitch,
               last = scan->views.columns - 1, sod = g->sod, per_sod = 1 / g->sod, dv_per_sdd = g->dv / g->sdd,
               p0 = s->p, along0 = s->along, more_p = s->more_p, more_along = s->more_along;
  const int count = s->count;
#pragma omp simd
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const double p = sign * (p0 + i * more_p), along = sign * (along0 + i * more_along), q = p * per_sod,
                 square = 1 - q * q, cosine = sqrt(square > 0 ? square : 0),
                 fall = dv_per_sdd * cosine * (sod * cosine + along), j = centre + p * per_p;
    const bool seen = (i < count) & (j >= 0) & (j < last) & (fall > 0);
    out->column[i] = seen ? j : 0;
    out->fall[i] = seen ? fall : 0;
  }
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const int left = (int)out->column[i];
    out->fan[i] = scan->fans[left] + (out->column[i] - left) * (scan->fans[left + 1] - scan->fans[left]);
  }
}

static void find_side(const ct_spiral_strip *s, int n, const row_weights *w, side *out) {
  const ct_spiral_scan *scan = s->scan;
  const ct_geometry *g = scan->geometry;
  const double dz = scan->grid->dz, climb = g->feed / (2 * M_PI),
               below = scan->grid->z0 - g->height - climb * (s->gantry + n * M_PI), centre = g->centre_v, rows = g->nv,
               middle = w->middle, flat = w->flat;
  const float fall = w->fall;
  const int pitch = scan->rows;
  double steepest = 0, first = FAR, end = -FAR, inner = -FAR, outer = FAR, low = -FAR, high = FAR;
  int unseen = 0;
  paths at;
  find_paths(s, n, &at);
#pragma omp simd reduction(max : steepest, end, inner, low) reduction(min : first, outer, high)
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const bool seen = at.fall[i] > 0;
    const double rise = seen ? 1 / at.fall[i] : 0, step = rise * dz, voxels = at.fall[i] / dz,
                 stride = W * (step < MOST_STEP ? step : MOST_STEP);
    const int left = (int)at.column[i], whole = (int)stride;
    /* The height hardly hangs on the fan angle, the row does on its cosine. A column that is not seen lies far outside,
     * where the weight is 0. */
    const double v = seen ? centre + rise * (below - climb * at.fan[i]) : -FAR / 2,
                 from = seen ? (-0.5 - v) * voxels : FAR / 2, to = seen ? from + rows * voxels : -FAR / 2;
    out->v[i] = v;
    out->step[i] = step;
    out->from[i] = from;
    out->to[i] = to;
    out->at[i] = left * pitch;
    out->share[i] = (float)(at.column[i] - left);
    out->rise[i] = (float)step;
    out->slant[i] = (float)step * fall;
    out->stride[i] = whole;
    out->stride_part[i] = (int)((stride - whole) * ROW + 0.5);
    steepest = step > steepest ? step : steepest;
    first = from < first ? from : first;
    end = to > end ? to : end;
    const double inside = seen ? from : -FAR, outside = seen ? to : FAR,
                 weighted = seen ? (middle - flat - v) * voxels : -FAR,
                 again = seen ? (middle + flat - v) * voxels : FAR;
    inner = inside > inner ? inside : inner;
    outer = outside < outer ? outside : outer;
    low = weighted > low ? weighted : low;
    high = again < high ? again : high;
  }
  for (int i = 0; i < s->count; i++) unseen += !(at.fall[i] > 0);
  out->heights = (heights){first, end, inner, outer, low, high};
  out->windows = windows_of(steepest);
  out->all = unseen == 0;
  for (int i = 0; i < CT_SPIRAL_STRIP; i++)
    out->room[i] = (float)(out->windows * W) - 1.001f - (float)(W - 1) * out->rise[i];
}

/* What the views of a group so far see of each column; whole: without a gap. */
typedef struct extents {
  int low[CT_SPIRAL_STRIP], high[CT_SPIRAL_STRIP], whole[CT_SPIRAL_STRIP];
} extents;

static void extend(const side *s, double feed, int nz, extents *e) {
#pragma omp simd
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const int first = between(0, -floor_of(-s->from[i] - feed), nz),
              end = between(0, floor_of(s->to[i] + feed) + 1, nz), low = e->low[i], high = e->high[i],
              seen = first < end;
    e->whole[i] = e->whole[i] & (!seen | (low > high) | ((first <= high) & (end >= low)));
    e->low[i] = seen & (first < low) ? first : low;
    e->high[i] = seen & (end > high) ? end : high;
  }
}

static void close_extents(const ct_spiral_strip *s, const extents *e) {
  for (int i = 0; i < s->count; i++) {
    int *seen = s->seen + 2 * (ptrdiff_t)i;
    seen[0] = e->low[i] > seen[0] ? e->low[i] : seen[0];
    seen[1] = e->high[i] < seen[1] ? e->high[i] : seen[1];
    /* Far from the axis there may be gaps. */
    if (!e->whole[i]) seen[1] = 0;
  }
}

/* Vectors that all columns of a strip have in common: loops of one length in all of them are foreseen by the processor.
 * False: none. */
static bool find_sight(const ct_spiral_scan *scan, const side *s, ct_spiral_sight *out) {
  const int nz = scan->grid->nz, voxels = scan->voxels;
  const heights *h = &s->heights;
  const double feed = out->feed;
  const int first = between(0, -floor_of(-h->first - feed), nz), end = between(0, floor_of(h->end + feed) + 1, nz),
            outer = floor_of(h->outer + feed) + 1, high = floor_of(h->high + feed) + 1;
  if (first >= end) return false;
  out->first = vector_before(first);
  out->end = vector_before(end + W - 1);
  out->inner = s->all ? -floor_of(-h->inner - feed) : voxels;
  out->low = s->all ? -floor_of(-h->low - feed) : voxels;
  /* What is behind the grid does not matter. */
  out->outer = outer < nz ? outer : voxels;
  out->high = high < nz ? high : voxels;
  if (!s->windows) return true;
  const double before = out->first - feed;
#pragma omp simd
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const double v = s->v[i] + before * s->step[i];
    const int whole = floor_of(v);
    out->whole[i] = whole;
    out->beyond[i] = (int)((v - whole) * ROW);
  }
  return true;
}

/* Where the windows of a strip's vectors at hand begin, how many rows behind that the first voxel of each lies, and
 * which row it sees; then the vectors that follow are at hand. */
static void find_starts(const side *s, const row_weights *w, ct_spiral_sight *out) {
  /* Those that lie outside read what is there, with the weight 0. */
  enum { LEAST = -CT_SPIRAL_WINDOWS * CT_SPIRAL_ROUND };
  const int most = (int)(2 * w->half);
  const float middle = (float)w->middle, fall = w->fall;
#pragma omp simd
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const int whole = out->whole[i], beyond = out->beyond[i], begin = between(LEAST, whole, most) + CT_SPIRAL_BESIDE,
              back = begin & (W - 1), next = beyond + s->stride_part[i];
    const float part = (float)beyond * (1.0f / ROW);
    /* Windows that begin a vector cost fewer cache lines. */
    const int shift = part + (float)back < s->room[i] ? back : 0;
    out->from[i] = s->at[i] + begin - shift;
    out->part[i] = part + (float)shift;
    out->row[i] = (part + ((float)whole - middle)) * fall;
    out->whole[i] = whole + s->stride[i] + (next >> ROW_BITS);
    out->beyond[i] = next & (ROW - 1);
  }
}

/* A group's views from one side that see a strip, rising along z; those that see the vector at hand. */
typedef struct sights {
  side from;
  ct_spiral_sight *views;
  int count, first, end;
} sights;

static void find_sights(const ct_spiral_strip *s, const row_weights *w, sights two[2]) {
  const ct_spiral_scan *scan = s->scan;
  const ct_geometry *g = scan->geometry;
  const size_t picture = (size_t)scan->views.columns * (size_t)scan->rows;
  extents e;
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) e.low[i] = scan->grid->nz, e.high[i] = 0, e.whole[i] = 1;
  for (int n = 0; n < 2; n++) {
    two[n].views = s->sights + n * ((scan->views.most + 1) / 2);
    two[n].count = two[n].first = two[n].end = 0;
    find_side(s, n, w, &two[n].from);
  }
  for (int m = s->first; m < s->end; m++) {
    const int k = g->feed > 0 ? m : s->first + s->end - 1 - m;
    sights *of = &two[k & 1];
    ct_spiral_sight *view = &of->views[of->count];
    view->feed = k / 2 * g->feed / scan->grid->dz;
    view->view = s->layout + (size_t)k * picture;
    extend(&of->from, view->feed, scan->grid->nz, &e);
    if (find_sight(scan, &of->from, view)) of->count++;
  }
  close_extents(s, &e);
}

/* What a vector takes of the views: so many in all, with the weight 1 throughout, and whether all of it is seen. */
typedef struct shares {
  int views, flat;
  bool within;
} shares;

static void look_at(sights *s, const row_weights *w, int t, shares *out) {
  while (s->first < s->count && s->views[s->first].end <= t) s->first++;
  while (s->end < s->count && s->views[s->end].first <= t) s->end++;
  for (int n = s->first; n < s->end; n++) {
    ct_spiral_sight *view = &s->views[n];
    view->flat = (t >= view->low) & (t + W <= view->high);
    out->views++;
    out->flat += view->flat;
    out->within |= (t >= view->inner) & (t + W <= view->outer);
    find_starts(&s->from, w, view);
  }
}

#endif
