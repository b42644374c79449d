/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The magnitudes of projections that become 16-bit integers. */
#include "recon/bp/layout/int16.h"

#include <math.h>

int ct_int16_join(float *magnitudes, int views, int pass) {
  for (int slot = 0; slot < views; slot += pass) {
    const int end = views - slot < pass ? views : slot + pass;
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
