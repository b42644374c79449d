/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chords of detector rows through elliptic cylinders: for a ray q + t d and the ellipse (x - c)' A (x - c) = 1 the
 * chord is 2 sqrt(beta^2 - alpha gamma) |d| / alpha with alpha = d'Ad, beta = d'A(q - c), gamma = (q - c)'A(q - c) - 1.
 */
#include "recon/filter/outline.h"

#include "recon/geom/trajectory.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

void ct_outline_frame(const ct_geometry *geometry, ct_outline *o) {
  memset(o->origin, 0, sizeof o->origin);
  static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  ct_line line = {{0, 0, 0}, {0, 0, 1}};
  const double *axis = line.direction;
  const bool found = ct_geometry_axis(geometry, &line);
  if (found) memcpy(o->origin, line.point, sizeof line.point);
  if (!found || fabs(axis[2]) > 1 - 1e-12) {
    memcpy(o->across[0], x, sizeof x);
    memcpy(o->across[1], y, sizeof y);
    return;
  }
  cross(fabs(axis[0]) < 0.7 ? x : y, axis, o->across[0]);
  const double length = sqrt(dot(o->across[0], o->across[0]));
  for (int i = 0; i < 3; i++) o->across[0][i] /= length;
  cross(axis, o->across[0], o->across[1]);
}

ct_outline_row ct_outline_row_of(const ct_geometry *geometry, int view, double v) {
  double p[12], c[3][3];
  ct_outline_row row;
  ct_geometry_matrix(geometry, view, p);
  const double *m[3] = {p, p + 4, p + 8};
  /* A fan's one row lies in the plane z = 0, whatever its number. */
  if (dot(m[1], m[1]) == 0) {
    p[6] = 1;
    p[7] = v;
  }
  for (int i = 0; i < 3; i++) cross(m[(i + 1) % 3], m[(i + 2) % 3], c[i]);
  const double determinant = dot(m[0], c[0]), scale = sqrt(dot(m[0], m[0]) * dot(m[1], m[1]) * dot(m[2], m[2]));
  if (fabs(determinant) > 1e-12 * scale && scale > 0) {
    for (int i = 0; i < 3; i++) {
      row.along[0][i] = (c[1][i] * v + c[2][i]) / determinant;
      row.along[1][i] = c[0][i] / determinant;
      row.points[0][i] = -(c[0][i] * p[3] + c[1][i] * p[7] + c[2][i] * p[11]) / determinant;
      row.points[1][i] = 0;
    }
    return row;
  }
  /* Parallel rays: u = m0 x + p3 and v = m1 x + p7 along the common direction n. */
  double n[3], a[3], b[3];
  cross(m[0], m[1], n);
  cross(m[1], n, a);
  cross(n, m[0], b);
  const double square = dot(n, n);
  for (int i = 0; i < 3; i++) {
    row.along[0][i] = n[i];
    row.along[1][i] = 0;
    row.points[0][i] = (-p[3] * a[i] + (v - p[7]) * b[i]) / square;
    row.points[1][i] = a[i] / square;
  }
  return row;
}

/* The root of `square`, averaged over square - soft to square + soft; 0 below 0. */
static double mean_root(double square, double soft) {
  if (!(soft > 0) || square > 16 * soft) return square > 0 ? sqrt(square) : 0;
  const double above = fmax(square + soft, 0), below = fmax(square - soft, 0);
  return (above * sqrt(above) - below * sqrt(below)) / (3 * soft);
}

void ct_ellipse_chords(const ct_outline *o, const ct_ellipse *e, const ct_outline_row *row, double u0, double step,
                       int count, bool without_length, float *chords) {
  const double c = cos(e->turn), s = sin(e->turn);
  double d[2][2], q[2][2]; /* [order in u][in units of the half axes] */
  for (int k = 0; k < 2; k++) {
    double from[3], xy[2], at[2];
    for (int i = 0; i < 3; i++) from[i] = row->points[k][i] - (k == 0 ? o->origin[i] : 0);
    for (int i = 0; i < 2; i++) {
      xy[i] = dot(o->across[i], row->along[k]);
      at[i] = dot(o->across[i], from) - (k == 0 ? (i ? e->y : e->x) : 0);
    }
    d[k][0] = (c * xy[0] + s * xy[1]) / e->a;
    d[k][1] = (c * xy[1] - s * xy[0]) / e->b;
    q[k][0] = (c * at[0] + s * at[1]) / e->a;
    q[k][1] = (c * at[1] - s * at[0]) / e->b;
  }
  /* Of the ray's length, by order in u. */
  const double square[3] = {dot(row->along[0], row->along[0]), dot(row->along[0], row->along[1]),
                            dot(row->along[1], row->along[1])};
  for (int i = 0; i < count; i++) {
    const double u = u0 + i * step, d0 = d[0][0] + u * d[1][0], d1 = d[0][1] + u * d[1][1];
    const double q0 = q[0][0] + u * q[1][0], q1 = q[0][1] + u * q[1][1];
    /* beta^2 - alpha gamma = alpha - (d x q)^2. */
    const double alpha = d0 * d0 + d1 * d1, across = d0 * q1 - d1 * q0, disc = alpha - across * across;
    const double length = without_length ? 1 : sqrt(square[0] + u * (2 * square[1] + u * square[2]));
    chords[i] = alpha > 0 ? (float)(2 * e->density * mean_root(disc, e->soft * alpha) * length / alpha) : 0;
  }
}

void ct_outline_chords(const ct_outline *o, const ct_outline_row *row, double v, double u0, double step, int count,
                       float *chords) {
  enum { SOME = 64 };
  int band = 0;
  while (band < o->bands - 1 && o->rows[band + 1] <= v) band++;
  const double gap = band < o->bands - 1 ? o->rows[band + 1] - o->rows[band] : 0;
  const double share = gap > 0 ? fmin(fmax((v - o->rows[band]) / gap, 0), 1) : 0;
  ct_ellipse_chords(o, &o->ellipses[band], row, u0, step, count, true, chords);
  if (!(share > 0)) return;
  for (int at = 0; at < count; at += SOME) {
    float other[SOME];
    const int n = count - at < SOME ? count - at : SOME;
    ct_ellipse_chords(o, &o->ellipses[band + 1], row, u0 + at * step, step, n, true, other);
    for (int i = 0; i < n; i++) chords[at + i] += (float)share * (other[i] - chords[at + i]);
  }
}
