/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels that hold no number: replaced by the median of their finite neighbours (3 x 3), rim first. */
#include "recon/prep/prep-private.h"

#include "recon/base/memory.h"

#include <math.h>

/* Holes deeper than this are filled with the frame's mean. */
#define PASSES 32

static float median(float *values, int n) {
  for (int i = 1; i < n; i++) {
    const float value = values[i];
    int k = i;
    for (; k > 0 && values[k - 1] > value; k--) values[k] = values[k - 1];
    values[k] = value;
  }
  return n % 2 ? values[n / 2] : 0.5f * (values[n / 2 - 1] + values[n / 2]);
}

/* Median of the finite neighbours, or NaN. */
static float from_neighbours(const float *frame, int nu, int rows, size_t pixel) {
  const int x = (int)(pixel % (size_t)nu), y = (int)(pixel / (size_t)nu);
  float values[9];
  int n = 0;
  for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < rows; j++)
    for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < nu; i++) {
      const float value = frame[(size_t)j * (size_t)nu + (size_t)i];
      if (isfinite(value)) values[n++] = value;
    }
  return n ? median(values, n) : NAN;
}

/* One pass from the rim of every hole; keeps in the lists what is still without a number. */
static size_t fill_rim(float *frame, int nu, int rows, size_t *holes, float *filled, size_t count) {
  for (size_t i = 0; i < count; i++) filled[i] = from_neighbours(frame, nu, rows, holes[i]);
  size_t rest = 0;
  for (size_t i = 0; i < count; i++) {
    if (isfinite(filled[i]))
      frame[holes[i]] = filled[i];
    else
      holes[rest++] = holes[i];
  }
  return rest;
}

ct_mend_result ct_prep_mend(float *frame, int nu, int rows, size_t *mended) {
  const size_t pixels = (size_t)nu * (size_t)rows;
  size_t count = 0;
  for (size_t i = 0; i < pixels; i++) count += !isfinite(frame[i]);
  if (count == 0) return CT_MEND_DONE;
  if (count == pixels) return CT_MEND_NOTHING_FINITE;
  size_t *holes = ct_alloc(count, sizeof *holes, "the list of bad pixels", NULL);
  float *filled = ct_alloc(count, sizeof *filled, "the list of bad pixels", NULL);
  if (holes && filled) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < pixels; i++) {
      if (isfinite(frame[i]))
        sum += frame[i];
      else
        holes[n++] = i;
    }
    const float mean = (float)(sum / (double)(pixels - count));
    *mended += count;
    for (int pass = 0; pass < PASSES && n > 0; pass++) n = fill_rim(frame, nu, rows, holes, filled, n);
    for (size_t i = 0; i < n; i++) frame[holes[i]] = mean;
  }
  const bool good = holes && filled;
  ct_free(holes);
  ct_free(filled);
  return good ? CT_MEND_DONE : CT_MEND_NO_MEMORY;
}
