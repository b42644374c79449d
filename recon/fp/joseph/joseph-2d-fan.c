/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x = A^T y of one slice in a fan beam. Of the rays times their lengths and densities running sums are made first
 * (joseph-2d-fan-loops.c says what for), as integers that fill 32 bits in what a pixel needs of them: a millionth of a
 * view's strongest ray is their step, so that beside a ray a thousand times as strong as all others these have ten bits
 * left. Then threads own tiles of pixels; views that are sampled along rows are collected in one tile, in bands of
 * rows, the others in another, in bands of columns. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <math.h>
#include <string.h>

enum { side = CT_J2D_FAN_TILE };

/* Up to six rays of a cell, each at most CT_J2D_FAN_REACH from the middle: below 2^31. */
#define STEPS 0x1p20f

static void sum_rays(const float *rays, int count, float scale, uint32_t *even, uint32_t *slanted) {
  const float steps = isfinite(scale) ? 1 / scale : 0;
  uint32_t sum = 0, weighted = 0;
  for (int t = 0; t < count; t++) {
    const uint32_t ray = (uint32_t)(int32_t)lrintf(rays[t] * steps);
    sum += ray;
    weighted += (uint32_t)t * ray;
    even[t] = sum;
    slanted[t] = weighted;
  }
  for (int n = count; n < count + CT_J2D_PAD; n++) even[n] = sum, slanted[n] = weighted;
}

static void fill_pencil(ct_j2d *j, const ct_j2d_pencil *p, const float *y) {
  const float *rays = y + (size_t)p->view * j->view_rays + p->first;
  const float *factors = j->factors + (size_t)p->view * (size_t)j->nu + p->first;
  float most = 1e-25f, nothing = 0; /* steps are normal numbers */
  for (int phase = 0; phase < p->phases; phase++) {
    float *to = j->scratch + ct_j2d_ray_place(p, phase);
    for (int t = phase; t < p->count; t += p->phases) {
      const float ray = factors[p->step * t] * rays[p->step * t];
      most = fabsf(ray) > most ? fabsf(ray) : most;
      nothing += 0 * ray;
      *to++ = ray;
    }
  }
  /* What is not finite has no steps, and shows in all that the view gives to. */
  float *scale = j->scales + (p - j->pencils);
  *scale = nothing == 0 ? most / STEPS : NAN;
  for (int phase = 0; phase < p->phases; phase++) {
    const size_t place = ct_j2d_ray_place(p, phase);
    sum_rays(j->scratch + place, ct_j2d_phase_count(p, phase), *scale, j->even + place, j->slanted + place);
  }
}

/* A tile's place in the image. */
typedef struct square {
  int column, row, columns, rows;
} square;

/* The tile's pixels, as the sources' pencils count them; rows_of: rows of the image. */
static void add_sources(const ct_j2d *j, const ct_j2d_source *sources, int count, const square *at, int rows_of,
                        float *tile) {
  const int lanes = j->width;
  const ct_j2d_bands bands = {at->column, at->columns, at->row, (at->rows + lanes - 1) / lanes, rows_of - lanes, tile};
  for (int n = 0; n < count; n++)
    if (rows_of >= lanes)
      j->loops->fan->add(sources + n, &bands);
    else
      ct_j2d_plain_fan(sources + n, at->column, at->column + at->columns, 0, lanes, tile);
}

/* First row of a band. */
static int band_row(const ct_j2d *j, int row, int rows_of, int band) {
  const int lanes = j->width, last = rows_of > lanes ? rows_of - lanes : 0;
  return row + band * lanes < last ? row + band * lanes : last;
}

static void store_columns(const ct_j2d *j, int column, int columns, int rows, const float *tile, float *to,
                          size_t pitch) {
  const int lanes = j->width;
  for (int band = 0; band * lanes < columns; band++) {
    const int begin = band_row(j, column, j->nx, band) - column, skipped = begin < 0 ? -begin : 0,
              count = (begin + lanes < columns ? lanes : columns - begin) - skipped;
    for (int n = 0; n < rows; n++)
      memcpy(to + (size_t)n * pitch + begin + skipped, tile + (band * side + n) * lanes + skipped,
             (size_t)count * sizeof *to);
  }
}

