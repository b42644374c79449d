/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring removal by combined wavelet and Fourier filtering (Münch, Trtik, Marone, Stampanoni 2009, Optics Express 17,
 * 8567): the sinogram is split into levels of a 2-D wavelet transform; a stripe is what the details across the columns
 * have in common over the views, so the lowest frequencies along the views are damped in those details by 1 - exp(-k^2
 * / (2 sigma^2)).
 *
 * Periodic Daubechies-5 wavelets. Rows and views are continued to a multiple of 2^levels by a blend of both ends'
 * reflections, so that the circle closes without a step. */
#include "recon/prep/prep-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/filter/fft.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#define TAPS 10
/* The coarsest level keeps at least so many samples. */
#define LEAST 20

/* Daubechies 1988, table 1, N = 5; the sum is sqrt 2. */
static const float low_pass[TAPS] = {0.160102397974192914f, 0.603829269797189671f,  0.724308528437772928f,
                                     0.138428145901320732f, -0.242294887066382032f, -0.032244869584637464f,
                                     0.077571493840045713f, -0.006241490212798274f, -0.012580751999081999f,
                                     0.003335725285473771f};

static inline float high_pass(int k) {
  return k % 2 ? -low_pass[TAPS - 1 - k] : low_pass[TAPS - 1 - k];
}

void ct_wavelet_split(const float *in, float *out, int count) {
  const int half = count / 2;
  float high[TAPS];
  for (int k = 0; k < TAPS; k++) high[k] = high_pass(k);
  for (int i = 0; i < half; i++) {
    float low_sum = 0, high_sum = 0;
    for (int k = 0; k < TAPS; k++) {
      int at = 2 * i + k;
      while (at >= count) at -= count;
      low_sum += low_pass[k] * in[at];
      high_sum += high[k] * in[at];
    }
    out[i] = low_sum;
    out[half + i] = high_sum;
  }
}

void ct_wavelet_join(const float *in, float *out, int count) {
  const int half = count / 2;
  float high[TAPS];
  for (int k = 0; k < TAPS; k++) high[k] = high_pass(k);
  memset(out, 0, (size_t)count * sizeof *out);
  for (int i = 0; i < half; i++)
    for (int k = 0; k < TAPS; k++) {
      int at = 2 * i + k;
      while (at >= count) at -= count;
      out[at] += low_pass[k] * in[i] + high[k] * in[half + i];
    }
}

/* Continues n samples `stride` apart to `length`: reflections of the right and the left end, faded into one another. */
static void close_circle(float *samples, int n, int length, size_t stride) {
  const int gap = length - n;
  for (int i = 0; i < gap; i++) {
    const float share = (float)(i + 1) / (float)(gap + 1);
    const float right = samples[(size_t)ct_reflect(n + i, n) * stride],
                left = samples[(size_t)ct_reflect(i - gap, n) * stride];
    samples[(size_t)(n + i) * stride] = (1 - share) * right + share * left;
  }
}

/* Columns that go through one thread together, so that each cache line is fetched once. */
#define COLUMNS 16

typedef struct {
  int wide, high; /* of the continued sinogram */
  float *image;   /* [high][wide] */
  int threads;
  size_t work_size; /* floats per thread */
  float *work;      /* [threads][work_size] */
} plane;

static void transform_line(const float *in, float *out, int count, bool forwards) {
  if (forwards)
    ct_wavelet_split(in, out, count);
  else
    ct_wavelet_join(in, out, count);
}

static void transform_rows(const plane *p, int wide, int high, bool forwards) {
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (int j = 0; j < high; j++) {
    float *out = p->work + (size_t)omp_get_thread_num() * p->work_size, *row = p->image + (size_t)j * (size_t)p->wide;
    transform_line(row, out, wide, forwards);
    memcpy(row, out, (size_t)wide * sizeof *row);
  }
}

static void load_columns(const plane *p, int begin, int count, int high, float *columns) {
  for (int j = 0; j < high; j++)
    for (int k = 0; k < count; k++)
      columns[(size_t)k * (size_t)p->high + (size_t)j] = p->image[(size_t)j * (size_t)p->wide + (size_t)(begin + k)];
}

static void store_columns(const plane *p, int begin, int count, int high, const float *columns) {
  for (int j = 0; j < high; j++)
    for (int k = 0; k < count; k++)
      p->image[(size_t)j * (size_t)p->wide + (size_t)(begin + k)] = columns[(size_t)k * (size_t)p->high + (size_t)j];
}

