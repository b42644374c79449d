/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the object reaches the detector's edge, so that its projections are cut off there. */
#ifndef CT_PREP_TRUNCATION_H
#define CT_PREP_TRUNCATION_H

#include "recon/base/error.h"
#include "recon/data/stack.h"

#include <stdbool.h>

/* low is column 0, high the last one. Shares are of the views that were looked at. */
typedef struct ct_truncation {
  double low, high;           /* share of views in which the object reaches this edge */
  double both;                /* share in which it reaches both */
  double low_edge, high_edge; /* mean line integral at the edge where it is reached, air taken off; 0 where it is not */
  double rows;                /* share of the rows with object that are cut off in some view */
  double level;               /* usual line integral through the object, air taken off */
  double air;                 /* line integral of air, by which the beam intensity is off; 0 where no air is seen */
} ct_truncation;

/* Bands of rows: so many of nv rows, the rows [*row0, *row1) of one, and [bands][nu] means of up to 8 rows of each,
 * evenly taken, of a view [nv][nu]. */
#define CT_BANDS_MOST 16
int ct_band_count(int nv);
void ct_band_rows(int nv, int band, int *row0, int *row1);
void ct_take_bands(const float *pixels, int nu, int nv, float *bands);

/* Looks at views[count] of line integrals. Rows are averaged in bands; a band is cut off where the median of
 * its columns next to the edge (3 to 16) is above what a disc shows there that ends with the detector, above 6 % of
 * what the object usually has, and above four standard deviations of the noise. A small constant offset, as of a beam
 * intensity that is off by some per cent, is taken off where some edge shows it. CT_ERROR_MEMORY. */
bool ct_truncation_measure(const ct_stack *integrals, const int *views, int count, ct_truncation *truncation,
                           ct_error **error);

/* How much a wrong size of the object changes values at r from the axis (0 <= r < seen), relative to what is there: a
 * disc of this radius, seen out to `seen` < radius on both sides of a full turn of parallel rays, is extended by the
 * rays through one `times` as wide, scaled to what is measured at the edge. The ramp's h(s) = -1 / (2 pi^2 s^2)
 * integrated over the part that is not seen, and over the views. 0 where nothing is cut off; where little is, an upper
 * bound. */
double ct_truncation_effect(double seen, double radius, double times, double r);

/* The same of up to 64 views, evenly spread over the stack. */
bool ct_truncation_measure_stack(const ct_stack *integrals, ct_truncation *truncation, ct_error **error);

#endif
