/* SPDX-License-Identifier: GPL-3.0-or-later */
/* H(f) = integral of h(x) cos(2 pi f x), by the rule of midpoints: h is even but for the rule for ties. */
#include "recon/bp/interp-response.h"

#include <math.h>

double ct_interp_weight(ct_interp interp, double x) {
  double weights[CT_INTERP_TAPS];
  int first;
  const int count = ct_interp_taps(ct_interp_get_shape(interp), x, &first, weights);
  return first <= 0 && -first < count ? weights[-first] : 0;
}

void ct_interp_response(ct_interp interp, const double *frequencies, int count, double *responses) {
  enum { FINE = 256, SAMPLES = CT_INTERP_TAPS * FINE };
  double h[SAMPLES];
  for (int n = 0; n < SAMPLES; n++) h[n] = ct_interp_weight(interp, (n + 0.5) / FINE - 0.5 * CT_INTERP_TAPS);
  for (int i = 0; i < count; i++) {
    double sum = 0;
    for (int n = 0; n < SAMPLES; n++)
      sum += h[n] * cos(2 * M_PI * frequencies[i] * ((n + 0.5) / FINE - 0.5 * CT_INTERP_TAPS));
    responses[i] = sum / FINE;
  }
}
