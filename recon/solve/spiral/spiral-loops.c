/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Voxels along z from one column of a view, compiled once per level. Where z rises by a voxel the row rises by the same
 * everywhere, so that a vector of voxels reads its rows out of a few registers. Voxel columns side by side find their
 * places together. */
#include "recon/solve/spiral/spiral-places.h"

#include <math.h>

/* A vector of rows, at positions behind `from` that lie in so many registers. */
CT_INLINE vf rows_at(int windows, const float *from, ptrdiff_t pitch, vf share, vf position) {
  const vi index = vtrunc(position);
  const vf fraction = position - vfloat(index);
  vf table[CT_SPIRAL_WINDOWS];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) {
    const vf left = vload(from + n * W);
    table[n] = vfma(share, vload(from + pitch + n * W) - left, left);
  }
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, low);
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

CT_INLINE vf row_weight(vf from_middle, vf zero_at) {
  const vf t = vclamp(zero_at - vabs(from_middle), vset(0), vset(1));
  return t * t * (vset(3) - vset(2) * t);
}

/* Voxel columns whose sums are made at the same time: each is a chain that waits for itself. Short vectors have too few
 * registers. */
enum { ABREAST = W / 8 };

/* Of so many columns from i on, by every view from a side that sees the vector. */
CT_INLINE void add_views(int windows, int abreast, bool weighted, const sights *s, ptrdiff_t pitch, vf zero_at, int i,
                         vf *sum, vf *weight) {
  const side *from = &s->from;
  vf share[ABREAST], rise[ABREAST];
#pragma GCC unroll 4
  for (int n = 0; n < abreast; n++) share[n] = vset(from->share[i + n]), rise[n] = vset(from->rise[i + n]);
  for (const ct_spiral_sight *v = s->views + s->first, *end = s->views + s->end; v < end; v++) {
    vf value[ABREAST];
#pragma GCC unroll 4
    for (int n = 0; n < abreast; n++)
      value[n] =
          rows_at(windows, v->view + v->from[i + n], pitch, share[n], vfma(vlane(), rise[n], vset(v->part[i + n])));
    if (!weighted || v->flat) {
#pragma GCC unroll 4
      for (int n = 0; n < abreast; n++) sum[n] += value[n];
      continue;
    }
#pragma GCC unroll 4
    for (int n = 0; n < abreast; n++) {
      const vf by = row_weight(vfma(vlane(), vset(from->slant[i + n]), vset(v->row[i + n])), zero_at);
      sum[n] = vfma(by, value[n], sum[n]);
      weight[n] += by;
    }
  }
}

CT_INLINE void add_side(int abreast, bool weighted, const sights *s, ptrdiff_t pitch, vf zero_at, int i, vf *sum,
                        vf *weight) {
  switch (s->from.windows) {
  case 1:
    add_views(1, abreast, weighted, s, pitch, zero_at, i, sum, weight);
    break;
  case 2:
    add_views(2, abreast, weighted, s, pitch, zero_at, i, sum, weight);
    break;
  case 3:
    add_views(3, abreast, weighted, s, pitch, zero_at, i, sum, weight);
    break;
  default:
    add_views(4, abreast, weighted, s, pitch, zero_at, i, sum, weight);
  }
}

CT_INLINE void add_abreast(int abreast, bool weighted, const ct_spiral_strip *s, vf zero_at, const sights two[2],
                           const shares *of, int i, float *total) {
  const ptrdiff_t pitch = s->scan->rows, voxels = s->scan->voxels;
  vf sum[ABREAST], weight[ABREAST];
#pragma GCC unroll 4
  for (int n = 0; n < abreast; n++) sum[n] = vset(0), weight[n] = vset((float)of->flat);
  add_side(abreast, weighted, &two[0], pitch, zero_at, i, sum, weight);
  add_side(abreast, weighted, &two[1], pitch, zero_at, i, sum, weight);
#pragma GCC unroll 4
  for (int n = 0; n < abreast; n++) {
    float *at = total + (i + n) * voxels;
    vf share = vset(1 / (float)of->views);
    /* A weight of 0 has a sum of 0. */
    if (weighted) share = vreciprocal(vmax(weight[n], vset(1e-12f)));
    vstore(at, vfma(share, sum[n], vload(at)));
  }
}

/* The mean of the views that see the vector at voxel t. */
CT_INLINE void add_vector(bool weighted, const ct_spiral_strip *s, const row_weights *w, const sights two[2],
                          const shares *of, int t) {
  const vf zero_at = vset(w->half * w->fall);
  int i = 0;
  for (; i + ABREAST <= s->count; i += ABREAST) add_abreast(ABREAST, weighted, s, zero_at, two, of, i, s->totals + t);
  for (; i < s->count; i++) add_abreast(1, weighted, s, zero_at, two, of, i, s->totals + t);
}

/* Where rows a voxel are too many for windows. */
static void add_plainly(const ct_spiral_strip *s, const row_weights *w, const sights two[2]) {
  for (int i = 0; i < s->count; i++)
    for (int t = 0; t < s->scan->grid->nz; t++) {
      float sum = 0, weight = 0;
      for (int n = 0; n < 2; n++)
        for (int m = 0; m < two[n].count; m++) {
          const side *from = &two[n].from;
          const ct_spiral_sight *view = &two[n].views[m];
          const ct_spiral_column column = {.left = view->view + from->at[i] + CT_SPIRAL_BESIDE,
                                           .pitch = s->scan->rows,
                                           .share = from->share[i],
                                           .v0 = from->v[i] - view->feed * from->step[i],
                                           .step = from->step[i]};
          float share = (w->half - fabsf((float)(column.v0 + t * column.step - w->middle))) * w->fall;
          if (!(share > 0)) continue;
          share = share > 1 ? 1 : share;
          const float by = share * share * (3 - 2 * share);
          sum += by * place_of(&column, t).value;
          weight += by;
        }
      if (weight > 0) s->totals[(ptrdiff_t)i * s->scan->voxels + t] += sum / weight;
    }
}

static void add_strip(const ct_spiral_strip *s) {
  const row_weights w = weights_of(s->scan->geometry->nv);
  sights two[2];
  find_sights(s, &w, two);
  if (!two[0].from.windows || !two[1].from.windows) {
    add_plainly(s, &w, two);
    return;
  }
  for (int t = 0; t < s->scan->voxels; t += W) {
    shares of = {0, 0, false};
    for (int n = 0; n < 2; n++) look_at(&two[n], &w, t, &of);
    if (of.views > of.flat && !(of.views == 1 && of.within))
      add_vector(true, s, &w, two, &of, t);
    else if (of.views > 0)
      add_vector(false, s, &w, two, &of, t);
  }
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
  const vf ramp = vset((float)c->step) * vlane(), share = vset(c->share), factor = vset(i->factor);
  const double stride = W * c->step, rows = floor(stride), more = stride - rows;
  const ptrdiff_t forward = (ptrdiff_t)rows;
  const int run = run_of(windows, c->step);
  while (t < end) {
    const double v = c->v0 + t * c->step, whole = floor(v);
    double part = v - whole;
    const float *from = c->left + (ptrdiff_t)whole;
    for (const int stop = end - t < run ? end : t + run; t < stop; t += W) {
      const vf value = rows_at(windows, from, c->pitch, share, ramp + vset((float)part));
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
