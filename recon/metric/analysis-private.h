/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of an analysis; each takes contiguous arrays [nz][ny][nx]. */
#ifndef CT_METRIC_ANALYSIS_PRIVATE_H
#define CT_METRIC_ANALYSIS_PRIVATE_H

#include "recon/metric/analysis.h"

/* bins, log_bins, smaller, zeros, shares, joint, values and deviation, after metrics, bias, range and the extremes of
 * values are known. */
bool ct_analysis_fill_bins(const ct_comparison *pair, ct_analysis *analysis, ct_error **error);
/* percentiles, of metrics.count pairs. */
bool ct_analysis_fill_percentiles(const ct_comparison *pair, ct_analysis *analysis, ct_error **error);
/* worst, by indices in the pair. */
bool ct_analysis_fill_worst(const ct_comparison *pair, ct_analysis *analysis, ct_error **error);

/* A copy of a pair with NaN where the mask is 0, and what that does to counts and SSIM. */
typedef struct ct_masked_pair {
  ct_comparison pair; /* its peak is known */
  float *own, *map;
  const unsigned char *mask;
  size_t left_out;
} ct_masked_pair;
bool ct_masked_pair_make(const ct_comparison *pair, const unsigned char *mask, ct_masked_pair *masked,
                         ct_error **error);
void ct_masked_pair_clear(ct_masked_pair *masked);
/* After the analysis of masked->pair: what is left out is not counted, and SSIM looks beyond the mask. */
void ct_masked_pair_finish(const ct_masked_pair *masked, ct_analysis *analysis);

#endif
