/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring removal, sinogram by sinogram: what stands still in a detector column over all views is a stripe of the sinogram
 * and a ring in the slice. This file: the loop over sinograms, and the two methods that need no transform.
 *
 * Sorting (Vo, Atwood, Drakopoulos 2018, Optics Express 26, 28396, algorithm 3): each column is sorted by value, which
 * lines up equal ranks of neighbouring columns; a median filter across the columns takes the stripes off; the order is
 * restored. Smoothing (Boin & Haibel 2006, Optics Express 14, 12071): the mean over the views against its moving
 * average; here as a difference, which is what a wrong pixel gain makes of line integrals. */
#include "recon/prep/prep-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <string.h>

/* Columns that are read together, so that each cache line of the stack is fetched once. */
#define COLUMNS 16

/* Bits of a finite float as an integer of the same order. */
static uint32_t ordered_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float from_ordered_bits(uint32_t bits) {
  float value;
  bits = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Sorts n items by their upper 32 bits, stably: three rounds of 11 bits. The result is in `items`. */
static void radix_sort(uint64_t *items, uint64_t *spare, int n) {
  uint64_t *from = items, *to = spare;
  for (int shift = 32; shift < 64; shift += 11) {
    int begins[2049] = {0};
    for (int i = 0; i < n; i++) begins[(from[i] >> shift & 2047) + 1]++;
    for (int i = 0; i < 2048; i++) begins[i + 1] += begins[i];
    for (int i = 0; i < n; i++) to[begins[from[i] >> shift & 2047]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  memcpy(items, from, (size_t)n * sizeof *items);
}

void ct_median_row(const float *row, int n, int size, float *window, float *out) {
  const int half = size / 2;
  int held = 0;
  for (int k = -half; k < n + half; k++) {
    if (held == size) {
      /* The value that leaves is in the window; the first to be no smaller is it. */
      const float old = row[ct_reflect(k - size, n)];
      int low = 0, high = held - 1;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (window[middle] < old)
          low = middle + 1;
        else
          high = middle;
      }
      memmove(window + low, window + low + 1, (size_t)(held - low - 1) * sizeof *window);
      held--;
    }
    const float value = row[ct_reflect(k, n)];
    int at = held;
    for (; at > 0 && window[at - 1] > value; at--) window[at] = window[at - 1];
    window[at] = value;
    held++;
    if (k >= half) out[k - half] = window[half];
  }
}

typedef struct {
  float *sorted;   /* [views][nu] */
  int *order;      /* [views][nu]: the view that each rank comes from */
  uint64_t *items; /* [threads][2][views] */
  float *window;   /* [threads][size + nu] */
  int threads;
} sorting;

static void sort_columns(const sorting *s, const float *sinogram, size_t view_stride, int nu, int views) {
#pragma omp parallel for schedule(dynamic) num_threads(s->threads)
  for (int begin = 0; begin < nu; begin += COLUMNS) {
    uint64_t *items = s->items + (size_t)omp_get_thread_num() * 2 * (size_t)views;
    for (int k = begin; k < nu && k < begin + COLUMNS; k++) {
      for (int i = 0; i < views; i++)
        items[i] = (uint64_t)ordered_bits(sinogram[(size_t)i * view_stride + (size_t)k]) << 32 | (uint32_t)i;
      radix_sort(items, items + views, views);
      for (int i = 0; i < views; i++) {
        s->sorted[(size_t)i * (size_t)nu + (size_t)k] = from_ordered_bits((uint32_t)(items[i] >> 32));
        s->order[(size_t)i * (size_t)nu + (size_t)k] = (int)(uint32_t)items[i];
      }
    }
  }
}

static void rings_sorting(const sorting *s, float *sinogram, size_t view_stride, int nu, int views, int size) {
  sort_columns(s, sinogram, view_stride, nu, views);
#pragma omp parallel for schedule(static) num_threads(s->threads)
  for (int i = 0; i < views; i++) {
    float *window = s->window + (size_t)omp_get_thread_num() * (size_t)(size + nu), *filtered = window + size;
    const size_t row = (size_t)i * (size_t)nu;
    ct_median_row(s->sorted + row, nu, size, window, filtered);
    /* Within a column every rank belongs to another view, so no two threads write the same pixel. */
    for (int k = 0; k < nu; k++) sinogram[(size_t)s->order[row + (size_t)k] * view_stride + (size_t)k] = filtered[k];
  }
}

/* Moving average of odd `size`, the window cut at the edges. */
static void moving_average(const double *row, int n, int size, double *out) {
  const int half = size / 2;
  for (int k = 0; k < n; k++) {
    double sum = 0;
    const int low = k > half ? k - half : 0, high = k + half < n ? k + half : n - 1;
    for (int i = low; i <= high; i++) sum += row[i];
    out[k] = sum / (high - low + 1);
  }
}

static void rings_smoothing(float *sinogram, size_t view_stride, int nu, int views, int size, double *mean) {
  double *smooth = mean + nu;
  memset(mean, 0, (size_t)nu * sizeof *mean);
  for (int i = 0; i < views; i++)
    for (int k = 0; k < nu; k++) mean[k] += sinogram[(size_t)i * view_stride + (size_t)k];
  for (int k = 0; k < nu; k++) mean[k] /= views;
  moving_average(mean, nu, size, smooth);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < views; i++)
    for (int k = 0; k < nu; k++) sinogram[(size_t)i * view_stride + (size_t)k] -= (float)(mean[k] - smooth[k]);
}

/* Means over the views of each pixel. */
static void find_means(const ct_stack *stack, double *means) {
  const size_t pixels = (size_t)ct_stack_nu(stack) * (size_t)ct_stack_nv(stack);
  const int views = ct_stack_views(stack);
#pragma omp parallel for schedule(static)
  for (size_t begin = 0; begin < pixels; begin += 256) {
    const size_t end = begin + 256 < pixels ? begin + 256 : pixels;
    for (size_t i = begin; i < end; i++) means[i] = 0;
    for (int v = 0; v < views; v++) {
      const float *view = ct_stack_get_view(stack, v);
      for (size_t i = begin; i < end; i++) means[i] += view[i];
    }
    for (size_t i = begin; i < end; i++) means[i] /= views;
  }
}

static double changed_share(const double *before, const double *after, size_t pixels) {
  double change = 0, sum = 0;
  for (size_t i = 0; i < pixels; i++) {
    change += fabs(after[i] - before[i]);
    sum += fabs(before[i]);
  }
  return sum > 0 ? change / sum : 0;
}

static bool sorting_new(sorting *s, int nu, int views, int size, ct_error **error) {
  const size_t pixels = (size_t)nu * (size_t)views;
  s->threads = ct_thread_count();
  s->sorted = ct_alloc(pixels, sizeof *s->sorted, "a sorted sinogram", error);
  s->order = s->sorted ? ct_alloc(pixels, sizeof *s->order, "a sorted sinogram", error) : NULL;
  s->items = s->order ? ct_alloc((size_t)s->threads * 2 * (size_t)views, sizeof *s->items, "the columns to sort", error)
                      : NULL;
  s->window = s->items ? ct_alloc((size_t)s->threads * ((size_t)size + (size_t)nu), sizeof *s->window,
                                  "the rows to filter", error)
                       : NULL;
  return s->window != NULL;
}

static void sorting_clear(sorting *s) {
  ct_free(s->sorted);
  ct_free(s->order);
  ct_free(s->items);
  ct_free(s->window);
}

/* Of valid options. */
static bool remove_rings(ct_stack *stack, ct_ring_method method, int size, double sigma, ct_job *job,
                         ct_error **error) {
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack), views = ct_stack_views(stack);
  /* A window is odd and no wider than the row. */
  const int window = (size < nu ? size : nu) - 1 + (size < nu ? size : nu) % 2;
  sorting s = {0};
  double *mean = NULL;
  bool good = true;
  if (method == CT_RINGS_SORTING) good = sorting_new(&s, nu, views, window, error);
  if (method == CT_RINGS_SMOOTHING)
    good = (mean = ct_alloc((size_t)nu, 2 * sizeof *mean, "the mean projection", error)) != NULL;
  const size_t stride = (size_t)nv * (size_t)nu;
  ct_job_begin_stage(job, CT_STAGE_CORRECTING, (uint64_t)nv);
  for (int j = 0; j < nv && good; j++) {
    float *sinogram = ct_stack_data(stack) + (size_t)j * (size_t)nu;
    good = ct_job_may_go_on(job, error);
    if (good && method == CT_RINGS_SORTING) rings_sorting(&s, sinogram, stride, nu, views, window);
    if (good && method == CT_RINGS_SMOOTHING) rings_smoothing(sinogram, stride, nu, views, window, mean);
    if (good && method == CT_RINGS_WAVELET) good = ct_rings_wavelet(sinogram, stride, nu, views, size, sigma, error);
    ct_job_advance(job, 1);
  }
  sorting_clear(&s);
  ct_free(mean);
  return good;
}

bool ct_prep_remove_rings(ct_stack *stack, ct_ring_method method, int size, double sigma, double *share, ct_job *job,
                          ct_error **error) {
  if (share) *share = 0;
  if (method == CT_RINGS_NONE) return true;
  if (!ct_choice_find(ct_ring_choices, (int)method))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no ring removal of number %d.", (int)method);
  if (size < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The size of the ring removal is %d; it must be at least 1.", size);
  if (method == CT_RINGS_WAVELET && !(sigma > 0 && isfinite(sigma)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The damping of the ring removal is %g; it must be positive.", sigma);
  if (!share) return remove_rings(stack, method, size, sigma, job, error);
  const size_t pixels = (size_t)ct_stack_nu(stack) * (size_t)ct_stack_nv(stack);
  double *before = ct_alloc(2 * pixels, sizeof *before, "the means of the views", error);
  if (!before) return false;
  find_means(stack, before);
  const bool good = remove_rings(stack, method, size, sigma, job, error);
  if (good) {
    find_means(stack, before + pixels);
    *share = changed_share(before, before + pixels, pixels);
  }
  ct_free(before);
  return good;
}
