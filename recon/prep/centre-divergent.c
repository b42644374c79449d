/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation, fan beam and the middle rows of cone beam: every line through the object is measured twice, at
 * (t, g) and at (t + pi - 2 g, -g), that is in the column mirrored about the centre (geometry.h's conventions). The
 * sinogram is compared with its own mirror image for trial centres, coarse to fine; the best match is refined by a
 * parabola. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>

/* Middle rows that are taken together; views and columns of the coarsest comparison. */
#define ROWS 3
#define COARSE_VIEWS 200
#define COARSE_COLUMNS 160
#define FINE_VIEWS 600
/* Conjugate rays must make up this share of all for a result. */
#define LEAST_SHARE 0.02

/* The middle rows, high-passed, views in the order of their angles. */
typedef struct {
  int nu, views;
  double du, sdd;
  double *angles; /* [views] ascending in [0, 2 pi) */
  double step;    /* mean */
  double sigma;   /* of the smoothing, columns: half of what a feature at the rim moves from view to view */
  float *rows;    /* [views][nu] */
} sinogram;

static void sinogram_clear(sinogram *s) {
  ct_free(s->angles);
  ct_free(s->rows);
}

/* The rows next to the mid-plane, or the nearest ones that there are. */
static void middle_rows(const ct_geometry *g, int *first, int *last) {
  const double middle = fmin(fmax(g->centre_v, 0), g->nv - 1);
  *first = (int)lround(middle) - ROWS / 2;
  *last = *first + ROWS - 1;
  if (*first < 0) *first = 0;
  if (*last > g->nv - 1) *last = g->nv - 1;
}

/* Adds the derivatives of the middle rows, each less its stripes. Ends early when it is cancelled. */
static bool add_rows(sinogram *s, const ct_stack *stack, const ct_geometry *g, const ct_sorted_view *sorted,
                     ct_job *job, ct_error **error) {
  const size_t nu = (size_t)g->nu;
  float *mean = ct_alloc(nu, 2 * sizeof *mean, "the mean projection", error);
  float *work = mean ? ct_alloc(nu, 2 * sizeof *work, "the mean projection", error) : NULL;
  int first, last;
  middle_rows(g, &first, &last);
  for (int j = first; work && j <= last; j++) {
    float *stripes = work, *line = work + nu;
    ct_centre_stripes(stack, j, mean, stripes);
    for (int i = 0; i < g->views && ct_job_requested(job) != CT_JOB_CANCEL; i++) {
      ct_centre_derivative(ct_stack_get_view(stack, sorted[i].view) + (size_t)j * nu, stripes, g->nu, s->sigma, line);
      for (size_t k = 0; k < nu; k++) s->rows[(size_t)i * nu + k] += line[k];
    }
  }
  ct_free(work);
  ct_free(mean);
  return work != NULL;
}

static bool sinogram_new(sinogram *s, const ct_stack *stack, const ct_geometry *g, ct_job *job, ct_error **error) {
  const size_t views = (size_t)g->views;
  *s = (sinogram){.nu = g->nu, .views = g->views, .du = g->du, .sdd = g->sdd};
  s->step = fmin(ct_geometry_arc(g), 2 * M_PI) / g->views;
  s->sigma = hypot(CT_CENTRE_SIGMA, fmin(0.25 * g->nu * s->step, 0.02 * g->nu));
  ct_sorted_view *sorted = ct_alloc(views, sizeof *sorted, "the sorted views", error);
  s->angles = sorted ? ct_alloc(views, sizeof *s->angles, "the sorted views", error) : NULL;
  s->rows = s->angles ? ct_alloc_zero(views * (size_t)g->nu, sizeof *s->rows, "a sinogram", error) : NULL;
  bool good = s->rows != NULL;
  if (good) {
    for (int i = 0; i < g->views; i++) {
      double angle = fmod(g->angles[i], 2 * M_PI);
      if (angle < 0) angle += 2 * M_PI;
      sorted[i] = (ct_sorted_view){angle, i};
    }
    ct_sort_views(sorted, views);
    for (int i = 0; i < g->views; i++) s->angles[i] = sorted[i].angle;
    good = add_rows(s, stack, g, sorted, job, error) && ct_job_may_go_on(job, error);
  }
  ct_free(sorted);
  if (!good) sinogram_clear(s);
  return good;
}

/* The views on both sides of an angle in [0, 2 pi) and the share of the second; false where the arc has a gap. *next is
 * the first view beyond the last angle asked for, so that ascending angles are found by walking. */
static bool bracket(const sinogram *s, double angle, int *next, int *a, int *b, float *share) {
  if (*next > 0 && s->angles[*next - 1] > angle) *next = 0;
  while (*next < s->views && s->angles[*next] <= angle) ++*next;
  *a = *next > 0 ? *next - 1 : s->views - 1;
  *b = *next < s->views ? *next : 0;
  double before = angle - s->angles[*a], width = s->angles[*b] - s->angles[*a];
  if (before < 0) before += 2 * M_PI;
  if (width < 0) width += 2 * M_PI;
  if (width > 3 * s->step) return false;
  *share = width > 0 ? (float)(before / width) : 0;
  return true;
}

typedef struct {
  double products, energy; /* sum of f g; sum of f^2 + g^2 */
  double rays;
} match;

/* Compares every view_step-th view and column_step-th column with the conjugate rays for one trial centre. */
static match compare(const sinogram *s, double centre, int view_step, int column_step) {
  double products = 0, energy = 0, rays = 0;
  /* Per column everything but the view is fixed; sums over columns are added in their order, whatever the number of
   * threads. */
  for (int k = 0; k < s->nu; k += column_step) {
    const double mirrored = 2 * centre - k, gamma = atan((k - centre) * s->du / s->sdd);
    const int column = (int)floor(mirrored);
    if (column < 0 || column + 1 >= s->nu) continue;
    const float across = (float)(mirrored - column);
    int next = 0;
    for (int i = 0; i < s->views; i += view_step) {
      int a, b;
      float share;
      double angle = s->angles[i] + M_PI - 2 * gamma;
      while (angle >= 2 * M_PI) angle -= 2 * M_PI;
      if (!bracket(s, angle, &next, &a, &b, &share)) continue;
      const float *p = s->rows + (size_t)a * (size_t)s->nu + column, *q = s->rows + (size_t)b * (size_t)s->nu + column;
      /* A mirrored derivative changes its sign. */
      const double g =
          -((1 - share) * ((1 - across) * p[0] + across * p[1]) + share * ((1 - across) * q[0] + across * q[1]));
      const double f = s->rows[(size_t)i * (size_t)s->nu + (size_t)k];
      products += f * g;
      energy += f * f + g * g;
      rays++;
    }
  }
  return (match){products, energy, rays};
}

/* Trial centres from + i step, i < count, judged by every n-th view and column. The coarse search asks for the most
 * that matches in all, which a small overlap cannot have; the finer ones for the share that matches. */
typedef struct trials {
  double from, step;
  int count, view_step, column_step;
  bool share;
} trials;

/* values[count]: the best trial has the largest. False when cancelled. */
static bool compare_all(const sinogram *s, const trials *t, double *values, double *most_rays, ct_job *job,
                        ct_error **error) {
  double rays_in_all = 0;
#pragma omp parallel for schedule(dynamic) reduction(max : rays_in_all)
  for (int i = 0; i < t->count; i++) {
    if (ct_job_requested(job) == CT_JOB_CANCEL) continue;
    const match m = compare(s, t->from + i * t->step, t->view_step, t->column_step);
    values[i] = t->share ? (m.energy > 0 ? 2 * m.products / m.energy : 0) : m.products;
    rays_in_all = fmax(rays_in_all, m.rays);
    ct_job_advance(job, 1);
  }
  *most_rays = rays_in_all;
  return ct_job_may_go_on(job, error);
}

static int largest(const double *values, int count) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (values[i] > values[best]) best = i;
  return best;
}

