/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spirals: what a geometry is as one, the parallel views that its rays sort into, and what its detector covers.
 *
 * A ray of the view at gantry angle t and fan angle g (atan of its column over the source's distance) runs in the
 * direction of the parallel angle theta = t - g, at the distance p = SOD sin g from the axis, and climbs by a row's
 * slope (Stierstorfer et al., Phys. Med. Biol. 49 (2004) 2209). Parallel views stand at equal steps of theta, so many
 * to half a turn that views a whole number of half turns apart see the same lines: these are one group. */
#ifndef CT_GEOM_SPIRAL_H
#define CT_GEOM_SPIRAL_H

#include "recon/geom/geometry.h"

#include <stdbool.h>

/* Whether it is given as one, by a feed; whether the table moves at all, evenly or by steps (sequence.h). */
bool ct_geometry_is_spiral(const ct_geometry *geometry);
bool ct_geometry_climbs(const ct_geometry *geometry);
/* The spiral that a geometry is, by feed, angles and distances: itself, or of projection matrices that are one about
 * the z axis (sources on a helix, the detector facing the axis, its columns along z) and climb by more than is taken
 * for a circle (ct_trajectory_check). To be cleared. False with CT_ERROR_UNSUPPORTED, which says what is in the way.
 */
bool ct_spiral_of(const ct_geometry *geometry, ct_geometry *spiral, ct_error **error);

/* Lifts source and detector of every view by so many mm: a spiral of a cone beam where the heights rise evenly with the
 * angles, to a twentieth of a row, a sequence where they rise so by equal steps from turn to turn and stay between
 * (angles that do not count on are made to), else projection matrices. */
bool ct_geometry_lift(ct_geometry *geometry, const double *heights, ct_error **error);

/* The parallel views: number m = 0 .. count - 1 at theta = first + m pi / groups, in group m % groups; `most` views in
 * a group at most. Columns j = 0 .. columns - 1 at p = (j - centre) pitch, all of which every view has. */
typedef struct ct_spiral_views {
  int groups, count, most;
  double first;
  int columns;
  double centre, pitch;
} ct_spiral_views;
/* False where the views go round by too little for any: half a turn and the fan. */
bool ct_spiral_arrange(const ct_geometry *spiral, ct_spiral_views *views);

/* A group as one view of parallel beam, its views' rows one above the other; to be cleared. */
bool ct_spiral_parallel(const ct_geometry *spiral, const ct_spiral_views *views, ct_geometry *parallel,
                        ct_error **error);
/* The ray of parallel view m at p, or the column's place in it: gantry angle t and fan angle, height of its source. */
typedef struct ct_spiral_ray {
  double gantry, fan, height;
} ct_spiral_ray;
ct_spiral_ray ct_spiral_ray_at(const ct_geometry *spiral, const ct_spiral_views *views, int view, double p);
/* Row in which a point at z is seen by that ray, `along` mm behind the foot of the axis along its direction: v = row[0]
 * + row[1] z. */
void ct_spiral_rows(const ct_geometry *spiral, const ct_spiral_ray *ray, double along, double row[2]);

/* Heights that are covered within a radius about the axis: every group has a view that sees them. covered: low < high.
 * most_feed: the largest feed, mm per turn, at which nothing between is left out; seen: heights that any view sees. */
typedef struct ct_spiral_cover {
  double low, high, most_feed, seen_low, seen_high;
} ct_spiral_cover;
ct_spiral_cover ct_spiral_covers(const ct_geometry *spiral, double radius);
/* Feed over the height of the detector as seen at the axis. */
double ct_spiral_pitch(const ct_geometry *spiral);

#endif
