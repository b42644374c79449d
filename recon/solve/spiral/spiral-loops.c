/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Voxels along z from one column of a view, compiled once per level. Where z rises by a voxel the row rises by the same
 * everywhere, so that a vector of voxels reads its rows out of a few registers. Voxel columns side by side find their
 * places together. */
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

/* A vector of rows, at positions behind `from` that lie in so many registers. */
CT_INLINE vf rows_at(int windows, const float *from, ptrdiff_t pitch, vf left, vf right, vf position) {
  const vi index = vtrunc(position);
  const vf fraction = position - vfloat(index);
  vf table[CT_SPIRAL_WINDOWS];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) table[n] = vfma(right, vload(from + pitch + n * W), left * vload(from + n * W));
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, low);
}

CT_INLINE vf row_weight(vf from_middle, const row_weights *w) {
  const vf t = vclamp((vset(w->half) - vabs(from_middle)) * vset(w->fall), vset(0), vset(1));
  return t * t * (vset(3) - vset(2) * t);
}

/* Where a voxel sees a row, and the value there. */
typedef struct place {
  double v;
  float value;
} place;

CT_INLINE place place_of(const ct_spiral_column *c, int t) {
  const double v = c->v0 + t * c->step, whole = floor(v);
  const float *left = c->left + (ptrdiff_t)whole, *right = left + c->pitch, part = (float)(v - whole);
  const float low = left[0] + c->share * (right[0] - left[0]), high = left[1] + c->share * (right[1] - left[1]);
  return (place){v, low + part * (high - low)};
}

static void add_plainly(const ct_spiral_column *c, const row_weights *w, float *weight) {
  for (int t = c->first; t < c->end; t++) {
    const place at = place_of(c, t);
    float share = (w->half - fabsf((float)(at.v - w->middle))) * w->fall;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const float by = share * share * (3 - 2 * share);
    c->sum[t] += by * at.value;
    weight[t] += by;
  }
}

CT_INLINE int vector_before(int t) {
  return t & ~(W - 1);
}

/* How the views of a group see a strip from one side: all but the heights of their sources. */
typedef struct side {
  double v[CT_SPIRAL_STRIP];                             /* row of voxel 0 in the first of them */
  double step[CT_SPIRAL_STRIP], voxels[CT_SPIRAL_STRIP]; /* rows a voxel, voxels a row; 0: not seen */
  int at[CT_SPIRAL_STRIP];                               /* floats to the left column of a view */
  float share[CT_SPIRAL_STRIP];
  int windows; /* of all columns, 0: too many */
} side;

static void find_side(const ct_spiral_strip *s, int n, side *out) {
  const ct_spiral_scan *scan = s->scan;
  const ct_geometry *g = scan->geometry;
  const double sign = n ? -1 : 1, centre = scan->views.centre, per_p = 1 / scan->views.pitch,
               last = scan->views.columns - 1, sod = g->sod, per_sod = 1 / g->sod, dv_per_sdd = g->dv / g->sdd,
               dz = scan->grid->dz, z0 = scan->grid->z0, climb = g->feed / (2 * M_PI),
               height = g->height + climb * (s->gantry + n * M_PI), middle = g->centre_v, p0 = s->p, along0 = s->along,
               more_p = s->more_p, more_along = s->more_along;
  const double *fans = scan->fans;
  const int rows = scan->rows, count = s->count;
  double steepest = 0;
#pragma omp simd reduction(max : steepest)
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const double p = sign * (p0 + i * more_p), along = sign * (along0 + i * more_along), q = p * per_sod,
                 square = 1 - q * q, cosine = sqrt(square > 0 ? square : 0),
                 fall = dv_per_sdd * cosine * (sod * cosine + along), j = centre + p * per_p;
    const bool seen = (i < count) & (j >= 0) & (j < last) & (fall > 0);
    const double kept = seen ? j : 0, rise = seen ? 1 / fall : 0;
    const int left = (int)kept;
    /* The height hardly hangs on the fan angle, the row does on its cosine. */
    const double part = kept - left, fan = fans[left] + part * (fans[left + 1] - fans[left]);
    out->at[i] = left * rows;
    out->share[i] = (float)part;
    out->step[i] = rise * dz;
    out->voxels[i] = seen ? fall / dz : 0;
    out->v[i] = middle + rise * (z0 - height - climb * fan);
    steepest = out->step[i] > steepest ? out->step[i] : steepest;
  }
  out->windows = windows_of(steepest);
}

