/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of shearlets (Häuser & Steidl, Fast Finite Shearlet Transform, 2012; Guo, Kutyniok & Labate 2006), as squares
 * at a frequency w that is 2^(2 S - 1) at Nyquist's along each axis, S the number of scales. Of the two axes, a is the
 * larger frequency and b the other one: |w_x| >= |w_y| is the horizontal cone, the rest the vertical one.
 *
 *   low pass            cos^2(pi/2 v(2 a - 1)),                     a from 1/2 to 1, 1 below
 *   scale j, shear k    P(4^-j a) v(1 - |2^j b / a + k|),           j = 0 .. S - 1, |k| <= 2^j
 *   P(a)                b(2 a)^2 + b(a)^2, b Meyer's wavelet: sin(pi/2 v(a - 1)) from 1 to 2, cos(pi/2 v(a / 2 - 1)) to
 * 4
 *
 * with v(x) = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7, v(x) + v(1 - x) = 1. Both cones share the filters of |k| = 2^j, along
 * the seams. So all squares add up to 1, at any size; where a frequency of Nyquist's is its own negative, a square is
 * the mean of both, and bands are real. */
#include "recon/solve/iterative/shearlet-private.h"

#include <math.h>

enum { PARTS = 5 }; /* filters that are not 0 at a frequency: two shears of two scales, and the low pass */

typedef struct part {
  int band;
  double power;
} part;

static double smooth_step(double x) {
  if (x <= 0) return 0;
  return x < 1 ? x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x))) : 1;
}

/* sin^2(pi/2 v(x)): from 0 to 1. */
static double rise(double x) {
  const double s = sin(M_PI_2 * smooth_step(x));
  return s * s;
}

/* P */
static double radial(double a) {
  return a <= 2 ? rise(2 * a - 1) : 1 - rise(a / 2 - 1);
}

/* Of a scale: the shears of the horizontal cone, of the vertical one, and the two seams; the scales follow one another
 * behind the low pass. */
static int band_of(int scale, bool horizontal, int shear) {
  const int most = 1 << scale, width = 2 * most - 1, first = 1 + 4 * (most - 1);
  if (shear == most || shear == -most) return first + 2 * width + (shear > 0);
  return first + (horizontal ? 0 : width) + shear + most - 1;
}

static int parts_at(int scales, double wx, double wy, part parts[PARTS]) {
  const bool horizontal = fabs(wx) >= fabs(wy);
  const double a = fmax(fabs(wx), fabs(wy)), slope = a > 0 ? (horizontal ? wy / wx : wx / wy) : 0;
  int count = 0;
  if (a < 1) parts[count++] = (part){0, 1 - rise(2 * a - 1)};
  for (int scale = 0; scale < scales; scale++) {
    const double along = radial(ldexp(a, -2 * scale)), shift = ldexp(slope, scale);
    const int shear = -(int)floor(shift);
    for (int k = shear; along > 0 && k >= shear - 1; k--) {
      const double across = smooth_step(1 - fabs(shift + k));
      if (across > 0 && count < PARTS) parts[count++] = (part){band_of(scale, horizontal, k), along * across};
    }
  }
  return count;
}

/* Those of a place of the half plane, each of its frequencies with its share. */
static int parts_of(const ct_shearlet_frame *f, int column, int row, part parts[4 * PARTS]) {
  const double top = ldexp(1, 2 * f->scales - 1);
  const double wx = 2 * top * column / f->nx, wy = 2 * top * (2 * row > f->ny ? row - f->ny : row) / f->ny;
  const int along = 2 * column == f->nx ? 2 : 1, across = 2 * row == f->ny ? 2 : 1;
  int count = 0;
  for (int n = 0; n < along * across; n++) {
    part *to = parts + count;
    const int more = parts_at(f->scales, n % along ? -wx : wx, n / along ? -wy : wy, to);
    for (int m = 0; m < more; m++) to[m].power /= along * across;
    count += more;
  }
  return count;
}

