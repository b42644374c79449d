/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fit of elliptic cylinders to line integrals: their centre, size, shape, turn and density, so that the sum of squared
 * differences is least over some columns of some views. The sinogram of one ellipse is consistent from view to view
 * (its mass is the same in all, and its centre of mass a sine), so what it adds beyond the detector is, too. */
#include "recon/prep/outline.h"

#include "recon/base/memory.h"
#include "recon/prep/truncation.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 48, PARAMS = 6, STEPS = 60 };

/* x, y, log of the mean half axis, shape (log of the ratio of the half axes, times cosine and sine of twice the turn),
 * log of the density. */
typedef struct {
  double p[PARAMS];
} state;

/* One band: its rays and values. */
typedef struct {
  const ct_outline *frame;
  const ct_outline_row *rows; /* [views] */
  float *values, *work;       /* [views][columns], and four of them */
  double *jacobian;           /* [PARAMS][views][columns] */
  float weights[COLUMNS];     /* 1 of the columns that count, else 0; applied to the values */
  double field, size;
  int views, columns, step;
} problem;

/* Steps below these shares of the field, or of a size, end the fit from one start, and that of the best one. */
static const double nearly_settled = 3e-3, settled = 1e-6;
/* What rounding makes of a sum of squares, as a share of it. */
static const double rounding = 1e-7;
static const double widest = 4; /* half axes in fields of view */

static ct_ellipse ellipse_of(const state *s) {
  const double shape = hypot(s->p[3], s->p[4]);
  return (ct_ellipse){.x = s->p[0],
                      .y = s->p[1],
                      .a = exp(s->p[2] + shape),
                      .b = exp(s->p[2] - shape),
                      .turn = 0.5 * atan2(s->p[4], s->p[3]),
                      .density = exp(s->p[5])};
}

static void model(const problem *f, const state *s, float *out) {
  ct_ellipse e = ellipse_of(s);
  /* Half a column at the rim, where the square of the distance in half axes changes twice as fast as the distance. */
  e.soft = 2 * f->field / exp(s->p[2]) / f->columns;
  for (int i = 0; i < f->views; i++) {
    float *row = out + (size_t)i * (size_t)f->columns;
    ct_ellipse_chords(f->frame, &e, &f->rows[i], 0, f->step, f->columns, false, row);
    for (int k = 0; k < f->columns; k++) row[k] *= f->weights[k];
  }
}

static double squares(const problem *f, const float *out) {
  double sum = 0;
  for (int i = 0; i < f->views * f->columns; i++)
    sum += ((double)out[i] - f->values[i]) * ((double)out[i] - f->values[i]);
  return sum;
}

static void keep_in_bounds(const problem *f, state *s) {
  const double shape = hypot(s->p[3], s->p[4]), off = hypot(s->p[0], s->p[1]);
  const double most = 0.7, far = 2 * f->field;
  s->p[2] = fmin(fmax(s->p[2], log(0.05 * f->field)), log(widest * f->field));
  for (int i = 3; i < 5 && shape > most; i++) s->p[i] *= most / shape;
  for (int i = 0; i < 2 && off > far; i++) s->p[i] *= far / off;
}

/* Solves the normal equations by elimination with pivots; false where they are singular. */
static bool solve(double a[PARAMS][PARAMS + 1], int n) {
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[r][c]) > fabs(a[best][c])) best = r;
    if (!(fabs(a[best][c]) > 0)) return false;
    for (int k = 0; k <= n; k++) {
      const double swap = a[c][k];
      a[c][k] = a[best][k];
      a[best][k] = swap;
    }
    for (int r = 0; r < n; r++) {
      if (r == c) continue;
      const double factor = a[r][c] / a[c][c];
      for (int k = c; k <= n; k++) a[r][k] -= factor * a[c][k];
    }
  }
  for (int c = 0; c < n; c++) a[c][n] /= a[c][c];
  return true;
}

static void differentiate(const problem *f, const state *s, const int *free_ones, int count) {
  const int all = f->views * f->columns;
  float *plus = f->work + all, *minus = plus + all;
  for (int k = 0; k < count; k++) {
    const int which = free_ones[k];
    const double by = 1e-3 * (which < 2 ? f->field : 1);
    state a = *s, b = *s;
    a.p[which] += by;
    b.p[which] -= by;
    model(f, &a, plus);
    model(f, &b, minus);
    for (int i = 0; i < all; i++)
      f->jacobian[(size_t)k * (size_t)all + (size_t)i] = ((double)plus[i] - minus[i]) / (2 * by);
  }
}

