/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of some voxels of a box. The others become NaN, which every sum leaves out; they are taken off the counts.
 * SSIM is made before that: its windows look beyond an outline, and those about what is left count. */
#include "recon/base/memory.h"
#include "recon/metric/analysis-private.h"
#include "recon/metric/metric-private.h"

#include <math.h>

static size_t voxels_of(const ct_comparison *pair) {
  return (size_t)pair->nx * (size_t)pair->ny * (size_t)pair->nz;
}

static bool fill(const ct_comparison *pair, ct_masked_pair *m, ct_error **error) {
  const size_t count = voxels_of(pair);
  float *a = m->own, *b = m->own + count;
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    const bool in = m->mask[i] != 0;
    a[i] = in ? pair->a[i] : NAN;
    b[i] = in ? pair->b[i] : NAN;
    m->map[i] = NAN;
    m->left_out += !in;
    if (!isfinite(a[i]) || !isfinite(b[i])) continue;
    low = fmin(low, b[i]);
    high = fmax(high, b[i]);
  }
  if (!(low <= high))
    return ct_error_set(error, CT_ERROR_DATA, "There is no voxel in the region where both hold a finite number.");
  m->pair.a = a;
  m->pair.b = b;
  if (isnan(m->pair.peak)) m->pair.peak = high - low;
  return true;
}

bool ct_masked_pair_make(const ct_comparison *pair, const unsigned char *mask, ct_masked_pair *masked,
                         ct_error **error) {
  const size_t count = voxels_of(pair);
  ct_masked_pair m = {.pair = *pair, .mask = mask};
  m.own = ct_alloc(count, 2 * sizeof *m.own, "the region that is compared", error);
  m.map = m.own ? ct_alloc(count, sizeof *m.map, "the region that is compared", error) : NULL;
  ct_similarity similarity = {.map = m.map};
  const bool good = m.map && fill(pair, &m, error) && ct_ssim(pair, m.pair.peak, &similarity, NULL, error);
  if (good)
    *masked = m;
  else
    ct_masked_pair_clear(&m);
  return good;
}

void ct_masked_pair_clear(ct_masked_pair *masked) {
  ct_free(masked->own);
  ct_free(masked->map);
  *masked = (ct_masked_pair){0};
}

void ct_masked_pair_finish(const ct_masked_pair *masked, ct_analysis *analysis) {
  const size_t slice = (size_t)masked->pair.nx * (size_t)masked->pair.ny;
  double all = 0;
  size_t all_count = 0;
  for (int z = 0; z < masked->pair.nz; z++) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = (size_t)z * slice; i < (size_t)(z + 1) * slice; i++) {
      if (!masked->mask[i] || isnan(masked->map[i])) continue;
      sum += (double)masked->map[i];
      count++;
    }
    analysis->slices[z].ssim = count ? sum / (double)count : NAN;
    all += sum;
    all_count += count;
  }
  analysis->metrics.ssim = all_count ? all / (double)all_count : NAN;
  analysis->metrics.not_finite -= masked->left_out;
  analysis->of_a.nans -= masked->left_out;
  analysis->of_b.nans -= masked->left_out;
}
