/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms against the definition, and the lengths that they like. */
#include "recon/base/memory.h"
#include "recon/filter/fft.h"
#include "tests/test.h"

#include <math.h>

static void test_lengths(void) {
  CHECK(ct_fft_good_length(-3) == 1);
  CHECK(ct_fft_good_length(1) == 1);
  CHECK(ct_fft_good_length(7) == 8);
  CHECK(ct_fft_good_length(11) == 12);
  CHECK(ct_fft_good_length(2048) == 2048);
  CHECK(ct_fft_good_length(2049) == 2160);
  CHECK(ct_fft_good_length(2147483647) == 1 << 30);
}

static void test_definition(void) {
  ct_error *error = NULL;
  static const int lengths[] = {1, 2, 12, 45, 77};
  for (size_t c = 0; c < sizeof lengths / sizeof *lengths; c++) {
    const int n = lengths[c], rows = 3, half = n / 2 + 1;
    ct_fft *fft = ct_fft_new(n, rows, &error);
    CHECK_OK(fft);
    float *x = ct_alloc((size_t)(n * rows), sizeof *x, "x", NULL);
    float *s = ct_alloc((size_t)(2 * half * rows), sizeof *s, "s", NULL);
    for (int i = 0; i < n * rows; i++) x[i] = (float)sin(1.7 * i * i + 0.3);
    ct_fft_forward(fft, x, s);
    for (int r = 0; r < rows; r++)
      for (int k = 0; k < half; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < n; i++) {
          re += sin(1.7 * (r * n + i) * (r * n + i) + 0.3) * cos(2 * M_PI * k * i / n);
          im -= sin(1.7 * (r * n + i) * (r * n + i) + 0.3) * sin(2 * M_PI * k * i / n);
        }
        CHECK_NEAR(s[2 * (r * half + k)], re, 2e-5);
        CHECK_NEAR(s[2 * (r * half + k) + 1], im, 2e-5);
      }
    ct_fft_inverse(fft, s, x);
    for (int i = 0; i < n * rows; i++) CHECK_NEAR(x[i] / n, sin(1.7 * i * i + 0.3), 1e-5);
    ct_free(x);
    ct_free(s);
    ct_fft_free(fft);
  }
}

/* Columns of an array, there into an array of columns and, in place, back. */
static void test_complex(void) {
  enum { N = 12, COLUMNS = 3, STRIDE = 8 };
  const ct_fft_layout there = {N, COLUMNS, STRIDE, 1, 1, N, false, false}, back = {N, COLUMNS, 1, N, 0, 0, true, true};
  ct_error *error = NULL;
  ct_fft_complex *forward = ct_fft_complex_new(&there, &error), *backward = ct_fft_complex_new(&back, &error);
  CHECK_OK(forward && backward);
  float *x = ct_alloc(2 * N * STRIDE, sizeof *x, "x", NULL), *s = ct_alloc(2 * N * COLUMNS, sizeof *s, "s", NULL);
  for (int i = 0; i < 2 * N * STRIDE; i++) x[i] = (float)sin(1.7 * i * i + 0.3);
  ct_fft_complex_run(forward, x, s);
  for (int c = 0; c < COLUMNS; c++)
    for (int k = 0; k < N; k++) {
      double re = 0, im = 0;
      for (int n = 0; n < N; n++) {
        const int i = 2 * (n * STRIDE + c), j = i + 1;
        const double a = sin(1.7 * i * i + 0.3), b = sin(1.7 * j * j + 0.3), phase = -2 * M_PI * k * n / N;
        re += a * cos(phase) - b * sin(phase);
        im += a * sin(phase) + b * cos(phase);
      }
      CHECK_NEAR(s[2 * (c * N + k)], re, 2e-5);
      CHECK_NEAR(s[2 * (c * N + k) + 1], im, 2e-5);
    }
  ct_fft_complex_run(backward, s, s);
  for (int c = 0; c < COLUMNS; c++)
    for (int n = 0; n < N; n++) {
      const int i = 2 * (n * STRIDE + c);
      CHECK_NEAR(s[2 * (c * N + n)] / N, sin(1.7 * i * i + 0.3), 1e-5);
    }
  ct_free(x);
  ct_free(s);
  ct_fft_complex_free(forward);
  ct_fft_complex_free(backward);
}

static void test_bad_sizes(void) {
  ct_error *error = NULL;
  CHECK_FAILS(ct_fft_complex_new(&(ct_fft_layout){0, 1, 1, 1, 1, 1, false, false}, &error), CT_ERROR_ARGUMENT,
              "0 complex values");
  CHECK_FAILS(ct_fft_new(0, 1, &error), CT_ERROR_ARGUMENT, "0 values");
  CHECK_FAILS(ct_fft_new(8, -1, &error), CT_ERROR_ARGUMENT, "-1 rows");
  CHECK_FAILS(ct_fft_new(2147483647, 2147483647, &error), CT_ERROR_ARGUMENT, "not possible");
}

static const ct_test tests[] = {
    {"good lengths have no other factors than 2, 3, 5", test_lengths},
    {"forward transforms follow the definition, inverses undo them", test_definition},
    {"complex transforms follow the definition in any layout", test_complex},
    {"impossible sizes are errors", test_bad_sizes},
};
CT_TEST_MAIN(tests)
