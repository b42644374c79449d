/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ramp by itself, for kernels that filter where they back-project: everything that ct_filter_apply does to a row
 * after its weights, where that is the same for all rows. */
#ifndef CT_FILTER_RAMP_H
#define CT_FILTER_RAMP_H

#include "recon/filter/filter.h"

/* What stands behind a row on the circle, up to the transform's length: zeros, or its first half the value of the right
 * edge and its second that of the left one, which may fade to zero as a half cosine. */
typedef enum { CT_ENDS_ZERO, CT_ENDS_EDGE, CT_ENDS_COSINE } ct_ends;

typedef struct ct_ramp_filter {
  int length;      /* of the transform, a multiple of 16: a power of two, or 3, 5 or 15 times one */
  float *spectrum; /* [length], real and even, with the factor 1 / length of the inverse transform */
  ct_ends ends;
} ct_ramp_filter;

/* The ramp of a filter with these options on projections of `output`, ct_filter_output's geometry; to be cleared.
 * CT_ERROR_UNSUPPORTED where there is none to be had by itself: without a window, of filtered projections, and where
 * rows are extended by an outline, each in its own way. */
bool ct_ramp_filter_make(const ct_geometry *output, const ct_filter_options *options, ct_ramp_filter *ramp,
                         ct_error **error);
void ct_ramp_filter_clear(ct_ramp_filter *ramp);

#endif
