/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The magnitudes of projections that become 16-bit integers. */
#include "recon/bp/isa/int16.h"

#include <math.h>

float ct_int16_magnitude(const float *samples, size_t count) {
  vf most = vset(0), odd = most;
  for (size_t n = 0; n < count; n += W) {
    const vf a = vabs(n + W <= count ? vload(samples + n) : vload_first(samples + n, (int)(count - n)));
    odd = vfma(a, vset(0), odd); /* infinity and what is not a number leave it not a number */
    most = vmax(most, a);
  }
  float parts[W], largest = 0, sum = 0;
  vstore(parts, most);
  for (int l = 0; l < W; l++) largest = fmaxf(largest, parts[l]);
  vstore(parts, odd);
  for (int l = 0; l < W; l++) sum += parts[l];
  return sum == 0 ? largest : INFINITY;
}

int ct_int16_join(float *magnitudes, int views, int sweep) {
  for (int slot = 0; slot < views; slot += sweep) {
    const int end = views - slot < sweep ? views : slot + sweep;
    float largest = 0;
    for (int n = slot; n < end; n++) {
      if (!isfinite(magnitudes[n])) return n;
      largest = fmaxf(largest, magnitudes[n]);
    }
    for (int n = slot; n < end; n++) magnitudes[n] = largest;
  }
  return -1;
}

bool ct_int16_refuse(int view, ct_error **error) {
  return ct_error_set(error, CT_ERROR_DATA,
                      "Projection %d holds values that are not finite, which 16-bit integers cannot express: choose "
                      "single precision.",
                      view);
}
