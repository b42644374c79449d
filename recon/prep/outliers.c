/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outliers (zingers, dead and hot pixels) of one frame: pixels further from the median of their 5 x 5 neighbourhood
 * than so many of its standard deviations, replaced by the median of 3 x 3. Frames of one row look along it: 1 x 25 and
 * 1 x 9.
 *
 * The standard deviation is about the median and leaves out the four most deviating of the 25, so that an outlier of up
 * to four pixels does not hide itself; 1.41 makes up for that in Gaussian noise. Sixteen pixels go side by side, and
 * the selections are fixed sequences of sorted pairs, without a branch. */
#include "recon/prep/prep-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 16
#define WINDOW 25
#define LEFT_OUT 4

/* GCC's and Clang's vectors: compilers do not find the minimum and maximum in plain loops, as they have to mind NaN. */
typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_bits __attribute__((vector_size(16)));

#define QUADS (LANES / 4)

typedef struct {
  quad q[QUADS];
} lanes;

static inline void sort_two(lanes *a, lanes *b) {
  for (int i = 0; i < QUADS; i++) {
    const quad_bits x = (quad_bits)a->q[i], y = (quad_bits)b->q[i];
    const quad_bits exchanged = (x ^ y) & (quad_bits)(b->q[i] < a->q[i]);
    a->q[i] = (quad)(x ^ exchanged);
    b->q[i] = (quad)(y ^ exchanged);
  }
}

/* The smallest of v[0..n) to v[0], the largest to v[n - 1]. */
static inline void extremes_to_ends(lanes *v, int n) {
  for (int i = 0; i < n / 2; i++) sort_two(&v[i], &v[n - 1 - i]);
  for (int i = 1; i < (n + 1) / 2; i++) sort_two(&v[0], &v[i]);
  for (int i = n / 2; i < n - 1; i++) sort_two(&v[i], &v[n - 1]);
}

/* Median of an odd number of values: of n / 2 + 2 values neither the smallest nor the largest can be it, so both are
 * forgotten and the next comes in, until three are left. Destroys v. */
static lanes median_of(lanes *v, int n) {
  const lanes *next = v + n / 2 + 2;
  for (int held = n / 2 + 2; held > 3; held--) {
    extremes_to_ends(v, held);
    /* The smallest stays behind; the newcomer takes the place of the largest. */
    v[held - 1] = *next++;
    v++;
  }
  extremes_to_ends(v, 3);
  return v[1];
}

/* 1.41 times the root mean square of the WINDOW - LEFT_OUT smallest |v - m|. Destroys v. */
static lanes spread_of(lanes *v, const lanes *m) {
  const quad_bits magnitude = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
  for (int i = 0; i < WINDOW; i++)
    for (int k = 0; k < QUADS; k++) v[i].q[k] = (quad)((quad_bits)(v[i].q[k] - m->q[k]) & magnitude);
  for (int last = WINDOW - 1; last >= WINDOW - LEFT_OUT; last--)
    for (int i = 0; i < last; i++) sort_two(&v[i], &v[last]);
  lanes sum = {0};
  for (int i = 0; i < WINDOW - LEFT_OUT; i++)
    for (int k = 0; k < QUADS; k++) sum.q[k] += v[i].q[k] * v[i].q[k];
  for (int l = 0; l < LANES; l++) sum.q[l / 4][l % 4] = 1.41f * sqrtf(sum.q[l / 4][l % 4] / (WINDOW - LEFT_OUT));
  return sum;
}

/* Rows with `pad` reflected columns at each side. */
typedef struct padded_rows {
  float *at;
  size_t stride;
  int pad, rows;
} padded_rows;

/* The window of half sizes (hx, hy) about LANES pixels from (x, y) on: v[(2 hy + 1) (2 hx + 1)]. */
static void gather(const padded_rows *padded, int x, int y, int hx, int hy, lanes *v) {
  for (int j = -hy; j <= hy; j++) {
    const float *row = padded->at + (size_t)ct_reflect(y + j, padded->rows) * padded->stride + padded->pad + x;
    for (int i = -hx; i <= hx; i++) memcpy(v++, row + i, sizeof *v);
  }
}

size_t ct_prep_remove_outliers(float *frame, int nu, int rows, double threshold) {
  if (!(threshold > 0) || nu < 1 || rows < 1) return 0;
  const int wide = rows == 1, hx = wide ? 12 : 2, hy = wide ? 0 : 2, mx = wide ? 4 : 1, my = wide ? 0 : 1;
  const int pad = 12, blocks = (nu + LANES - 1) / LANES;
  const size_t stride = (size_t)blocks * LANES + 2 * (size_t)pad;
  const padded_rows padded = {ct_alloc(stride * (size_t)rows, sizeof(float), "a frame", NULL), stride, pad, rows};
  if (!padded.at) return SIZE_MAX;
  for (int y = 0; y < rows; y++)
    for (size_t x = 0; x < stride; x++)
      padded.at[(size_t)y * stride + x] = frame[(size_t)y * (size_t)nu + (size_t)ct_reflect((int)x - pad, nu)];
  size_t found = 0;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < nu; x += LANES) {
      lanes v[WINDOW], copy[WINDOW];
      gather(&padded, x, y, hx, hy, v);
      memcpy(copy, v, sizeof v);
      lanes m = median_of(copy, WINDOW);
      const lanes sigma = spread_of(v, &m);
      const float *value = padded.at + (size_t)y * stride + pad + x;
      bool bad[LANES], any = false;
      for (int l = 0; l < LANES; l++) {
        /* Rounding of constant regions is no deviation. */
        const float middle = m.q[l / 4][l % 4], least = 1e-5f * fabsf(middle);
        bad[l] = x + l < nu && fabsf(value[l] - middle) > (float)threshold * fmaxf(sigma.q[l / 4][l % 4], least);
        any |= bad[l];
      }
      if (!any) continue;
      gather(&padded, x, y, mx, my, v);
      m = median_of(v, 9);
      for (int l = 0; l < LANES; l++)
        if (bad[l]) {
          frame[(size_t)y * (size_t)nu + (size_t)(x + l)] = m.q[l / 4][l % 4];
          found++;
        }
    }
  ct_free(padded.at);
  return found;
}
