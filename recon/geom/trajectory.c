/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the set of view angles means for the integral over the arc: gaps of the angles sorted modulo 2 pi, trapezoidal.
 */
#include "recon/base/memory.h"
#include "recon/geom/geometry.h"

#include <math.h>
#include <stdlib.h>

/* Angles closer than this (radians) are the same view twice. */
static const double same = 1e-7;
/* An arc is open when its largest gap is this many times the mean of the others. */
static const double open_factor = 2.8;

typedef struct {
  double angle;
  int view;
} sorted_view;

static int by_angle(const void *a, const void *b) {
  const sorted_view *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  return p->view - q->view;
}

/* Weights of n >= 2 distinct ascending angles in [0, 2 pi). */
static void weigh_distinct(const double *angle, int n, double *weight) {
  double largest = 0, sum = 0;
  int at = 0;
  for (int i = 0; i < n; i++) {
    const double gap = i + 1 < n ? angle[i + 1] - angle[i] : angle[0] + 2 * M_PI - angle[n - 1];
    sum += gap;
    if (gap > largest) {
      largest = gap;
      at = i;
    }
  }
  const bool open = largest > open_factor * (sum - largest) / (n - 1);
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n, before = (i + n - 1) % n;
    double after = angle[next] - angle[i], ahead = angle[i] - angle[before];
    if (after < 0) after += 2 * M_PI;
    if (ahead < 0) ahead += 2 * M_PI;
    if (open && i == at) after = ahead;
    if (open && before == at) ahead = after;
    weight[i] = 0.5 * (after + ahead);
  }
}

bool ct_geometry_view_weights(const ct_geometry *g, double *weights, ct_error **error) {
  const int n = g->views;
  if (g->beam == CT_BEAM_FREE || n == 1) {
    for (int i = 0; i < n; i++) weights[i] = 2 * M_PI / n;
    return true;
  }
  sorted_view *sorted = ct_alloc((size_t)n, sizeof *sorted, "the sorted views", error);
  double *distinct = ct_alloc((size_t)n, 2 * sizeof *distinct, "the sorted angles", error);
  if (!sorted || !distinct) {
    ct_free(sorted);
    ct_free(distinct);
    return false;
  }
  for (int i = 0; i < n; i++) {
    double angle = fmod(g->angles[i], 2 * M_PI);
    if (angle < 0) angle += 2 * M_PI;
    if (angle > 2 * M_PI - same) angle = 0;
    sorted[i] = (sorted_view){angle, i};
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_angle);
  int groups = 0;
  for (int i = 0; i < n; i++)
    if (i == 0 || sorted[i].angle - distinct[groups - 1] > same) distinct[groups++] = sorted[i].angle;
  double *weight = distinct + n;
  if (groups > 1)
    weigh_distinct(distinct, groups, weight);
  else
    weight[0] = 2 * M_PI;
  for (int group = 0, i = 0; group < groups; group++) {
    int end = i;
    while (end < n && sorted[end].angle - distinct[group] <= same) end++;
    for (int k = i; k < end; k++) weights[sorted[k].view] = weight[group] / (end - i);
    i = end;
  }
  ct_free(sorted);
  ct_free(distinct);
  return true;
}

double ct_geometry_arc(const ct_geometry *g) {
  double *weights = ct_alloc((size_t)g->views, sizeof(double), "the view weights", NULL);
  if (!weights) return 0;
  double arc = 0;
  if (ct_geometry_view_weights(g, weights, NULL))
    for (int i = 0; i < g->views; i++) arc += weights[i];
  ct_free(weights);
  return arc;
}
