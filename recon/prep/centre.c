/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation, parallel beam: opposite views are mirror images of each other about it. All pairs of opposite
 * views and a few rows are correlated at once through their transforms: sum over k of f(k) g(m - k) peaks at m = 2
 * centre.
 *
 * A scan of just 180 degrees has no exactly opposite views; those one, two, ... steps short of it give centres that are
 * off in proportion, by half the shift of the object's features over the missing angle, and a straight line through
 * them finds the centre at none. To that end the rows are smoothed until features at the rim overlap with themselves
 * one step on. Stripes, which stand still in all views, would match themselves about every column that has one; they
 * are taken off first. */
#include "recon/prep/prep-private.h"

#include "recon/base/memory.h"
#include "recon/filter/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs up to this many mean steps away from opposite are used, but never more than MOST_MISSING. */
#define STEPS 4
#define MOST_MISSING (5 * M_PI / 180)
/* Pairs taken at most of each group. */
#define MOST_PAIRS 400
/* Views that the mean projection is made from, and the width of the median that it is compared with. */
#define STRIPE_VIEWS 400
#define STRIPE_WIDTH 9
#define MOST_RADIUS 100

void ct_centre_derivative(const float *row, const float *stripes, int nu, double sigma, float *out) {
  float kernel[MOST_RADIUS + 1];
  int radius = (int)ceil(3 * sigma);
  if (radius > MOST_RADIUS) radius = MOST_RADIUS;
  if (radius > nu / 4) radius = nu / 4;
  for (int i = 0; i <= radius; i++) kernel[i] = (float)(i * exp(-0.5 * i * i / (sigma * sigma)));
  for (int k = 0; k < nu; k++) {
    float sum = 0;
    for (int i = 1; i <= radius; i++) {
      const int left = k > i ? k - i : 0, right = k + i < nu ? k + i : nu - 1;
      sum += kernel[i] * ((row[right] - stripes[right]) - (row[left] - stripes[left]));
    }
    out[k] = sum;
  }
}

void ct_centre_stripes(const ct_stack *stack, int row, float *mean, float *stripes) {
  const int nu = ct_stack_nu(stack), views = ct_stack_views(stack);
  const int every = views > STRIPE_VIEWS ? views / STRIPE_VIEWS : 1;
  float window[STRIPE_WIDTH], *smooth = mean + nu;
  memset(mean, 0, (size_t)nu * sizeof *mean);
  int count = 0;
  for (int i = 0; i < views; i += every) {
    const float *line = ct_stack_get_view(stack, i) + (size_t)row * (size_t)nu;
    count++;
    for (int k = 0; k < nu; k++) mean[k] += (line[k] - mean[k]) / (float)count;
  }
  ct_median_row(mean, nu, STRIPE_WIDTH, window, smooth);
  for (int k = 0; k < nu; k++) stripes[k] = mean[k] - smooth[k];
}

static int by_angle(const void *a, const void *b) {
  const ct_sorted_view *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  return p->view - q->view;
}

void ct_sort_views(ct_sorted_view *views, size_t count) {
  qsort(views, count, sizeof *views, by_angle);
}

/* Two views, and how far the second lies beyond opposite to the first, in radians. */
typedef struct {
  int a, b;
  double beyond;
} view_pair;

/* Views whose angles differ by pi + beyond, |beyond| <= limit, each pair once. Returns how many (the first `most` are
 * stored). */
static int find_pairs(const ct_sorted_view *sorted, int n, double limit, view_pair *pairs, int most) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    /* The first view at or after the near end of the range, by bisection on the circle. */
    const double from = sorted[i].angle + M_PI - limit;
    int low = 0, high = n;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (sorted[middle].angle < from)
        low = middle + 1;
      else
        high = middle;
    }
    for (int k = low; k < n && sorted[k].angle - from <= 2 * limit; k++) {
      if (count < most)
        pairs[count] = (view_pair){sorted[i].view, sorted[k].view, sorted[k].angle - sorted[i].angle - M_PI};
      count++;
    }
  }
  return count;
}

