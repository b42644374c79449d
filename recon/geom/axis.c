/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rotation axis. Of matrices it is fitted to the sources s: the normal of the plane that is nearest to them, the
 * direction of least variance, through the centre of the circle of least squares |s - c|^2 - r^2 (Kasa 1976). */
#include "recon/geom/questions.h"

#include <math.h>
#include <stddef.h>

/* Sources whose spread across their longest direction is below this part of it lie in a line. */
static const double in_line = 1e-6;

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* One Jacobi rotation that clears a[p][q] of a symmetric matrix; the columns of v become its eigenvectors. */
static void rotate(double a[3][3], double v[3][3], int p, int q) {
  if (a[p][q] == 0) return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    const double x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    const double x = v[k][p], y = v[k][q];
    v[k][p] = c * x - s * y;
    v[k][q] = s * x + c * y;
  }
}

/* Eigenvectors, unit length, of descending eigenvalues. */
static void find_directions(double a[3][3], double vector[3][3], double value[3]) {
  enum { sweeps = 30 };
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < sweeps; sweep++) {
    rotate(a, v, 0, 1);
    rotate(a, v, 0, 2);
    rotate(a, v, 1, 2);
  }
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2 - i; k++)
      if (a[order[k]][order[k]] < a[order[k + 1]][order[k + 1]]) {
        const int last = order[k];
        order[k] = order[k + 1];
        order[k + 1] = last;
      }
  for (int n = 0; n < 3; n++) {
    value[n] = a[order[n]][order[n]];
    for (int k = 0; k < 3; k++) vector[n][k] = v[k][order[n]];
  }
}

static bool find_mean(const ct_geometry *g, double mean[3]) {
  for (int k = 0; k < 3; k++) mean[k] = 0;
  for (int view = 0; view < g->views; view++) {
    double source[3];
    if (!ct_geometry_source(g, view, source)) return false;
    for (int k = 0; k < 3; k++) mean[k] += source[k] / g->views;
  }
  return true;
}

/* The source of a view, which is known to have one, from the mean of all. */
static void find_offset(const ct_geometry *g, int view, const double mean[3], double offset[3]) {
  ct_geometry_source(g, view, offset);
  for (int k = 0; k < 3; k++) offset[k] -= mean[k];
}

static bool fit(const ct_geometry *g, double point[3], double direction[3]) {
  double mean[3], spread[3][3] = {0}, axes[3][3], value[3], moment[2] = {0};
  if (!find_mean(g, mean)) return false;
  for (int view = 0; view < g->views; view++) {
    double s[3];
    find_offset(g, view, mean, s);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) spread[i][k] += s[i] * s[k];
  }
  find_directions(spread, axes, value);
  if (!(value[1] > in_line * in_line * value[0])) return false;
  /* The centre from the mean, along the two directions within the plane, in which the sums of products vanish. */
  for (int view = 0; view < g->views; view++) {
    double s[3];
    find_offset(g, view, mean, s);
    const double p = dot(s, axes[0]), q = dot(s, axes[1]);
    moment[0] += p * (p * p + q * q);
    moment[1] += q * (p * p + q * q);
  }
  const double sign = axes[2][2] < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) {
    direction[k] = sign * axes[2][k];
    point[k] = mean[k] + 0.5 * moment[0] / value[0] * axes[0][k] + 0.5 * moment[1] / value[1] * axes[1][k];
  }
  const double along = dot(point, direction);
  for (int k = 0; k < 3; k++) point[k] -= along * direction[k];
  return true;
}

bool ct_geometry_axis(const ct_geometry *g, double point[3], double direction[3]) {
  if (!ct_geometry_promises(g, CT_TRAIT_CIRCULAR)) return fit(g, point, direction);
  for (int k = 0; k < 3; k++) {
    point[k] = 0;
    direction[k] = k == 2;
  }
  return true;
}
