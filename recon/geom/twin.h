/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays that are measured twice: the same line, seen from the other side. In the plane of the sources the ray of view t
 * at place g is that of view t + pi - 2 g at place -g (t + pi for parallel rays, where g is a distance): Kak, Slaney,
 * Principles of Computerized Tomographic Imaging (1988), section 3.4. */
#ifndef CT_GEOM_TWIN_H
#define CT_GEOM_TWIN_H

#include "recon/geom/trajectory.h"

#include <stdbool.h>

typedef enum ct_twin_state {
  CT_TWIN_MEASURED, /* view and uv are of a measured ray */
  CT_TWIN_NO_VIEW,  /* no view stands at that angle: the arc is too short */
  CT_TWIN_BESIDE,   /* the detector ends before that column */
  CT_TWIN_NONE      /* it leaves the plane of the sources, or these climb: no other view sees the line */
} ct_twin_state;

typedef struct ct_twin {
  ct_twin_state state;
  double angle; /* radians, of the view that would see the line exactly; not of CT_TWIN_NONE, as all below */
  int view;     /* the nearest to it */
  double off;   /* radians, by which that view stands farther round than the angle; -pi to pi */
  double uv[2]; /* the pixel there: of matrices in the nearest view, else at the angle */
} ct_twin;

/* Of the ray of a view to detector position (u, v); the trajectory is the geometry's. A ray counts as one in the plane
 * of the sources when the opposite source lies within half a detector row of it, and an angle as measured when it lies
 * between two neighbouring views, or within half a step of the arc's end. */
ct_twin ct_geometry_twin(const ct_geometry *geometry, const ct_trajectory *trajectory, int view, const double uv[2]);

/* Which rays in the plane of the sources are measured twice, of some views (sorted or not) and columns (they need not
 * be whole): twice[rows][count], 1 or 0, as ct_geometry_twin tells of each, within the rounding at borders. None where
 * there are no twins: sources that climb, rays that diverge in some views alone. */
bool ct_geometry_twice(const ct_geometry *geometry, const ct_trajectory *trajectory, const int *views, int rows,
                       const double *columns, int count, unsigned char *twice, ct_error **error);

/* The shortest arc, radians, that measures every line at least once: half a turn, for diverging rays and the fan, twice
 * the largest angle between a ray and the axis (Parker, Med. Phys. 9, 254 (1982)); a whole turn where the detector is
 * displaced. NAN where there is none: as above. */
double ct_geometry_short_arc(const ct_geometry *geometry, const ct_trajectory *trajectory);

#endif
