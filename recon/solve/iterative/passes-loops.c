/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes of passes.h in plain C, which the compiler turns into the vectors of the level that it is asked for. */
#include "recon/solve/iterative/passes.h"

#include "recon/solve/iterative/total-variation-loops.h"

static double residual(float *restrict y, const float *restrict b, const float *restrict w, const float *restrict share,
                       size_t count) {
  double sum = 0;
#define LOOP(weight, part)                                                                                             \
  _Pragma("omp simd reduction(+ : sum)") for (size_t i = 0; i < count; i++) {                                          \
    const float d = b[i] - y[i];                                                                                       \
    y[i] = (weight)*d;                                                                                                 \
    sum += (double)((part)*d) * (double)d;                                                                             \
  }
  if (w && share)
    LOOP(w[i], share[i])
  else if (w)
    LOOP(w[i], 1.0f)
  else if (share)
    LOOP(1.0f, share[i])
  else
    LOOP(1.0f, 1.0f)
#undef LOOP
  return sum;
}

static double ratio(float *restrict y, const float *restrict b, const float *restrict share, size_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < count; i++) {
    const float d = b[i] - y[i], part = share ? share[i] : 1;
    y[i] = y[i] > 1e-30f ? d / y[i] : 0;
    sum += (double)(part * d) * (double)d;
  }
  return sum;
}

/* Bounded first and chosen then: vectors take a largest, a smallest and one mask. A bound is on the side of a
 * comparison that keeps what is no number. */
static inline float stepped(float x, float t, float c, float factor, float low, float high) {
  float is = x + factor * c * t;
  is = low > is ? low : is;
  is = high < is ? high : is;
  return c > 0 ? is : x;
}

static void step(const ct_pass_step *s) {
  float *restrict x = s->x;
  const float *restrict t = s->t, *restrict c = s->c;
  const float factor = s->factor, low = s->low, high = s->high;
  const size_t count = s->count;
  if (s->product) {
#pragma omp simd
    for (size_t i = 0; i < count; i++) x[i] = stepped(x[i], t[i] * x[i], c[i], factor, low, high);
  } else {
#pragma omp simd
    for (size_t i = 0; i < count; i++) x[i] = stepped(x[i], t[i], c[i], factor, low, high);
  }
}

static void step_sums(const ct_pass_step *s, double sums[2]) {
  float *restrict x = s->x;
  const float *restrict t = s->t, *restrict c = s->c, *restrict share = s->share;
  const float factor = s->factor, low = s->low, high = s->high;
  const size_t count = s->count;
  const bool product = s->product;
  double change = 0, size = 0;
#define LOOP(by, part)                                                                                                 \
  _Pragma("omp simd reduction(+ : change, size)") for (size_t i = 0; i < count; i++) {                                 \
    const float was = x[i], is = stepped(was, t[i] * (by), c[i], factor, low, high), d = is - was;                     \
    x[i] = is;                                                                                                         \
    change += (double)((part)*d) * (double)d;                                                                          \
    size += (double)((part)*is) * (double)is;                                                                          \
  }
  if (product && share)
    LOOP(was, share[i])
  else if (product)
    LOOP(was, 1.0f)
  else if (share)
    LOOP(1.0f, share[i])
  else
    LOOP(1.0f, 1.0f)
#undef LOOP
  sums[0] += change;
  sums[1] += size;
}

static void difference(const float *restrict a, const float *restrict b, const float *restrict share, size_t count,
                       double sums[2]) {
  double change = 0, size = 0;
#pragma omp simd reduction(+ : change, size)
  for (size_t i = 0; i < count; i++) {
    const float d = a[i] - b[i], part = share ? share[i] : 1;
    change += (double)(part * d) * (double)d;
    size += (double)(part * a[i]) * (double)a[i];
  }
  sums[0] += change;
  sums[1] += size;
}

static double dot(const float *a, const float *b, const float *share, size_t count) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < count; i++) sum += (double)(share ? share[i] * a[i] : a[i]) * (double)b[i];
  return sum;
}

static void add(float *restrict a, const float *restrict b, float factor, size_t count) {
#pragma omp simd
  for (size_t i = 0; i < count; i++) a[i] += factor * b[i];
}

static void blend(float *restrict a, const float *restrict b, float factor, size_t count) {
#pragma omp simd
  for (size_t i = 0; i < count; i++) a[i] = b[i] + factor * a[i];
}

const ct_passes CT_SIMD_TABLE(ct_passes) = {
    .residual = residual,
    .ratio = ratio,
    .step = step,
    .step_sums = step_sums,
    .difference = difference,
    .dot = dot,
    .add = add,
    .blend = blend,
    .tv_primal = tv_primal,
    .tv_dual = tv_dual,
    .tv_normals = tv_normals,
    .tv_divergence = tv_divergence,
};