/* Of a view: row of voxel 0, and voxels first .. end - 1 that see its rows; none: first >= end. */
typedef struct ranges {
  double v[CT_SPIRAL_STRIP];
  int first[CT_SPIRAL_STRIP], end[CT_SPIRAL_STRIP];
} ranges;

CT_INLINE int between(int low, int a, int high) {
  const int above = a < low ? low : a;
  return above > high ? high : above;
}

/* floor(a) where it is no less than -2^20, else something negative; of a loop that is vectorized. */
CT_INLINE int floor_of(double a) {
  enum { ADDED = 1 << 20 };
  return (int)(a + ADDED) - ADDED;
}

/* Number k of the views from that side. */
static void find_ranges(const ct_spiral_scan *scan, const side *s, int k, ranges *out) {
  const double feed = k * scan->geometry->feed / scan->grid->dz, rows = scan->geometry->nv;
  const int nz = scan->grid->nz;
#pragma omp simd
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const double v = s->v[i] - feed * s->step[i], from = (-0.5 - v) * s->voxels[i], to = from + rows * s->voxels[i];
    const int first = between(0, -floor_of(-from), nz), end = between(0, floor_of(to) + 1, nz);
    out->v[i] = v;
    out->first[i] = first;
    out->end[i] = s->voxels[i] > 0 ? end : 0;
  }
}

/* Vectors that all columns of a strip have in common: from the first voxel that any sees to the last one, and in
 * between those whose rows have the weight 1 in every column. Loops of one length in all of them are foreseen by the
 * processor. */
typedef struct span {
  int first, low, high, end; /* multiples of W */
} span;

static span find_span(const ranges *r, const side *s, const row_weights *w, int voxels) {
  int first = voxels, end = 0, low = 0, high = voxels;
#pragma omp simd reduction(min : first, high) reduction(max : end, low)
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const bool seen = r->first[i] < r->end[i];
    const double middle = (w->middle - r->v[i]) * s->voxels[i], flat = w->flat * s->voxels[i];
    const int from = -floor_of(flat - middle), to = floor_of(middle + flat) + 1;
    first = seen & (r->first[i] < first) ? r->first[i] : first;
    end = seen & (r->end[i] > end) ? r->end[i] : end;
    low = seen & (from > low) ? from : low;
    high = seen & (to < high) ? to : high;
  }
  span out = {vector_before(first), vector_before(low + W - 1), vector_before(high), vector_before(end + W - 1)};
  if (out.high > out.end) out.high = out.end;
  if (out.low > out.high) out.low = out.high = out.first;
  return out;
}

/* Where the windows of a strip's vectors begin in a view, where the first voxel of each lies behind that, and which row
 * it sees, from the middle one on. */
enum { VISIT = 16 };
typedef struct starts {
  int from[VISIT][CT_SPIRAL_STRIP];
  float part[VISIT][CT_SPIRAL_STRIP], row[VISIT][CT_SPIRAL_STRIP];
} starts;

/* `count` vectors from voxel t on. */
static void find_starts(const ranges *r, const side *s, const row_weights *w, int t, int count, starts *out) {
  /* Those that lie outside read what is there, with the weight 0. */
  enum { LEAST = -CT_SPIRAL_WINDOWS * CT_SPIRAL_ROUND };
  const int most = (int)(2 * w->half);
  const float middle = (float)w->middle;
  for (int g = 0; g < count; g++) {
    const double at = t + g * W;
#pragma omp simd
    for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
      const double v = r->v[i] + at * s->step[i];
      const int whole = between(LEAST, floor_of(v), most);
      const float part = (float)(v - whole);
      out->from[g][i] = s->at[i] + whole;
      out->part[g][i] = part;
      out->row[g][i] = part + ((float)whole - middle);
    }
  }
}

/* What the views of a group so far see of each column; whole: without a gap. */
typedef struct extents {
  int low[CT_SPIRAL_STRIP], high[CT_SPIRAL_STRIP], whole[CT_SPIRAL_STRIP];
} extents;

static void extend(const ranges *r, extents *e) {
#pragma omp simd
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) {
    const int first = r->first[i], end = r->end[i], low = e->low[i], high = e->high[i], seen = first < end;
    e->whole[i] = e->whole[i] & (!seen | (low > high) | ((first <= high) & (end >= low)));
    e->low[i] = seen & (first < low) ? first : low;
    e->high[i] = seen & (end > high) ? end : high;
  }
}

/* What of a voxel column is added to. */
typedef struct sums {
  float *sum, *weight; /* of the first vector */
} sums;

