/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Redundancy weights: how much of each measured ray counts, so that every line through the object counts once in
 * all. With the conventions of geometry.h the ray of view t at fan angle g is the parallel ray of angle t - g; its
 * conjugate is at view t + pi - 2 g, fan angle -g. */
#include "recon/filter/filter.h"
#include "recon/filter/ramp-private.h"

#include "recon/base/memory.h"
#include "recon/geom/trajectory.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  double angle;
  int view;
} entry;

static int compare_entries(const void *a, const void *b) {
  const double x = ((const entry *)a)->angle, y = ((const entry *)b)->angle;
  return (x > y) - (x < y);
}

static double wrap(double angle, double period) {
  angle = fmod(angle, period);
  if (angle < 0) angle += period;
  return angle < period ? angle : 0;
}

/* The views sorted around a circle of the given period. Views closer than a hundredth of the mean step count as one
 * place. */
typedef struct {
  entry *entries; /* [views], ascending from the end of the largest gap on */
  int count, places;
  double span; /* from the first to the last */
  double gap;  /* the largest; period - span */
  double step; /* mean distance of neighbouring places; the period for a single one */
} circle;

static bool circle_make(circle *c, const ct_trajectory *t, double period, ct_error **error) {
  const int n = t->views;
  *c = (circle){.count = n};
  c->entries = ct_alloc((size_t)n, sizeof *c->entries, "the views' angles", error);
  if (!c->entries) return false;
  for (int i = 0; i < n; i++) {
    if (!isfinite(t->angles[i])) {
      ct_free(c->entries);
      return ct_error_set(error, CT_ERROR_DATA, "View %d has no finite angle.", i);
    }
    c->entries[i] = (entry){wrap(t->angles[i], period), i};
  }
  qsort(c->entries, (size_t)n, sizeof *c->entries, compare_entries);
  int begin = 0;
  c->gap = c->entries[0].angle + period - c->entries[n - 1].angle;
  for (int i = 1; i < n; i++) {
    const double gap = c->entries[i].angle - c->entries[i - 1].angle;
    /* Strictly larger by more than rounding: an even circle then begins at its lowest angle. */
    if (gap > c->gap * (1 + 1e-9)) {
      c->gap = gap;
      begin = i;
    }
  }
  const double first = c->entries[begin].angle;
  for (int i = 0; i < n; i++) c->entries[i].angle = wrap(c->entries[i].angle - first, period);
  c->entries[begin].angle = 0;
  qsort(c->entries, (size_t)n, sizeof *c->entries, compare_entries);
  c->span = c->entries[n - 1].angle;
  c->places = 1;
  for (int i = 1; i < n; i++) c->places += c->entries[i].angle - c->entries[i - 1].angle > 0.01 * period / n;
  c->step = c->places > 1 ? c->span / (c->places - 1) : period;
  return true;
}

/* Whether the views go all round: no gap stands out (golden-angle sequences have gaps of up to twice the mean). The
 * same measure as in ct_geometry_view_weights. */
static bool is_closed(const circle *c) {
  return c->places > 1 && c->gap <= 2.8 * c->step;
}

/* Trapezoidal weights on the closed circle: half of the distance between the neighbouring places, shared by the views
 * of a place. */
static void closed_weights(const circle *c, double period, double *weights) {
  const double near = 0.01 * period / c->count;
  for (int i = 0; i < c->count;) {
    int end = i + 1;
    while (end < c->count && c->entries[end].angle - c->entries[end - 1].angle <= near) end++;
    const double before = i > 0 ? c->entries[i].angle - c->entries[i - 1].angle : c->gap;
    const double after = end < c->count ? c->entries[end].angle - c->entries[end - 1].angle : c->gap;
    const double width = 0.5 * (before + after) + c->entries[end - 1].angle - c->entries[i].angle;
    for (int k = i; k < end; k++) weights[c->entries[k].view] = width / (end - i);
    i = end;
  }
}

/* Parker 1982 with the half-fan that makes the arc just pi + 2 half_fan (Silver 2000); beta counts from the arc's first
 * view. */
static double parker(double beta, double gamma, double half_fan) {
  if (beta < 2 * (half_fan + gamma)) {
    const double s = sin(M_PI_4 * beta / (half_fan + gamma));
    return s * s;
  }
  if (beta > M_PI + 2 * gamma) {
    const double s = sin(M_PI_4 * (M_PI + 2 * half_fan - beta) / (half_fan - gamma));
    return s * s;
  }
  return 1;
}

static void fill(float *weights, int nu, double value) {
  for (int k = 0; k < nu; k++) weights[k] = (float)value;
}

static void parker_weights(const ct_geometry *geometry, const ct_trajectory *t, const circle *c, float *weights) {
  const double span = fmin(c->span, 2 * M_PI);
  const double half_fan = 0.5 * (span - M_PI);
  for (int i = 0; i < c->count; i++) {
    const int view = c->entries[i].view;
    for (int k = 0; k < geometry->nu; k++) {
      const double gamma = t->parallel ? 0 : ct_trajectory_place(geometry, t, view, k);
      weights[(size_t)view * (size_t)geometry->nu + (size_t)k] = (float)parker(c->entries[i].angle, gamma, half_fan);
    }
  }
}

/* Wang, Med. Phys. 29, 1634 (2002): of a line that both sides of the detector see, from the narrow end on. The place is
 * that of trajectory.h, positive towards the wide side. */
