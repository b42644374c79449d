/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of errors, of their magnitude in decades, and of errors against values. Counts are whole numbers, which
 * any order of adding leaves as they are; sums go by chunks (metric-private.h). */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/analysis-private.h"
#include "recon/metric/metric-private.h"

#include <math.h>
#include <omp.h>

/* Of the errors of one chunk: at each value their mean so far and the squares about it (Welford 1962), so that a mean
 * that is large beside the deviation costs no digits. */
typedef struct moments {
  double count[CT_ANALYSIS_VALUES], mean[CT_ANALYSIS_VALUES], squares[CT_ANALYSIS_VALUES], about_bias;
} moments;

/* Counts of one thread. */
typedef struct counters {
  size_t bins[CT_ANALYSIS_BINS], log_bins[CT_ANALYSIS_LOG_BINS], smaller, zeros;
  size_t joint[CT_ANALYSIS_VALUES][CT_ANALYSIS_ERRORS];
} counters;

/* Of `bins` equal ones from low to high; the middle one where these are equal. */
static int bin_of(double value, double low, double high, int bins) {
  if (!(high > low)) return bins / 2;
  const double at = (value - low) / (high - low) * bins;
  return at >= bins ? bins - 1 : at > 0 ? (int)at : 0;
}

/* Index of the last edge that is not above `size`; -1: all are. */
static int edge_below(const double *edges, int count, double size) {
  int low = -1, high = count;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (edges[middle] <= size)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void count_error(const ct_analysis *analysis, double value, double error, counters *c, moments *m) {
  const double range = analysis->range, size = fabs(error);
  const int at = bin_of(value, analysis->value_low, analysis->value_high, CT_ANALYSIS_VALUES);
  c->bins[bin_of(error, -range, range, CT_ANALYSIS_BINS)]++;
  c->joint[at][bin_of(error, -range, range, CT_ANALYSIS_ERRORS)]++;
  const double d = error - m->mean[at];
  m->count[at]++;
  m->mean[at] += d / m->count[at];
  m->squares[at] += d * (error - m->mean[at]);
  m->about_bias += (error - analysis->bias) * (error - analysis->bias);
  if (size == 0) c->zeros++;
  const int edge = size > 0 ? edge_below(analysis->log_edges, CT_ANALYSIS_LOG_BINS + 1, size) : -1;
  if (edge < 0)
    c->smaller++;
  else
    c->log_bins[edge < CT_ANALYSIS_LOG_BINS ? edge : CT_ANALYSIS_LOG_BINS - 1]++;
}

static void fill_edges(ct_analysis *analysis) {
  const double largest = analysis->metrics.max_abs;
  for (int i = 0; i < CT_ANALYSIS_LOG_BINS; i++)
    analysis->log_edges[i] = largest * pow(10, (double)(i - CT_ANALYSIS_LOG_BINS) / CT_ANALYSIS_PER_DECADE);
  analysis->log_edges[CT_ANALYSIS_LOG_BINS] = largest;
}

static void take_counts(const counters *own, int threads, ct_analysis *analysis) {
  for (int t = 0; t < threads; t++) {
    const counters *c = &own[t];
    for (int i = 0; i < CT_ANALYSIS_BINS; i++) analysis->bins[i] += c->bins[i];
    for (int i = 0; i < CT_ANALYSIS_LOG_BINS; i++) analysis->log_bins[i] += c->log_bins[i];
    for (int v = 0; v < CT_ANALYSIS_VALUES; v++)
      for (int e = 0; e < CT_ANALYSIS_ERRORS; e++) analysis->joint[v][e] += c->joint[v][e];
    analysis->smaller += c->smaller;
    analysis->zeros += c->zeros;
  }
  size_t below = analysis->smaller;
  for (int i = 0; i <= CT_ANALYSIS_LOG_BINS; i++) {
    analysis->shares[i] = (double)below / (double)analysis->metrics.count;
    if (i < CT_ANALYSIS_LOG_BINS) below += analysis->log_bins[i];
  }
}

static void take_moments(const moments *chunks, ct_analysis *analysis) {
  double about_bias = 0;
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) about_bias += chunks[c].about_bias;
  analysis->deviation = sqrt(about_bias / (double)analysis->metrics.count);
  for (int v = 0; v < CT_ANALYSIS_VALUES; v++) {
    double n = 0, mean = 0, squares = 0;
    for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
      const double more = chunks[c].count[v], d = chunks[c].mean[v] - mean;
      if (!(more > 0)) continue;
      squares += chunks[c].squares[v] + d * d * n * more / (n + more);
      mean += d * more / (n + more);
      n += more;
    }
    analysis->values[v] = (ct_value_bin){(size_t)n, n > 0 ? mean : NAN, n > 0 ? sqrt(squares / n) : NAN};
  }
}

bool ct_analysis_fill_bins(const ct_comparison *pair, ct_analysis *analysis, ct_error **error) {
  const size_t count = (size_t)pair->nx * (size_t)pair->ny * (size_t)pair->nz;
  const int threads = ct_thread_count();
  counters *own = ct_alloc_zero((size_t)threads, sizeof *own, "the histograms of errors", error);
  moments *chunks = ct_alloc_zero(CT_METRIC_CHUNKS, sizeof *chunks, "the histograms of errors", error);
  const bool good = own && chunks;
  if (good) {
    fill_edges(analysis);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int c = 0; c < CT_METRIC_CHUNKS; c++)
      for (size_t i = ct_chunk_begin(count, c); i < ct_chunk_begin(count, c + 1); i++)
        if (isfinite(pair->a[i]) && isfinite(pair->b[i]))
          count_error(analysis, pair->b[i], (double)pair->a[i] - pair->b[i], &own[omp_get_thread_num()], &chunks[c]);
    take_counts(own, threads, analysis);
    take_moments(chunks, analysis);
  }
  ct_free(own);
  ct_free(chunks);
  return good;
}
