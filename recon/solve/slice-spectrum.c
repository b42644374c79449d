/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One transform along x, one along y, in place. */
#include "recon/solve/slice-spectrum.h"

#include "recon/base/memory.h"
#include "recon/filter/fft.h"

#include <math.h>

static bool transform(float *pairs, int nx, int ny, ct_error **error) {
  const ct_fft_layout
      along_x = {.length = nx, .count = ny, .step = 1, .next = nx, .out_step = 1, .out_next = nx, .in_place = true},
      along_y = {.length = ny, .count = nx, .step = nx, .next = 1, .out_step = nx, .out_next = 1, .in_place = true};
  ct_fft_complex *x = ct_fft_complex_new(&along_x, error), *y = x ? ct_fft_complex_new(&along_y, error) : NULL;
  if (y) {
    ct_fft_complex_run(x, pairs, pairs);
    ct_fft_complex_run(y, pairs, pairs);
  }
  ct_fft_complex_free(x);
  ct_fft_complex_free(y);
  return y != NULL;
}

bool ct_slice_spectrum(const float *slice, int nx, int ny, float *spectrum, ct_error **error) {
  size_t pixels;
  if (!ct_size_product(nx, ny, 2, sizeof(float), &pixels) || nx < 1 || ny < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A slice of %d x %d pixels has no spectrum.", nx, ny);
  const size_t count = (size_t)nx * (size_t)ny;
  float *pairs = ct_alloc(2 * count, sizeof *pairs, "a slice's spectrum", error);
  if (!pairs) return false;
  for (size_t n = 0; n < count; n++) pairs[2 * n] = slice[n], pairs[2 * n + 1] = 0;
  const bool good = transform(pairs, nx, ny, error);
  double largest = 0;
  for (size_t n = 0; good && n < count; n++)
    largest = fmax(largest, hypot((double)pairs[2 * n], (double)pairs[2 * n + 1]));
  for (int j = 0; good && j < ny; j++)
    for (int i = 0; i < nx; i++) {
      const size_t from = (size_t)((j + ny - ny / 2) % ny) * (size_t)nx + (size_t)((i + nx - nx / 2) % nx);
      const double share = largest > 0 ? hypot((double)pairs[2 * from], (double)pairs[2 * from + 1]) / largest : 0;
      spectrum[(size_t)j * (size_t)nx + (size_t)i] = (float)log10(fmax(share, CT_SPECTRUM_LEAST));
    }
  ct_free(pairs);
  return good;
}
