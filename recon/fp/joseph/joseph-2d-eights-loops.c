/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The eight images that share positions side by side: a sample is a vector of all eight, so that a ray, or a pixel,
 * reads its two neighbours without permutes. Positions and weights are made for eight rays (pixels) at a time, which
 * have a sum in a register each. For vectors of 8 floats; with 16, windows are as fast. */
#include "recon/fp/joseph/joseph-2d-loops.h"

#include <math.h>

/* What lane 2 m of the rows is to lane 2 (m ^ 1): the image flipped. */
CT_INLINE vf vflipped(vf a) {
  return (vf)__builtin_shufflevector((floats)a, (floats)a, 2, 3, 0, 1, 6, 7, 4, 5);
}

CT_INLINE vf vbackwards(vf a) {
  return (vf)__builtin_shufflevector((floats)a, (floats)a, 7, 6, 5, 4, 3, 2, 1, 0);
}

static void spread(const float *const rows[4], int count, float *to) {
  for (int i = 0; i < count; i += W) {
    vf square[W];
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++) {
      square[2 * m] = vload(rows[m] + i);
      square[2 * m + 1] = vbackwards(vload(rows[m] + count - W - i));
    }
    vtranspose(square);
#pragma GCC unroll 8
    for (int n = 0; n < W; n++) vstore(to + (i + n) * W, square[n]);
  }
}

/* In both halves. */
CT_INLINE vf vload_four(const float *p) {
  typedef float four __attribute__((vector_size(16)));
  typedef float four_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
  const four a = *(const four_anywhere *)p;
  return (vf)__builtin_shufflevector(a, a, 0, 1, 2, 3, 0, 1, 2, 3);
}

/* Four factors, each of which fills a vector: a shuffle within halves of a register costs less than another load. */
CT_INLINE void spread_four(const float *factors, vf each[4]) {
  const floats all = (floats)vload_four(factors);
  each[0] = (vf)__builtin_shufflevector(all, all, 0, 0, 0, 0, 4, 4, 4, 4);
  each[1] = (vf)__builtin_shufflevector(all, all, 1, 1, 1, 1, 5, 5, 5, 5);
  each[2] = (vf)__builtin_shufflevector(all, all, 2, 2, 2, 2, 6, 6, 6, 6);
  each[3] = (vf)__builtin_shufflevector(all, all, 3, 3, 3, 3, 7, 7, 7, 7);
}

enum { block = 16, batch = 16 };

/* Positions low + base + n slope of W lanes, in rows n of a block: base and what follows are small and not negative. */
typedef struct line {
  vf base, slope;
  ptrdiff_t low;
} line;

/* Lane l is at a + l across in the first of `rows` rows, from where it moves by `down` + l turn. */
CT_INLINE line make_line(double a, double across, double down, double turn, int rows) {
  const double last = a + down * (rows - 1), right = a + across * (W - 1),
               corner = right + (down + turn * (W - 1)) * (rows - 1);
  const double left = last < a ? last : a, other = corner < right ? corner : right;
  const double low = floor(left < other ? left : other);
  return (line){vfma(vlane(), vset((float)across), vset((float)(a - low))),
                vfma(vlane(), vset((float)turn), vset((float)down)), (ptrdiff_t)low};
}

/* Floats from sample `low` on, and fractions. */
CT_INLINE vf find_samples(const line *at, vf row, int *offset) {
  vf fraction;
  const vi index = vsplit(vfma(row, at->slope, at->base), &fraction);
  *(lanes_anywhere *)offset = (lanes)index * W;
  return fraction;
}

/* Up to `block` rows. Where rays are comes first: taken from memory it costs one load. */
CT_INLINE void add_rays(const line *at, const float *row, ptrdiff_t stride, int rows, vf sum[W]) {
  int offset[block][W];
  float share[block][W];
  vf number = vset(0);
  for (int n = 0; n < rows; n++) {
    vstore(share[n], -find_samples(at, number, offset[n]));
    number += vset(1);
  }
  row += at->low * W;
  for (int n = 0; n < rows; n++, row += stride)
#pragma GCC unroll 2
    for (int four = 0; four < W; four += 4) {
      vf factor[4];
      spread_four(share[n] + four, factor);
#pragma GCC unroll 4
      for (int r = 0; r < 4; r++) {
        const float *pixel = row + offset[n][four + r];
        const vf low = vload(pixel);
        sum[four + r] += vfma(factor[r], low - vload(pixel + W), low);
      }
    }
}

