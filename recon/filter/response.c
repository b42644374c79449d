/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a filter does to a frequency, and to an impulse: read from the spectrum that it is applied with. */
#include "recon/base/memory.h"
#include "recon/filter/fft.h"
#include "recon/filter/ramp-private.h"

/* The spectrum holds the inverse transform's factor already. */
static bool transform(const float *spectrum, int length, float *taps, ct_error **error) {
  const size_t half = (size_t)length / 2;
  ct_fft *fft = ct_fft_new(length, 1, error);
  float *pairs = fft ? ct_alloc_zero(2 * (half + 1), sizeof *pairs, "the filter's response", error) : NULL;
  float *row = pairs ? ct_alloc((size_t)length, sizeof *row, "the filter's response", error) : NULL;
  if (row) {
    for (size_t k = 0; k <= half; k++) pairs[2 * k] = spectrum[k];
    ct_fft_inverse(fft, pairs, row);
    for (size_t n = 0; n <= half; n++) taps[n] = row[n];
  }
  const bool good = row != NULL;
  ct_free(row);
  ct_free(pairs);
  ct_fft_free(fft);
  return good;
}

bool ct_filter_get_response(const ct_filter *filter, ct_filter_response *response, ct_error **error) {
  int length;
  const float *spectrum = ct_filter_spectrum(filter, &length);
  if (length < 2) length = 2;
  const size_t half = (size_t)length / 2;
  *response = (ct_filter_response){.length = length};
  response->gain = ct_alloc(half + 1, sizeof *response->gain, "the filter's response", error);
  response->taps = response->gain ? ct_alloc_zero(half + 1, sizeof *response->taps, "the filter's taps", error) : NULL;
  bool good = response->taps != NULL;
  for (size_t k = 0; good && k <= half; k++) response->gain[k] = spectrum ? spectrum[k] * (float)length : 1;
  if (good && spectrum)
    good = transform(spectrum, length, response->taps, error);
  else if (good)
    response->taps[0] = 1;
  if (good) return true;
  ct_free(response->gain);
  ct_free(response->taps);
  *response = (ct_filter_response){0};
  return false;
}
