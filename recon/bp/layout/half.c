/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays in half precision: their scale, and rounding. */
#include "recon/bp/layout/half.h"

#include <math.h>

float ct_half_magnitude(const float *values, size_t count) {
  /* Floats of one sign are in the order of their bits, which compilers compare in vectors. */
  int32_t most = 0;
  for (size_t n = 0; n < count; n++) {
    int32_t bits;
    memcpy(&bits, &values[n], sizeof bits);
    bits &= 0x7fffffff;
    bits = bits < 0x7f800000 ? bits : 0;
    most = bits > most ? bits : most;
  }
  float largest;
  memcpy(&largest, &most, sizeof largest);
  return largest;
}

float ct_half_scale(float magnitude) {
  int exponent = 0;
  if (magnitude > 0) frexpf(magnitude, &exponent);
  return ldexpf(1, 14 - exponent < 100 ? 14 - exponent : 100);
}

void ct_halves_from_floats(const float *values, size_t count, float scale, uint16_t *out) {
  for (size_t n = 0; n < count; n++) out[n] = ct_half_from_float(values[n] * scale);
}
