/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of values that are no usable numbers, or suspicious ones. */
#include "recon/base/machine.h"
#include "recon/metric/analysis.h"
#include "recon/metric/metric-private.h"

#include <float.h>
#include <math.h>

static void count_value(float value, ct_value_counts *c) {
  if (isnan(value)) {
    c->nans++;
    return;
  }
  if (isinf(value)) {
    (*(value > 0 ? &c->above : &c->below))++;
    return;
  }
  const float size = fabsf(value);
  c->subnormal += size > 0 && size < FLT_MIN;
  c->beyond_half += size > 65504;
  c->huge += size > 1e38f;
  if (value == c->low) c->at_low++;
  if (value == c->high) c->at_high++;
  if (value < c->low || !(c->at_low)) {
    c->low = value;
    c->at_low = 1;
  }
  if (value > c->high || !(c->at_high)) {
    c->high = value;
    c->at_high = 1;
  }
}

/* Adds the counts of a chunk to those of all before. */
static void join(ct_value_counts *all, const ct_value_counts *more) {
  all->nans += more->nans;
  all->above += more->above;
  all->below += more->below;
  all->subnormal += more->subnormal;
  all->beyond_half += more->beyond_half;
  all->huge += more->huge;
  if (!more->at_low) return; /* nothing finite */
  if (!all->at_low || more->low < all->low) {
    all->low = more->low;
    all->at_low = 0;
  }
  if (!all->at_high || more->high > all->high) {
    all->high = more->high;
    all->at_high = 0;
  }
  if (more->low == all->low) all->at_low += more->at_low;
  if (more->high == all->high) all->at_high += more->at_high;
}

void ct_value_counts_of(const float *values, size_t count, ct_value_counts *counts) {
  ct_value_counts chunks[CT_METRIC_CHUNKS], all = {.low = NAN, .high = NAN};
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) {
    ct_value_counts mine = {.low = NAN, .high = NAN};
    for (size_t i = ct_chunk_begin(count, c); i < ct_chunk_begin(count, c + 1); i++) count_value(values[i], &mine);
    chunks[c] = mine;
  }
  for (int c = 0; c < CT_METRIC_CHUNKS; c++) join(&all, &chunks[c]);
  if (all.at_low > CT_CLIPPED_BEYOND) all.clipped += all.at_low;
  if (all.at_high > CT_CLIPPED_BEYOND && all.high > all.low) all.clipped += all.at_high;
  *counts = all;
}
