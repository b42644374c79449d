/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spreading a line of samples over a square grid, in plain C for each width: the compiler makes vectors of it. */
#include "recon/solve/fourier/fourier-private.h"

/* Into 0 .. n, from the neighbouring periods. */
static inline double folded(double x, double n) {
  x = x < 0 ? x + n : x;
  return x >= n ? x - n : x;
}

/* The first cell that a sample at x reaches, from the border's first, and the window's values there. */
static inline int place(double x, const float *restrict table, float *restrict weights, const int width) {
  const double from = x - 0.5 * width + CT_GRIDDING_BORDER;
  int cell = (int)from;
  cell += cell < from;
  const float at = (float)(cell - from) * CT_GRIDDING_PLACES;
  int n = (int)at;
  n = n < CT_GRIDDING_PLACES ? n : CT_GRIDDING_PLACES - 1;
  const float part = at - (float)n, *row = table + (ptrdiff_t)n * 2 * CT_GRIDDING_WIDEST;
  for (int t = 0; t < width; t++) weights[t] = row[t] + part * row[CT_GRIDDING_WIDEST + t];
  return cell;
}

static inline __attribute__((always_inline)) void spread_width(const ct_gridding_line *line, const int width) {
  const double nx = line->nx, ny = line->ny;
  const float *restrict samples = line->samples;
  double x = folded(line->x, nx), y = folded(line->y, ny);
  for (int n = 0; n < line->count; n++) {
    float across[CT_GRIDDING_WIDEST], up[CT_GRIDDING_WIDEST], values[2 * CT_GRIDDING_WIDEST];
    const int column = place(x, line->table, across, width), row = place(y, line->table, up, width);
    const float re = samples[2 * n], im = samples[2 * n + 1];
    for (int t = 0; t < width; t++) {
      values[2 * t] = across[t] * re;
      values[2 * t + 1] = across[t] * im;
    }
    float *restrict cells = line->grid + 2 * ((ptrdiff_t)row * line->stride + column);
    for (int r = 0; r < width; r++, cells += 2 * (ptrdiff_t)line->stride)
      for (int t = 0; t < 2 * width; t++) cells[t] += up[r] * values[t];
    x = folded(x + line->dx, nx);
    y = folded(y + line->dy, ny);
  }
}

static void spread(const ct_gridding_line *line) {
  switch (line->width) {
  case 1:
    spread_width(line, 1);
    break;
  case 2:
    spread_width(line, 2);
    break;
  case 3:
    spread_width(line, 3);
    break;
  case 4:
    spread_width(line, 4);
    break;
  case 5:
    spread_width(line, 5);
    break;
  case 6:
    spread_width(line, 6);
    break;
  case 7:
    spread_width(line, 7);
    break;
  default:
    spread_width(line, 8);
    break;
  }
}

const ct_gridding_loops CT_SIMD_TABLE(ct_gridding_loops) = {spread};
