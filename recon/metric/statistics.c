/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics, histogram and percentiles of an array of floats. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/metric-private.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { SAMPLES = 1 << 20 };

typedef struct value_sums {
  double min, max, sum;
  size_t count, nans, infinities;
} value_sums;

static value_sums sum_values(const float *values, size_t begin, size_t end) {
  value_sums s = {.min = INFINITY, .max = -INFINITY};
  for (size_t i = begin; i < end; i++) {
    const double x = values[i];
    if (isnan(x))
      s.nans++;
    else if (isinf(x))
      s.infinities++;
    else {
      s.sum += x;
      s.count++;
      if (x < s.min) s.min = x;
      if (x > s.max) s.max = x;
    }
  }
  return s;
}

static double sum_squares(const float *values, size_t begin, size_t end, double mean) {
  double sum = 0;
  for (size_t i = begin; i < end; i++)
    if (isfinite(values[i])) sum += (values[i] - mean) * (values[i] - mean);
  return sum;
}

void ct_statistics_of(const float *values, size_t count, ct_statistics *statistics) {
  value_sums chunks[CT_METRIC_CHUNKS];
  double squares[CT_METRIC_CHUNKS], total = 0, square = 0;
  const int threads = ct_thread_count();
  ct_statistics s = {.min = INFINITY, .max = -INFINITY};
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int c = 0; c < CT_METRIC_CHUNKS; c++)
    chunks[c] = sum_values(values, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1));
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
    s.min = fmin(s.min, chunks[c].min);
    s.max = fmax(s.max, chunks[c].max);
    s.count += chunks[c].count;
    s.nans += chunks[c].nans;
    s.infinities += chunks[c].infinities;
    total += chunks[c].sum;
  }
  if (s.count) {
    s.mean = total / (double)s.count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int c = 0; c < CT_METRIC_CHUNKS; c++)
      squares[c] = sum_squares(values, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1), s.mean);
    for (int c = 0; c < CT_METRIC_CHUNKS; c++) square += squares[c];
    s.deviation = sqrt(square / (double)s.count);
  } else {
    s.min = s.max = s.mean = s.deviation = NAN;
  }
  *statistics = s;
}

/* Chan, Golub, LeVeque 1983: squares about the common mean from those about each set's. */
void ct_statistics_add(ct_statistics *sum, const ct_statistics *more) {
  const size_t nans = sum->nans + more->nans, infinities = sum->infinities + more->infinities;
  if (!sum->count) {
    *sum = *more;
  } else if (more->count) {
    const double n = (double)sum->count, m = (double)more->count, apart = more->mean - sum->mean;
    const double squares = n * sum->deviation * sum->deviation + m * more->deviation * more->deviation;
    sum->min = fmin(sum->min, more->min);
    sum->max = fmax(sum->max, more->max);
    sum->mean += apart * m / (n + m);
    sum->deviation = sqrt((squares + apart * apart * n * m / (n + m)) / (n + m));
    sum->count += more->count;
  }
  sum->nans = nans;
  sum->infinities = infinities;
}

static size_t bin_of(double value, double low, double scale, size_t bin_count) {
  const double at = (value - low) * scale;
  if (!(at > 0)) return 0;
  return at >= (double)bin_count ? bin_count - 1 : (size_t)at;
}

static void count_into(const float *values, size_t begin, size_t end, double low, double scale, size_t *bins,
                       size_t bin_count) {
  for (size_t i = begin; i < end; i++)
    if (isfinite(values[i])) bins[bin_of(values[i], low, scale, bin_count)]++;
}

void ct_histogram(const float *values, size_t count, double low, double high, size_t *bins, size_t bin_count) {
  if (!bin_count) return;
  memset(bins, 0, bin_count * sizeof *bins);
  const int threads = ct_thread_count();
  const double scale = high > low ? (double)bin_count / (high - low) : 0;
  size_t room = 0, *own = NULL;
  if (threads > 1 && ct_size_multiply((size_t)threads, bin_count, &room))
    own = ct_alloc_zero(room, sizeof *own, "the histogram", NULL);
  if (!own) { /* one thread, or no memory for a set of bins each: in order */
    count_into(values, 0, count, low, scale, bins, bin_count);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int c = 0; c < CT_METRIC_CHUNKS; c++)
    count_into(values, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1), low, scale,
               own + (size_t)omp_get_thread_num() * bin_count, bin_count);
  for (int t = 0; t < threads; t++)
    for (size_t i = 0; i < bin_count; i++) bins[i] += own[(size_t)t * bin_count + i];
  ct_free(own);
}

