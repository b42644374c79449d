/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums that do not depend on the number of threads: the elements are cut into a fixed number of chunks, each chunk is
 * summed in order by one thread, and the chunks' sums are added in order. */
#ifndef CT_METRIC_PRIVATE_H
#define CT_METRIC_PRIVATE_H

#include "recon/metric/metric.h"

#include <stddef.h>

enum { CT_METRIC_CHUNKS = 256 };

/* First element of a chunk of `count` elements; that of chunk CT_METRIC_CHUNKS is count. */
static inline size_t ct_chunk_begin(size_t count, int chunk) {
  const size_t c = (size_t)chunk;
  return count / CT_METRIC_CHUNKS * c + count % CT_METRIC_CHUNKS * c / CT_METRIC_CHUNKS;
}

/* What SSIM is wanted of [nz][ny][nx]; each may be NULL but the mean. NaN where no window holds a finite pair. */
typedef struct ct_similarity {
  double mean;    /* over the axial slices */
  double *slices; /* [nz] */
  float *map;     /* [nz][ny][nx], as ct_ssim_map */
} ct_similarity;

/* Advances the job by nz units; CT_ERROR_CANCELLED when it is cancelled. */
bool ct_ssim(const ct_comparison *request, double range, ct_similarity *similarity, ct_job *job, ct_error **error);

/* ct_compare with the SSIM of each slice besides (may be NULL). */
bool ct_compare_slices(const ct_comparison *request, ct_metrics *metrics, double *slices, ct_job *job,
                       ct_error **error);

#endif
