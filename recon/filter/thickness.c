/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mean over a box of detector rows (thickness.h). */
#include "recon/filter/thickness.h"

#include "recon/base/memory.h"

#include <math.h>
#include <omp.h>
#include <string.h>

double ct_thickness_rows(const ct_geometry *g, double thickness) {
  const double rows = thickness * ct_geometry_magnification(g) / g->dv;
  return rows > 1 ? rows : 0;
}

/* Share of the row `off` rows away that lies within the box. */
static double share_of(int off, double width) {
  return fmax(fmin(off + 0.5, 0.5 * width) - fmax(off - 0.5, -0.5 * width), 0);
}

static void average(const ct_thick_views *v, double width, const float *from, float *to) {
  const int reach = (int)ceil(0.5 * (width - 1) - 1e-9);
  const size_t columns = (size_t)v->columns;
  memset(to, 0, columns * (size_t)v->rows * sizeof *to);
  for (int row = 0; row < v->rows; row++) {
    const int first = row > reach ? row - reach : 0, last = row + reach < v->rows ? row + reach : v->rows - 1;
    float *sum = to + (size_t)row * columns;
    double total = 0;
    for (int other = first; other <= last; other++) total += share_of(other - row, width);
    for (int other = first; other <= last; other++) {
      const float share = (float)(share_of(other - row, width) / total), *add = from + (size_t)other * columns;
      for (size_t u = 0; u < columns; u++) sum[u] += share * add[u];
    }
  }
}

bool ct_thickness_apply(const ct_thick_views *v, double width, int count, float *const *out, int threads,
                        ct_error **error) {
  const size_t part = (size_t)v->rows * (size_t)v->columns;
  float *copies = ct_alloc((size_t)threads * part, sizeof *copies, "rows that are averaged", error);
  if (!copies) return false;
#pragma omp parallel for schedule(static) collapse(2) num_threads(threads)
  for (int n = 0; n < count; n++)
    for (int k = 0; k < v->parts; k++) {
      float *rows = out[n] + (size_t)k * part, *copy = copies + (size_t)omp_get_thread_num() * part;
      memcpy(copy, rows, part * sizeof *copy);
      average(v, width, copy, rows);
    }
  ct_free(copies);
  return true;
}
