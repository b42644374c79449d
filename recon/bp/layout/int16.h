/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels of 16-bit integers share. Samples are integers in units of a magnitude, 1/32767 of it is one; two of
 * them stand in a 32-bit word, whose lower half is the first (int16-vector.h). */
#ifndef CT_BP_LAYOUT_INT16_H
#define CT_BP_LAYOUT_INT16_H

#include "recon/base/error.h"

#include <stdbool.h>

/* The magnitudes of every `pass` views become the largest of them. Returns the first view that is not finite, or -1.
 */
int ct_int16_join(float *magnitudes, int views, int pass);
/* The error of a projection that is not finite; false. */
bool ct_int16_refuse(int view, ct_error **error);
/* Units per 1: 32767 / magnitude. Where that would overflow, magnitudes below 1e-30, the largest power of ten instead:
 * such samples fade to zero as single precision itself does. */
static inline float ct_int16_units(float magnitude) {
  return magnitude > 1e-30f ? 32767 / magnitude : magnitude > 0 ? 1e34f : 0;
}

#endif
