/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rotation axis of sources s: the normal of the plane that is nearest to them, the direction of least variance,
 * through the centre of the circle of least squares |s - c|^2 - r^2 (Kasa 1976). */
#include "recon/geom/axis-private.h"

#include <math.h>

/* Points whose spread across their longest direction is below this part of it lie in a line. */
static const double in_line = 1e-6;

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

static bool find_spread(const ct_point *points, int n, const double mean[3], double axes[3][3], double value[3]) {
  double spread[3][3] = {0};
  for (int p = 0; p < n; p++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) spread[i][k] += (points[p][i] - mean[i]) * (points[p][k] - mean[k]);
  find_directions(spread, axes, value);
  return value[1] > in_line * in_line * value[0];
}

bool ct_fit_plane(const ct_point *directions, int n, double normal[3]) {
  static const double origin[3];
  double axes[3][3], value[3];
  if (!find_spread(directions, n, origin, axes, value)) return false;
  for (int k = 0; k < 3; k++) normal[k] = axes[2][k];
  return true;
}

bool ct_fit_circle(const ct_point *points, int n, double centre[3], double normal[3]) {
  double mean[3] = {0}, axes[3][3], value[3], moment[2] = {0};
  for (int p = 0; p < n; p++)
    for (int k = 0; k < 3; k++) mean[k] += points[p][k] / n;
  if (!find_spread(points, n, mean, axes, value)) return false;
  /* The centre from the mean, along the two directions within the plane, in which the sums of products vanish. */
  for (int at = 0; at < n; at++) {
    const double s[3] = {points[at][0] - mean[0], points[at][1] - mean[1], points[at][2] - mean[2]};
    const double p = ct_dot(s, axes[0]), q = ct_dot(s, axes[1]);
    moment[0] += p * (p * p + q * q);
    moment[1] += q * (p * p + q * q);
  }
  for (int k = 0; k < 3; k++) {
    normal[k] = axes[2][k];
    centre[k] = mean[k] + 0.5 * moment[0] / value[0] * axes[0][k] + 0.5 * moment[1] / value[1] * axes[1][k];
  }
  return true;
}
