/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cosine weights and pixel pitch at the isocentre, for circular geometries and for projection matrices.
 *
 * A divergent ray at angle g from the line source - axis carries the weight cos g / cos t, where t is the angle between
 * that line and the detector's normal n: the fan-beam Jacobian R cos g dg, written for a flat virtual detector through
 * the isocentre, at distance R cos t along n, whose 1 / w^2 the back-projection applies. For circular geometries t = 0
 * and this is SDD / sqrt(SDD^2 + u^2 + v^2) (Feldkamp, Davis, Kress 1984). */
#include "recon/filter/filter.h"
#include "recon/filter/ramp-private.h"
#include "recon/geom/questions.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* The view's P = [M | p], with the columns of M^-1: M^-1 (u, v, 1) points from the source to detector position (u, v).
 */
typedef struct {
  double m[3][3];     /* rows of M */
  double along[3][3]; /* columns of M^-1 */
  double source[3];   /* -M^-1 p */
} parts;

static parts decompose(const ct_geometry *geometry, int view) {
  double p[12];
  ct_geometry_matrix(geometry, view, p);
  parts f;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) f.m[r][c] = p[4 * r + c];
  for (int c = 0; c < 3; c++) cross(f.m[(c + 1) % 3], f.m[(c + 2) % 3], f.along[c]);
  const double determinant = dot(f.m[0], f.along[0]);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 3; i++) f.along[c][i] /= determinant;
  for (int i = 0; i < 3; i++) f.source[i] = -(f.along[0][i] * p[3] + f.along[1][i] * p[7] + f.along[2][i] * p[11]);
  return f;
}

double ct_view_pitch(const ct_geometry *geometry, int view) {
  if (ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR)) return ct_geometry_pitch_at_axis(geometry);
  const parts f = decompose(geometry, view);
  /* A step of one pixel along the row moves a point of the plane w = 1 by M^-1 (1, 0, 0). */
  return sqrt(dot(f.along[0], f.along[0]));
}

static void cosine_row_of_matrix(const ct_geometry *geometry, int view, int row, float *weights) {
  const parts f = decompose(geometry, view);
  double start[3];
  for (int i = 0; i < 3; i++) start[i] = f.along[1][i] * row + f.along[2][i];
  const double norm = sqrt(dot(f.m[2], f.m[2]));
  for (int k = 0; k < geometry->nu; k++) {
    const double ray[3] = {start[0] + k * f.along[0][0], start[1] + k * f.along[0][1], start[2] + k * f.along[0][2]};
    /* cos g = -ray.source / (|ray| |source|); cos t = w(isocentre) / (|m3| |source|) with w = 1 there. */
    weights[k] = (float)(-dot(ray, f.source) * norm / sqrt(dot(ray, ray)));
  }
}

void ct_cosine_weights_row(const ct_geometry *geometry, int view, int row, float *weights) {
  if (!ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR)) {
    cosine_row_of_matrix(geometry, view, row, weights);
  } else if (ct_geometry_promises(geometry, CT_TRAIT_PARALLEL)) {
    for (int k = 0; k < geometry->nu; k++) weights[k] = 1;
  } else {
    const double v = (row - geometry->centre_v) * geometry->dv, sdd = geometry->sdd;
    const double constant = 1 + v * v / (sdd * sdd), pitch = geometry->du / sdd;
    for (int k = 0; k < geometry->nu; k++) {
      const double u = (k - geometry->centre_u) * pitch;
      weights[k] = (float)(1 / sqrt(constant + u * u));
    }
  }
}

void ct_cosine_weights(const ct_geometry *geometry, int view, float *weights) {
  for (int j = 0; j < geometry->nv; j++)
    ct_cosine_weights_row(geometry, view, j, weights + (size_t)j * (size_t)geometry->nu);
}
