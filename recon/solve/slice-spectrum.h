/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two-dimensional spectrum of a slice as a picture. */
#ifndef CT_SOLVE_SLICE_SPECTRUM_H
#define CT_SOLVE_SLICE_SPECTRUM_H

#include "recon/base/error.h"

#include <stdbool.h>

/* Magnitudes below this share of the largest are shown as it. */
#define CT_SPECTRUM_LEAST 1e-6

/* log10 of the magnitude of slice[ny][nx]'s transform over the largest magnitude, from -6 to 0, into spectrum[ny][nx]:
 * frequency (i - nx / 2) / (nx dx) along x, (j - ny / 2) / (ny dy) along y, halves rounded down. A slice of zeros has
 * -6 everywhere. */
bool ct_slice_spectrum(const float *slice, int nx, int ny, float *spectrum, ct_error **error);

#endif
