/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors a - b of an array against a reference b: how large, how often, at which values, in which slices, where.
 * Pairs in which either value is not finite are left out, as in metric.h. No number depends on the number of threads.
 */
#ifndef CT_METRIC_ANALYSIS_H
#define CT_METRIC_ANALYSIS_H

#include "recon/geom/box.h"
#include "recon/metric/metric.h"

enum {
  CT_ANALYSIS_BINS = 201,  /* of errors: odd, so that the middle one is centred on 0 */
  CT_ANALYSIS_DECADES = 8, /* of |error| below the largest */
  CT_ANALYSIS_PER_DECADE = 20,
  CT_ANALYSIS_LOG_BINS = CT_ANALYSIS_DECADES * CT_ANALYSIS_PER_DECADE,
  CT_ANALYSIS_VALUES = 100, /* of values of b */
  CT_ANALYSIS_ERRORS = 101, /* of errors at each of them */
  CT_ANALYSIS_SHARES = 4,
  CT_ANALYSIS_WORST = 10,
  CT_ANALYSIS_APART = 5, /* voxels that two of the worst lie apart along one axis at least */
  CT_CLIPPED_BEYOND = 10 /* values that are equal to the extreme one; more than these have been clipped to it */
};

/* The shares, in percent, of voxels whose |error| is at most that of ct_analysis.percentiles: 50, 90, 99, 99.9. */
extern const double ct_analysis_shares[CT_ANALYSIS_SHARES];

/* The pair of arrays in a box. *own is NULL where the box lies in one piece, so that `part` points into `whole`; else
 * the copy that it points into (ct_free). The peak is taken over as it is: NaN then means the range in the box. */
bool ct_comparison_crop(const ct_comparison *whole, const ct_box *box, ct_comparison *part, float **own,
                        ct_error **error);

/* Values that are no usable numbers, or are suspicious ones. The first three are all that is not finite. */
typedef struct ct_value_counts {
  size_t nans, above, below; /* NaN, +Inf, -Inf */
  size_t subnormal;          /* 0 < |x| < 2^-126: digits are lost */
  size_t beyond_half;        /* finite, |x| > 65504: no half holds it */
  size_t huge;               /* finite, |x| > 1e38: the next sum may overflow; among beyond_half too */
  double low, high;          /* least and largest finite value; NaN without one */
  size_t at_low, at_high;    /* finite values that are equal to them */
  size_t clipped;            /* at_low and at_high, each where it is more than CT_CLIPPED_BEYOND */
} ct_value_counts;
void ct_value_counts_of(const float *values, size_t count, ct_value_counts *counts);

typedef struct ct_slice_errors { /* of one axial slice; NaN without a pair */
  double rmse, ssim;             /* ssim: as ct_metrics.ssim, with the peak of the whole box */
} ct_slice_errors;

typedef struct ct_value_bin {
  size_t count;
  double mean, deviation; /* of the errors where b lies in the bin, population; NaN without one */
} ct_value_bin;

typedef struct ct_worst_voxel {
  int at[3]; /* index (x, y, z) in the whole array */
  float a, b;
} ct_worst_voxel;

typedef struct ct_analysis {
  ct_metrics metrics;                     /* of the box; max_at is an index in the whole array */
  double mae;                             /* mean of |a - b| */
  double bias;                            /* mean of a - b */
  double deviation;                       /* of a - b about the bias, population */
  double percentiles[CT_ANALYSIS_SHARES]; /* of |a - b|, between two ranks linearly; to single precision */
  /* Errors from -range to range in equal bins; the range is the largest |error|, or as asked for, with what lies
   * beyond in the outer bins. Where all are 0 it is 0 and they are in the middle bin. */
  double range;
  size_t bins[CT_ANALYSIS_BINS];
  /* |error|: bin i reaches from log_edges[i] to log_edges[i + 1], upper end left out but that of the last, which is the
   * largest |error|. Smaller ones than log_edges[0] are in `smaller`, zeros too. */
  double log_edges[CT_ANALYSIS_LOG_BINS + 1];
  size_t log_bins[CT_ANALYSIS_LOG_BINS], smaller, zeros;
  double shares[CT_ANALYSIS_LOG_BINS + 1]; /* of pairs with |error| below log_edges[i]; the last is 1 */
  /* Error against value: equal bins of b from value_low to value_high, the extremes of b, and of the error as `range`
   * says. */
  double value_low, value_high;
  size_t joint[CT_ANALYSIS_VALUES][CT_ANALYSIS_ERRORS];
  ct_value_bin values[CT_ANALYSIS_VALUES];
  ct_value_counts of_a, of_b;
  /* The largest |error| first, equal ones in the order of the array; then the largest among the voxels that lie
   * CT_ANALYSIS_APART or more away along one axis at least from each before, and so on while it is above 0. */
  ct_worst_voxel worst[CT_ANALYSIS_WORST];
  int worst_count;
  int first_slice, slice_count; /* of the box */
  ct_slice_errors *slices;      /* [slice_count] */
} ct_analysis;

typedef struct ct_analysis_request {
  ct_comparison pair;
  const ct_box *box; /* NULL: all */
  double range;      /* of the bins of errors, > 0; NaN: the largest |error| */
  /* [voxels of the box]: 0 leaves a voxel out as if it were not there; NULL: none is. SSIM is then the mean over the
   * windows in the box whose centre is left, whatever else they hold; a peak that is NaN is the range of b over what is
   * left. */
  const unsigned char *mask;
  /* Where the pair's first voxel stands in a larger array of which the pair is a part: added to the indices that are
   * told. All 0: there is none. */
  int origin[3];
} ct_analysis_request;

/* NULL with CT_ERROR_ARGUMENT (a bad box, peak or range), CT_ERROR_DATA when no pair is finite, CT_ERROR_MEMORY. The
 * job (may be NULL) as in ct_compare. */
ct_analysis *ct_analysis_new(const ct_analysis_request *request, ct_job *job, ct_error **error);
void ct_analysis_free(ct_analysis *analysis);

/* The local SSIM of one slice, map[ny][nx] (pair.nz is 1): that of the window about each pixel. NaN where the window
 * does not lie wholly in the slice or holds no finite pair, so that the mean of what is not NaN is ct_metrics.ssim, to
 * single precision. */
bool ct_ssim_map(const ct_comparison *pair, float *map, ct_error **error);

#endif
