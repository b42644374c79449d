/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the oblique plane lies: it goes through the crosshair, turned by two angles (recon/geom/oblique.h). Its picture's
 * coordinates are mm along the picture's horizontal (s) and vertical (t) from the world's origin; the third one (d) is
 * the distance of the plane from the origin along its normal. */
#pragma once

#include "recon/geom/oblique.h"
#include "ui/image.h"

G_BEGIN_DECLS

typedef struct {
  double rotation, tilt; /* radians, -pi to pi */
} GantryPose;

#define GANTRY_POSE_DEFAULT ((GantryPose){0, G_PI / 4})

/* World point to (s, t, d), and back. */
void gantry_pose_from_world(const GantryPose *pose, const double point[3], double place[3]);
void gantry_pose_to_world(const GantryPose *pose, const double place[3], double point[3]);

/* Direction (unit, in the picture's coordinates) of the line in which the plane cuts an axial, coronal or sagittal one;
 * FALSE when they are parallel. */
gboolean gantry_pose_trace(const GantryPose *pose, GantryViewKind kind, double direction[2]);
/* Turned by an angle (radians) counter-clockwise in that plane's picture. The picture's horizontal turns as little as
 * it can. */
GantryPose gantry_pose_turned(const GantryPose *pose, GantryViewKind kind, double angle);

/* Planes a voxel apart through the grid: their number, the one nearest to the point, and d of the first and the last.
 */
void gantry_pose_range(const GantryPose *pose, const ct_grid *grid, const double point[3], int *count, int *index,
                       double *first, double *last);

/* The frame of the picture of a plane through a volume, pixels to be filled; NULL when memory is short. */
GantryImage *gantry_image_new_for_oblique(const ct_oblique *oblique, const GantryPose *pose, const ct_grid *volume);
/* Whether the plane lies beside the grid, so that nothing of it is in the picture. */
gboolean gantry_image_is_beside(const GantryImage *image, const ct_grid *grid);
/* Whether the image is of this plane: its angles, through this point. */
gboolean gantry_image_is_oblique(const GantryImage *image, const GantryPose *pose, const double point[3]);

G_END_DECLS