static double product(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* The normal equations of a step of `n` parameters, with the right side as their last column. */
static void make_normal(const problem *f, int n, double normal[PARAMS][PARAMS + 1]) {
  const int all = f->views * f->columns;
  for (int i = 0; i < n; i++) {
    const double *row = f->jacobian + (size_t)i * (size_t)all;
    for (int k = 0; k <= i; k++) normal[i][k] = normal[k][i] = product(row, f->jacobian + (size_t)k * (size_t)all, all);
    double right = 0;
    for (int r = 0; r < all; r++) right -= row[r] * ((double)f->work[r] - f->values[r]);
    normal[i][n] = right;
  }
}

/* Improves the state until it moves less than `least` a step; the sum of squares that is left. */
static double improve(const problem *f, double least, state *s) {
  static const int all_of_them[PARAMS] = {0, 1, 2, 3, 4, 5}, of_a_circle[3] = {0, 1, 5};
  const bool sized = !isnan(f->size);
  const int *free_ones = sized ? of_a_circle : all_of_them, n = sized ? 3 : PARAMS, all = f->views * f->columns;
  double damping = 1e-2;
  model(f, s, f->work);
  double cost = squares(f, f->work);
  for (int step = 0; step < STEPS; step++) {
    double normal[PARAMS][PARAMS + 1] = {{0}};
    differentiate(f, s, free_ones, n);
    make_normal(f, n, normal);
    bool better = false;
    double moved = 0;
    for (int trial = 0; trial < 6 && !better; trial++, damping *= better ? 1 : 4) {
      double damped[PARAMS][PARAMS + 1];
      memcpy(damped, normal, sizeof damped);
      for (int i = 0; i < n; i++) damped[i][i] += damping * normal[i][i] + 1e-30;
      if (!solve(damped, n)) continue;
      state next = *s;
      for (int i = 0; i < n; i++) next.p[free_ones[i]] += damped[i][n];
      keep_in_bounds(f, &next);
      model(f, &next, f->work + all);
      const double now = squares(f, f->work + all);
      if (!(now < cost * (1 + rounding))) continue;
      better = true;
      moved = 0;
      for (int i = 0; i < n; i++) {
        const double by = fabs(next.p[free_ones[i]] - s->p[free_ones[i]]);
        moved = fmax(moved, free_ones[i] < 2 ? by / f->field : by);
      }
      *s = next;
      cost = now;
      memcpy(f->work, f->work + all, (size_t)all * sizeof *f->work);
    }
    if (!better || moved < least) break;
    damping = fmax(damping / 5, 1e-7);
  }
  return cost;
}

/* Where the values do not fall towards the edges as those of an ellipse do, as of a shell: the circle about the axis on
 * whose rim the squares of the values, which for a circle fall as R^2 - s^2, reach 0 by their slope at the edges. */
static ct_ellipse circle_by_slope(const problem *f, const state *s) {
  const int n = f->columns, zone = n / 12 < 2 ? 2 : n / 12;
  double edge = 0, inside = 0;
  for (int i = 0; i < f->views; i++)
    for (int k = 0; k < zone; k++) {
      const float *row = f->values + (size_t)i * (size_t)n;
      edge += (double)row[k] * row[k] + (double)row[n - 1 - k] * row[n - 1 - k];
      inside += (double)row[k + zone] * row[k + zone] + (double)row[n - 1 - k - zone] * row[n - 1 - k - zone];
    }
  /* The zones' middles, as shares of half the width. */
  const double outer = 1 - (zone - 1.0) / (n - 1), inner = outer - 2.0 * zone / (n - 1);
  const double fall = (inside - edge) / (outer * outer - inner * inner);
  const double square = fall > 0 ? outer * outer + edge / fall : 4;
  ct_ellipse e = ellipse_of(s);
  e.x = e.y = 0;
  e.a = e.b = f->field * sqrt(fmin(fmax(square, 1.02), 2.25));
  return e;
}

/* The best state from several sizes. */
static state best_of_starts(const problem *f) {
  static const double starts[] = {1.05, 1.3, 1.8, 2.6};
  double sum = 0, best = INFINITY;
  int counted = 0;
  for (int k = 0; k < f->columns; k++) counted += f->weights[k] > 0;
  for (int i = 0; i < f->views * f->columns; i++) sum += f->values[i];
  const double mean = fmax(sum / ((double)f->views * counted), 1e-12);
  state kept = {{0}};
  for (int i = 0; i < (isnan(f->size) ? 4 : 1); i++) {
    const double radius = isnan(f->size) ? starts[i] * f->field : f->size / 2;
    state s = {{0, 0, log(radius), 0, 0, log(mean / (1.6 * radius))}};
    const double cost = improve(f, nearly_settled, &s);
    if (!(cost < best)) continue;
    best = cost;
    kept = s;
  }
  improve(f, settled, &kept);
  return kept;
}

static bool is_near_edge(const problem *f, int k, double zone) {
  return k < zone * f->columns || k >= (1 - zone) * f->columns;
}

/* Root mean square of the differences in the outermost columns, relative to the mean there. */
static double edge_misfit(const problem *f, const state *s) {
  double sum = 0, squared = 0;
  int n = 0;
  model(f, s, f->work);
  for (int i = 0; i < f->views; i++)
    for (int k = 0; k < f->columns; k++) {
      const size_t at = (size_t)i * (size_t)f->columns + (size_t)k;
      if (!is_near_edge(f, k, 0.05)) continue;
      squared += ((double)f->work[at] - f->values[at]) * ((double)f->work[at] - f->values[at]);
      sum += f->values[at];
      n++;
    }
  return n && sum > 0 ? sqrt(squared / n) / (sum / n) : 0;
}

/* A hollow object is no ellipse within, but may be near its rim: where the edges do not fit they alone count. */
static ct_ellipse fit_band(problem *f) {
  static const double edge_zone = 0.15, bad = 0.2;
  const size_t all = (size_t)f->views * (size_t)f->columns;
  float *kept = f->work + 3 * all;
  for (int k = 0; k < f->columns; k++) f->weights[k] = 1;
  state s = best_of_starts(f);
  if (isnan(f->size) && edge_misfit(f, &s) > bad) {
    memcpy(kept, f->values, all * sizeof *kept);
    for (int k = 0; k < f->columns; k++) f->weights[k] = is_near_edge(f, k, edge_zone) ? 1 : 0;
    for (size_t i = 0; i < all; i++) f->values[i] *= f->weights[i % (size_t)f->columns];
    s = best_of_starts(f);
    memcpy(f->values, kept, all * sizeof *kept);
  }
  if (isnan(f->size) && exp(s.p[2]) > 0.97 * widest * f->field) return circle_by_slope(f, &s);
  return ellipse_of(&s);
}

static bool begin(const ct_outline_request *r, const ct_outline *frame, problem *f, ct_error **error) {
  const int nu = r->geometry->nu, columns = nu < COLUMNS ? nu : COLUMNS, views = ct_stack_views(r->bands);
  const size_t all = (size_t)views * (size_t)columns;
  *f = (problem){.frame = frame,
                 .field = 0.5 * nu * ct_geometry_pitch_at_axis(r->geometry),
                 .size = r->size,
                 .views = views,
                 .columns = columns,
                 .step = columns > 1 ? (nu - 1) / (columns - 1) : 1};
  f->columns = (nu - 1) / f->step + 1 < columns ? (nu - 1) / f->step + 1 : columns;
  f->values = ct_alloc(5 * all, sizeof *f->values, "the outline of the object", error);
  f->work = f->values ? f->values + all : NULL;
  f->jacobian = f->values ? ct_alloc(PARAMS * all, sizeof *f->jacobian, "the outline of the object", error) : NULL;
  return f->jacobian != NULL;
}

bool ct_outline_fit(const ct_outline_request *r, ct_outline *outline, ct_error **error) {
  const int bands = ct_stack_nv(r->bands), nu = ct_stack_nu(r->bands), views = ct_stack_views(r->bands);
  *outline = (ct_outline){.bands = bands, .centre_u = r->geometry->centre_u, .told = !isnan(r->size)};
  ct_outline_frame(r->geometry, outline);
  ct_outline_row *rows = ct_alloc((size_t)views, sizeof *rows, "the outline of the object", error);
  problem f = {0};
  const bool good = rows && begin(r, outline, &f, error);
  for (int b = 0; good && b < bands; b++) {
    int row0, row1;
    ct_band_rows(r->rows, b, &row0, &row1);
    outline->rows[b] = r->row0 + 0.5 * (row0 + row1 - 1);
    for (int i = 0; i < views; i++) {
      rows[i] = ct_outline_row_of(r->geometry, r->views[i], outline->rows[b]);
      const float *from = ct_stack_get_view(r->bands, i) + (size_t)b * (size_t)nu;
      for (int k = 0; k < f.columns; k++)
        f.values[(size_t)i * (size_t)f.columns + (size_t)k] = (float)(from[k * f.step] - r->air);
    }
    f.rows = rows;
    outline->ellipses[b] = fit_band(&f);
  }
  ct_free(f.values);
  ct_free(f.jacobian);
  ct_free(rows);
  return good;
}
