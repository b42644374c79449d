/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays in half precision: their scale, and rounding. */
#include "recon/bp/layout/half.h"

#include <math.h>

float ct_half_magnitude(const float *values, size_t count) {
  float most = 0;
  for (size_t n = 0; n < count; n++) {
    const float magnitude = fabsf(values[n]);
    most = magnitude > most && magnitude < INFINITY ? magnitude : most;
  }
  return most;
}

float ct_half_scale(float magnitude) {
  int exponent = 0;
  if (magnitude > 0) frexpf(magnitude, &exponent);
  return ldexpf(1, 14 - exponent < 100 ? 14 - exponent : 100);
}

void ct_halves_from_floats(const float *values, size_t count, float scale, uint16_t *out) {
  for (size_t n = 0; n < count; n++) out[n] = ct_half_from_float(values[n] * scale);
}
