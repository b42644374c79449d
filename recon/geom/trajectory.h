/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the views of a scan go round: axis, angles and steps, and where each view sees the axis. Of the named beams these
 * are as given; of projection matrices they are derived from the sources (or the directions of parallel rays) and the
 * detectors' poses, whatever direction the axis has. Everything that weights need is asked here. */
#ifndef CT_GEOM_TRAJECTORY_H
#define CT_GEOM_TRAJECTORY_H

#include "recon/geom/geometry.h"

#include <stdbool.h>

/* A gap between neighbouring views (radians) that the integral over a full turn may bridge. */
#define CT_GAP_BRIDGED (10 * 0.017453292519943295)

/* A value that owns two arrays: ct_trajectory_make, ct_trajectory_clear. */
typedef struct ct_trajectory {
  int views;
  double *angles; /* [views] radians, about the axis: the conventions of geometry.h, z being the axis */
  double *steps;  /* [views] what each view stands for in the integral over the arc (ct_geometry_view_weights) */
  double arc;     /* their sum */
  double gap;     /* largest distance of neighbouring views, modulo 2 pi; 2 pi for a single view */
  double step;    /* mean of the other distances; 0 for a single view */
  bool parallel;  /* the rays of no view diverge */
  bool mixed;     /* those of some do, of others not: then there is no axis */
  bool found;     /* the axis; false: it is taken to be z through the isocentre */
  double
      centre[3];  /* of the circle of sources; of parallel rays where views see it in one column, as nearly as may be */
  double axis[3]; /* unit direction, its last component that is not 0 positive */
  double right[3], forward[3]; /* at right angles to the axis: a source at angle t lies along sin t right - cos t
                                * forward */
  double radius;               /* of the circle, mm; 0 for parallel rays */
  /* How far sources leave the circle, mm, out of its plane and in distance; of parallel rays off_plane is the largest
   * angle, radians, by which they leave the plane at right angles to the axis. And the views that do so most. */
  double off_plane, off_circle;
  int most_off_plane, most_off_circle;
} ct_trajectory;

/* False only for lack of memory. */
bool ct_trajectory_make(const ct_geometry *geometry, ct_trajectory *trajectory, ct_error **error);
void ct_trajectory_clear(ct_trajectory *trajectory);

/* Whether direct methods serve the scan: all sources on one circle, within 5 % of its radius in distance, and out of
 * its plane by at most 5 % of the radius and a tenth of the height that the detector sees at the axis (but two rows are
 * always allowed), the axis no farther beside the detector than it is wide; parallel rays at right angles to one axis
 * within 1 degree. CT_ERROR_UNSUPPORTED, with what was
 * measured and the way out, where they do not. */
bool ct_trajectory_check(const ct_geometry *geometry, const ct_trajectory *trajectory, ct_error **error);

/* Whether the views go all round: no gap stands out from the others (golden-angle sequences have gaps of twice the
 * mean), or with bridging none is wider than CT_GAP_BRIDGED. */
bool ct_trajectory_is_closed(const ct_trajectory *trajectory, bool bridging);

/* The column in which a view sees the axis, in the plane of the sources. */
double ct_trajectory_axis_column(const ct_geometry *geometry, const ct_trajectory *trajectory, int view);
/* Where the rays of a column (it need not be whole) pass the axis: for diverging rays the angle, radians, to the ray
 * through the axis, for parallel ones the distance, mm. In the detector's middle row, seen along the axis; the tilt of
 * named beams is left out of account. The ray of view t at place g is the parallel one of angle t - g; its conjugate is
 * at view t + pi - 2 g (t + pi for parallel rays), place -g. */
double ct_trajectory_place(const ct_geometry *geometry, const ct_trajectory *trajectory, int view, double column);
/* Places of a view's rays: from *low to *high, at the outer edges of its columns. */
void ct_trajectory_places(const ct_geometry *geometry, const ct_trajectory *trajectory, int view, double *low,
                          double *high);

/* A line in the world: a point and a unit direction. */
typedef struct ct_line {
  double point[3], direction[3];
} ct_line;
/* The rotation axis by its point nearest to the isocentre, upwards. False where the views do not tell it (found is
 * false): then it is z through the isocentre. */
bool ct_geometry_axis(const ct_geometry *geometry, ct_line *axis);
/* Squared distance of a point from a line, mm^2. */
double ct_line_distance2(const ct_line *line, const double point[3]);

#endif