static double displaced(double place, double end) {
  return place >= end ? 1 : place <= -end ? 0 : 0.5 * (1 + sin(M_PI_2 * place / end));
}

/* The end of the narrow side that all views have, as a place, negative where the wide side is that of lower places. */
static double narrow_end(const ct_geometry *geometry, const ct_trajectory *t) {
  double low = INFINITY, high = INFINITY;
  for (int view = 0; view < t->views; view++) {
    double from, to;
    ct_trajectory_places(geometry, t, view, &from, &to);
    low = fmin(low, -from);
    high = fmin(high, to);
  }
  return high > low ? low : -high;
}

/* Lines that one side alone sees count whole, with the step that closes the turn over a gap. */
static bool displaced_weights(const ct_geometry *geometry, const ct_trajectory *t, const circle *c, float *weights,
                              ct_error **error) {
  const double end = narrow_end(geometry, t), sign = end < 0 ? -1 : 1;
  double *closed = ct_alloc((size_t)c->count, sizeof *closed, "the views' weights", error);
  if (!closed) return false;
  closed_weights(c, 2 * M_PI, closed);
  for (int i = 0; i < c->count; i++) {
    const double share = t->steps[i] > 0 ? closed[i] / t->steps[i] : 1;
    for (int k = 0; k < geometry->nu; k++)
      weights[(size_t)i * (size_t)geometry->nu + (size_t)k] =
          (float)(share * displaced(sign * ct_trajectory_place(geometry, t, i, k), fabs(end)));
  }
  ct_free(closed);
  return true;
}

/* Parallel views with every line counted once: the trapezoidal weights of the angles modulo pi, which sum to pi, in
 * place of those of geometry.h. An arc below 180 degrees is scaled up as a whole. */
static bool parallel_weights(const ct_geometry *geometry, const ct_trajectory *t, float *weights, ct_error **error) {
  circle c;
  if (!circle_make(&c, t, M_PI, error)) return false;
  double *once = ct_alloc((size_t)c.count, sizeof *once, "the views' weights", error);
  if (once) {
    const bool closed = is_closed(&c);
    if (closed) closed_weights(&c, M_PI, once);
    for (int i = 0; i < c.count; i++) {
      const double value = closed && t->steps[i] > 0 ? once[i] / t->steps[i] : M_PI / t->arc;
      fill(weights + (size_t)i * (size_t)geometry->nu, geometry->nu, value);
    }
  }
  ct_free(once);
  ct_free(c.entries);
  return once != NULL;
}

ct_redundancy ct_redundancy_resolve(const ct_geometry *geometry, const ct_trajectory *t, ct_redundancy redundancy) {
  double narrow, wide;
  const bool half = t->arc < M_PI * (1 - 1e-6);
  if (redundancy == CT_REDUNDANCY_AUTO)
    redundancy = ct_geometry_displaced(geometry, &narrow, &wide)    ? CT_REDUNDANCY_DISPLACED
                 : t->parallel || ct_trajectory_is_closed(t, false) ? CT_REDUNDANCY_FULL
                                                                    : CT_REDUNDANCY_PARKER;
  return redundancy == CT_REDUNDANCY_PARKER && half ? CT_REDUNDANCY_FULL : redundancy;
}

static bool check_displaced(const ct_geometry *geometry, const ct_trajectory *t, ct_error **error) {
  double narrow, wide;
  ct_geometry_displaced(geometry, &narrow, &wide);
  if (narrow > 0 && ct_trajectory_is_closed(t, true)) return true;
  return ct_error_set(
      error, CT_ERROR_ARGUMENT,
      "Weights of a displaced detector need views all round, with no gap above %.3g degrees, and an axis that falls on "
      "the detector; the largest gap is of %.4g degrees, and the axis is %.4g columns inside the detector's end: "
      "filter.redundancy cannot be displaced here.",
      CT_GAP_BRIDGED * 180 / M_PI, t->gap * 180 / M_PI, narrow);
}

static bool make_weights(const ct_geometry *geometry, const ct_trajectory *t, ct_redundancy redundancy, float *weights,
                         ct_error **error) {
  circle c;
  redundancy = ct_redundancy_resolve(geometry, t, redundancy);
  if (redundancy == CT_REDUNDANCY_DISPLACED && !check_displaced(geometry, t, error)) return false;
  if (!circle_make(&c, t, 2 * M_PI, error)) return false;
  bool good = true;
  if (t->parallel && redundancy == CT_REDUNDANCY_PARKER && c.span <= M_PI) redundancy = CT_REDUNDANCY_FULL;
  if (redundancy == CT_REDUNDANCY_PARKER)
    parker_weights(geometry, t, &c, weights);
  else if (redundancy == CT_REDUNDANCY_DISPLACED)
    good = displaced_weights(geometry, t, &c, weights, error);
  else if (t->parallel && redundancy != CT_REDUNDANCY_NONE)
    good = parallel_weights(geometry, t, weights, error);
  else
    for (int i = 0; i < c.count; i++) fill(weights + (size_t)i * (size_t)geometry->nu, geometry->nu, M_PI / t->arc);
  ct_free(c.entries);
  return good;
}

bool ct_redundancy_weights(const ct_geometry *geometry, ct_redundancy redundancy, float *weights, ct_error **error) {
  ct_trajectory t;
  if (!ct_geometry_check(geometry, error) || !ct_trajectory_make(geometry, &t, error)) return false;
  const bool good = make_weights(geometry, &t, redundancy, weights, error);
  ct_trajectory_clear(&t);
  return good;
}
