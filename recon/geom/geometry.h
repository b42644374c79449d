/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan geometry, and the conventions that every other file relies on.
 *
 * World frame right-handed, mm, rotation axis = +z. The object stands still; source and detector turn by the gantry
 * angle t, counter-clockwise seen from +z:
 *   source            S(t) = ( SOD sin t, -SOD cos t, 0)
 *   detector centre   D(t) = (-ODD sin t,  ODD cos t, 0),   SDD = SOD + ODD
 *   u axis (cos t, sin t, 0), v axis (0, 0, 1)
 * (ASTRA's convention, van Aarle et al. 2016). Parallel beam: all rays run along (-sin t, cos t, 0).
 * The line from the source through the isocentre (the origin) meets the detector at pixel (centre_u, centre_v): indices
 * of pixel centres counted from 0, so that an n-pixel row is centred at (n - 1) / 2. This is "the centre of rotation".
 * The in-plane tilt e turns the detector about that point: columns run along cos e u + sin e v, rows along
 * -sin e u + cos e v.
 *
 * Every view reduces to a 3x4 matrix P (row-major) from world mm to detector pixel indices:
 *   (a, b, w) = P (x, y, z, 1),  u = a / w,  v = b / w,
 * scaled so that w = 1 at the isocentre: 1 / w^2 is then the FDK distance weight (Feldkamp, Davis, Kress 1984); for
 * parallel beam w = 1 everywhere. A fan beam is a cone beam whose one row lies in the plane z = 0.
 *
 * A spiral is a cone beam whose source and detector climb while they turn (in life the table moves the other way): at
 * the gantry angle t, which counts on from turn to turn, both stand at z = height + feed t / (2 pi).
 * Of a sequence (step and shoot) the table stands while the gantry turns and moves between turns: turn n, counted from
 * the angle `begin`, has both at z = height + feed n. */
#ifndef CT_GEOM_GEOMETRY_H
#define CT_GEOM_GEOMETRY_H

#include "recon/base/error.h"

#include <stdbool.h>

typedef enum { CT_BEAM_PARALLEL, CT_BEAM_FAN, CT_BEAM_CONE, CT_BEAM_FREE } ct_beam;

/* Whether the object reaches beyond the end of the detector that is nearer to the axis, in some views. */
typedef enum { CT_NARROW_UNKNOWN, CT_NARROW_SEES_ALL, CT_NARROW_CUTS } ct_narrow;

/* A value that owns two arrays: make it with ct_geometry_init or _copy, end it with ct_geometry_clear. */
typedef struct ct_geometry {
  ct_beam beam;
  int nu, nv, views;         /* detector columns, rows; projections */
  double du, dv;             /* pixel pitch at the detector, mm, > 0 */
  double sod, sdd;           /* source to axis, source to detector, mm; unused (0) for parallel beam */
  double centre_u, centre_v; /* pixel where the isocentre projects to */
  double tilt;               /* radians */
  double feed;               /* of a spiral or sequence, mm of z per turn of +2 pi; 0: a circle. Cone beam only */
  double height;             /* of a spiral's source at angle 0, of a sequence's in its first turn, mm of z */
  bool stops;                /* the table stands during each turn: a sequence; else it moves evenly */
  double begin;              /* of a sequence: the angle at which its first turn begins, radians */
  double cube;               /* mm: edge of the cube about the origin that belongs to the scan; 0: none is told */
  ct_narrow narrow_side;     /* measured on the projections, or as told; see ct_geometry_displaced */
  double *angles;            /* [views], radians, any order, any arc; NULL only for CT_BEAM_FREE */
  double *matrices; /* [views][12] row-major 3x4, only for CT_BEAM_FREE, normalised to w = 1 at the isocentre */
} ct_geometry;

/* All zero but for the counts, unit pitch and a centred detector; angles (and matrices for CT_BEAM_FREE) are allocated
 * and zero. CT_ERROR_ARGUMENT on counts below 1, CT_ERROR_MEMORY. */
bool ct_geometry_init(ct_geometry *geometry, ct_beam beam, int nu, int nv, int views, ct_error **error);
bool ct_geometry_copy(ct_geometry *to, const ct_geometry *from, ct_error **error);
void ct_geometry_clear(ct_geometry *geometry);
/* The world turned by a quarter about the axis, so that what lay along +y lies along +x, and along +x along -y. */
void ct_geometry_turn_quarter(ct_geometry *geometry);

/* angles[i] = first + i * step (radians). */
void ct_geometry_set_arc(ct_geometry *geometry, double first, double step);
/* The table feed, mm per turn of +2 pi, and the z of the source in the first view, by the angles and by `stops` as they
 * stand. The height of a view's source, mm: 0 but for spirals and sequences. */
void ct_geometry_set_feed(ct_geometry *geometry, double feed, double start);
double ct_geometry_height(const ct_geometry *geometry, int view);
/* The start that puts the middle of the way of such a feed at the isocentre, mm; by `stops`, too. */
double ct_geometry_centred_start(const ct_geometry *geometry, double feed);

/* Tells what makes the geometry unusable: counts, pitch, distances (0 < sod < sdd), non-finite numbers, a fan with more
 * than one row, singular projection matrices. */
bool ct_geometry_check(const ct_geometry *geometry, ct_error **error);
/* Angles of nearly 3,000 turns are none. */
#define CT_MOST_DEGREES 1e6
bool ct_geometry_check_angles(const ct_geometry *geometry, ct_error **error);

/* P of one view, row-major. */
void ct_geometry_matrix(const ct_geometry *geometry, int view, double matrix[12]);

/* (u, v) and w of a world point. */
void ct_project(const double matrix[12], const double point[3], double *u, double *v, double *w);

/* The ray of detector position (u, v): a point on it and its unit direction, source to detector. For divergent beams
 * the point is the source. False only for projection matrices with a singular left 3x3 part (parallel). */
bool ct_geometry_ray(const ct_geometry *geometry, int view, double u, double v, double point[3], double direction[3]);

/* The geometry of detector rows row0 .. row0 + rows - 1 alone; of every `step`-th view from `first` on; of bins of b x
 * b pixels (trailing pixels that do not fill a bin are dropped; a detector of fewer than b rows is binned whole). In
 * place. */
void ct_geometry_crop_rows(ct_geometry *geometry, int row0, int rows);
bool ct_geometry_take_views(ct_geometry *geometry, int first, int step, int count, ct_error **error);
void ct_geometry_bin(ct_geometry *geometry, int b);
/* The geometry of a detector with so many more columns before the first and after the last. In place. */
void ct_geometry_add_columns(ct_geometry *geometry, int before, int after);
/* Rows that one bin of b x b takes from a detector of nv rows: b, or all when there are fewer. */
int ct_row_bin(int nv, int b);

/* All views by matrices, the angles kept. In place; nothing where they are. */
bool ct_geometry_take_matrices(ct_geometry *geometry, ct_error **error);
/* The axis is seen at columns[view] and not at centre_u in every view: a stage that wanders along u, or a detector that
 * does. By matrices from then on. */
bool ct_geometry_place_axis(ct_geometry *geometry, const double *columns, ct_error **error);

/* Magnification SDD / SOD at the axis; 1 for parallel beam; for projection matrices the mean over the views. */
double ct_geometry_magnification(const ct_geometry *geometry);
/* Pixel pitch seen at the rotation axis, mm (du / magnification): the natural voxel size. */
double ct_geometry_pitch_at_axis(const ct_geometry *geometry);
/* A detector that was moved aside to see more: opposite views see the object's halves in turn, and rays that only its
 * wide side sees count whole. The views go all round (gaps of up to 10 degrees are bridged), the axis falls on the
 * detector, and the object reaches beyond its narrow side: as narrow_side says, or where that is unknown, the narrow
 * side is less than three quarters of the wide one. The sides are pixels from the axis to the detector's ends, positive
 * towards larger u; which one is wide tells the sign of *wide. Of matrices: what all views have on the narrow side, and
 * the most that one has on the wide side. */
bool ct_geometry_displaced(const ct_geometry *geometry, double *narrow, double *wide);
/* Radius, mm, of the circle about the axis that every view sees whole: the smaller side of the detector counts; of a
 * displaced detector the larger one, which every line through the circle meets once in a turn. */
double ct_geometry_field_radius(const ct_geometry *geometry);

/* Arc covered by the views in radians, the last step included (360 views of 1 degree give 2 pi); and the angle,
 * radians, that each view stands for in the integral over the arc (trapezoidal over sorted angles taken modulo 2 pi,
 * end views of an open arc get their inner half twice). weights[views] sums to the arc. Duplicated angles share their
 * weight. Of matrices the angles are those of the sources about their axis (trajectory.h). NAN: no memory. */
double ct_geometry_arc(const ct_geometry *geometry);
bool ct_geometry_view_weights(const ct_geometry *geometry, double *weights, ct_error **error);

const char *ct_beam_id(ct_beam beam);    /* "parallel", "fan", "cone", "free": for files and the command line */
const char *ct_beam_title(ct_beam beam); /* "parallel beam", ... for people */

#endif