/* Vectors first .. end - 1 of column i; flat: their rows have the weight 1. */
CT_INLINE void add_vectors(int windows, bool flat, const float *view, ptrdiff_t pitch, const side *s, const starts *at,
                           int i, const row_weights *w, int first, int end, const sums *to) {
  const vf ramp = vset((float)s->step[i]) * vlane(), right = vset(s->share[i]), left = vset(1 - s->share[i]);
  for (int g = first; g < end; g++) {
    float *sum = to->sum + g * W, *weight = to->weight + g * W;
    const vf value = rows_at(windows, view + at->from[g][i], pitch, left, right, ramp + vset(at->part[g][i]));
    vf by = vset(1);
    if (!flat) by = row_weight(ramp + vset(at->row[g][i]), w);
    vstore(sum, vfma(by, value, vload(sum)));
    vstore(weight, vload(weight) + by);
  }
}

CT_INLINE int vectors_between(int from, int to, int most) {
  return to <= from ? 0 : to - from >= most * W ? most : (to - from) / W;
}

CT_INLINE void add_view(int windows, const ct_spiral_strip *s, const row_weights *w, const side *from, const ranges *r,
                        const float *view) {
  const ptrdiff_t voxels = s->scan->voxels, pitch = s->scan->rows;
  const span all = find_span(r, from, w, s->scan->voxels);
  starts at;
  for (int t = all.first; t < all.end; t += VISIT * W) {
    const int count = vectors_between(t, all.end, VISIT), low = vectors_between(t, all.low, VISIT),
              high = vectors_between(t, all.high, VISIT);
    find_starts(r, from, w, t, count, &at);
    for (int i = 0; i < s->count; i++) {
      if (r->first[i] >= r->end[i]) continue;
      float *sum = s->sums + i * voxels + t;
      const sums to = {sum, sum + CT_SPIRAL_STRIP * voxels};
      add_vectors(windows, false, view, pitch, from, &at, i, w, 0, low, &to);
      add_vectors(windows, true, view, pitch, from, &at, i, w, low, high, &to);
      add_vectors(windows, false, view, pitch, from, &at, i, w, high, count, &to);
    }
  }
}

/* Where rows a voxel are too many for windows. */
static void add_view_plainly(const ct_spiral_strip *s, const row_weights *w, const side *from, const ranges *r,
                             const float *view) {
  const ptrdiff_t voxels = s->scan->voxels;
  for (int i = 0; i < s->count; i++) {
    const ct_spiral_column column = {.left = view + from->at[i],
                                     .pitch = s->scan->rows,
                                     .share = from->share[i],
                                     .v0 = r->v[i],
                                     .step = from->step[i],
                                     .first = r->first[i],
                                     .end = r->end[i],
                                     .sum = s->sums + i * voxels};
    add_plainly(&column, w, column.sum + CT_SPIRAL_STRIP * voxels);
  }
}

/* total += sum / weight where the weight is not 0; both become 0. */
static void close_sums(float *total, float *sum, float *weight, int from, int end) {
  const vf zero = vset(0), least = vset(1e-12f);
  for (int t = vector_before(from); t < end; t += W) {
    const vf w = vload(weight + t);
    /* A weight of 0 has a sum of 0. */
    vstore(total + t, vload(total + t) + vload(sum + t) / vmax(w, least));
    vstore(sum + t, zero);
    vstore(weight + t, zero);
  }
}

static void close_strip(const ct_spiral_strip *s, const extents *e) {
  const ptrdiff_t voxels = s->scan->voxels;
  for (int i = 0; i < s->count; i++) {
    int *seen = s->seen + 2 * (ptrdiff_t)i;
    float *sum = s->sums + i * voxels;
    seen[0] = e->low[i] > seen[0] ? e->low[i] : seen[0];
    seen[1] = e->high[i] < seen[1] ? e->high[i] : seen[1];
    /* Far from the axis there may be gaps. */
    if (!e->whole[i]) seen[1] = 0;
    close_sums(s->totals + i * voxels, sum, sum + CT_SPIRAL_STRIP * voxels, e->low[i], e->high[i]);
  }
}

static void add_strip(const ct_spiral_strip *s) {
  const row_weights w = weights_of(s->scan->geometry->nv);
  const size_t view = (size_t)s->scan->views.columns * (size_t)s->scan->rows;
  side sides[2];
  ranges r;
  extents e;
  for (int n = 0; n < 2; n++) find_side(s, n, &sides[n]);
  for (int i = 0; i < CT_SPIRAL_STRIP; i++) e.low[i] = s->scan->grid->nz, e.high[i] = 0, e.whole[i] = 1;
  for (int k = s->first; k < s->end; k++) {
    const side *from = &sides[k & 1];
    const float *at = s->layout + (size_t)k * view;
    find_ranges(s->scan, from, k / 2, &r);
    extend(&r, &e);
    if (from->windows == 1)
      add_view(1, s, &w, from, &r, at);
    else if (from->windows == 2)
      add_view(2, s, &w, from, &r, at);
    else if (from->windows == 3)
      add_view(3, s, &w, from, &r, at);
    else if (from->windows == 4)
      add_view(4, s, &w, from, &r, at);
    else
      add_view_plainly(s, &w, from, &r, at);
  }
  close_strip(s, &e);
}