/* Hoare's selection: afterwards values[k] is what it would be after sorting. */
static void select_rank(float *values, size_t count, size_t k) {
  ptrdiff_t left = 0, right = (ptrdiff_t)count - 1;
  const ptrdiff_t rank = (ptrdiff_t)k;
  while (left < right) {
    const float pivot = values[left + (right - left) / 2];
    ptrdiff_t i = left, j = right;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        const float swap = values[i];
        values[i++] = values[j];
        values[j--] = swap;
      }
    }
    if (rank <= j)
      right = j;
    else if (rank >= i)
      left = i;
    else
      return;
  }
}

/* One place in each of `parts` equal parts of `count`, scattered within the part: a fixed step would sample the same
 * few columns of a volume whose width it divides. */
static size_t scattered(size_t count, size_t parts, size_t i) {
  const size_t begin = count / parts * i + count % parts * i / parts, step = count / parts;
  const uint64_t mixed = ((uint64_t)i + 1) * 0x9E3779B97F4A7C15u;
  return begin + (size_t)((mixed ^ (mixed >> 32)) % step);
}

static size_t rank_of(double share, size_t count) {
  const double at = fmin(fmax(share, 0), 1) * (double)(count - 1);
  return (size_t)(at + 0.5);
}

/* Values below which those shares of the finite ones lie, shares rising; false without any. */
static bool find_shares(const float *values, size_t count, const double *shares, int number, double *found) {
  const size_t parts = count < SAMPLES ? count : SAMPLES;
  float *samples = count ? ct_alloc(parts, sizeof *samples, "the percentiles", NULL) : NULL;
  size_t kept = 0;
  if (count && !samples) { /* the extremes serve the same purpose */
    ct_statistics s;
    ct_statistics_of(values, count, &s);
    for (int i = 0; i < number; i++) found[i] = i < number / 2 ? s.min : s.max;
    return s.count > 0;
  }
  for (size_t i = 0; i < parts; i++) {
    const float value = values[parts == count ? i : scattered(count, parts, i)];
    if (isfinite(value)) samples[kept++] = value;
  }
  for (int i = 0; kept && i < number; i++) {
    select_rank(samples, kept, rank_of(shares[i], kept));
    found[i] = samples[rank_of(shares[i], kept)];
  }
  ct_free(samples);
  return kept > 0;
}

/* Constant data need a range, too. */
static void widen(double *low, double *high) {
  if (!(*high > *low)) {
    const double half = *low != 0 ? 0.05 * fabs(*low) : 0.5;
    *low -= half;
    *high = *low + 2 * half;
  }
}

void ct_percentiles(const float *values, size_t count, double lower, double upper, double *low, double *high) {
  double found[2] = {0, 0};
  find_shares(values, count, (const double[2]){lower, upper}, 2, found);
  *low = found[0];
  *high = found[1];
  widen(low, high);
}

void ct_grey_range(const float *values, size_t count, double *low, double *high) {
  static const double shares[4] = {0.001, 0.01, 0.99, 0.999};
  /* How far beyond the inner values a tail may reach, and how much of it is shown otherwise, in their range. Where they
   * are all alike what differs from them is no tail, but all there is to see. */
  static const double far = 1, shown = 0.25;
  double found[4] = {0};
  find_shares(values, count, shares, 4, found);
  const double range = found[2] - found[1];
  *low = range > 0 && found[1] - found[0] > far * range ? found[1] - shown * range : found[0];
  *high = range > 0 && found[3] - found[2] > far * range ? found[2] + shown * range : found[3];
  widen(low, high);
}
