/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a ray enters and leaves a ball, a cylinder and a box: the primitives of exact forward projection.
 *
 * A shape is handled in its own frame, in which it is centred, untilted and of half size 1, so that one formula serves
 * every ellipsoid. The change of frame is affine: the parameter s of a point `point + s direction` is the same in both
 * frames, and with a direction of unit length in the world the difference of two parameters is a length in world mm. */
#ifndef CT_FP_RAY_H
#define CT_FP_RAY_H

#include <stdbool.h>

typedef struct ct_ray_frame {
  double centre[3];
  double inverse_half[3]; /* 0 for an endless side: every coordinate along it becomes 0, which is inside */
  double cosine, sine;    /* of the turn about z */
} ct_ray_frame;

/* The frame of a shape at `centre` with semi-axes or half sides `half` (> 0; INFINITY: endless), turned by phi
 * (radians, counter-clockwise seen from +z) about the z axis through its centre. */
void ct_ray_frame_init(ct_ray_frame *frame, const double centre[3], const double half[3], double phi);

/* A world point, and a world direction, in the frame. */
void ct_ray_frame_point(const ct_ray_frame *frame, const double point[3], double local[3]);
void ct_ray_frame_direction(const ct_ray_frame *frame, const double direction[3], double local[3]);

/* Parameters at which the ray `point + s direction` (in the frame, s over all reals, direction not zero in the world)
 * enters and leaves the ball |x| <= 1, the cylinder x^2 + y^2 <= 1, |z| <= 1, the box |x|, |y|, |z| <= 1, and the wedge
 * |x|, |z| <= 1, |y| <= (1 + x) / 2. False when it misses; a ray along an endless side that lies inside gives -INFINITY
 * and INFINITY. */
bool ct_ray_ball(const double point[3], const double direction[3], double *enter, double *leave);
bool ct_ray_cylinder(const double point[3], const double direction[3], double *enter, double *leave);
bool ct_ray_box(const double point[3], const double direction[3], double *enter, double *leave);
bool ct_ray_wedge(const double point[3], const double direction[3], double *enter, double *leave);

#endif
