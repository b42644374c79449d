/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RabbitCT's measures. Differences are whole numbers of at most 4095, so that sums of squares are exact in double up to
 * 5e8 voxels of the largest difference, in any order of summation. */
#include "recon/metric/rabbitct.h"

#include "recon/metric/metric-private.h"
#include "recon/base/machine.h"
#include "recon/base/value-scale.h"

#include <math.h>
#include <stdlib.h>

uint16_t ct_rabbitct_hu(float f, const float scale[2]) {
  return ct_hounsfield_of(f, (ct_value_scale){scale[0], scale[1]});
}

static void compare_chunk(const float *f, const uint16_t *reference, size_t begin, size_t end, const float scale[2],
                          ct_rabbitct_metrics *m) {
  for (size_t i = begin; i < end; i++) {
    const int error = abs((int)ct_rabbitct_hu(f[i], scale) - (int)reference[i]);
    m->squares += (double)error * error;
    m->histogram[error < CT_RABBITCT_BINS ? error : CT_RABBITCT_BINS - 1]++;
    if (error > m->max_error) m->max_error = error;
  }
}

void ct_rabbitct_compare(const float *f, const uint16_t *reference, size_t count, const float scale[2],
                         ct_rabbitct_metrics *metrics) {
  ct_rabbitct_metrics chunks[CT_METRIC_CHUNKS] = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
  for (int c = 0; c < CT_METRIC_CHUNKS; c++)
    compare_chunk(f, reference, ct_chunk_begin(count, c), ct_chunk_begin(count, c + 1), scale, &chunks[c]);
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
    metrics->squares += chunks[c].squares;
    for (int bin = 0; bin < CT_RABBITCT_BINS; bin++) metrics->histogram[bin] += chunks[c].histogram[bin];
    if (chunks[c].max_error > metrics->max_error) metrics->max_error = chunks[c].max_error;
  }
  metrics->count += count;
  metrics->q_mse = metrics->count ? metrics->squares / (double)metrics->count : 0;
  metrics->rmse = sqrt(metrics->q_mse);
  metrics->psnr = metrics->rmse > 0 ? 20 * log10(CT_RABBITCT_PEAK / metrics->rmse) : INFINITY;
}

double ct_rabbitct_gups(int edge, int views, double seconds) {
  return (double)edge * edge * edge * views / seconds / 1e9;
}
