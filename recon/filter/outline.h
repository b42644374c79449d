/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object as an elliptic cylinder along the rotation axis, which changes with height: what stands in for the parts of
 * it that truncated projections lack (cf. Hsieh et al., Med. Phys. 31, 2385, 2004, where it is a circle of water for
 * each row by itself; one ellipse for all views is consistent from view to view). */
#ifndef CT_FILTER_OUTLINE_H
#define CT_FILTER_OUTLINE_H

#include "recon/geom/geometry.h"

#include <stdbool.h>

enum { CT_OUTLINE_BANDS = 16 };

typedef struct ct_ellipse {
  double x, y;    /* centre, mm in the outline's frame */
  double a, b;    /* half axes, mm */
  double turn;    /* of the axis a against x, radians */
  double density; /* 1/mm */
  double soft;    /* squared chords are averaged over as much to both sides, in those of the half axes: as columns of
                     finite width see the rim, and with a slope that is finite everywhere; 0: not */
} ct_ellipse;

/* A value. across: directions of x and y, origin: of both, in the world. Between the rows [bands], ascending detector
 * rows, two ellipses are mixed. */
typedef struct ct_outline {
  double across[2][3], origin[3];
  double centre_u; /* of the geometry that it was fitted for: with another one parallel rays are shifted along */
  int bands;
  double rows[CT_OUTLINE_BANDS];
  ct_ellipse ellipses[CT_OUTLINE_BANDS];
  bool low, high; /* the edges that are extended: column 0, last column */
  bool told;      /* its size was given, not estimated */
} ct_outline;

/* The frame of a geometry: across the rotation axis. */
void ct_outline_frame(const ct_geometry *geometry, ct_outline *outline);

/* A detector row's rays (or points of it that go on beyond its ends) as polynomials of the column u: with the ellipse
 * they make the chord 2 sqrt(disc(u)) |d(u)| / alpha(u), where disc and alpha are of second order. */
typedef struct ct_outline_row {
  double along[2][3];  /* direction at u: [0] + u [1], not of unit length */
  double points[2][3]; /* a point of the ray: [0] + u [1] */
} ct_outline_row;
ct_outline_row ct_outline_row_of(const ct_geometry *geometry, int view, double v);

/* chords[count] of the columns u0, u0 + step, ...: integrals through the ellipse; without_length: divided by |d(u)|, as
 * the cosine weights of a flat detector do, but for a factor that is the same for the whole view. */
void ct_ellipse_chords(const ct_outline *outline, const ct_ellipse *ellipse, const ct_outline_row *row, double u0,
                       double step, int count, bool without_length, float *chords);
/* The same of the outline at detector row v. */
void ct_outline_chords(const ct_outline *outline, const ct_outline_row *row, double v, double u0, double step,
                       int count, float *chords);

#endif
