/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ramp's spectrum for unit pixel pitch, from its band-limited space-domain form, times a window.
 * Windows as in Kak & Slaney 1988, section 3.3, stretched so that each ends at the cut-off. */
#include "recon/filter/ramp-private.h"

#include "recon/base/memory.h"
#include "recon/filter/filter.h"

#include <math.h>

double ct_window_value(ct_window window, double cutoff, double f) {
  if (window == CT_WINDOW_NONE) return 1;
  f = fabs(f);
  if (!(f <= cutoff) || !(cutoff > 0)) return 0;
  const double x = f / cutoff;
  switch (window) {
  case CT_WINDOW_SHEPP_LOGAN:
    return x > 0 ? sin(M_PI_2 * x) / (M_PI_2 * x) : 1;
  case CT_WINDOW_COSINE:
    return cos(M_PI_2 * x);
  case CT_WINDOW_HAMMING:
    return 0.54 + 0.46 * cos(M_PI * x);
  case CT_WINDOW_HANN:
    return 0.5 + 0.5 * cos(M_PI * x);
  default:
    return 1;
  }
}

bool ct_ramp_spectrum(int length, const ct_filter_options *options, int threads, float *spectrum, ct_error **error) {
  const int half = length / 2;
  double *cosines = ct_alloc((size_t)length, sizeof *cosines, "the ramp's spectrum", error);
  if (!cosines) return false;
  for (int i = 0; i < length; i++) cosines[i] = cos(2 * M_PI * i / length);
    /* A direct sum in double: the low frequencies, which carry the mean of the picture, are differences of large terms
     * and would lose digits in a single-precision transform. `length` is a multiple of 4, so that lag length / 2 is
     * even: 0. */
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int k = 0; k <= half; k++) {
    double sum = 0;
    if (options->ramp == CT_RAMP_BAND_LIMITED)
      for (int n = half - 1; n > 0; n -= 2) sum += cosines[(size_t)k * (size_t)n % (size_t)length] / ((double)n * n);
    const double ramp = options->ramp == CT_RAMP_BAND_LIMITED ? 0.25 - 2 / (M_PI * M_PI) * sum : (double)k / length;
    const double value = ramp * ct_window_value(options->window, options->cutoff, (double)k / half) / length;
    spectrum[k] = (float)value;
    if (k > 0 && k < half) spectrum[length - k] = (float)value;
  }
  ct_free(cosines);
  return true;
}
