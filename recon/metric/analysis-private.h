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

#endif
