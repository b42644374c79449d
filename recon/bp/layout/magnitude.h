/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest magnitude of a view, in vectors: compiled with the loops that use it. */
#ifndef CT_BP_LAYOUT_MAGNITUDE_H
#define CT_BP_LAYOUT_MAGNITUDE_H

#include "recon/simd/vector.h"

#include <math.h>

/* Of count samples; infinite when one of them is not finite. */
static inline float ct_magnitude(const float *samples, size_t count) {
  vf most = vset(0), odd = most;
  for (size_t n = 0; n < count; n += W) {
    const vf a = vabs(n + W <= count ? vload(samples + n) : vload_first(samples + n, (int)(count - n)));
    odd = vfma(a, vset(0), odd); /* infinity and what is not a number leave it not a number */
    most = vmax(most, a);
  }
  float lane[W], largest = 0, sum = 0;
  vstore(lane, most);
  for (int l = 0; l < W; l++) largest = fmaxf(largest, lane[l]);
  vstore(lane, odd);
  for (int l = 0; l < W; l++) sum += lane[l];
  return sum == 0 ? largest : INFINITY;
}

#endif
