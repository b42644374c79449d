/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cone beam on a circle leaves out. A wave at a voxel is measured where the plane through the voxel at right
 * angles to it meets the source's circle (Tuy, SIAM J. Appl. Math. 43 (1983) 546): at the height z, R the circle's
 * radius and r cos(psi) how far the voxel lies towards the azimuth psi, it is not where the wave runs less than
 * arctan(|z| / (R - r cos(psi))) from the axis, away from the plane and towards psi: its shadow zone. */
#ifndef CT_GEOM_SHADOW_H
#define CT_GEOM_SHADOW_H

#include "recon/geom/geometry.h"

#include <stdbool.h>

/* Angles of the detector's lower and upper edge to the plane of the circle, radians, in the column of the axis. False:
 * no cone beam that goes all round a circle and stays on it. */
bool ct_geometry_cone(const ct_geometry *geometry, double edges[2]);
/* Half the opening of the shadow zone at a point towards an azimuth, radians; of a geometry that is such a cone, and a
 * point within the circle. */
double ct_shadow_angle(const ct_geometry *geometry, const double point[3], double azimuth);
/* Heights between which all of a circle about the axis is seen by every view; of such a cone. */
void ct_cone_heights(const ct_geometry *geometry, double radius, double heights[2]);

#endif
