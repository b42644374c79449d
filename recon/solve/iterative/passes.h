/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over stretches of images and rays, compiled once per level: what iterative methods do between projecting
 * forward and back. Element by element; sums in double over the stretch, in an order that is always the same. A `share`
 * weighs the elements of a sum, NULL: all alike. */
#ifndef CT_SOLVE_ITERATIVE_PASSES_H
#define CT_SOLVE_ITERATIVE_PASSES_H

#include "recon/simd/compile.h"

#include <stdbool.h>
#include <stddef.h>

/* x = x + factor c t (product: + factor c t x) between low and high, only where c > 0. */
typedef struct ct_pass_step {
  float *x;
  const float *t, *c, *share;
  float factor, low, high;
  bool product;
  size_t count;
} ct_pass_step;

/* A row of `count` voxels. A neighbour row that is not there is NULL.
 * out = u - tau D^T q between low and high; q the row's, below, before: those of rows j - 1 and k - 1. */
typedef struct ct_tv_primal_row {
  const float *u, *q[3], *below, *before;
  const float *w; /* [3] spacing factors */
  float tau, low, high;
  float *out;
  int count;
} ct_tv_primal_row;

/* g = q + sigma D v, p' = g / max(1, |g|), q = p' + momentum (p' - p), p = p'; above, behind: v of rows j + 1 and
 * k + 1. */
typedef struct ct_tv_dual_row {
  const float *v, *above, *behind;
  const float *w; /* [3] spacing factors */
  float sigma, momentum;
  float *p[3], *q[3];
  int count;
} ct_tv_dual_row;

typedef struct ct_passes {
  /* y = w (b - y), w NULL: 1. Returns the sum of (b - y)^2. */
  double (*residual)(float *y, const float *b, const float *w, const float *share, size_t count);
  /* y = b / y - 1, 0 where y is not above 0. Returns the sum of (b - y)^2. */
  double (*ratio)(float *y, const float *b, const float *share, size_t count);
  void (*step)(const ct_pass_step *step);
  /* And adds the sums of the change's and of x's squares. */
  void (*step_sums)(const ct_pass_step *step, double sums[2]);
  /* Adds the sums of (a - b)^2 and a^2. */
  void (*difference)(const float *a, const float *b, const float *share, size_t count, double sums[2]);
  double (*dot)(const float *a, const float *b, const float *share, size_t count);
  void (*add)(float *a, const float *b, float factor, size_t count);   /* a += factor b */
  void (*blend)(float *a, const float *b, float factor, size_t count); /* a = b + factor a */

  /* Total variation along a row of `count` voxels with spacing factors w[3]. A neighbour row that is not there is NULL.
   */
  void (*tv_primal)(const ct_tv_primal_row *row);
  void (*tv_dual)(const ct_tv_dual_row *row);
  /* n = w D v / sqrt(|D v|^2 + eps2), the weights once more in front; n[2] NULL: a slice. */
  void (*tv_normals)(const float *v, const float *above, const float *behind, const float w[3], float eps2,
                     float *const n[3], int count);
  /* out = D^T n; below: n of y in row j - 1, before: n of z in row k - 1. Returns the sum of squares. */
  double (*tv_divergence)(const float *const n[3], const float *below, const float *before, float *out, int count);
} ct_passes;

CT_SIMD_DECLARE(ct_passes, ct_passes);

#endif