/* Top of the parabola that fits values[-half .. half] best, in steps from the middle; NaN where it does not lie among
 * them. */
static double parabola_top(const double *middle, int half) {
  double s2 = 0, s4 = 0, y0 = 0, y1 = 0, y2 = 0;
  for (int i = -half; i <= half; i++) {
    const double x = i, y = middle[i];
    s2 += x * x;
    s4 += x * x * x * x;
    y0 += y;
    y1 += x * y;
    y2 += x * x * y;
  }
  const double n = 2 * half + 1, bend = (n * y2 - s2 * y0) / (n * s4 - s2 * s2);
  const double top = -0.5 * y1 / s2 / bend;
  return bend < 0 && fabs(top) <= half ? top : NAN;
}

#define HALF 6
#define MOST_ROUNDS 8

/* From the best of the coarse search to the centre: windows of 2 HALF + 1 trials, ever finer, until the peak's
 * curvature fills one. False when cancelled. */
static bool refine(const sinogram *s, double best, double step, double *centre, double *confidence, ct_job *job,
                   ct_error **error) {
  const int views = s->views > FINE_VIEWS ? s->views / FINE_VIEWS : 1, columns = s->sigma > 2 ? (int)s->sigma : 1;
  const double finest = 0.2 * s->sigma;
  double values[2 * HALF + 1], rays;
  step = fmax(step / 4, finest);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    const trials window = {best - HALF * step, step, 2 * HALF + 1, views, columns, .share = true};
    if (!compare_all(s, &window, values, &rays, job, error)) return false;
    const int at = largest(values, 2 * HALF + 1);
    *confidence = fmin(fmax(values[at], 0), 1);
    if (step <= finest && abs(at - HALF) <= 1) {
      const double top = parabola_top(values + HALF, HALF);
      *centre = isnan(top) ? best + (at - HALF) * step : best + top * step;
      return true;
    }
    best += (at - HALF) * step;
    if (at > 0 && at < 2 * HALF) step = fmax(step / 4, finest);
  }
  *centre = best;
  return true;
}

