/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fit of axis.c, for trajectory.c. */
#ifndef CT_GEOM_AXIS_PRIVATE_H
#define CT_GEOM_AXIS_PRIVATE_H

#include <stdbool.h>

typedef double ct_point[3];

static inline double ct_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The circle near to n points: its centre, in their plane, and the plane's unit normal. False where they lie in a
 * line. */
bool ct_fit_circle(const ct_point *points, int n, double centre[3], double normal[3]);
/* The unit normal of the plane through the origin that is nearest to n directions. False where all are one. */
bool ct_fit_plane(const ct_point *directions, int n, double normal[3]);

#endif
