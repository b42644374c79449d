/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outliers (zingers, dead and hot pixels) of one frame: pixels further from the median of their 5 x 5 neighbourhood than so many
 * of its standard deviations, replaced by the median of 3 x 3. Frames of one row look along it: 1 x 25 and 1 x 9.
 *
 * The standard deviation is about the median and leaves out the four most deviating of the 25, so that an outlier of up to
 * four pixels does not hide itself; 1.41 makes up for that in Gaussian noise. Sixteen pixels go side by side, and the selections are
 * fixed sequences of minimum and maximum, which compilers turn into vector code. */
#include "recon/prep/prep.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 16
#define WINDOW 25
#define LEFT_OUT 4

typedef float lanes[LANES];

static inline void sort_two(lanes a, lanes b) {
  for (int l = 0; l < LANES; l++) {
    const float low = a[l] < b[l] ? a[l] : b[l], high = a[l] < b[l] ? b[l] : a[l];
    a[l] = low;
    b[l] = high;
  }
}

/* The smallest of v[0..n) to v[0], the largest to v[n - 1]. */
static inline void extremes_to_ends(lanes *v, int n) {
  for (int i = 0; i < n / 2; i++) sort_two(v[i], v[n - 1 - i]);
  for (int i = 1; i < (n + 1) / 2; i++) sort_two(v[0], v[i]);
  for (int i = n / 2; i < n - 1; i++) sort_two(v[i], v[n - 1]);
}

/* Median of an odd number of values: of n / 2 + 2 values neither the smallest nor the largest can be it, so both are
 * forgotten and the next comes in, until three are left. Destroys v. */
static inline void median_of(lanes *v, int n, lanes out) {
  int held = n / 2 + 2, next = held;
  lanes *w = v;
  while (held > 3) {
    extremes_to_ends(w, held);
    /* Drop w[0]; the newcomer takes the place of the largest. */
    w++;
    held--;
    memcpy(w[held - 1], v[next++], sizeof(lanes));
  }
  extremes_to_ends(w, 3);
  memcpy(out, w[1], sizeof(lanes));
}

/* 1.41 times the root mean square of the WINDOW - LEFT_OUT smallest |v - m|. Destroys v. */
static inline void spread_of(lanes *v, const lanes m, lanes out) {
  for (int i = 0; i < WINDOW; i++)
    for (int l = 0; l < LANES; l++) v[i][l] = fabsf(v[i][l] - m[l]);
  for (int last = WINDOW - 1; last >= WINDOW - LEFT_OUT; last--)
    for (int i = 0; i < last; i++) sort_two(v[i], v[last]);
  for (int l = 0; l < LANES; l++) out[l] = 0;
  for (int i = 0; i < WINDOW - LEFT_OUT; i++)
    for (int l = 0; l < LANES; l++) out[l] += v[i][l] * v[i][l];
  for (int l = 0; l < LANES; l++) out[l] = 1.41f * sqrtf(out[l] / (WINDOW - LEFT_OUT));
}

static int reflect(int i, int n) {
  while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}

/* The window of half sizes (hx, hy) about LANES pixels from (x, y) on: v[(2 hy + 1) (2 hx + 1)]. `padded` holds the rows with `pad`
 * reflected columns at each side. */
static void gather(const float *padded, size_t stride, int pad, int rows, int x, int y, int hx, int hy, lanes *v) {
  for (int j = -hy; j <= hy; j++) {
    const float *row = padded + (size_t)reflect(y + j, rows) * stride + pad + x;
    for (int i = -hx; i <= hx; i++) memcpy(*v++, row + i, sizeof(lanes));
  }
}

size_t ct_prep_remove_outliers(float *frame, int nu, int rows, double threshold) {
  if (!(threshold > 0) || nu < 1 || rows < 1) return 0;
  const int wide = rows == 1, hx = wide ? 12 : 2, hy = wide ? 0 : 2, mx = wide ? 4 : 1, my = wide ? 0 : 1;
  const int pad = 12, blocks = (nu + LANES - 1) / LANES;
  const size_t stride = (size_t)blocks * LANES + 2 * (size_t)pad;
  float *padded = ct_alloc(stride * (size_t)rows, sizeof *padded, "a frame", NULL);
  if (!padded) return SIZE_MAX;
  for (int y = 0; y < rows; y++)
    for (size_t x = 0; x < stride; x++)
      padded[(size_t)y * stride + x] = frame[(size_t)y * (size_t)nu + (size_t)reflect((int)x - pad, nu)];
  size_t found = 0;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < nu; x += LANES) {
      lanes v[WINDOW], copy[WINDOW], m, sigma;
      gather(padded, stride, pad, rows, x, y, hx, hy, v);
      memcpy(copy, v, sizeof v);
      median_of(copy, WINDOW, m);
      spread_of(v, m, sigma);
      const float *value = padded + (size_t)y * stride + pad + x;
      bool bad[LANES], any = false;
      for (int l = 0; l < LANES; l++) {
        /* Rounding of constant regions is no deviation. */
        const float least = 1e-5f * fabsf(m[l]);
        bad[l] = x + l < nu && fabsf(value[l] - m[l]) > (float)threshold * fmaxf(sigma[l], least);
        any |= bad[l];
      }
      if (!any) continue;
      gather(padded, stride, pad, rows, x, y, mx, my, v);
      median_of(v, 9, m);
      for (int l = 0; l < LANES; l++)
        if (bad[l]) {
          frame[(size_t)y * (size_t)nu + (size_t)(x + l)] = m[l];
          found++;
        }
    }
  ct_free(padded);
  return found;
}
