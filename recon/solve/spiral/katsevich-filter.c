/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From line integrals of a spiral to the filtered views of Katsevich's formula (katsevich.h, steps 1 to 5). */
#include "recon/base/memory.h"
#include "recon/filter/fft.h"
#include "recon/solve/spiral/katsevich-private.h"
#include "recon/solve/spiral/views.h"

#include <omp.h>

/* Lines that are transformed at once, and lines to a row of the window, so that the way there and back costs no
 * sharpness. */
enum { LINES = 16, FINE = 2 };

/* A line in half rows of the detector: first at half column 0, step per column. */
typedef struct line {
  double first, step;
} line;

struct ct_katsevich {
  ct_geometry spiral;
  ct_katsevich_views views;
  ct_spiral_view *order; /* [views of the spiral] by angle */
  int lines, length, threads;
  line *line;      /* [lines] */
  float *place;    /* [rows][columns]: the line of a pixel, between two */
  float *spectrum; /* [length / 2 + 1][2]: of the transform, with the window and 1 / length */
  ct_fft *fft;     /* of LINES rows */
  size_t derived, filtered, rows, per_thread;
  float *scratch; /* of all threads: derivative [nv - 1][nu - 1], lines [lines][nu], rows, spectra */
};

static double psi_of(const ct_katsevich *k, double most, int l) {
  return most * (2.0 * l / (k->lines - 1) - 1);
}

/* Half column i lies at u = (i + 1/2 - centre_u) du, half row j likewise. */
static void place_lines(ct_katsevich *k, double most) {
  const ct_geometry *g = &k->spiral;
  const double scale = g->sdd / g->sod * ct_katsevich_rise(g) / g->dv, q = g->du / g->sdd;
  for (int l = 0; l < k->lines; l++) {
    const ct_katsevich_line at = ct_katsevich_line_at(psi_of(k, most, l));
    k->line[l].step = scale * at.slope * q;
    k->line[l].first = g->centre_v - 0.5 + scale * (at.level + at.slope * (0.5 - g->centre_u) * q);
  }
}

/* Of the two lines about a height, in units of the window, at q, from line `from` on by `step`: the first pair between
 * which it lies, and where. Where no line comes so high (step 1) or so low, the last before they turn. */
static double seek(const ct_katsevich *k, double most, double q, double height, int *from, int step) {
  for (;;) {
    const int l = *from, next = l + step;
    if (next < 0 || next >= k->lines) return l;
    const ct_katsevich_line a = ct_katsevich_line_at(psi_of(k, most, l)),
                            b = ct_katsevich_line_at(psi_of(k, most, next));
    const double here = a.level + a.slope * q, there = b.level + b.slope * q;
    if ((there - here) * step <= 0) return l;
    if ((height - there) * step <= 0) return l + step * fmax((height - here) / (there - here), 0);
    *from = next;
  }
}

/* The line of least |psi| through each pixel: outwards from psi = 0, whose height is q. */
static void place_pixels(ct_katsevich *k, double most) {
  const ct_geometry *g = &k->spiral;
  const double unit = g->dv * g->sod / (g->sdd * ct_katsevich_rise(g));
  const int nu = g->nu, rows = k->views.rows, middle = k->lines / 2;
  for (int i = 0; i < nu; i++) {
    const double q = (i - g->centre_u) * g->du / g->sdd;
    for (int step = -1; step <= 1; step += 2) {
      int from = middle;
      /* By growing distance from the line psi = 0: rows may count down. */
      const bool up = (step > 0) == (unit > 0);
      for (int n = 0; n < rows; n++) {
        const int j = up ? n : rows - 1 - n;
        const double height = (j + k->views.row0 - g->centre_v) * unit;
        if ((height - q) * step < 0) continue;
        k->place[(size_t)j * (size_t)nu + (size_t)i] = (float)seek(k, most, q, height, &from, step);
      }
    }
  }
}

/* 1 / (pi (n - 1/2)) from half columns to columns. */
static bool make_spectrum(ct_katsevich *k, const ct_filter_options *options, ct_error **error) {
  const int length = k->length, half = length / 2;
  ct_fft *fft = ct_fft_new(length, 1, error);
  float *taps = fft ? ct_alloc((size_t)length, sizeof *taps, "the Hilbert transform", error) : NULL;
  if (taps) {
    for (int n = 0; n < length; n++) taps[n] = (float)(1 / (M_PI * ((n < half ? n : n - length) - 0.5) * length));
    ct_fft_forward(fft, taps, k->spectrum);
    for (int n = 0; n <= half; n++) {
      const float gain = (float)ct_window_value(options->window, options->cutoff, (double)n / half);
      k->spectrum[2 * n] *= gain;
      k->spectrum[2 * n + 1] *= gain;
    }
  }
  ct_free(taps);
  ct_fft_free(fft);
  return taps;
}