static void store_rows(const ct_j2d *j, int columns, int row, int rows, bool add, const float *tile, float *to,
                       size_t pitch) {
  const int lanes = j->width;
  for (int band = 0; band * lanes < rows; band++) {
    float transposed[CT_J2D_LANES * side];
    const int begin = band_row(j, row, j->ny, band) - row;
    const float *from = tile + band * side * lanes;
    if (!add && begin >= 0 && begin + lanes <= rows) {
      j->loops->transpose(from, lanes, columns, lanes, to + (size_t)begin * pitch, (ptrdiff_t)pitch);
      continue;
    }
    j->loops->transpose(from, lanes, columns, lanes, transposed, side);
    for (int l = band * lanes - begin; l < lanes && begin + l < rows; l++) {
      float *line = to + (size_t)(begin + l) * pitch;
      for (int i = 0; i < columns; i++) line[i] = (add ? line[i] : 0) + transposed[l * side + i];
    }
  }
}

static int tiles_across(const ct_j2d *j) {
  return (j->nx + side - 1) / side;
}
static int tiles_of(const ct_j2d *j) {
  return tiles_across(j) * ((j->ny + side - 1) / side);
}

static square square_of(const ct_j2d *j, int number) {
  const int column = number % tiles_across(j) * side, row = number / tiles_across(j) * side;
  return (square){column, row, j->nx - column < side ? j->nx - column : side, j->ny - row < side ? j->ny - row : side};
}

/* Rows `pitch` floats apart, from `to` on. */
static void back_tile(const ct_j2d *j, const int counts[2], const square *at, float *to, size_t pitch) {
  float tile[side * side];
  if (counts[1] || !counts[0]) {
    memset(tile, 0, sizeof tile);
    const square transposed = {at->row, at->column, at->rows, at->columns};
    add_sources(j, j->sources + counts[0], counts[1], &transposed, j->nx, tile);
    store_columns(j, at->column, at->columns, at->rows, tile, to, pitch);
  }
  if (counts[0]) {
    memset(tile, 0, sizeof tile);
    add_sources(j, j->sources, counts[0], at, j->ny, tile);
    store_rows(j, at->columns, at->row, at->rows, counts[1] > 0, tile, to, pitch);
  }
}

static size_t first_of(const ct_j2d *j, const square *at) {
  return CT_J2D_MARGIN + (size_t)at->row * j->pitch + (size_t)at->column;
}

static void make_sources(ct_j2d *j, int counts[2]) {
  ct_j2d_source *source = j->sources;
  for (int transposed = 0; transposed < 2; transposed++) {
    const ct_j2d_source *first = source;
    for (int n = 0; n < j->count; n++) {
      const ct_j2d_pencil *p = j->pencils + n;
      if (p->transposed != transposed || !j->wanted[p->view]) continue;
      for (int phase = 0; phase < p->phases; phase++) *source++ = ct_j2d_source_of(j, p, phase, true, false);
    }
    counts[transposed] = (int)(source - first);
  }
}

static void make_sums(ct_j2d *j, bool alone, const float *y, int counts[2]) {
#pragma omp parallel for schedule(dynamic, 8) num_threads(j->threads) if (!alone)
  for (int n = 0; n < j->count; n++)
    if (j->wanted[j->pencils[n].view]) fill_pencil(j, j->pencils + n, y);
  make_sources(j, counts);
}

void ct_j2d_back_fan(ct_j2d *j, bool alone, const float *y, float *x) {
  const int tiles = tiles_of(j), threads = j->threads;
  int counts[2];
  make_sums(j, alone, y, counts);
  if (alone) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int n = 0; n < tiles; n++) {
      const square at = square_of(j, n);
      back_tile(j, counts, &at, x + first_of(j, &at), j->pitch);
    }
  } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int n = 0; n < tiles; n++) {
      const square at = square_of(j, n);
      back_tile(j, counts, &at, x + first_of(j, &at), j->pitch);
    }
  }
}

void ct_j2d_hand_fan(ct_j2d *j, const float *y, size_t first, ct_projector_take *take, void *user) {
  const int tiles = tiles_of(j);
  int counts[2];
  make_sums(j, true, y, counts);
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int n = 0; n < tiles; n++) {
    float pixels[side * side];
    const square at = square_of(j, n);
    back_tile(j, counts, &at, pixels, side);
    for (int row = 0; row < at.rows; row++)
      take(user, first + first_of(j, &at) + (size_t)row * j->pitch, (size_t)at.columns, pixels + row * side);
  }
}
