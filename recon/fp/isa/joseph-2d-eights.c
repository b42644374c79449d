/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The eight images that share positions side by side: a sample is a vector of all eight, so that a ray, or a pixel,
 * reads its two neighbours without permutes. Positions and weights are made for eight rays (pixels) at a time, which
 * have a sum in a register each. For vectors of 8 floats; with 16, windows are as fast. */
#include "recon/fp/isa/joseph-2d-places.h"

#if W == 8

/* What lane 2 m of the rows is to lane 2 (m ^ 1): the image flipped. */
CT_INLINE vf vflipped(vf a) {
  return (vf)__builtin_shufflevector((floats)a, (floats)a, 2, 3, 0, 1, 6, 7, 4, 5);
}

CT_INLINE vf vbackwards(vf a) {
  return (vf)__builtin_shufflevector((floats)a, (floats)a, 7, 6, 5, 4, 3, 2, 1, 0);
}

void CT_ISA_SYMBOL(ct_j2d_eights_spread)(const float *const rows[4], int count, float *to) {
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

/* Eight rays, the sums of which lie one after another. */
CT_INLINE void add_rays(bool flipped, const bundle *rays, int first, int end, const float *from, ptrdiff_t stride,
                        float *sums) {
  vf sum[W];
#pragma GCC unroll 8
  for (int r = 0; r < W; r++) {
    sum[r] = vload(sums + r * W);
    if (flipped) sum[r] = vflipped(sum[r]);
  }
  for (; first < end; first += block) {
    places at;
    const int count = end - first < block ? end - first : block;
    find_places(false, rays, first, count, &at);
    for (int n = 0; n < count; n++) {
      int offset[W];
      float share[W];
      vf fraction;
      const vi index = vsplit(rays->steps + vset(at.fraction[n]), &fraction);
      *(lanes_anywhere *)offset = (lanes)index * W;
      vstore(share, fraction);
      const float *row = from + (first + n) * stride + (ptrdiff_t)at.start[n] * W;
#pragma GCC unroll 8
      for (int r = 0; r < W; r++) {
        const float *pixel = row + offset[r];
        const vf low = vload(pixel);
        sum[r] += vfma(vset(share[r]), vload(pixel + W) - low, low);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < W; r++) vstore(sums + r * W, flipped ? vflipped(sum[r]) : sum[r]);
}

void CT_ISA_SYMBOL(ct_j2d_eights_forward)(const ct_j2d_group *group, int first, int end, bool flipped,
                                          const float *from, ptrdiff_t stride, float *sums) {
  if (first < group->first) first = group->first;
  if (end > group->end) end = group->end;
  for (int lane = 0; lane < CT_J2D_LANES && first < end; lane += W) {
    bundle rays;
    find_rays(false, group, lane, first, end, &rays);
    if (flipped)
      add_rays(true, &rays, first, end, from, stride, sums + (group->ray + lane) * W);
    else
      add_rays(false, &rays, first, end, from, stride, sums + (group->ray + lane) * W);
  }
}

/* Eight pixels of each row of a tile. */
CT_INLINE void add_pixels(bool flipped, const seen *runs, int count, int rows, float *to) {
  for (int n = 0; n < rows; n++, to += CT_J2D_LANES * W) {
    vf sum[W];
#pragma GCC unroll 8
    for (int p = 0; p < W; p++) {
      sum[p] = vload(to + p * W);
      if (flipped) sum[p] = vflipped(sum[p]);
    }
    for (int s = 0; s < count; s++) {
      const seen *run = runs + s;
      int offset[W];
      float below[W], above[W];
      vf fraction;
      const vi index = vsplit(vfma(vlane(), vset(run->slope), vset(run->at[n])), &fraction);
      const vf reach = vset(run->pitch) * fraction;
      *(lanes_anywhere *)offset = (lanes)index * W;
      vstore(below, vmax(vset(1) - reach, vset(0)));
      vstore(above, vmax(reach + vset(run->rest), vset(0)));
      const float *rays = run->source->straight[0] + (ptrdiff_t)run->start[n] * W;
#pragma GCC unroll 8
      for (int p = 0; p < W; p++) {
        const float *ray = rays + offset[p];
        sum[p] = vfma(vset(below[p]), vload(ray), sum[p]);
        sum[p] = vfma(vset(above[p]), vload(ray + W), sum[p]);
      }
    }
#pragma GCC unroll 8
    for (int p = 0; p < W; p++) vstore(to + p * W, flipped ? vflipped(sum[p]) : sum[p]);
  }
}

void CT_ISA_SYMBOL(ct_j2d_eights_back)(const ct_j2d_source *sources, int count, int column, int row, int rows,
                                       bool flipped, float *to) {
  enum { batch = 16 };
  seen runs[batch];
  for (int lane = 0; lane < CT_J2D_LANES; lane += W)
    for (int s = 0; s < count;) {
      int met = 0;
      for (; s < count && met < batch; s++) met += find_run(sources + s, column + lane, row, runs + met);
      if (flipped)
        add_pixels(true, runs, met, rows, to + lane * W);
      else
        add_pixels(false, runs, met, rows, to + lane * W);
    }
}

#endif