static size_t aligned(size_t floats) {
  return (floats + 15) / 16 * 16;
}

static bool make(ct_katsevich *k, const ct_geometry *spiral, const ct_filter_options *options, ct_error **error) {
  if (!ct_geometry_copy(&k->spiral, spiral, error)) return false;
  const ct_geometry *g = &k->spiral;
  const size_t nu = (size_t)g->nu;
  const double side = fmax(g->centre_u + 0.5, g->nu - 0.5 - g->centre_u), fan = atan(side * g->du / g->sdd);
  k->views = ct_katsevich_arrange(g);
  k->threads = options->threads;
  k->lines = 2 * (FINE * k->views.rows / 2) + 1;
  k->length = ct_fft_good_length(2 * g->nu);
  k->length += k->length & 1 ? ct_fft_good_length(k->length + 1) - k->length : 0;
  k->derived = aligned((nu - 1) * (size_t)(g->nv - 1));
  k->filtered = aligned(nu * (size_t)k->lines);
  k->rows = aligned((size_t)LINES * (size_t)k->length);
  k->per_thread = k->derived + k->filtered + k->rows + aligned((size_t)LINES * (size_t)(k->length + 2));
  return (k->order = ct_spiral_sort(g, error)) &&
         (k->line = ct_alloc((size_t)k->lines, sizeof *k->line, "the filter's lines", error)) &&
         (k->place = ct_alloc(nu * (size_t)k->views.rows, sizeof(float), "the filter's lines", error)) &&
         (k->spectrum = ct_alloc((size_t)k->length + 2, sizeof(float), "the Hilbert transform", error)) &&
         (k->fft = ct_fft_new(k->length, LINES, error)) &&
         (k->scratch = ct_alloc_zero((size_t)k->threads, k->per_thread * sizeof(float), "the filter's views", error)) &&
         make_spectrum(k, options, error) && (place_lines(k, M_PI / 2 + fan), place_pixels(k, M_PI / 2 + fan), true);
}

ct_katsevich *ct_katsevich_new(const ct_geometry *spiral, const ct_filter_options *options, ct_error **error) {
  if (options->window == CT_WINDOW_NONE) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "Katsevich's filter is a derivative and a Hilbert transform, without which nothing is left: set "
                 "filter.window to ram-lak or another window, or filter.spiral to weighted.");
    return NULL;
  }
  if (!ct_katsevich_serves(spiral, error)) return NULL;
  ct_katsevich *k = ct_alloc_zero(1, sizeof *k, "the filter", error);
  if (k && make(k, spiral, options, error)) return k;
  ct_katsevich_free(k);
  return NULL;
}

void ct_katsevich_free(ct_katsevich *k) {
  if (!k) return;
  ct_geometry_clear(&k->spiral);
  ct_free(k->order);
  ct_free(k->line);
  ct_free(k->place);
  ct_free(k->spectrum);
  ct_fft_free(k->fft);
  ct_free(k->scratch);
  ct_free(k);
}

/* Steps 1 and 2 in the middle of eight samples of the views a and b, which are `apart` radians apart. */
static void derive(const ct_geometry *g, const float *a, const float *b, double apart, float *out) {
  const size_t nu = (size_t)g->nu;
  const float in_t = (float)(1 / (4 * apart)), in_u = (float)(1 / (4 * g->du)), in_w = (float)(1 / (4 * g->dv)),
              d = (float)g->sdd;
  for (int j = 0; j + 1 < g->nv; j++) {
    const float *a0 = a + (size_t)j * nu, *a1 = a0 + nu, *b0 = b + (size_t)j * nu, *b1 = b0 + nu;
    const float w = (float)((j + 0.5 - g->centre_v) * g->dv);
    float *to = out + (size_t)j * (nu - 1);
    for (int i = 0; i + 1 < g->nu; i++) {
      const float u = ((float)i + 0.5f - (float)g->centre_u) * (float)g->du, along = u * u + d * d;
      const float sa0 = a0[i] + a0[i + 1], sa1 = a1[i] + a1[i + 1], sb0 = b0[i] + b0[i + 1], sb1 = b1[i] + b1[i + 1];
      const float left = a0[i] + a1[i] + b0[i] + b1[i], right = a0[i + 1] + a1[i + 1] + b0[i + 1] + b1[i + 1];
      const float change = (sb0 - sa0 + (sb1 - sa1)) * in_t + along / d * (right - left) * in_u +
                           u * w / d * (sa1 - sa0 + (sb1 - sb0)) * in_w;
      to[i] = change * d / sqrtf(along + w * w);
    }
  }
}