/* Pairs about equally far from opposite. */
typedef struct {
  double beyond; /* mean */
  int count;
  double *spectrum; /* [half][2] sum of the products */
  double energy;
  double centre, peak;
} group;

typedef struct {
  const ct_stack *stack;
  int nu, nv, length, half, first_row, row_step, rows;
  ct_fft *fft;
  double sigma;             /* of the smoothing, columns */
  float *stripes;           /* [rows][nu] */
  float *line, *spectra[2]; /* [rows][length]; [rows][half][2] */
} correlator;

static void correlator_clear(correlator *c) {
  ct_fft_free(c->fft);
  ct_free(c->stripes);
  ct_free(c->line);
  ct_free(c->spectra[0]);
  ct_free(c->spectra[1]);
}

static bool correlator_new(correlator *c, const ct_stack *stack, double sigma, ct_error **error) {
  *c = (correlator){.stack = stack, .sigma = sigma, .nu = ct_stack_nu(stack), .nv = ct_stack_nv(stack)};
  c->rows = c->nv < CT_CENTRE_ROWS ? c->nv : CT_CENTRE_ROWS;
  c->row_step = c->nv / c->rows;
  c->first_row = (c->nv - (c->rows - 1) * c->row_step) / 2;
  c->length = 2 * ct_fft_good_length(c->nu);
  c->half = c->length / 2 + 1;
  c->fft = ct_fft_new(c->length, c->rows, error);
  c->stripes = c->fft ? ct_alloc((size_t)c->rows * (size_t)c->nu, sizeof(float), "the mean projection", error) : NULL;
  c->line =
      c->stripes ? ct_alloc((size_t)c->rows * (size_t)c->length, sizeof(float), "rows to correlate", error) : NULL;
  for (int i = 0; i < 2 && c->line; i++)
    c->spectra[i] = ct_alloc((size_t)c->rows * (size_t)c->half, 2 * sizeof(float), "rows to correlate", error);
  float *mean =
      c->spectra[0] && c->spectra[1] ? ct_alloc((size_t)c->nu, 2 * sizeof *mean, "the mean projection", error) : NULL;
  for (int r = 0; mean && r < c->rows; r++)
    ct_centre_stripes(stack, c->first_row + r * c->row_step, mean, c->stripes + (size_t)r * (size_t)c->nu);
  if (!mean) correlator_clear(c);
  ct_free(mean);
  return mean != NULL;
}

/* Transforms of the rows of a view, high-passed; adds to *energy the sum of squares. */
static void transform_view(const correlator *c, int view, float *spectra, double *energy) {
  const float *frame = ct_stack_get_view(c->stack, view);
  memset(c->line, 0, (size_t)c->rows * (size_t)c->length * sizeof *c->line);
  for (int r = 0; r < c->rows; r++) {
    float *line = c->line + (size_t)r * (size_t)c->length;
    ct_centre_derivative(frame + (size_t)(c->first_row + r * c->row_step) * (size_t)c->nu,
                         c->stripes + (size_t)r * (size_t)c->nu, c->nu, c->sigma, line);
    for (int k = 0; k < c->nu; k++) *energy += (double)line[k] * line[k];
  }
  ct_fft_forward(c->fft, c->line, spectra);
}

/* Adds minus the product of the transforms, because a mirrored derivative changes its sign. */
static void add_pair(const correlator *c, const view_pair *pair, group *g) {
  transform_view(c, pair->a, c->spectra[0], &g->energy);
  transform_view(c, pair->b, c->spectra[1], &g->energy);
  for (int r = 0; r < c->rows; r++) {
    const float *a = c->spectra[0] + (size_t)r * (size_t)c->half * 2,
                *b = c->spectra[1] + (size_t)r * (size_t)c->half * 2;
    for (int k = 0; k < c->half; k++) {
      g->spectrum[2 * k] -= (double)a[2 * k] * b[2 * k] - (double)a[2 * k + 1] * b[2 * k + 1];
      g->spectrum[2 * k + 1] -= (double)a[2 * k] * b[2 * k + 1] + (double)a[2 * k + 1] * b[2 * k];
    }
  }
  g->beyond += pair->beyond;
  g->count++;
}

