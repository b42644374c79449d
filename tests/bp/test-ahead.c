/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is fetched ahead of a tile: every cache line that its voxels read of the views, and few others. Nothing but the
 * speed would show it otherwise. */
#include "recon/bp/layout/ahead.h"
#include "tests/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { nu = 37, nv = 90, slots = 7, line = 64 };

typedef struct layout {
  const char *name;
  int sample, per_sample, halves, base; /* bytes; rows; 2: mirrored */
  double tilt;
} layout;

static const layout layouts[] = {
    {"columns", 4, 1, 1, 0, 0},
    {"mirrored", 4, 1, 2, 44, 0},
    {"even and odd rows apart", 4, 2, 1, 0, 0},
    {"mirrored, apart", 4, 2, 2, 44, 0},
    {"16-bit integers", 2, 1, 2, 44, 0},
    {"tilted, apart", 4, 2, 1, 0, 0.02},
};

/* Of tiles of a grid of 64 voxels a side, seen from 750 mm before the axis. */
static void fill_matrix(double angle, double tilt, double m[12]) {
  const double c = cos(angle), s = sin(angle), voxel = 0.9, middle = 31.5, focal = 1200 / 2.6, cu = 17.3, cv = 44.25;
  const double across[4] = {c * voxel, s * voxel, 0, -(c + s) * voxel * middle};
  const double up[4] = {0, 0, voxel, -voxel * middle};
  for (int n = 0; n < 4; n++) {
    const double deep = (n == 0   ? -s * voxel
                         : n == 1 ? c * voxel
                         : n == 3 ? 750 + (s - c) * voxel * middle
                                  : 0) +
                        tilt * up[n];
    m[n] = focal * (across[n] + tilt * up[n]) + cu * deep;
    m[4 + n] = focal * (up[n] - tilt * across[n]) + cv * deep;
    m[8 + n] = deep;
  }
}

static void place(const double m[12], int i, int j, int k, double *u, double *v) {
  const double w = m[8] * i + m[9] * j + m[10] * k + m[11];
  *u = (m[0] * i + m[1] * j + m[2] * k + m[3]) / w, *v = (m[4] * i + m[5] * j + m[6] * k + m[7]) / w;
}

typedef struct lines {
  char *fetched, *read; /* [count] */
  size_t count;
} lines;

static bool mark_fetched(const ct_ahead *ahead, const char *data, lines *all) {
  for (int n = 0; n < ahead->count; n++)
    for (int stretch = 0; stretch < ahead->views[n].stretches; stretch++)
      for (int byte = 0; byte < ahead->views[n].bytes; byte += line) {
        const ptrdiff_t at = ahead->views[n].from + (size_t)stretch * ahead->pitch + byte - data;
        if (at < 0 || (size_t)at >= all->count * line) return false;
        all->fetched[at / line] = 1;
      }
  return true;
}

/* The four samples of each voxel, in all halves. */
static void mark_read(const ct_transposed *transposed, const layout *l, int slot, const double m[12], const ct_tile *t,
                      const char *data, lines *all) {
  for (int n = 0; n < t->columns * t->rows * t->length; n++) {
    double u, v;
    place(m, t->i + n % t->columns, t->j + n / t->columns % t->rows, t->k + n / (t->columns * t->rows), &u, &v);
    for (int corner = 0; corner < 4; corner++) {
      const int column = (int)floor(u) + corner % 2, row = (int)floor(v) - transposed->base + corner / 2;
      if (column < 0 || column >= nu || row < 0 || row >= transposed->rows) continue;
      for (int half = 0; half < l->halves; half++) {
        const size_t stretch = (size_t)(half * l->per_sample + row % l->per_sample);
        const char *at = transposed->first + (size_t)slot * transposed->view +
                         (size_t)(column + 1) * transposed->column + stretch * transposed->stretch +
                         (size_t)(row / l->per_sample * l->sample);
        all->read[(at - data) / line] = 1;
      }
    }
  }
}

