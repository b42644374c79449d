/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real transforms for the rooms that may not include fftw3.h. Planning sits behind one lock; execution is thread-safe
 * with one object per thread or distinct buffers. */
#ifndef CT_FILTER_FFT_H
#define CT_FILTER_FFT_H

#include "recon/base/error.h"

#include <stdbool.h>

typedef struct ct_fft ct_fft;

/* 1-D real transforms of `length`, `count` rows at once (contiguous; spectra of length / 2 + 1 complex pairs each). */
ct_fft *ct_fft_new(int length, int count, ct_error **error);
void ct_fft_free(ct_fft *fft);
/* rows[count][length] -> spectra[count][length / 2 + 1][2]; both ct_alloc-aligned. */
void ct_fft_forward(const ct_fft *fft, float *rows, float *spectra);
/* Inverse without the factor 1 / length; destroys spectra. */
void ct_fft_inverse(const ct_fft *fft, float *spectra, float *rows);

/* Complex transforms, `count` at a time: value k of the n-th is the complex number at step * k + next * n, of what is
 * read and of what is written. */
typedef struct ct_fft_layout {
  int length, count;
  int step, next;         /* of what is read, in complex numbers */
  int out_step, out_next; /* of what is written */
  bool backward;          /* exp(+2 pi i), without the factor 1 / length */
  bool in_place;          /* what is written replaces what was read; the steps are the same then */
} ct_fft_layout;

typedef struct ct_fft_complex ct_fft_complex;

ct_fft_complex *ct_fft_complex_new(const ct_fft_layout *layout, ct_error **error);
void ct_fft_complex_free(ct_fft_complex *fft);
/* Both aligned to CT_ALIGNMENT; the same place twice where the layout says so. What is read may be overwritten.
 * Thread-safe with distinct buffers. */
void ct_fft_complex_run(const ct_fft_complex *fft, float *from, float *to);

/* The next length >= n whose only factors are 2, 3, 5. */
int ct_fft_good_length(int n);

#endif
