/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cosine weights and pixel pitch at the isocentre, for circular geometries and for projection matrices.
 *
 * A divergent ray at angle g from the line source - axis carries the weight R cos g / D: the fan-beam Jacobian R cos g
 * dg, R the distance of the source from the axis, written for a flat virtual detector where w = 1, at distance D from
 * the source within its plane, whose 1 / w^2 the back-projection applies. The isocentre need not lie on the axis, nor
 * the detector face it. For circular geometries D = R and this is SDD / sqrt(SDD^2 + u^2 + v^2) (Feldkamp, Davis, Kress
 * 1984). */
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

/* Millimetres across parallel rays for a step of one column: x with a.x = 1, b.x = 0, at right angles to the rays. */
static double parallel_pitch(const parts *f) {
  double rays[3], across[3];
  cross(f->m[0], f->m[1], rays);
  cross(f->m[1], rays, across);
  return sqrt(dot(across, across)) / fabs(dot(f->m[0], across));
}

double ct_view_pitch(const ct_geometry *geometry, const ct_trajectory *t, int view) {
  if (ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR)) return ct_geometry_pitch_at_axis(geometry);
  const parts f = decompose(geometry, view);
  if (t->parallel) return parallel_pitch(&f);
  /* A step of one pixel along the row moves a point of the plane w = 1 by M^-1 (1, 0, 0). */
  return sqrt(dot(f.along[0], f.along[0]));
}

static void cosine_row_of_matrix(const ct_geometry *geometry, const ct_trajectory *t, int view, int row,
                                 float *weights) {
  const parts f = decompose(geometry, view);
  double start[3], from_axis[3], normal[3];
  for (int i = 0; i < 3; i++) start[i] = f.along[1][i] * row + f.along[2][i];
  for (int i = 0; i < 3; i++) from_axis[i] = f.source[i] - t->centre[i];
  const double height = dot(from_axis, t->axis), lean = dot(f.m[2], t->axis);
  for (int i = 0; i < 3; i++) {
    from_axis[i] -= height * t->axis[i];
    normal[i] = f.m[2][i] - lean * t->axis[i];
  }
  const double norm = sqrt(dot(normal, normal)); /* 1 / D */
  for (int k = 0; k < geometry->nu; k++) {
    const double ray[3] = {start[0] + k * f.along[0][0], start[1] + k * f.along[0][1], start[2] + k * f.along[0][2]};
    weights[k] = (float)(-dot(ray, from_axis) * norm / sqrt(dot(ray, ray)));
  }
}

void ct_cosine_weights_row(const ct_geometry *geometry, const ct_trajectory *t, int view, int row, float *weights) {
  if (t->parallel) {
    for (int k = 0; k < geometry->nu; k++) weights[k] = 1;
  } else if (!ct_geometry_promises(geometry, CT_TRAIT_CIRCULAR)) {
    cosine_row_of_matrix(geometry, t, view, row, weights);
  } else {
    const double v = (row - geometry->centre_v) * geometry->dv, sdd = geometry->sdd;
    const double constant = 1 + v * v / (sdd * sdd), pitch = geometry->du / sdd;
    for (int k = 0; k < geometry->nu; k++) {
      const double u = (k - geometry->centre_u) * pitch;
      weights[k] = (float)(1 / sqrt(constant + u * u));
    }
  }
}

bool ct_cosine_weights(const ct_geometry *geometry, int view, float *weights, ct_error **error) {
  ct_trajectory t;
  if (!ct_trajectory_make(geometry, &t, error)) return false;
  for (int j = 0; j < geometry->nv; j++)
    ct_cosine_weights_row(geometry, &t, view, j, weights + (size_t)j * (size_t)geometry->nu);
  ct_trajectory_clear(&t);
  return true;
}
