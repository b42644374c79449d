/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The voxel grid and its planes, and the detector rows that its shadow touches. */
#include "recon/geom/grid.h"

#include "recon/base/memory.h"

#include <math.h>

ct_grid ct_grid_centred(int nx, int ny, int nz, double voxel, const double centre[3]) {
  static const double origin[3];
  if (!centre) centre = origin;
  return (ct_grid){.nx = nx,
                   .ny = ny,
                   .nz = nz,
                   .dx = voxel,
                   .dy = voxel,
                   .dz = voxel,
                   .x0 = centre[0] - 0.5 * (nx - 1.0) * voxel,
                   .y0 = centre[1] - 0.5 * (ny - 1.0) * voxel,
                   .z0 = centre[2] - 0.5 * (nz - 1.0) * voxel};
}

bool ct_grid_check(const ct_grid *g, ct_error **error) {
  size_t bytes;
  if (g->nx < 1 || g->ny < 1 || g->nz < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The volume needs at least one voxel each way, not %d x %d x %d.",
                        g->nx, g->ny, g->nz);
  if (!ct_size_product(g->nx, g->ny, g->nz, sizeof(float), &bytes))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A volume of %d x %d x %d voxels is larger than this machine can address.", g->nx, g->ny,
                        g->nz);
  if (!(g->dx > 0 && g->dy > 0 && g->dz > 0) || !isfinite(g->dx) || !isfinite(g->dy) || !isfinite(g->dz))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The voxel size must be above 0 mm, not %g x %g x %g mm.", g->dx,
                        g->dy, g->dz);
  if (!isfinite(g->x0) || !isfinite(g->y0) || !isfinite(g->z0))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The position of the volume is not a finite number.");
  return true;
}

size_t ct_grid_voxels(const ct_grid *g) {
  return (size_t)g->nx * (size_t)g->ny * (size_t)g->nz;
}

static int clamp_index(int index, int count) {
  return index < 0 ? 0 : index >= count ? count - 1 : index;
}

bool ct_grid_matches(const ct_grid *a, const ct_grid *b) {
  const double parts = 1e-3;
  return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && fabs(a->dx - b->dx) * a->nx < parts * b->dx &&
         fabs(a->dy - b->dy) * a->ny < parts * b->dy && fabs(a->dz - b->dz) * a->nz < parts * b->dz &&
         fabs(a->x0 - b->x0) < parts * b->dx && fabs(a->y0 - b->y0) < parts * b->dy &&
         fabs(a->z0 - b->z0) < parts * b->dz;
}

ct_grid ct_grid_plane(const ct_grid *grid, ct_plane plane, int index) {
  ct_grid g = *grid;
  switch (plane) {
  case CT_AXIAL:
    g.z0 = ct_grid_plane_position(grid, plane, index);
    g.nz = 1;
    break;
  case CT_CORONAL:
    g.y0 = ct_grid_plane_position(grid, plane, index);
    g.ny = 1;
    break;
  case CT_SAGITTAL:
    g.x0 = ct_grid_plane_position(grid, plane, index);
    g.nx = 1;
    break;
  }
  return g;
}

void ct_grid_plane_size(const ct_grid *g, ct_plane plane, int *width, int *height, int *count) {
  const int w = plane == CT_SAGITTAL ? g->ny : g->nx;
  const int h = plane == CT_AXIAL ? g->ny : g->nz;
  const int n = plane == CT_AXIAL ? g->nz : plane == CT_CORONAL ? g->ny : g->nx;
  if (width) *width = w;
  if (height) *height = h;
  if (count) *count = n;
}

double ct_grid_plane_position(const ct_grid *g, ct_plane plane, int index) {
  switch (plane) {
  case CT_AXIAL:
    return g->z0 + clamp_index(index, g->nz) * g->dz;
  case CT_CORONAL:
    return g->y0 + clamp_index(index, g->ny) * g->dy;
  default:
    return g->x0 + clamp_index(index, g->nx) * g->dx;
  }
}

bool ct_grid_detector_rows(const ct_grid *grid, const ct_geometry *geometry, int *row0, int *rows) {
  double low = INFINITY, high = -INFINITY;
  bool seen = false;
  for (int view = 0; view < geometry->views; view++) {
    double m[12], u_low = INFINITY, u_high = -INFINITY, v_low = INFINITY, v_high = -INFINITY;
    bool beside_source = false;
    ct_geometry_matrix(geometry, view, m);
    for (int corner = 0; corner < 8; corner++) {
      const double p[3] = {grid->x0 + (corner & 1 ? (grid->nx - 1) * grid->dx : 0),
                           grid->y0 + (corner & 2 ? (grid->ny - 1) * grid->dy : 0),
                           grid->z0 + (corner & 4 ? (grid->nz - 1) * grid->dz : 0)};
      double u, v, w;
      ct_project(m, p, &u, &v, &w);
      if (!(w > 1e-9)) {
        beside_source = true;
        continue;
      }
      u_low = fmin(u_low, u);
      u_high = fmax(u_high, u);
      v_low = fmin(v_low, v);
      v_high = fmax(v_high, v);
    }
    if (beside_source) {
      /* The shadow of a grid that reaches the source's plane is unbounded. */
      *row0 = 0;
      *rows = geometry->nv;
      return true;
    }
    if (u_high > -1 && u_low < geometry->nu && v_high > -1 && v_low < geometry->nv) {
      seen = true;
      low = fmin(low, v_low);
      high = fmax(high, v_high);
    }
  }
  if (!seen) return false;
  const int first = clamp_index((int)fmax(floor(low) - 1, 0), geometry->nv);
  const int last = clamp_index((int)fmin(ceil(high) + 1, geometry->nv - 1), geometry->nv);
  *row0 = first;
  *rows = last - first + 1;
  return true;
}

const char *ct_plane_id(ct_plane plane) {
  static const char *const ids[] = {"axial", "coronal", "sagittal"};
  return ids[plane];
}