static void transform_columns(const plane *p, int wide, int high, bool forwards) {
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (int begin = 0; begin < wide; begin += COLUMNS) {
    float *columns = p->work + (size_t)omp_get_thread_num() * p->work_size, *out = columns + COLUMNS * (size_t)p->high;
    const int count = wide - begin < COLUMNS ? wide - begin : COLUMNS;
    load_columns(p, begin, count, high, columns);
    for (int k = 0; k < count; k++) {
      float *column = columns + (size_t)k * (size_t)p->high;
      transform_line(column, out, high, forwards);
      memcpy(column, out, (size_t)high * sizeof *column);
    }
    store_columns(p, begin, count, high, columns);
  }
}

/* Damps the low frequencies along the views in the details across the columns: low half of the rows, high half of the
 * columns. */
static bool damp(const plane *p, int wide, int high, double sigma, ct_error **error) {
  const int length = high / 2;
  ct_fft *fft = ct_fft_new(length, 1, error);
  if (!fft) return false;
#pragma omp parallel for schedule(static) num_threads(p->threads)
  for (int begin = wide / 2; begin < wide; begin += COLUMNS) {
    float *columns = p->work + (size_t)omp_get_thread_num() * p->work_size;
    float *samples = columns + COLUMNS * (size_t)p->high, *spectrum = samples + ((size_t)length + 15) / 16 * 16;
    const int count = wide - begin < COLUMNS ? wide - begin : COLUMNS;
    load_columns(p, begin, count, length, columns);
    for (int c = 0; c < count; c++) {
      float *column = columns + (size_t)c * (size_t)p->high;
      memcpy(samples, column, (size_t)length * sizeof *samples);
      ct_fft_forward(fft, samples, spectrum);
      for (int k = 0; k <= length / 2; k++) {
        const float factor = (float)(-expm1(-0.5 * k * k / (sigma * sigma)) / length);
        spectrum[2 * k] *= factor;
        spectrum[2 * k + 1] *= factor;
      }
      ct_fft_inverse(fft, spectrum, samples);
      memcpy(column, samples, (size_t)length * sizeof *samples);
    }
    store_columns(p, begin, count, length, columns);
  }
  ct_fft_free(fft);
  return true;
}

/* n and some more to close the circle in, as a multiple of 2^levels. */
static int continued(int n, int levels) {
  const int unit = 1 << levels;
  return (n + (n / 8 > 16 ? n / 8 : 16) + unit - 1) / unit * unit;
}

static bool plane_new(plane *p, int nu, int views, int levels, ct_error **error) {
  p->wide = continued(nu, levels);
  /* A multiple of 16 too, so that the work areas behind a block of columns are aligned for FFTW. */
  p->high = continued(views, levels > 4 ? levels : 4);
  p->threads = ct_thread_count();
  /* A block of columns, behind it a row, or a column and its spectrum. */
  const size_t longest = (size_t)(p->wide > p->high ? p->wide : p->high);
  p->work_size = COLUMNS * (size_t)p->high + (2 * longest + 63) / 16 * 16;
  p->image = ct_alloc((size_t)p->wide * (size_t)p->high, sizeof *p->image, "a continued sinogram", error);
  p->work = p->image ? ct_alloc(p->work_size * (size_t)p->threads, sizeof *p->work, "the columns of a sinogram", error)
                     : NULL;
  return p->work != NULL;
}

static void fill_plane(const plane *p, const float *sinogram, size_t view_stride, int nu, int views) {
  for (int i = 0; i < views; i++) {
    float *row = p->image + (size_t)i * (size_t)p->wide;
    memcpy(row, sinogram + (size_t)i * view_stride, (size_t)nu * sizeof *row);
    close_circle(row, nu, p->wide, 1);
  }
  for (int k = 0; k < p->wide; k++) close_circle(p->image + k, views, p->high, (size_t)p->wide);
}

bool ct_rings_wavelet(float *sinogram, size_t view_stride, int nu, int views, int levels, double sigma,
                      ct_error **error) {
  int most = 0;
  while (most < 20 && (nu < views ? nu : views) >> (most + 1) >= LEAST) most++;
  if (levels > most) levels = most;
  if (levels < 1) return true;
  plane p = {0};
  bool good = plane_new(&p, nu, views, levels, error);
  if (good) {
    fill_plane(&p, sinogram, view_stride, nu, views);
    for (int l = 0; l < levels && good; l++) {
      transform_rows(&p, p.wide >> l, p.high >> l, true);
      transform_columns(&p, p.wide >> l, p.high >> l, true);
      good = damp(&p, p.wide >> l, p.high >> l, sigma, error);
    }
    for (int l = levels - 1; l >= 0 && good; l--) {
      transform_columns(&p, p.wide >> l, p.high >> l, false);
      transform_rows(&p, p.wide >> l, p.high >> l, false);
    }
    for (int i = 0; i < views && good; i++)
      memcpy(sinogram + (size_t)i * view_stride, p.image + (size_t)i * (size_t)p.wide, (size_t)nu * sizeof *sinogram);
  }
  ct_free(p.image);
  ct_free(p.work);
  return good;
}
