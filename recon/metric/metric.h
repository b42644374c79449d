/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparing a with a reference b, element by element; sums in double. Pairs in which either value is not finite are
 * left out and counted. */
#ifndef CT_METRIC_METRIC_H
#define CT_METRIC_METRIC_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_metrics {
  double rmse;
  double relative_rmse; /* rmse / root mean square of b */
  double max_abs;       /* largest |a - b| */
  int max_at[3];        /* its index (x, y, z) */
  double peak;          /* the one that counted for psnr and ssim: as told, or taken from b */
  double psnr;          /* 20 log10(peak / rmse); INFINITY when equal */
  double ssim; /* mean SSIM over axial slices: Gaussian window sigma 1.5, 11 wide, K1 0.01, K2 0.03, range = peak
                * (Wang et al. 2004) */
  double pearson_r;
  double slope; /* least squares a = slope b + intercept */
  double intercept;
  size_t count;      /* pairs used */
  size_t not_finite; /* pairs left out */
} ct_metrics;

typedef struct ct_comparison {
  const float *a, *b; /* [nz][ny][nx]; b is the reference */
  int nx, ny, nz;
  double peak; /* the data range for PSNR and SSIM; NaN: max(b) - min(b) over the pairs */
} ct_comparison;

/* CT_ERROR_DATA when no pair is finite. The job (may be NULL) gets the stage CT_STAGE_COMPARING and can cancel. */
bool ct_compare(const ct_comparison *request, ct_metrics *metrics, ct_job *job, ct_error **error);

typedef struct ct_statistics {
  double min, max, mean, deviation; /* of finite values; deviation of the population */
  size_t count, nans, infinities;
} ct_statistics;
void ct_statistics_of(const float *values, size_t count, ct_statistics *statistics);
/* Statistics of two sets of values together, into `sum`; all zero: of none. */
void ct_statistics_add(ct_statistics *sum, const ct_statistics *more);

/* bins[count] over [low, high), outer values in the outer bins, non-finite ones skipped. */
void ct_histogram(const float *values, size_t count, double low, double high, size_t *bins, size_t bin_count);
/* The values below which `lower` and `upper` (0..1) of the finite values lie, by selection on at most 2^20 evenly
 * spread samples; constant or empty data give a range of non-zero width about the value. */
void ct_percentiles(const float *values, size_t count, double lower, double upper, double *low, double *high);
/* A grey window for these values: from the 0.1 % to the 99.9 % percentile. A tail of less than 1 % that reaches farther
 * than all other values do, as of a streak or a bad pixel column, is cut off. */
void ct_grey_range(const float *values, size_t count, double *low, double *high);

#endif
