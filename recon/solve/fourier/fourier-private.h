/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gridding: the window's table, and the loop that is compiled once per level of instructions. */
#ifndef CT_SOLVE_FOURIER_FOURIER_PRIVATE_H
#define CT_SOLVE_FOURIER_FOURIER_PRIVATE_H

#include "recon/simd/compile.h"
#include "recon/solve/fourier/options.h"

/* The window is tabulated at so many places within a cell, with differences between them. */
enum { CT_GRIDDING_PLACES = 256 };
/* Cells in front of a grid's rows and columns, which a sample near the border reaches; as many behind. A whole cache
 * line, so that rows of the grid begin on one. */
enum { CT_GRIDDING_BORDER = 8 };

typedef struct ct_gridding_window {
  ct_gridding kind;
  int width;   /* W: it is 0 beyond W / 2 cells */
  double beta; /* of Kaiser-Bessel */
  /* [CT_GRIDDING_PLACES][2][CT_GRIDDING_WIDEST]: C(f + t - W / 2) at f = place / CT_GRIDDING_PLACES for t = 0 .. W - 1,
   * then what is to be added for the next place. */
  float *table;
} ct_gridding_window;

/* Beatty et al. 2005, eq. 5, for a grid that is `padding` times finer. False for lack of memory. */
bool ct_gridding_window_make(ct_gridding kind, int width, double padding, ct_gridding_window *window, ct_error **error);
void ct_gridding_window_clear(ct_gridding_window *window);
/* The transform of the window at x, as a share of the grid's period (-1/2 .. 1/2). */
double ct_gridding_window_transform(const ct_gridding_window *window, double x);

/* One view's samples: complex number n goes to the cell (x + n dx, y + n dy), modulo (nx, ny). */
typedef struct ct_gridding_line {
  const float *samples; /* [count][2] */
  int count;
  double x, y, dx, dy;
  int nx, ny;         /* cells of the grid */
  float *grid;        /* [ny + 2 border][stride][2] */
  int stride;         /* complex numbers from row to row */
  const float *table; /* of the window */
  int width;
} ct_gridding_line;

typedef struct ct_gridding_loops {
  void (*spread)(const ct_gridding_line *line);
} ct_gridding_loops;

CT_SIMD_DECLARE(ct_gridding_loops, ct_gridding_loops);

#endif
