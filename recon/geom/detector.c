/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the detector of a view stands, out of its rays and its matrix P = (a; b; w). Points of one depth w lie in a
 * plane parallel to the detector, in which the rays of neighbouring columns are apart by a length that grows with w:
 * where it is du, there is the detector. */
#include "recon/geom/axis-private.h"
#include "recon/geom/questions.h"

#include <math.h>

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void set_length(double a[3], double length) {
  const double now = sqrt(ct_dot(a, a));
  for (int i = 0; i < 3; i++) a[i] *= now > 0 ? length / now : 0;
}

/* From the source to depth 1 along the ray of (u, v). */
static bool to_unit_depth(const ct_geometry *geometry, int view, const double matrix[12], const double uv[2],
                          double step[3]) {
  double source[3];
  if (!ct_geometry_ray(geometry, view, uv[0], uv[1], source, step)) return false;
  const double depth = ct_dot(matrix + 8, step);
  for (int i = 0; i < 3; i++) step[i] /= depth;
  return fabs(depth) > 0;
}

static bool of_source(const ct_geometry *geometry, int view, const double matrix[12], ct_detector *detector) {
  static const double places[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  double steps[3][3];
  if (!ct_geometry_diverges(geometry) || !ct_geometry_source(geometry, view, detector->source)) return false;
  for (int k = 0; k < 3; k++)
    if (!to_unit_depth(geometry, view, matrix, places[k], steps[k])) return false;
  for (int i = 0; i < 3; i++) detector->across[i] = steps[1][i] - steps[0][i];
  const double depth = geometry->du / sqrt(ct_dot(detector->across, detector->across));
  for (int i = 0; i < 3; i++) {
    detector->across[i] *= depth;
    detector->up[i] = depth * (steps[2][i] - steps[0][i]);
    detector->corner[i] = detector->source[i] + depth * steps[0][i];
  }
  return isfinite(depth) && depth > 0;
}

/* x(u, v) = (u - a3) a' + (v - b3) b' with a', b' dual to a and b, and the rays along b x a, as geometry.h has them. */
static void of_directions(const double matrix[12], double behind, ct_detector *detector) {
  const double *a = matrix, *b = matrix + 4;
  double along[3];
  cross(b, a, along);
  const double square = ct_dot(along, along);
  cross(along, b, detector->across);
  cross(a, along, detector->up);
  for (int i = 0; i < 3; i++) {
    detector->across[i] /= square;
    detector->up[i] /= square;
    detector->forward[i] = along[i] / sqrt(square);
    detector->corner[i] = behind * detector->forward[i] - matrix[3] * detector->across[i] - matrix[7] * detector->up[i];
  }
}

ct_detector ct_geometry_detector(const ct_geometry *geometry, int view, double behind) {
  ct_detector detector = {0};
  double matrix[12];
  ct_geometry_matrix(geometry, view, matrix);
  detector.spreads = of_source(geometry, view, matrix, &detector);
  if (!detector.spreads) {
    of_directions(matrix, behind, &detector);
    return detector;
  }
  double middle[3];
  ct_detector_point(&detector, (geometry->nu - 1) / 2.0, (geometry->nv - 1) / 2.0, middle);
  for (int i = 0; i < 3; i++) detector.forward[i] = middle[i] - detector.source[i];
  set_length(detector.forward, 1);
  /* The rays of a fan are the same in every row. */
  if (ct_dot(detector.up, detector.up) <= 1e-12 * ct_dot(detector.across, detector.across)) {
    cross(detector.across, detector.forward, detector.up);
    set_length(detector.up, geometry->dv);
  }
  return detector;
}

void ct_detector_point(const ct_detector *detector, double u, double v, double point[3]) {
  for (int i = 0; i < 3; i++) point[i] = detector->corner[i] + u * detector->across[i] + v * detector->up[i];
}