/* The correlation at a real lag. */
static double correlation(const correlator *c, const group *g, double lag) {
  double sum = 0;
  for (int k = 0; k < c->half; k++) {
    const double phase = 2 * M_PI * k * lag / c->length;
    const double term = g->spectrum[2 * k] * cos(phase) - g->spectrum[2 * k + 1] * sin(phase);
    sum += k == 0 || 2 * k == c->length ? term : 2 * term;
  }
  return sum / c->length;
}

/* Position and height (1 for perfect mirror images) of the highest peak. */
static bool find_peak(const correlator *c, group *g, ct_error **error) {
  float *spectrum = ct_alloc((size_t)c->half, 2 * sizeof *spectrum, "a correlation", error);
  float *lags = spectrum ? ct_alloc((size_t)c->length, sizeof *lags, "a correlation", error) : NULL;
  ct_fft *one = lags ? ct_fft_new(c->length, 1, error) : NULL;
  if (one) {
    for (int k = 0; k < 2 * c->half; k++) spectrum[k] = (float)(g->spectrum[k] / (g->energy > 0 ? g->energy : 1));
    ct_fft_inverse(one, spectrum, lags);
    int best = 0;
    for (int m = 0; m <= 2 * (c->nu - 1); m++)
      if (lags[m] > lags[best]) best = m;
    /* Around the highest whole lag the correlation is known at every real one: three ever finer searches. */
    double lag = best, width = 1;
    for (int round = 0; round < 4; round++, width /= 10) {
      double top = -INFINITY, at = lag;
      for (int i = -10; i <= 10; i++) {
        const double value = correlation(c, g, lag + i * width / 10);
        if (value > top) {
          top = value;
          at = lag + i * width / 10;
        }
      }
      lag = at;
      g->peak = g->energy > 0 ? 2 * top / g->energy : 0;
    }
    g->centre = 0.5 * lag;
  }
  const bool good = one != NULL;
  ct_fft_free(one);
  ct_free(lags);
  ct_free(spectrum);
  return good;
}

/* Centre at beyond = 0 of the straight line through the groups, each weighted by its pairs and how well they match. */
static double extrapolate(const group *groups, int count) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < count; i++) {
    if (groups[i].count == 0) continue;
    const double weight = groups[i].count * fmax(groups[i].peak, 0) + 1e-12, b = groups[i].beyond;
    w += weight;
    x += weight * b;
    y += weight * groups[i].centre;
    xx += weight * b * b;
    xy += weight * b * groups[i].centre;
  }
  const double spread = w * xx - x * x;
  return spread > 1e-9 * w * xx ? (xx * y - x * xy) / spread : y / w;
}

/* Pairs of views that are nearly opposite, so many of them exactly, and the step from view to view, radians. */
typedef struct pair_list {
  const view_pair *pairs;
  int count, exact;
  double step;
  bool only_exact; /* there are enough exact ones */
} pair_list;

/* Correlates the pairs in groups by whole steps from opposite; exactly opposite pairs, where there are enough, alone.
 */
