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

/* Looks at views[count] of line integrals. Rows are averaged in up to 16 bands; a band is cut off where the median of
 * its columns next to the edge (the outermost is left out) is above 6 % of what the object usually has and above four
 * standard deviations of the noise. A small constant offset, as of a beam intensity that is off by some per cent, is
 * taken off where some edge shows it. CT_ERROR_MEMORY. */
bool ct_truncation_measure(const ct_stack *integrals, const int *views, int count, ct_truncation *truncation,
                           ct_error **error);

/* The same of up to 64 views, evenly spread over the stack. */
bool ct_truncation_measure_stack(const ct_stack *integrals, ct_truncation *truncation, ct_error **error);

#endif
