/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentiles of |a - b| without sorting or a copy: the bits of a positive float are in the order of its value, so
 * three passes that count by 11, 10 and 10 bits find the value of any rank. Between two ranks: linearly, with rank p (n
 * - 1) for the share p of n values. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/analysis-private.h"
#include "recon/metric/metric-private.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

const double ct_analysis_shares[CT_ANALYSIS_SHARES] = {50, 90, 99, 99.9};

enum { RANKS = 2 * CT_ANALYSIS_SHARES, PASSES = 3, DIGITS = 1 << 11 };

/* Lowest bit and width of what each pass looks at; the sign is 0. */
static const struct { int shift, width; } passes[PASSES] = {{20, 11}, {10, 10}, {0, 10}};

typedef size_t digit_counts[RANKS][DIGITS];

static uint32_t key_of(double error) {
  const float size = (float)fmin(fabs(error), FLT_MAX);
  uint32_t key;
  memcpy(&key, &size, sizeof key);
  return key;
}

/* The first rank of which the same bits are found so far: the two are counted as one. */
static int first_alike(const uint32_t *found, int r, int above) {
  int first = 0;
  while (found[first] >> above != found[r] >> above) first++;
  return first;
}

/* Counts the pass's digit of the values that begin with the bits found so far, for each rank. */
static void count_chunk(const ct_comparison *pair, size_t begin, size_t end, int pass, const uint32_t *found,
                        digit_counts counts) {
  const int shift = passes[pass].shift, above = shift + passes[pass].width;
  const uint32_t mask = (1u << passes[pass].width) - 1;
  for (size_t i = begin; i < end; i++) {
    if (!isfinite(pair->a[i]) || !isfinite(pair->b[i])) continue;
    const uint32_t key = key_of((double)pair->a[i] - pair->b[i]);
    for (int r = 0; r < RANKS; r++)
      if (key >> above == found[r] >> above) {
        counts[r][key >> shift & mask]++;
        break;
      }
  }
}

/* The values of ranks[], each of 0 .. metrics.count - 1. */
static void select_values(const ct_comparison *pair, size_t *ranks, digit_counts *own, int threads, float *values) {
  const size_t count = (size_t)pair->nx * (size_t)pair->ny * (size_t)pair->nz;
  uint32_t found[RANKS] = {0};
  for (int pass = 0; pass < PASSES; pass++) {
    ct_clear(own, (size_t)threads * sizeof *own);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int c = 0; c < CT_METRIC_CHUNKS; c++)
      count_chunk(pair, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1), pass, found, own[omp_get_thread_num()]);
    int alike[RANKS];
    for (int r = 0; r < RANKS; r++) alike[r] = first_alike(found, r, passes[pass].shift + passes[pass].width);
    for (int r = 0; r < RANKS; r++)
      for (uint32_t digit = 0; digit < 1u << passes[pass].width; digit++) {
        size_t here = 0;
        for (int t = 0; t < threads; t++) here += own[t][alike[r]][digit];
        if (ranks[r] < here) {
          found[r] |= digit << passes[pass].shift;
          break;
        }
        ranks[r] -= here;
      }
  }
  memcpy(values, found, sizeof found);
}

bool ct_analysis_fill_percentiles(const ct_comparison *pair, ct_analysis *analysis, ct_error **error) {
  const int threads = ct_thread_count();
  const size_t last = analysis->metrics.count - 1;
  size_t ranks[RANKS];
  float values[RANKS];
  digit_counts *own = ct_alloc((size_t)threads, sizeof *own, "the percentiles of errors", error);
  if (!own) return false;
  for (int i = 0; i < CT_ANALYSIS_SHARES; i++) {
    ranks[2 * i] = (size_t)(ct_analysis_shares[i] / 100 * (double)last);
    ranks[2 * i + 1] = ranks[2 * i] < last ? ranks[2 * i] + 1 : last;
  }
  select_values(pair, ranks, own, threads, values);
  for (int i = 0; i < CT_ANALYSIS_SHARES; i++) {
    const double at = ct_analysis_shares[i] / 100 * (double)last, low = values[2 * i];
    analysis->percentiles[i] = low + (at - floor(at)) * (values[2 * i + 1] - low);
  }
  ct_free(own);
  return true;
}
