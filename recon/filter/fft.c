/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real and complex transforms on FFTW (single precision), and the lock around its planner, which is one per process. */
#include "recon/filter/fft.h"

#include "recon/base/memory.h"
#include "recon/base/spare.h"
#include "recon/filter/fft-private.h"

#include <limits.h>
#include <pthread.h>

struct ct_fft {
  int length, count;
  fftwf_plan forward, inverse;
};

/* FFTW keeps its planner in the process, so its lock has to live there too. */
static pthread_mutex_t planner_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_planner(void) {
  pthread_mutex_lock(&planner_lock);
}
static void unlock_planner(void) {
  pthread_mutex_unlock(&planner_lock);
}

void ct_fftw_destroy(fftwf_plan plan) {
  if (!plan) return;
  lock_planner();
  fftwf_destroy_plan(plan);
  unlock_planner();
}

bool ct_fftw_plan_complex(int length, fftwf_plan *forward, fftwf_plan *inverse, ct_error **error) {
  *forward = *inverse = NULL;
  float *in = ct_alloc((size_t)length * 2, sizeof *in, "a row to be filtered", error);
  float *out = in ? ct_alloc((size_t)length * 2, sizeof *out, "the spectrum of a row", error) : NULL;
  if (out && ct_memory_is_spare("to plan a Fourier transform", error)) {
    fftwf_complex *a = (fftwf_complex *)in, *b = (fftwf_complex *)out;
    lock_planner();
    *forward = fftwf_plan_dft_1d(length, a, b, FFTW_FORWARD, FFTW_ESTIMATE);
    *inverse = *forward ? fftwf_plan_dft_1d(length, b, a, FFTW_BACKWARD, FFTW_ESTIMATE) : NULL;
    if (*forward && !*inverse) fftwf_destroy_plan(*forward);
    unlock_planner();
    if (!*inverse) {
      *forward = NULL;
      ct_error_set(error, CT_ERROR_MEMORY, "FFTW could not plan a transform of %d values.", length);
    }
  }
  ct_free(in);
  ct_free(out);
  return *inverse != NULL;
}

ct_fft *ct_fft_new(int length, int count, ct_error **error) {
  size_t bytes;
  if (length < 1 || count < 1 || length > INT_MAX - 2 ||
      !ct_size_product(length + 2, count, 1, sizeof(float), &bytes)) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "A transform of %d rows of %d values is not possible.", count, length);
    return NULL;
  }
  ct_fft *fft = ct_alloc_zero(1, sizeof *fft, "a transform", error);
  /* FFTW_ESTIMATE leaves the buffers alone but wants their alignment. */
  float *rows = fft ? ct_alloc((size_t)length * (size_t)count, sizeof *rows, "a transform's rows", error) : NULL;
  float *spectra =
      rows ? ct_alloc((size_t)(length / 2 + 1) * 2 * (size_t)count, sizeof *spectra, "a transform's spectra", error)
           : NULL;
  if (spectra && ct_memory_is_spare("to plan a Fourier transform", error)) {
    const int half = length / 2 + 1;
    fft->length = length;
    fft->count = count;
    lock_planner();
    fft->forward = fftwf_plan_many_dft_r2c(1, &length, count, rows, NULL, 1, length, (fftwf_complex *)spectra, NULL, 1,
                                           half, FFTW_ESTIMATE);
    fft->inverse = fftwf_plan_many_dft_c2r(1, &length, count, (fftwf_complex *)spectra, NULL, 1, half, rows, NULL, 1,
                                           length, FFTW_ESTIMATE);
    unlock_planner();
    if (!fft->forward || !fft->inverse)
      ct_error_set(error, CT_ERROR_MEMORY, "FFTW could not plan %d transforms of %d values.", count, length);
  }
  ct_free(rows);
  ct_free(spectra);
  if (fft && (!fft->forward || !fft->inverse)) {
    ct_fft_free(fft);
    return NULL;
  }
  return fft;
}

void ct_fft_free(ct_fft *fft) {
  if (!fft) return;
  ct_fftw_destroy(fft->forward);
  ct_fftw_destroy(fft->inverse);
  ct_free(fft);
}

void ct_fft_forward(const ct_fft *fft, float *rows, float *spectra) {
  fftwf_execute_dft_r2c(fft->forward, rows, (fftwf_complex *)spectra);
}

void ct_fft_inverse(const ct_fft *fft, float *spectra, float *rows) {
  fftwf_execute_dft_c2r(fft->inverse, (fftwf_complex *)spectra, rows);
}

struct ct_fft_complex {
  fftwf_plan plan;
};

/* Complex numbers from the first to the last that the layout touches. */
static bool extent_of(int length, int count, int step, int next, size_t *extent) {
  size_t along, across;
  if (!ct_size_multiply((size_t)(length - 1), (size_t)step, &along) ||
      !ct_size_multiply((size_t)(count - 1), (size_t)next, &across) || along > SIZE_MAX / 4 || across > SIZE_MAX / 4)
    return false;
  *extent = along + across + 1;
  return true;
}

ct_fft_complex *ct_fft_complex_new(const ct_fft_layout *layout, ct_error **error) {
  const ct_fft_layout *l = layout;
  size_t in, out;
  if (l->length < 1 || l->count < 1 || l->step < 1 || l->next < 1 ||
      (!l->in_place && (l->out_step < 1 || l->out_next < 1)) ||
      !extent_of(l->length, l->count, l->step, l->next, &in) ||
      !extent_of(l->length, l->count, l->in_place ? l->step : l->out_step, l->in_place ? l->next : l->out_next, &out)) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "A transform of %d rows of %d complex values is not possible.", l->count,
                 l->length);
    return NULL;
  }
  ct_fft_complex *fft = ct_alloc_zero(1, sizeof *fft, "a transform", error);
  float *from = fft ? ct_alloc(in, 2 * sizeof *from, "a transform's rows", error) : NULL;
  float *to = from && !l->in_place ? ct_alloc(out, 2 * sizeof *to, "a transform's spectra", error) : from;
  if (to && ct_memory_is_spare("to plan a Fourier transform", error)) {
    lock_planner();
    fft->plan =
        fftwf_plan_many_dft(1, &l->length, l->count, (fftwf_complex *)from, NULL, l->step, l->next, (fftwf_complex *)to,
                            NULL, l->in_place ? l->step : l->out_step, l->in_place ? l->next : l->out_next,
                            l->backward ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    unlock_planner();
    if (!fft->plan)
      ct_error_set(error, CT_ERROR_MEMORY, "FFTW could not plan %d transforms of %d values.", l->count, l->length);
  }
  if (to != from) ct_free(to);
  ct_free(from);
  if (fft && fft->plan) return fft;
  ct_fft_complex_free(fft);
  return NULL;
}

void ct_fft_complex_free(ct_fft_complex *fft) {
  if (!fft) return;
  ct_fftw_destroy(fft->plan);
  ct_free(fft);
}

void ct_fft_complex_run(const ct_fft_complex *fft, float *from, float *to) {
  fftwf_execute_dft(fft->plan, (fftwf_complex *)from, (fftwf_complex *)to);
}

static bool is_smooth(int n) {
  static const int primes[] = {2, 3, 5};
  for (int i = 0; i < 3; i++)
    while (n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

int ct_fft_good_length(int n) {
  if (n < 1) return 1;
  /* The largest power of two in an int; beyond it there is no transform to be had. */
  if (n > 1 << 30) return 1 << 30;
  while (!is_smooth(n)) n++;
  return n;
}
