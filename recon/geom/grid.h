/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The voxel grid: counts, voxel size and position, in the world frame of geometry.h. Arrays are [z][y][x], x fastest;
 * voxel (i, j, k) has its centre at (x0 + i dx, y0 + j dy, z0 + k dz). */
#ifndef CT_GEOM_GRID_H
#define CT_GEOM_GRID_H

#include "recon/base/error.h"
#include "recon/geom/geometry.h"

#include <stddef.h>

typedef struct ct_grid {
  int nx, ny, nz;
  double dx, dy, dz; /* voxel size, mm, > 0 */
  double x0, y0, z0; /* centre of voxel (0, 0, 0), mm */
} ct_grid;

/* The plane that a slice shows: the axis it is perpendicular to. */
typedef enum { CT_AXIAL /* z */, CT_CORONAL /* y */, CT_SAGITTAL /* x */ } ct_plane;

/* A grid of counts n and cubic voxels centred on `centre` (NULL: the origin). */
ct_grid ct_grid_centred(int nx, int ny, int nz, double voxel, const double centre[3]);

/* Voxels in all, bytes of float32; false with an error when the counts are below 1, overflow, or the sizes not finite.
 */
bool ct_grid_check(const ct_grid *grid, ct_error **error);
size_t ct_grid_voxels(const ct_grid *grid);

/* The natural grid of a geometry: voxels of the pitch at the axis, nx = ny covering the field of view (nu voxels; of a
 * displaced detector twice its wide side), nz covering the rows as seen at the axis, centred where the detector's
 * centre is seen. A fan beam gives nz = 1. Of matrices the rows are covered along the coordinate axis that is nearest
 * to the rotation axis, about the place of that axis which the detectors' middles see. Of a spiral the slices that it
 * covers (spiral.h), of a sequence those that its positions see, of a single detector row one slice at each. Where the
 * scan has a cube of its own, that cube: of 128, 256 or 512 voxels a side, as many as the pixels seen at the axis
 * resolve. */
ct_grid ct_grid_natural(const ct_geometry *geometry);

/* Whether two grids have the same counts and no voxel lies a thousandth of its size off. */
bool ct_grid_matches(const ct_grid *a, const ct_grid *b);

/* The sub-grid of one plane (thickness 1). index is clamped. */
ct_grid ct_grid_plane(const ct_grid *grid, ct_plane plane, int index);
/* Counts along the picture's horizontal and vertical: axial (x, y), coronal (x, z), sagittal (y, z); slices along the
 * normal. */
void ct_grid_plane_size(const ct_grid *grid, ct_plane plane, int *width, int *height, int *count);
/* World coordinate (mm) of a plane's index along its normal. */
double ct_grid_plane_position(const ct_grid *grid, ct_plane plane, int index);

/* Rows [row0, row0 + rows) of the detector that the grid's shadow touches in any view, with one row of margin for
 * interpolation; clipped to the detector. False when no view sees the grid at all. */
bool ct_grid_detector_rows(const ct_grid *grid, const ct_geometry *geometry, int *row0, int *rows);

const char *ct_plane_id(ct_plane plane); /* "axial", "coronal", "sagittal" */

#endif
