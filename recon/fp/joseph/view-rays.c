/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays of views from their matrices. */
#include "recon/fp/joseph/view-rays.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void ct_view_rays_find(const ct_geometry *geometry, const ct_grid *grid, int view, ct_view_rays *rays) {
  double m[12];
  ct_geometry_matrix(geometry, view, m);
  /* To a fan z is nothing; rays need to know what lies beside its plane. */
  if (!ct_geometry_promises(geometry, CT_TRAIT_SPATIAL)) m[6] = 1 / geometry->dv;
  for (int row = 0; row < 3; row++) {
    double *at = m + 4 * row, *to = rays->matrix + 4 * row;
    to[3] = at[0] * grid->x0 + at[1] * grid->y0 + at[2] * grid->z0 + at[3];
    to[0] = at[0] * grid->dx, to[1] = at[1] * grid->dy, to[2] = at[2] * grid->dz;
  }
  const double *p = rays->matrix, *q = p + 4, *t = p + 8;
  cross(p, q, rays->direction[0]);
  cross(q, t, rays->direction[1]);
  cross(t, p, rays->direction[2]);
  const double determinant = dot(t, rays->direction[0]);
  memset(rays->point, 0, sizeof rays->point);
  if (determinant != 0) {
    for (int i = 0; i < 3; i++)
      rays->point[0][i] =
          -(p[3] * rays->direction[1][i] + q[3] * rays->direction[2][i] + t[3] * rays->direction[0][i]) / determinant;
    return;
  }
  /* Parallel: the point with d x = 0 of p x = u - p[3], q x = v - q[3], for d = p x q. */
  const double *d = rays->direction[0], square = dot(d, d);
  cross(q, d, rays->point[1]);
  cross(d, p, rays->point[2]);
  for (int i = 0; i < 3; i++) {
    rays->point[1][i] /= square, rays->point[2][i] /= square;
    rays->point[0][i] = -p[3] * rays->point[1][i] - q[3] * rays->point[2][i];
  }
}

void ct_view_rays_at(const ct_view_rays *rays, double u, double v, double point[3], double direction[3]) {
  for (int i = 0; i < 3; i++) {
    point[i] = rays->point[0][i] + u * rays->point[1][i] + v * rays->point[2][i];
    direction[i] = rays->direction[0][i] + u * rays->direction[1][i] + v * rays->direction[2][i];
  }
}

bool ct_view_rays_are_flat(const ct_geometry *geometry, const ct_grid *grid, int view, ct_error **error) {
  enum { lattice = 5 };
  const ct_geometry *g = geometry;
  ct_view_rays rays;
  ct_view_rays_find(g, grid, view, &rays);
  for (int n = 0; n < lattice * lattice; n++) {
    double point[3], direction[3];
    ct_view_rays_at(&rays, (g->nu - 1) * (n % lattice) / (lattice - 1), (g->nv - 1) * (n / lattice) / (lattice - 1),
                    point, direction);
    const double aside = fmax(fabs(direction[0]), fabs(direction[1]));
    if (!isfinite(aside + direction[2] + point[0] + point[1] + point[2]) || !(aside > 0.05 * fabs(direction[2])))
      return ct_error_set(
          error, CT_ERROR_UNSUPPORTED,
          "View %d looks along the rotation axis: Joseph's model takes steps across it, and serves rays "
          "that pass at most 20 slices from one voxel to the next.",
          view);
  }
  return true;
}
