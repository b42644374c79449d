/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule of 16-bit storage, in plain C. */
#include "recon/bp/layout/stored.h"

#include "recon/bp/layout/half.h"
#include "recon/bp/layout/int16.h"

#include <math.h>

float ct_stored_units(ct_precision precision, float magnitude) {
  if (precision == CT_PRECISION_FLOAT16) return ct_half_scale(magnitude);
  return precision == CT_PRECISION_INT16 ? ct_int16_units(magnitude) : 1;
}

void ct_stored_numbers(ct_precision precision, const float *samples, size_t count, float units, float *out) {
  if (precision == CT_PRECISION_FLOAT16)
    for (size_t n = 0; n < count; n++) out[n] = ct_half_to_float(ct_half_from_float(samples[n] * units));
  else
    for (size_t n = 0; n < count; n++) out[n] = rintf(samples[n] * units);
}