static bool search_divergent(const ct_stack *stack, const ct_geometry *geometry, double *centre, double *confidence,
                             ct_job *job, ct_error **error) {
  sinogram s;
  ct_job_begin_stage(job, CT_STAGE_CENTRING, 0);
  if (!sinogram_new(&s, stack, geometry, job, error)) return false;
  const int views = s.views > COARSE_VIEWS ? s.views / COARSE_VIEWS : 1;
  const int columns = s.nu > COARSE_COLUMNS ? s.nu / COARSE_COLUMNS : 1;
  /* The inner 60 % of the detector. */
  const double from = 0.2 * (s.nu - 1), step = 0.7 * s.sigma;
  const trials coarse = {from, step, (int)(0.6 * (s.nu - 1) / step) + 1, views, columns, .share = false};
  double *values = ct_alloc((size_t)coarse.count, sizeof *values, "the trial centres", error), rays = 0;
  ct_job_begin_stage(job, CT_STAGE_CENTRING, (uint64_t)(coarse.count + MOST_ROUNDS * (2 * HALF + 1)));
  bool good = values && compare_all(&s, &coarse, values, &rays, job, error);
  if (good) {
    const double possible = ceil((double)s.views / views) * ceil((double)s.nu / columns);
    good = rays >= LEAST_SHARE * possible;
    if (good)
      good = refine(&s, from + largest(values, coarse.count) * step, step, centre, confidence, job, error);
    else
      ct_error_set(error, CT_ERROR_DATA,
                   "Too few rays of this scan are measured from both sides (the arc is %.0f degrees), so the "
                   "centre of rotation cannot be found by comparing them: set it by hand or search by sharpness.",
                   ct_geometry_arc(geometry) * 180 / M_PI);
  }
  ct_free(values);
  sinogram_clear(&s);
  return good;
}

bool ct_centre_search(const ct_stack *stack, const ct_geometry *geometry, ct_centre_found *found, ct_job *job,
                      ct_error **error) {
  if (ct_stack_nu(stack) != geometry->nu || ct_stack_nv(stack) != geometry->nv ||
      ct_stack_views(stack) != geometry->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The projections (%d views of %d x %d) do not match the geometry (%d views of %d x %d).",
                        ct_stack_views(stack), ct_stack_nu(stack), ct_stack_nv(stack), geometry->views, geometry->nu,
                        geometry->nv);
  if (!ct_geometry_check(geometry, error)) return false;
  if (!ct_geometry_takes(geometry, CT_TAKES_CENTRE))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Scans with projection matrices have their centre of rotation in the matrices.");
  if (geometry->nu < 16)
    return ct_error_set(error, CT_ERROR_DATA,
                        "A detector of %d columns is too narrow to find the centre of rotation: set it by hand.",
                        geometry->nu);
  ct_centre_found result = {.centre = NAN, .spread = NAN, .evidence = NAN, .margin = NAN};
  const bool parallel = ct_geometry_promises(geometry, CT_TRAIT_PARALLEL), full = ct_turn_is_full(geometry);
  const bool good = full       ? ct_centre_full_turn(stack, geometry, 0, geometry->nv, &result, job, error)
                    : parallel ? ct_centre_parallel(stack, geometry, &result.centre, &result.confidence, job, error)
                               : search_divergent(stack, geometry, &result.centre, &result.confidence, job, error);
  if (!good) return false;
  if (!isfinite(result.centre) || (!full && result.confidence <= 0))
    return ct_error_set(error, CT_ERROR_DATA,
                        "Opposite views have nothing in common, so the centre of rotation cannot be found by "
                        "comparing them: set it by hand or search by sharpness.");
  if (!full) {
    result.agreement = result.confidence;
    result.candidates[0] = result.centre;
    result.count = 1;
  }
  *found = result;
  return true;
}

bool ct_centre_by_correlation(const ct_stack *stack, const ct_geometry *geometry, double *centre, double *confidence,
                              ct_job *job, ct_error **error) {
  ct_centre_found found;
  if (!ct_centre_search(stack, geometry, &found, job, error)) return false;
  *centre = found.centre;
  if (confidence) *confidence = found.confidence;
  return true;
}
