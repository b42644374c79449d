/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trial slices where comparing opposite rays leaves the centre open: over its deviation where one place is likely, at
 * each place and beside it where several are. Measures change slowly with the centre besides, so that only a place that
 * beats both its neighbours counts. */
#include "recon/solve/pipeline-private.h"

#include <math.h>

enum { TRIALS = 11, BESIDE = 3 };
/* Deviations to each side; least and most of one, columns. A margin of the search that leaves one place. */
static const double reach = 3, least_spread = 0.4, most_spread = 12, margin_of_one = 8;
/* In noise, where opposite views agree little, the minimum of a measure lies off by about a column: a place that is
 * known to less is not asked about. */
static const double least_open = 1, noisy = 0.1;

/* The best trial that beats its neighbours, in groups of `group` trials; -1: none. */
static int best_of(const ct_centre_trial *trials, int count, int group, double *better) {
  int best = -1;
  double next = INFINITY;
  for (int i = 1; i + 1 < count; i++) {
    const int place = i % group;
    const bool inside = group == count || place == 1;
    if (!inside || !(trials[i].metric < trials[i - 1].metric && trials[i].metric < trials[i + 1].metric)) continue;
    if (best < 0 || trials[i].metric < trials[best].metric) {
      if (best >= 0) next = trials[best].metric;
      best = i;
    } else
      next = fmin(next, trials[i].metric);
  }
  if (best < 0) return -1;
  for (int i = 0; i < count; i += count - 1) next = fmin(next, trials[i].metric);
  *better = (next - trials[best].metric) / fmax(fabs(next), 1e-30);
  return best;
}

static double top_of(const ct_centre_trial *at) {
  const double a = at[-1].metric, b = at[0].metric, c = at[1].metric, curve = a - 2 * b + c;
  return at[0].centre + (curve > 0 ? 0.5 * (a - c) / curve * (at[1].centre - at[0].centre) : 0);
}

bool ct_centre_by_slices(const ct_sweep_request *request, const ct_centre_found *found, ct_slices_say *say, ct_job *job,
                         ct_error **error) {
  ct_centre_trial trials[CT_CENTRE_CANDIDATES * BESIDE] = {0};
  _Static_assert(TRIALS <= CT_CENTRE_CANDIDATES * BESIDE, "room for all trials");
  const bool one = found->count < 2 || found->margin >= margin_of_one;
  const double spread = isfinite(found->spread) ? fmin(fmax(found->spread, least_spread), most_spread) : most_spread;
  const int count = one ? TRIALS : BESIDE * found->count, group = one ? TRIALS : BESIDE;
  const double step = one ? 2 * reach * spread / (TRIALS - 1) : fmin(fmax(reach * spread, 1.5), 4);
  for (int i = 0; i < count; i++)
    trials[i].centre =
        one ? found->centre + (i - TRIALS / 2) * step : found->candidates[i / BESIDE] + (i % BESIDE - 1) * step;
  *say = (ct_slices_say){.centre = NAN, .step = step};
  if (one && spread < least_open && found->confidence < noisy) return true;
  if (!ct_sweep_at(request, trials, (size_t)count, job, error)) return false;
  say->slices = count;
  const int best = best_of(trials, count, group, &say->better);
  if (best < 0 || !(say->better > 0)) return true;
  say->decided = true;
  /* Beside one of several places the trials are too far apart for a parabola. */
  say->centre = one ? top_of(trials + best) : trials[best].centre;
  return true;
}
