/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of squares of the rows of Joseph's matrix in a slice: row by row of the image a ray lies between two pixels, at
 * f of the way, and has the weights length (1 - f) and length f there; pixels outside count nothing. Slices that share
 * their rays share these. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include "recon/base/memory.h"

#include <math.h>

/* Over rows [first, end), crossed at `at` + `step` row, all of them between two pixels of the image. */
static double inner_squares(double at, double step, int first, int end) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int row = first; row < end; row++) {
    const double place = at + step * row, f = place - (int)place;
    sum += 1 - 2 * f * (1 - f);
  }
  return sum;
}

/* Where a pixel may be missing. */
static double border_squares(double at, double step, int first, int end, int along) {
  double sum = 0;
  for (int row = first; row < end; row++) {
    const double place = at + step * row;
    if (!(place > -1 && place < along)) continue;
    const int pixel = (int)(place + 1) - 1;
    const double f = place - pixel;
    /* place + 1 may have been rounded up to the pixel behind the last. */
    sum += (pixel >= 0 && pixel < along ? (1 - f) * (1 - f) : 0) + (pixel + 1 < along ? f * f : 0);
  }
  return sum;
}

/* Rows in which the ray surely lies between two pixels. */
static void find_inner(double at, double step, int along, int rows, int *first, int *end) {
  const double low = 1e-6, high = along - 1 - 1e-6;
  double from = 0, to = rows;
  if (fabs(step) > 1e-12) {
    const double a = (low - at) / step, b = (high - at) / step;
    from = fmax(from, ceil(fmin(a, b)));
    to = fmin(to, floor(fmax(a, b)) + 1);
  } else if (!(at > low && at < high)) {
    to = from;
  }
  *first = from < to ? (int)from : 0;
  *end = from < to ? (int)to : 0;
}

static double ray_squares(const ct_j2d_pencil *p, int t) {
  double at = p->p0 + p->pt * t, step = p->pj;
  if (p->divergent) {
    const double m = (p->m0 + p->m1 * t) / (p->n0 + p->n1 * t);
    at = p->e + p->f0 * m, step = p->f1 * m;
  }
  int first, end;
  find_inner(at, step, p->along, p->rows, &first, &end);
  return border_squares(at, step, 0, first, p->along) + inner_squares(at, step, first, end) +
         border_squares(at, step, end, p->rows, p->along);
}

bool ct_j2d_row_squares(ct_projector_state *state, float *y, ct_error **error) {
  const ct_j2d *j = &state->j;
  const size_t nu = (size_t)j->nu, slices = (size_t)j->slices;
  float *natural = ct_alloc((size_t)j->views * slices * nu, sizeof *natural, "the weights of rays", error);
  if (!natural) return false;
#pragma omp parallel for schedule(dynamic, 8) num_threads(j->threads)
  for (int n = 0; n < j->count; n++) {
    const ct_j2d_pencil *p = j->pencils + n;
    float *view = natural + (size_t)p->view * slices * nu;
    for (int t = 0; t < p->count; t++) {
      const size_t u = (size_t)((ptrdiff_t)p->first + (ptrdiff_t)p->step * t);
      const double length = p->divergent ? (double)j->lengths[(size_t)p->view * nu + u] : p->length;
      const float squares = (float)(length * length * ray_squares(p, t));
      for (size_t slice = 0; slice < slices; slice++) view[slice * nu + u] = squares;
    }
  }
  ct_j2d_rays_in(state, natural, y);
  ct_free(natural);
  return true;
}
