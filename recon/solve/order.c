/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of views: bit-reversed (van der Corput), so that any prefix is spread evenly over the arc; and what a plan
 * takes of it. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>

void ct_bit_reversed_order(int count, int *order) {
  int bits = 0;
  while (bits < 30 && (1 << bits) < count) bits++;
  int n = 0;
  for (unsigned i = 0; i < 1u << bits; i++) {
    unsigned reversed = 0;
    for (int b = 0; b < bits; b++)
      if (i & 1u << b) reversed |= 1u << (bits - 1 - b);
    if (reversed < (unsigned)count) order[n++] = (int)reversed;
  }
}

int ct_plan_most_views(const ct_plan *plan, int views) {
  return plan->finish_after != CT_AUTO_INT && plan->finish_after < views ? plan->finish_after : views;
}

double ct_plan_views_scale(const ct_plan *plan, const ct_geometry *geometry, ct_error **error) {
  const int views = ct_filtered_size(geometry, plan->filter.spiral).views, most = ct_plan_most_views(plan, views);
  if (most == views) return 1;
  int *order = ct_alloc((size_t)views, sizeof *order, "the order of views", error);
  double *weights = ct_alloc((size_t)views, sizeof *weights, "the view weights", error), total = 0, done = 0;
  const bool good = order && weights && ct_filtered_weights(geometry, plan->filter.spiral, weights, error);
  if (good) ct_bit_reversed_order(views, order);
  for (int i = 0; good && i < views; i++) {
    total += weights[i];
    if (i < most) done += weights[order[i]];
  }
  ct_free(order);
  ct_free(weights);
  return !good ? NAN : done > 0 ? total / done : 1;
}