static ct_shearlet_run *run_of(const ct_shearlet_frame *f, int band, int row) {
  return f->runs + (size_t)band * (size_t)f->ny + row;
}

static void find_runs(const ct_shearlet_frame *f, int row) {
  part parts[4 * PARTS];
  for (int column = 0; column < f->half; column++) {
    const int count = parts_of(f, column, row, parts);
    for (int n = 0; n < count; n++) {
      ct_shearlet_run *run = run_of(f, parts[n].band, row);
      if (run->first == run->end) run->first = column;
      run->end = column + 1;
    }
  }
}

static void fill_runs(const ct_shearlet_frame *f, int row) {
  part parts[4 * PARTS];
  for (int column = 0; column < f->half; column++) {
    const int count = parts_of(f, column, row, parts);
    for (int n = 0; n < count; n++) {
      const ct_shearlet_run *run = run_of(f, parts[n].band, row);
      f->values[run->at + (size_t)(column - run->first)] += (float)parts[n].power;
    }
  }
}

/* From squares to filters; the mean square over the whole plane, whose columns but the ends are there twice. */
static double finish_band(const ct_shearlet_frame *f, int band) {
  double sum = 0;
  for (int row = 0; row < f->ny; row++) {
    const ct_shearlet_run *run = run_of(f, band, row);
    float *values = f->values + run->at;
    for (int column = run->first; column < run->end; column++) {
      float *value = values + (column - run->first);
      sum += (column == 0 || 2 * column == f->nx ? 1 : 2) * (double)*value;
      *value = sqrtf(*value);
    }
  }
  return sqrt(sum / ((double)f->nx * f->ny));
}

int ct_shearlet_scales(int nx, int ny, int wanted) {
  const int longest = nx > ny ? nx : ny;
  int scales = 1;
  while (scales < wanted && scales < CT_SHEARLET_SCALES && 4 << 2 * scales <= longest) scales++;
  return scales;
}

static int bands_of(int scales) {
  return 1 + 4 * ((1 << scales) - 1);
}

/* No more than two shears of two scales at a place, twice along the lines of Nyquist's frequency. */
double ct_shearlet_frame_bytes(int nx, int ny, int wanted) {
  const double half = nx / 2 + 1, bands = bands_of(ct_shearlet_scales(nx, ny, wanted));
  return 4 * (half * ny + half + ny) * sizeof(float) + bands * (ny * sizeof(ct_shearlet_run) + sizeof(double));
}

bool ct_shearlet_frame_make(ct_problem *p, int scales, ct_shearlet_frame *f, ct_error **error) {
  const int nx = p->grid.nx, ny = p->grid.ny;
  *f = (ct_shearlet_frame){.nx = nx, .ny = ny, .half = nx / 2 + 1, .scales = ct_shearlet_scales(nx, ny, scales)};
  f->bands = bands_of(f->scales);
  if (!(f->runs = ct_problem_room(p, (size_t)f->bands * (size_t)ny, sizeof *f->runs, error)) ||
      !(f->norms = ct_problem_room(p, (size_t)f->bands, sizeof *f->norms, error)))
    return false;
#pragma omp parallel for schedule(dynamic) num_threads(p->threads)
  for (int row = 0; row < ny; row++) find_runs(f, row);
  size_t count = 0;
  for (size_t n = 0; n < (size_t)f->bands * (size_t)ny; n++) {
    f->runs[n].at = count;
    count += (size_t)(f->runs[n].end - f->runs[n].first);
  }
  if (!(f->values = ct_problem_room(p, count, sizeof *f->values, error))) return false;
#pragma omp parallel for schedule(dynamic) num_threads(p->threads)
  for (int row = 0; row < ny; row++) fill_runs(f, row);
#pragma omp parallel for schedule(dynamic) num_threads(p->threads)
  for (int band = 0; band < f->bands; band++) f->norms[band] = finish_band(f, band);
  return true;
}
