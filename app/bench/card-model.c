/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of section 6.5: per group and view, per thread and view, per position and per update. Texture fetches, few
 * and of no account there, are left out as in the paper. The loop's two real operations for a thread's pixels are not
 * in its list, but in its sums (4.625 of Table 15). */
#include "app/bench/card-model.h"

#include <math.h>

bench_load bench_card_load(const bench_cached *k) {
  const double group = (double)k->threads * k->pixels * k->slices, thread = (double)k->pixels * k->slices;
  const double s = k->row_threads, n = k->slices, bins = 1.5 * sqrt((double)k->threads * k->pixels);
  const double word = 4.0 * n * (k->advanced ? 2 : 1), words = k->advanced ? 1 : 2;
  bench_load load = {
      .conversions = 2 * s / group + 2 / n,
      .shifts = 4 * s / group + 1 / thread + 1 / n,
      .reals = (4 + (k->advanced ? 4 : 3)) * s / group + 2 / thread + 2 / n + (k->advanced ? 2 : 3),
      .shared = (s + bins) / group + 0.25 / thread + words / n,
      .constants = s / group + 1 / thread,
      .shared_bytes = (4 * s + word * bins) / group + 4 * 0.25 / thread + words * word / n,
      .constant_bytes = 16 * s / group + 8 / thread,
  };
  return load;
}

bench_limits_of_card bench_card_limits(const bench_load *load, const bench_card_rates *r, bool one_unit) {
  const double all = load->conversions + load->shifts + load->reals + load->shared + load->constants;
  bench_limits_of_card limits = {
      .memory = r->shared / (load->shared_bytes + load->constant_bytes),
      .arithmetic =
          one_unit ? r->reals / (load->reals + load->shifts) : fmin(r->reals / load->reals, r->shifts / load->shifts),
      .conversions = r->conversions / load->conversions,
      .instructions = r->reals / all,
  };
  const double each[] = {limits.memory, limits.arithmetic, limits.conversions, limits.instructions};
  static const char *const names[] = {"shared memory", "arithmetic", "conversions", "instructions"};
  limits.least = each[0], limits.by = names[0];
  for (int n = 1; n < 4; n++)
    if (each[n] < limits.least) limits.least = each[n], limits.by = names[n];
  return limits;
}