CT_INLINE vf ramps_at(const ct_spiral_interval *i, int end, int t) {
  const vf share = vfma(vset((float)i->slope[end]), vlane(), vset((float)(i->at[end] + t * i->slope[end])));
  return vclamp(share, vset(0), vset(1));
}

/* Voxels that follow each other from one start: with a whole number of rows from vector to vector, positions within
 * the windows rise by what is left, as long as there is room. */
CT_INLINE int run_of(int windows, double step) {
  enum { MOST = 64 };
  const double stride = W * step, more = stride - floor(stride), room = windows * W - 3 - (W - 1) * step;
  return W * (room < (MOST - 1) * more ? 1 + (int)(room / more) : MOST);
}

/* Vectors at t, t + W, ... before end. */
CT_INLINE void add_interval(int windows, const ct_spiral_column *c, const ct_spiral_interval *i, int t, int end) {
  const vf ramp = vset((float)c->step) * vlane(), right = vset(c->share), left = vset(1 - c->share),
           factor = vset(i->factor);
  const double stride = W * c->step, rows = floor(stride), more = stride - rows;
  const ptrdiff_t forward = (ptrdiff_t)rows;
  const int run = run_of(windows, c->step);
  while (t < end) {
    const double v = c->v0 + t * c->step, whole = floor(v);
    double part = v - whole;
    const float *from = c->left + (ptrdiff_t)whole;
    for (const int stop = end - t < run ? end : t + run; t < stop; t += W) {
      const vf value = rows_at(windows, from, c->pitch, left, right, ramp + vset((float)part));
      vstore(c->sum + t, vfma(ramps_at(i, 0, t) * ramps_at(i, 1, t) * factor, value, vload(c->sum + t)));
      from += forward;
      part += more;
    }
  }
}

CT_INLINE float ramp_at(const ct_spiral_interval *i, int end, int t) {
  const double share = i->at[end] + t * i->slope[end];
  return share < 0 ? 0 : share > 1 ? 1 : (float)share;
}

static void add_within(const ct_spiral_column *c, const ct_spiral_interval *i) {
  const int windows = windows_of(c->step), first = vector_before(c->first), end = vector_before(c->end + W - 1);
  if (windows == 1)
    add_interval(1, c, i, first, end);
  else if (windows == 2)
    add_interval(2, c, i, first, end);
  else if (windows == 3)
    add_interval(3, c, i, first, end);
  else if (windows == 4)
    add_interval(4, c, i, first, end);
  else
    for (int t = c->first; t < c->end; t++)
      c->sum[t] += ramp_at(i, 0, t) * ramp_at(i, 1, t) * i->factor * place_of(c, t).value;
}

/* What is not seen is 0. */
static void store(const float *totals, int voxels, int count, const int *seen, bool first, ptrdiff_t slice, int nz,
                  float *data) {
  for (int k0 = 0; k0 < nz; k0 += W)
    for (int i0 = 0; i0 < count; i0 += W) {
      vf block[W];
      float rows[W][W];
      int low[W], high[W];
      const int width = count - i0 < W ? count - i0 : W, height = nz - k0 < W ? nz - k0 : W;
      for (int i = 0; i < W; i++) {
        const int column = i < width ? i0 + i : i0;
        block[i] = vload(totals + (ptrdiff_t)column * voxels + k0);
        low[i] = seen[2 * column], high[i] = seen[2 * column + 1];
      }
      vtranspose(block);
      for (int k = 0; k < W; k++) vstore(rows[k], block[k]);
      for (int k = 0; k < height; k++) {
        float *row = data + (k0 + k) * slice + i0;
        for (int i = 0; i < width; i++) {
          const float sum = first ? rows[k][i] : row[i] + rows[k][i];
          row[i] = (k0 + k >= low[i]) & (k0 + k < high[i]) ? sum : 0;
        }
      }
    }
}

const ct_spiral_loops CT_SIMD_TABLE(ct_spiral_loops) = {
    .add_strip = add_strip, .add_within = add_within, .store = store};