static bool correlate_pairs(const correlator *c, const pair_list *list, double *centre, double *confidence, ct_job *job,
                            ct_error **error) {
  const view_pair *pairs = list->pairs;
  const int count = list->count, exact = list->exact;
  const double step = list->step;
  const bool only_exact = list->only_exact;
  enum { GROUPS = 2 * STEPS + 1 };
  group groups[GROUPS] = {0};
  int members[GROUPS] = {0}, seen[GROUPS] = {0}, taken = 0;
  bool good = true;
  for (int i = 0; i < count; i++) members[lround(fmin(fmax(pairs[i].beyond / step, -STEPS), STEPS)) + STEPS]++;
  for (int i = 0; i < GROUPS; i++) taken += members[i] < MOST_PAIRS ? members[i] : MOST_PAIRS;
  if (only_exact) taken = exact < MOST_PAIRS ? exact : MOST_PAIRS;
  ct_job_begin_stage(job, CT_STAGE_CENTRING, (uint64_t)taken);
  for (int i = 0; i < GROUPS && good; i++) {
    groups[i].spectrum = ct_alloc_zero((size_t)c->half, 2 * sizeof(double), "a correlation", error);
    good = groups[i].spectrum != NULL;
  }
  for (int i = 0; i < count && good; i++) {
    const int g = only_exact ? STEPS : (int)lround(fmin(fmax(pairs[i].beyond / step, -STEPS), STEPS)) + STEPS;
    if (only_exact && fabs(pairs[i].beyond) >= 0.1 * step) continue;
    /* Spread evenly where there are more pairs than needed. */
    const int of = only_exact ? exact : members[g], n = seen[g]++;
    if (of > MOST_PAIRS && (int64_t)(n + 1) * MOST_PAIRS / of == (int64_t)n * MOST_PAIRS / of) continue;
    if (!(good = ct_job_may_go_on(job, error))) break;
    add_pair(c, &pairs[i], &groups[g]);
    ct_job_advance(job, 1);
  }
  double nearest = INFINITY;
  *confidence = 0;
  for (int g = 0; g < GROUPS && good; g++) {
    if (groups[g].count == 0) continue;
    groups[g].beyond /= groups[g].count;
    good = find_peak(c, &groups[g], error);
    if (fabs(groups[g].beyond) >= nearest) continue;
    nearest = fabs(groups[g].beyond);
    *confidence = fmin(fmax(groups[g].peak, 0), 1);
  }
  if (good) *centre = only_exact ? groups[STEPS].centre : extrapolate(groups, GROUPS);
  for (int g = 0; g < GROUPS; g++) ct_free(groups[g].spectrum);
  return good;
}

bool ct_centre_parallel(const ct_stack *stack, const ct_geometry *geometry, double *centre, double *confidence,
                        ct_job *job, ct_error **error) {
  const int n = geometry->views;
  ct_sorted_view *sorted = ct_alloc((size_t)n, sizeof *sorted, "the sorted views", error);
  if (!sorted) return false;
  for (int i = 0; i < n; i++) {
    double angle = fmod(geometry->angles[i], 2 * M_PI);
    if (angle < 0) angle += 2 * M_PI;
    sorted[i] = (ct_sorted_view){angle, i};
  }
  ct_sort_views(sorted, (size_t)n);
  const double step = fmin(ct_geometry_arc(geometry), 2 * M_PI) / n;
  const double limit = fmin((STEPS + 0.5) * step, MOST_MISSING);
  const int count = n > 1 ? find_pairs(sorted, n, limit, NULL, 0) : 0;
  bool good = count > 0;
  if (!good)
    ct_error_set(error, CT_ERROR_DATA,
                 "No two of the %d views lie about 180 degrees apart, so the centre of rotation cannot be found by "
                 "comparing opposite views: set it by hand or search by sharpness.",
                 n);
  view_pair *pairs = good ? ct_alloc((size_t)count, sizeof *pairs, "the opposite views", error) : NULL;
  if (pairs) {
    find_pairs(sorted, n, limit, pairs, count);
    /* "Exactly" opposite means within a tenth of a step: the features of nearly all objects stay where they are. */
    int exact = 0;
    for (int i = 0; i < count; i++) exact += fabs(pairs[i].beyond) < 0.1 * step;
    const bool only_exact = exact >= 3 || (exact > 0 && exact == count);
    const double motion = only_exact ? 0 : 0.5 * geometry->nu * fmin(step, MOST_MISSING);
    correlator c;
    good = correlator_new(&c, stack, hypot(CT_CENTRE_SIGMA, motion), error);
    if (good) {
      const pair_list list = {pairs, count, exact, step, only_exact};
      good = correlate_pairs(&c, &list, centre, confidence, job, error);
      correlator_clear(&c);
    }
  }
  good = good && pairs;
  ct_free(pairs);
  ct_free(sorted);
  return good;
}
