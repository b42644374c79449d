/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a ray that lies within a voxel grid, and within the field of view. */
#ifndef CT_GEOM_RAY_H
#define CT_GEOM_RAY_H

#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

/* Of a view's ray to detector position (u, v), in the order in which the photons go: the places, mm, where it enters
 * and leaves the grid's box (outer faces of its voxels); of a source within the box it begins there. False where it
 * misses the box. */
bool ct_ray_within(const ct_geometry *geometry, const ct_grid *grid, int view, const double uv[2], double from[3],
                   double to[3]);
/* The part of it that lies in the field of view, too (ct_geometry_field_radius), where there is one: beyond it some
 * views see nothing, so that a volume there does not hold what was measured. False where it misses that. */
bool ct_ray_in_field(const ct_geometry *geometry, const ct_grid *grid, int view, const double uv[2], double from[3],
                     double to[3]);

#endif
