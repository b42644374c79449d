/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an interpolation kernel does to waves. */
#ifndef CT_BP_INTERP_RESPONSE_H
#define CT_BP_INTERP_RESPONSE_H

#include "recon/bp/interp.h"

/* h(x): the weight of the pixel at 0 for a position x, as it is applied. */
double ct_interp_weight(ct_interp interp, double x);

/* Its transform at frequencies in cycles per pixel, 1 at 0: what is left of a wave that is interpolated. Kernels that
 * round the position or divide by their sum: for positions that lie evenly between the pixels. */
void ct_interp_response(ct_interp interp, const double *frequencies, int count, double *responses);

#endif