/* Between four half rows. */
static inline float along_column(const float *column, size_t stride, int rows, double v) {
  int at = (int)floor(v);
  at = at < 1 ? 1 : at > rows - 3 ? rows - 3 : at;
  const float t = (float)(v - at), *from = column + (size_t)(at - 1) * stride;
  const float s = t + 1, r = t - 1, p = t - 2;
  return -t * r * p / 6 * from[0] + s * r * p / 2 * from[stride] - s * t * p / 2 * from[2 * stride] +
         s * t * r / 6 * from[3 * stride];
}

static void take_line(const ct_katsevich *k, const float *derived, int l, float *out) {
  const int half = k->spiral.nu - 1, rows = k->spiral.nv - 1;
  const line *at = &k->line[l];
  for (int i = 0; i < half; i++) {
    const double v = fmin(fmax(at->first + i * at->step, 0), rows - 1);
    out[i] = rows >= 4 ? along_column(derived + i, (size_t)half, rows, v)
                       : derived[(size_t)rint(v) * (size_t)half + (size_t)i];
  }
}

/* Steps 3 and 4: [lines][nu]. */
static void transform(const ct_katsevich *k, const float *derived, float *rows, float *spectra, float *out) {
  const size_t length = (size_t)k->length, nu = (size_t)k->spiral.nu, bins = length / 2 + 1;
  for (int l0 = 0; l0 < k->lines; l0 += LINES) {
    const int count = k->lines - l0 < LINES ? k->lines - l0 : LINES;
    for (int l = 0; l < LINES; l++) {
      float *row = rows + (size_t)l * length;
      for (size_t i = l < count ? nu - 1 : 0; i < length; i++) row[i] = 0;
      if (l < count) take_line(k, derived, l0 + l, row);
    }
    ct_fft_forward(k->fft, rows, spectra);
    for (size_t n = 0; n < LINES * bins; n++) {
      const float *gain = k->spectrum + 2 * (n % bins), re = spectra[2 * n], im = spectra[2 * n + 1];
      spectra[2 * n] = re * gain[0] - im * gain[1];
      spectra[2 * n + 1] = re * gain[1] + im * gain[0];
    }
    ct_fft_inverse(k->fft, spectra, rows);
    for (int l = 0; l < count; l++)
      for (size_t i = 0; i < nu; i++) out[(size_t)(l0 + l) * nu + i] = rows[(size_t)l * length + i];
  }
}

/* Step 5, times `factor`. */
static void to_rows(const ct_katsevich *k, const float *lines, float factor, float *out) {
  const int nu = k->spiral.nu, rows = k->views.rows;
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < nu; i++) {
      const float place = k->place[(size_t)j * (size_t)nu + (size_t)i];
      int at = (int)place;
      if (at > k->lines - 2) at = k->lines - 2;
      const float *from = lines + (size_t)at * (size_t)nu + (size_t)i;
      out[(size_t)j * (size_t)nu + (size_t)i] = factor * (from[0] + (place - (float)at) * (from[nu] - from[0]));
    }
}

static void filter_view(const ct_katsevich *k, const ct_stack *integrals, int m, float *own, float *out) {
  const ct_spiral_view *a = &k->order[m], *b = a + 1;
  const double apart = b->angle - a->angle;
  float *derived = own, *lines = derived + k->derived, *rows = lines + k->filtered, *spectra = rows + k->rows;
  derive(&k->spiral, ct_stack_get_view(integrals, a->view), ct_stack_get_view(integrals, b->view), apart, derived);
  transform(k, derived, rows, spectra, lines);
  to_rows(k, lines, (float)(apart / (2 * M_PI)), out);
}

void ct_katsevich_apply(ct_katsevich *k, const ct_stack *integrals, const int *groups, int count, float *const *out) {
  const int most = k->views.most;
  const size_t part = (size_t)k->views.rows * (size_t)k->spiral.nu;
#pragma omp parallel for schedule(dynamic) num_threads(k->threads) collapse(2)
  for (int n = 0; n < count; n++)
    for (int i = 0; i < most; i++) {
      const int m = groups[n] + i * k->views.groups;
      float *to = out[n] + (size_t)i * part;
      if (m < k->views.count)
        filter_view(k, integrals, m, k->scratch + (size_t)omp_get_thread_num() * k->per_thread, to);
      else
        for (size_t p = 0; p < part; p++) to[p] = 0;
    }
}
