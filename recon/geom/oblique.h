/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane of any pose: where it lies, which way its picture runs, and how fine and large the picture is. Pixel (i, j),
 * column i across and row j up, has its centre at
 *   centre + spacing ((i - (width - 1) / 2) across + (j - (height - 1) / 2) up)
 * in the world frame of geometry.h. The normal, across x up, points at who looks at the picture.
 *
 * Two angles turn the axial plane (across +x, up +y) into any other: the tilt raises `up` about the picture's
 * horizontal out of the axial plane, then the rotation turns all about +z, counter-clockwise: across = (cos r, sin r,
 * 0), up = (-sin r cos t, cos r cos t, sin t), normal = (sin r sin t, -cos r sin t, cos t). (r, t) = (0, 0) is the
 * axial, (0, 90 deg) the coronal and (90 deg, 90 deg) the sagittal picture of ct_plane. */
#ifndef CT_GEOM_OBLIQUE_H
#define CT_GEOM_OBLIQUE_H

#include "recon/base/error.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>

typedef struct ct_oblique {
  double centre[3];        /* mm */
  double across[3], up[3]; /* of unit length and at right angles */
  double spacing;          /* of the pixels both ways, mm, > 0 */
  int width, height;
} ct_oblique;

/* Whether all is finite, the vectors are of unit length and at right angles (within 1e-6), and the picture has pixels.
 */
bool ct_oblique_check(const ct_oblique *oblique, ct_error **error);

/* The plane turned by both angles (radians); its picture's horizontal lies in z = const. */
ct_oblique ct_oblique_turned(const double centre[3], double rotation, double tilt, double spacing, int width,
                             int height);
/* The angles that give a plane of this normal (any length, radians out: tilt 0 to pi, rotation -pi to pi, 0 for axial
 * planes). CT_ERROR_ARGUMENT when the normal is zero or not finite. */
bool ct_oblique_angles(const double normal[3], double *rotation, double *tilt, ct_error **error);
/* The plane of these angles through a point, its picture as fine as the grid's smallest voxel side and as large as the
 * grid can ever look from there, so that the size does not depend on the point; its centre is the point of the plane
 * nearest to the grid's centre. */
ct_oblique ct_oblique_through(const ct_grid *grid, const double point[3], double rotation, double tilt);

void ct_oblique_normal(const ct_oblique *oblique, double normal[3]);
/* World mm of pixel position (i, j); position of a world point's foot on the plane, and its distance along the normal,
 * mm. */
void ct_oblique_point(const ct_oblique *oblique, double i, double j, double point[3]);
double ct_oblique_locate(const ct_oblique *oblique, const double point[3], double *i, double *j);
/* Pixels of row j whose centres lie within the grid, half a voxel of border included: [*first, *end), empty when none.
 */
void ct_oblique_row_within(const ct_oblique *oblique, const ct_grid *grid, int j, int *first, int *end);
/* Whether any pixel's centre lies within the grid, border included: else the picture shows nothing of it. */
bool ct_oblique_meets(const ct_oblique *oblique, const ct_grid *grid);
/* Pixels in all. */
size_t ct_oblique_pixels(const ct_oblique *oblique);

/* The line in which the plane meets a plane of ct_plane at `position` mm along its normal: a point of it, the one
 * nearest to the centre, and its unit direction, both in (horizontal, vertical) mm of that plane's picture. False when
 * they are parallel (within 1e-6 radians). */
bool ct_oblique_trace(const ct_oblique *oblique, ct_plane plane, double position, double point[2], double direction[2]);

/* The plane as a thin grid [1][height][width] seen by projection matrices: the world is turned about the isocentre
 * until across, up and normal are x, y and z, and every view's matrix with it; 1/w^2 stays what it was. `transposed`:
 * rows and columns are swapped, [1][width][height], because up is inclined less to z = const: kernels are quick along
 * lines of voxels that stay on few detector rows. Ended with ct_geometry_clear. A fan beam sees the plane z = 0 alone:
 * CT_ERROR_UNSUPPORTED for any other. */
bool ct_oblique_frame(const ct_oblique *oblique, const ct_geometry *geometry, ct_geometry *turned, ct_grid *grid,
                      bool *transposed, ct_error **error);

#endif