static void check_tile(const layout *l, const ct_tile *t) {
  const size_t stretch = 512, column = stretch * (size_t)(l->per_sample * l->halves), view = column * (nu + 2);
  const size_t margin = 4096;
  lines all = {.count = (view * slots + 2 * margin) / line};
  char *data = aligned_alloc(line, all.count * line);
  all.fetched = calloc(all.count, 1), all.read = calloc(all.count, 1);
  /* Row `base` stands where a line does not begin. */
  const ct_transposed transposed = {.first = data + margin + 3 * l->sample,
                                    .view = view,
                                    .column = column,
                                    .stretch = stretch,
                                    .nu = nu,
                                    .base = l->base,
                                    .rows = nv - l->base,
                                    .per_sample = l->per_sample,
                                    .sample = l->sample};
  enum { from = 2 };
  double m[slots][12];
  for (int n = 0; n < slots; n++) fill_matrix(0.3 + 1.4 * n, l->tilt, m[n]);
  ct_ahead ahead = ct_look_ahead(&transposed, from, slots - from, (const double(*)[12])m + from, t);
  CHECK(mark_fetched(&ahead, data, &all));
  for (int n = from; n < from + ct_ahead_most; n++) mark_read(&transposed, l, n, m[n], t, data, &all);
  size_t missing = 0, read = 0, fetched = 0;
  for (size_t n = 0; n < all.count; n++)
    read += (size_t)all.read[n], fetched += (size_t)all.fetched[n], missing += all.read[n] && !all.fetched[n];
  /* A rectangle of columns and rows is fetched, of which a tile that is seen skewed reads the most part. */
  if (missing || fetched > 2 * read + 8)
    printf("# %s: %zu lines read, %zu fetched, %zu missing\n", l->name, read, fetched, missing);
  CHECK(!missing);
  CHECK(fetched <= 2 * read + 8);
  enum { visits = 24 };
  const int share = ct_ahead_share(&ahead, visits);
  for (int n = 0; n < visits; n++) ct_fetch_ahead(&ahead, share);
  CHECK(ahead.view == ahead.count && ahead.next == 0);
  free(data), free(all.fetched), free(all.read);
}

static void test_lines(void) {
  for (size_t n = 0; n < sizeof layouts / sizeof *layouts; n++) {
    const int middle = layouts[n].halves > 1 ? 32 : 0;
    check_tile(&layouts[n], &(ct_tile){16, 16, 16, 16, middle, 64 - middle});
    check_tile(&layouts[n], &(ct_tile){0, 48, 16, 7, middle, 20});
    check_tile(&layouts[n], &(ct_tile){63, 0, 1, 1, middle + 5, 27});
  }
}

/* A tile that no view sees, and views of which none follows. */
static void test_nothing(void) {
  char data[line];
  const ct_transposed transposed = {
      .first = data, .view = line, .column = line, .stretch = line, .nu = 1, .rows = 1, .per_sample = 1, .sample = 4};
  double m[1][12];
  fill_matrix(0, 0, m[0]);
  ct_ahead ahead = ct_look_ahead(&transposed, 0, 1, (const double(*)[12])m, &(ct_tile){0, 0, 2, 2, 0, 2});
  CHECK(ahead.count == 0 && ahead.stretches == 0);
  ahead = ct_look_ahead(&transposed, 1, 0, (const double(*)[12])m, &(ct_tile){0, 0, 64, 64, 0, 64});
  ct_fetch_ahead(&ahead, 1);
  CHECK(ahead.view == 0 && ahead.next == 0);
  CHECK(ahead.count == 0 && ct_ahead_share(&ahead, 10) == 0);
}

static const ct_test tests[] = {
    {"what a tile reads of the views is fetched, and little else", test_lines},
    {"nothing is fetched where nothing is read", test_nothing},
};

CT_TEST_MAIN(tests)