static void forward(const ct_j2d_group *group, int first, int end, bool flipped, const float *from, ptrdiff_t stride,
                    float *sums) {
  if (first < group->first) first = group->first;
  if (end > group->end) end = group->end;
  sums += group->ray * W;
  for (int lane = 0; lane < CT_J2D_LANES; lane += W, sums += W * W) {
    vf sum[W];
#pragma GCC unroll 8
    for (int r = 0; r < W; r++) sum[r] = flipped ? vflipped(vload(sums + r * W)) : vload(sums + r * W);
    for (int row = first; row < end; row += block) {
      const int rows = end - row < block ? end - row : block;
      const line at = make_line(group->a + group->b * row + group->d * lane, group->d, group->b, 0, rows);
      add_rays(&at, from + row * stride, stride, rows, sum);
    }
#pragma GCC unroll 8
    for (int r = 0; r < W; r++) vstore(sums + r * W, flipped ? vflipped(sum[r]) : sum[r]);
  }
}

/* Eight pixels side by side as a source sees them. */
typedef struct view {
  line at;
  vf pitch, rest; /* of the rays, pixels; 1 - pitch */
  const float *rays;
} view;

/* False where these pixels of a tile lie beside all rays. */
CT_INLINE bool find_view(const ct_j2d_source *source, int column, int row, view *out) {
  const double c = source->c0 + source->cl * column + source->cr * row, step = source->cr;
  const double first = c + (source->cl < 0 ? source->cl * (W - 1) : 0), last = first + step * (CT_J2D_TILE - 1);
  if ((first < -2 * W && last < -2 * W) || (first > source->count && last > source->count)) return false;
  out->at = make_line(c, source->cl, step, 0, CT_J2D_TILE);
  out->pitch = vset(source->alike);
  out->rest = vset(1 - source->alike);
  out->rays = source->straight[0] + out->at.low * W;
  return true;
}

/* A row of eight pixels. */
CT_INLINE void add_pixels(const view *views, int count, int row, vf sum[W]) {
  int offset[batch][W];
  float below[batch][W], above[batch][W];
  const vf number = vset((float)row);
  for (int s = 0; s < count; s++) {
    const vf fraction = find_samples(&views[s].at, number, offset[s]), reach = views[s].pitch * fraction;
    vstore(below[s], vmax(vset(1) - reach, vset(0)));
    vstore(above[s], vmax(views[s].rest + reach, vset(0)));
  }
  for (int s = 0; s < count; s++)
#pragma GCC unroll 2
    for (int four = 0; four < W; four += 4) {
      vf low[4], high[4];
      spread_four(below[s] + four, low);
      spread_four(above[s] + four, high);
#pragma GCC unroll 4
      for (int p = 0; p < 4; p++) {
        const float *ray = views[s].rays + offset[s][four + p];
        sum[four + p] = vfma(low[p], vload(ray), sum[four + p]);
        sum[four + p] = vfma(high[p], vload(ray + W), sum[four + p]);
      }
    }
}

static void back(const ct_j2d_source *sources, int count, int column, int row, int rows, bool flipped, float *to) {
  view views[batch];
  for (int lane = 0; lane < CT_J2D_LANES; lane += W)
    for (int s = 0; s < count;) {
      int met = 0;
      for (; s < count && met < batch; s++) met += find_view(sources + s, column + lane, row, views + met);
      for (int n = 0; n < rows; n++) {
        float *pixels = to + (n * CT_J2D_LANES + lane) * W;
        vf sum[W];
#pragma GCC unroll 8
        for (int p = 0; p < W; p++) sum[p] = flipped ? vflipped(vload(pixels + p * W)) : vload(pixels + p * W);
        add_pixels(views, met, n, sum);
#pragma GCC unroll 8
        for (int p = 0; p < W; p++) vstore(pixels + p * W, flipped ? vflipped(sum[p]) : sum[p]);
      }
    }
}

const ct_j2d_eights_loops CT_SIMD_TABLE(ct_j2d_eights_loops) = {.spread = spread, .forward = forward, .back = back};
