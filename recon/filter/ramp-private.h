/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The windowed ramp of this room. */
#ifndef CT_FILTER_RAMP_PRIVATE_H
#define CT_FILTER_RAMP_PRIVATE_H

#include "recon/filter/filter.h"

/* spectrum[length], real and even: transform of h(0) = 1/4, h(odd n) = -1/(pi n)^2, h(even n) = 0 over all lags of the
 * circle, or |f| itself, times the window, divided by length (the inverse transform's factor). length is a multiple of
 * 4. */
bool ct_ramp_spectrum(int length, const ct_filter_options *options, int threads, float *spectrum, ct_error **error);

/* [length], borrowed; NULL: there is no ramp. */
const float *ct_filter_spectrum(const ct_filter *filter, int *length);

/* Cosine weights of row `row` of one view, [nu]. */
void ct_cosine_weights_row(const ct_geometry *geometry, const ct_trajectory *trajectory, int view, int row,
                           float *weights);

/* Pixel pitch along the rows, seen at the isocentre, mm: du / magnification; for projection matrices from the view's.
 */
double ct_view_pitch(const ct_geometry *geometry, const ct_trajectory *trajectory, int view);

#endif
