/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clipped by the three pairs of faces, one after the other; by the field of view where a quadratic says. */
#include "recon/geom/ray.h"

#include "recon/geom/questions.h"
#include "recon/geom/trajectory.h"

#include <math.h>
#include <string.h>

bool ct_ray_within(const ct_geometry *geometry, const ct_grid *grid, int view, const double uv[2], double from[3],
                   double to[3]) {
  const double first[3] = {grid->x0, grid->y0, grid->z0}, step[3] = {grid->dx, grid->dy, grid->dz};
  const int count[3] = {grid->nx, grid->ny, grid->nz};
  const ct_detector detector = ct_geometry_detector(geometry, view, 0);
  double point[3], direction[3];
  ct_detector_point(&detector, uv[0], uv[1], point);
  for (int i = 0; i < 3; i++) direction[i] = detector.spreads ? point[i] - detector.source[i] : detector.forward[i];
  if (detector.spreads) memcpy(point, detector.source, sizeof point);
  double enters = detector.spreads ? 0 : -INFINITY, leaves = INFINITY;
  for (int i = 0; i < 3; i++) {
    const double low = first[i] - step[i] / 2, high = first[i] + (count[i] - 0.5) * step[i];
    if (direction[i] == 0) {
      if (point[i] < low || point[i] > high) return false;
      continue;
    }
    const double a = (low - point[i]) / direction[i], b = (high - point[i]) / direction[i];
    enters = fmax(enters, fmin(a, b));
    leaves = fmin(leaves, fmax(a, b));
  }
  if (!(enters <= leaves) || !isfinite(enters) || !isfinite(leaves)) return false;
  for (int i = 0; i < 3; i++) {
    from[i] = point[i] + enters * direction[i];
    to[i] = point[i] + leaves * direction[i];
  }
  return true;
}

/* What of a is at right angles to the axis. */
static void take_across(const double axis[3], double a[3]) {
  double along = 0;
  for (int i = 0; i < 3; i++) along += a[i] * axis[i];
  for (int i = 0; i < 3; i++) a[i] -= along * axis[i];
}

bool ct_ray_in_field(const ct_geometry *geometry, const ct_grid *grid, int view, const double uv[2], double from[3],
                     double to[3]) {
  ct_line axis;
  const double radius = ct_geometry_field_radius(geometry);
  if (!ct_ray_within(geometry, grid, view, uv, from, to)) return false;
  if (!(radius > 0) || !ct_geometry_axis(geometry, &axis)) return true;
  double way[3], place[3], p[3], d[3], square = 0, both = 0, rest = -radius * radius;
  for (int i = 0; i < 3; i++) {
    p[i] = place[i] = from[i];
    p[i] -= axis.point[i];
    d[i] = way[i] = to[i] - from[i];
  }
  take_across(axis.direction, p);
  take_across(axis.direction, d);
  for (int i = 0; i < 3; i++) square += d[i] * d[i], both += p[i] * d[i], rest += p[i] * p[i];
  const double root = both * both - square * rest;
  if (!(square > 0)) return rest <= 0; /* along the axis */
  if (root < 0) return false;
  const double enters = fmax((-both - sqrt(root)) / square, 0), leaves = fmin((-both + sqrt(root)) / square, 1);
  if (enters > leaves) return false;
  for (int i = 0; i < 3; i++) {
    from[i] = place[i] + enters * way[i];
    to[i] = place[i] + leaves * way[i];
  }
  return true;
}
