/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the dual steps of the total variation (Beck & Teboulle 2009, Chambolle 2004); see passes.h. D takes forward
 * differences, 0 at the last voxel; its dual is 0 there, and so D^T needs no other case at the ends. */
#ifndef CT_SOLVE_ITERATIVE_TOTAL_VARIATION_LOOPS_H
#define CT_SOLVE_ITERATIVE_TOTAL_VARIATION_LOOPS_H

#include "recon/solve/iterative/passes.h"

#include <math.h>
#include <stddef.h>

static inline float tv_clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

static void tv_primal(const ct_tv_primal_row *row) {
  const float *restrict u = row->u, *restrict qx = row->q[0], *restrict qy = row->q[1], *restrict qz = row->q[2];
  const float *below = row->below, *before = row->before;
  const float wx = row->tau * row->w[0], wy = row->tau * row->w[1], wz = row->tau * row->w[2];
  const float low = row->low, high = row->high;
  float *restrict out = row->out;
  const int count = row->count;
#pragma omp simd
  for (int i = 0; i < count; i++) out[i] = u[i] + wx * qx[i] + wy * qy[i];
#pragma omp simd
  for (int i = 1; i < count; i++) out[i] -= wx * qx[i - 1];
  if (below)
#pragma omp simd
    for (int i = 0; i < count; i++) out[i] -= wy * below[i];
  if (qz)
#pragma omp simd
    for (int i = 0; i < count; i++) out[i] += wz * qz[i];
  if (before)
#pragma omp simd
    for (int i = 0; i < count; i++) out[i] -= wz * before[i];
#pragma omp simd
  for (int i = 0; i < count; i++) out[i] = tv_clamp(out[i], low, high);
}

/* One voxel; p and q of z are left alone where `z` is NULL. */
#define TV_PROJECT(dx, dy, dz, three)                                                                                  \
  do {                                                                                                                 \
    const float gx = qx[i] + (dx), gy = qy[i] + (dy), gz = (three) ? qz[i] + (dz) : 0;                                 \
    const float size = gx * gx + gy * gy + gz * gz, shrink = size > 1 ? 1 / sqrtf(size) : 1;                           \
    const float nx = gx * shrink, ny = gy * shrink;                                                                    \
    qx[i] = nx + momentum * (nx - px[i]);                                                                              \
    qy[i] = ny + momentum * (ny - py[i]);                                                                              \
    px[i] = nx;                                                                                                        \
    py[i] = ny;                                                                                                        \
    if (three) {                                                                                                       \
      const float nz = gz * shrink;                                                                                    \
      qz[i] = nz + momentum * (nz - pz[i]);                                                                            \
      pz[i] = nz;                                                                                                      \
    }                                                                                                                  \
  } while (0)

static void tv_dual(const ct_tv_dual_row *row) {
  const float *restrict v = row->v, *restrict above = row->above, *restrict behind = row->behind;
  float *restrict px = row->p[0], *restrict py = row->p[1], *restrict pz = row->p[2];
  float *restrict qx = row->q[0], *restrict qy = row->q[1], *restrict qz = row->q[2];
  const float sigma = row->sigma, momentum = row->momentum, *w = row->w;
  const float sx = sigma * w[0], sy = above ? sigma * w[1] : 0, sz = behind ? sigma * w[2] : 0;
  const int count = row->count;
  if (!above) above = v;
  if (!behind) behind = v;
  if (qz) {
#pragma omp simd
    for (int i = 0; i < count - 1; i++)
      TV_PROJECT(sx * (v[i + 1] - v[i]), sy * (above[i] - v[i]), sz * (behind[i] - v[i]), 1);
    for (int i = count - 1; i < count; i++) TV_PROJECT(0, sy * (above[i] - v[i]), sz * (behind[i] - v[i]), 1);
  } else {
#pragma omp simd
    for (int i = 0; i < count - 1; i++) TV_PROJECT(sx * (v[i + 1] - v[i]), sy * (above[i] - v[i]), 0, 0);
    for (int i = count - 1; i < count; i++) TV_PROJECT(0, sy * (above[i] - v[i]), 0, 0);
  }
}
#undef TV_PROJECT

static void tv_normals(const float *restrict v, const float *restrict above, const float *restrict behind,
                       const float w[3], float eps2, float *const n[3], int count) {
  float *restrict nx = n[0], *restrict ny = n[1], *restrict nz = n[2];
  const float wx = w[0], wy = above ? w[1] : 0, wz = behind ? w[2] : 0;
  if (!above) above = v;
  if (!behind) behind = v;
#define NORMAL(difference)                                                                                             \
  const float dx = (difference), dy = wy * (above[i] - v[i]), dz = wz * (behind[i] - v[i]);                            \
  const float size = dx * dx + dy * dy + dz * dz + eps2, per = size > 0 ? 1 / sqrtf(size) : 0;                         \
  nx[i] = wx * dx * per;                                                                                               \
  ny[i] = wy * dy * per
  if (nz) {
#pragma omp simd
    for (int i = 0; i < count - 1; i++) {
      NORMAL(wx * (v[i + 1] - v[i]));
      nz[i] = wz * dz * per;
    }
    for (int i = count - 1; i < count; i++) {
      NORMAL(0);
      nz[i] = wz * dz * per;
    }
  } else {
#pragma omp simd
    for (int i = 0; i < count - 1; i++) {
      NORMAL(wx * (v[i + 1] - v[i]));
    }
    for (int i = count - 1; i < count; i++) {
      NORMAL(0);
    }
  }
#undef NORMAL
}

static double tv_divergence(const float *const n[3], const float *below, const float *before, float *restrict out,
                            int count) {
  const float *restrict nx = n[0], *restrict ny = n[1], *restrict nz = n[2];
  double sum = 0;
#pragma omp simd
  for (int i = 0; i < count; i++) out[i] = -(nx[i] + ny[i]);
#pragma omp simd
  for (int i = 1; i < count; i++) out[i] += nx[i - 1];
  if (below)
#pragma omp simd
    for (int i = 0; i < count; i++) out[i] += below[i];
  if (nz)
#pragma omp simd
    for (int i = 0; i < count; i++) out[i] -= nz[i];
  if (before)
#pragma omp simd
    for (int i = 0; i < count; i++) out[i] += before[i];
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < count; i++) sum += (double)out[i] * (double)out[i];
  return sum;
}

#endif
