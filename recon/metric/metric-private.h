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

/* Mean SSIM over the axial slices of [nz][ny][nx]; NaN when no window holds a finite pair. Advances the job by nz
 * units; CT_ERROR_CANCELLED when it is cancelled. */
bool ct_ssim(const ct_comparison *request, double range, double *ssim, ct_job *job, ct_error **error);

#endif
