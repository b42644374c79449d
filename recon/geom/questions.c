/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about a geometry's numbers. Where the kind does not decide, the views' matrices (a, b, w) do: geometry.h.
 */
#include "recon/geom/questions.h"

#include <math.h>
#include <stddef.h>

/* Of the width that the detector sees at the isocentre: by how much the depth w may change across it. */
static const double flat_depth = 1e-9;
/* Pixels by which a row's plane may leave its slice within that width. */
static const double flat_row = 1e-6;
/* Rows by which a slice may lie beside the row that sees it. */
static const double row_slack = 0.01;
/* Pixels that z may add, and over nu or nv to the depth. */
static const double along_axis = 1e-7;

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool view_diverges(const double m[12], double width) {
  return length_of(m + 8) * width > flat_depth;
}

static double width_of(const ct_geometry *g) {
  return g->nu * ct_geometry_pitch_at_axis(g);
}

bool ct_geometry_diverges(const ct_geometry *g) {
  if (g->beam != CT_BEAM_FREE) return g->beam != CT_BEAM_PARALLEL;
  const double width = width_of(g);
  for (int view = 0; view < g->views; view++)
    if (view_diverges(g->matrices + 12 * (size_t)view, width)) return true;
  return false;
}

/* The rays of row v lie in the plane (b - v w) (x, y, z, 1) = 0. */
static bool row_is_slice(const double m[12], int v, double width) {
  const double x = m[4] - v * m[8], y = m[5] - v * m[9], z = m[6] - v * m[10];
  return z != 0 && hypot(x, y) * width < flat_row;
}

bool ct_geometry_rows_are_slices(const ct_geometry *g) {
  if (g->beam == CT_BEAM_FAN) return true;
  const double width = width_of(g);
  for (int view = 0; view < g->views; view++) {
    double m[12];
    ct_geometry_matrix(g, view, m);
    if (!row_is_slice(m, 0, width) || !row_is_slice(m, g->nv - 1, width)) return false;
  }
  return true;
}

bool ct_geometry_rows_of_slices(const ct_geometry *g, const ct_grid *grid, int *row0) {
  if (!ct_geometry_promises(g, CT_TRAIT_CIRCULAR | CT_TRAIT_PARALLEL) || g->tilt != 0) return false;
  const double first = g->centre_v + grid->z0 / g->dv, last = first + (grid->nz - 1) * grid->dz / g->dv;
  *row0 = (int)fmin(fmax(rint(first), -1), g->nv);
  return fabs(first - *row0) < row_slack && fabs(last - *row0 - (grid->nz - 1)) < row_slack && *row0 >= 0 &&
         *row0 + grid->nz <= g->nv;
}

bool ct_geometry_is_stack(const ct_geometry *g, const ct_grid *grid) {
  int row0;
  return ct_geometry_rows_of_slices(g, grid, &row0) || (!ct_geometry_promises(g, CT_TRAIT_SPATIAL) && grid->nz == 1);
}

bool ct_geometry_columns_along_axis(const ct_geometry *g, double reach) {
  if (g->beam != CT_BEAM_FREE) return g->tilt == 0;
  for (int view = 0; view < g->views; view++) {
    const double *m = g->matrices + 12 * (size_t)view;
    if (fabs(m[2]) * reach > along_axis || fabs(m[10]) * reach * fmax(g->nu, g->nv) > along_axis) return false;
  }
  return true;
}

bool ct_geometry_source(const ct_geometry *g, int view, double point[3]) {
  double direction[3];
  return g->beam != CT_BEAM_PARALLEL && ct_geometry_ray(g, view, 0, 0, point, direction);
}

bool ct_geometry_init_matrices(ct_geometry *geometry, int nu, int nv, int views, ct_error **error) {
  return ct_geometry_init(geometry, CT_BEAM_FREE, nu, nv, views, error);
}

ct_geometry ct_geometry_of_matrix(int nu, int nv, double matrix[12]) {
  return (ct_geometry){.beam = CT_BEAM_FREE, .nu = nu, .nv = nv, .views = 1, .du = 1, .dv = 1, .matrices = matrix};
}

bool ct_geometry_take_slice(ct_geometry *g) {
  if (!ct_geometry_promises(g, CT_TRAIT_CIRCULAR)) return false;
  if (g->beam == CT_BEAM_CONE) g->beam = CT_BEAM_FAN;
  g->nv = 1;
  g->centre_v = 0;
  return true;
}

bool ct_geometry_parallel_row(const ct_geometry *geometry, int view, ct_geometry *parallel, ct_error **error) {
  if (!ct_geometry_init(parallel, CT_BEAM_PARALLEL, geometry->nu, 1, 1, error)) return false;
  parallel->du = parallel->dv = ct_geometry_pitch_at_axis(geometry);
  parallel->centre_u = geometry->centre_u;
  parallel->angles[0] = geometry->angles[view];
  return true;
}
