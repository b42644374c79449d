/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Voxels along z from one column of a parallel view, compiled once per level. Where z rises by a voxel the row rises by
 * the same everywhere, so that a vector of voxels reads its rows out of a few registers. */
#include "recon/simd/vector.h"
#include "recon/solve/spiral/spiral-private.h"

#include <math.h>

/* Both columns into one, its first row repeated once before it. */
static float *blend(const ct_spiral_column *c) {
  float *to = c->buffer + c->pad;
  const vf right = vset(c->share), left = vset(1 - c->share);
  for (int n = 0; n < c->rows; n += W) vstore(to + n, vfma(right, vload(c->right + n), left * vload(c->left + n)));
  to[-1] = to[0];
  return to;
}

/* A vector of rows, at positions behind `from` that lie in so many registers. */
CT_INLINE vf rows_at(int windows, const float *from, vf position) {
  const vi index = vtrunc(position);
  const vf fraction = position - vfloat(index);
  vf table[CT_SPIRAL_WINDOWS];
#pragma GCC unroll 4
  for (int n = 0; n < windows; n++) table[n] = vload(from + n * W);
  const vf low = vlookup(windows, table, index), high = vlookup(windows, table, viadd(index, viset(1)));
  return vfma(fraction, high - low, low);
}

/* Registers that hold the rows of a vector of voxels and the one above the highest; 0: voxel by voxel, where they are
 * too many, or too few voxels. */
CT_INLINE int windows_of(const ct_spiral_column *c) {
  const double rows = 3 + (W - 1) * c->step;
  if (c->end - c->first < W / 2 || rows > CT_SPIRAL_WINDOWS * W) return 0;
  return rows <= W ? 1 : rows <= 2 * W ? 2 : rows <= 3 * W ? 3 : 4;
}

/* 1 within the flat part, falling as t^2 (3 - 2 t), which is a cosine's fall to 1 %. */
CT_INLINE vf row_weight(vf from_middle, vf half, vf fall) {
  const vf t = vclamp((half - vabs(from_middle)) * fall, vset(0), vset(1));
  return t * t * (vset(3) - vset(2) * t);
}

CT_INLINE void add_windows(int windows, const ct_spiral_column *c, const float *column) {
  const float step = (float)c->step, middle = 0.5f * (float)(c->count - 1);
  const vf ramp = vset(step) * vlane(), half = vset(0.5f * (float)c->count),
           fall = vset(2 / ((float)(1 - CT_SPIRAL_FLAT) * (float)c->count));
  for (int t = c->first & ~(W - 1); t < c->end; t += W) {
    const double v = c->v0 + t * c->step, whole = floor(v);
    const vf position = ramp + vset((float)(v - whole));
    const vf rows = rows_at(windows, column + (ptrdiff_t)whole, position);
    const vf weight = row_weight(position + vset((float)whole - middle), half, fall);
    vstore(c->sum + t, vfma(weight, rows, vload(c->sum + t)));
    vstore(c->weight + t, vload(c->weight + t) + weight);
  }
}

static void add_plainly(const ct_spiral_column *c, const float *column) {
  const float middle = 0.5f * (float)(c->count - 1), half = 0.5f * (float)c->count,
              fall = 2 / ((float)(1 - CT_SPIRAL_FLAT) * (float)c->count);
  for (int t = c->first; t < c->end; t++) {
    const double v = c->v0 + t * c->step, whole = floor(v);
    const float part = (float)(v - whole), *from = column + (ptrdiff_t)whole;
    float share = (half - fabsf((float)v - middle)) * fall;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const float weight = share * share * (3 - 2 * share);
    c->sum[t] += weight * (from[0] + part * (from[1] - from[0]));
    c->weight[t] += weight;
  }
}

static void add(const ct_spiral_column *c) {
  const float *column = blend(c);
  const int windows = windows_of(c);
  if (windows == 1)
    add_windows(1, c, column);
  else if (windows == 2)
    add_windows(2, c, column);
  else if (windows == 3)
    add_windows(3, c, column);
  else if (windows == 4)
    add_windows(4, c, column);
  else
    add_plainly(c, column);
}

CT_INLINE float ramp_at(const ct_spiral_interval *i, int end, int t) {
  const double share = i->at[end] + t * i->slope[end];
  return share < 0 ? 0 : share > 1 ? 1 : (float)share;
}

CT_INLINE vf ramps_at(const ct_spiral_interval *i, int end, int t) {
  const vf share = vfma(vset((float)i->slope[end]), vlane(), vset((float)(i->at[end] + t * i->slope[end])));
  return vclamp(share, vset(0), vset(1));
}

CT_INLINE void within_windows(int windows, const ct_spiral_column *c, const ct_spiral_interval *i,
                              const float *column) {
  const vf ramp = vset((float)c->step) * vlane(), factor = vset(i->factor);
  for (int t = c->first & ~(W - 1); t < c->end; t += W) {
    const double v = c->v0 + t * c->step, whole = floor(v);
    const vf position = ramp + vset((float)(v - whole));
    const vf rows = rows_at(windows, column + (ptrdiff_t)whole, position);
    const vf weight = ramps_at(i, 0, t) * ramps_at(i, 1, t) * factor;
    vstore(c->sum + t, vfma(weight, rows, vload(c->sum + t)));
  }
}

static void within_plainly(const ct_spiral_column *c, const ct_spiral_interval *i, const float *column) {
  for (int t = c->first; t < c->end; t++) {
    const double v = c->v0 + t * c->step, whole = floor(v);
    const float part = (float)(v - whole), *from = column + (ptrdiff_t)whole;
    c->sum[t] += ramp_at(i, 0, t) * ramp_at(i, 1, t) * i->factor * (from[0] + part * (from[1] - from[0]));
  }
}

static void add_within(const ct_spiral_column *c, const ct_spiral_interval *i) {
  const float *column = blend(c);
  const int windows = windows_of(c);
  if (windows == 1)
    within_windows(1, c, i, column);
  else if (windows == 2)
    within_windows(2, c, i, column);
  else if (windows == 3)
    within_windows(3, c, i, column);
  else if (windows == 4)
    within_windows(4, c, i, column);
  else
    within_plainly(c, i, column);
}

static void close_sums(float *total, float *sum, float *weight, int count) {
  const vf zero = vset(0), least = vset(1e-12f);
  for (int t = 0; t < count; t += W) {
    const vf w = vload(weight + t);
    /* A weight of 0 has a sum of 0. */
    vstore(total + t, vload(total + t) + vload(sum + t) / vmax(w, least));
    vstore(sum + t, zero);
    vstore(weight + t, zero);
  }
}

const ct_spiral_loops CT_SIMD_TABLE(ct_spiral_loops) = {
    .width = W, .add = add, .add_within = add_within, .close = close_sums};
