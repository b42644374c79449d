/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From trial sweeps to the number of views: pure arithmetic. */
#include "app/bench/pace-private.h"

#include <math.h>

/* The trial as a whole; times the limit it may take; the share of a sweep below which the fixed part is no matter. */
enum { TRIAL_VIEWS = 16 };
static const double trial_limits = 6, slight = 0.15;

static int least_of(int a, int b) {
  return a < b ? a : b;
}

double bench_pace_time(bench_pace pace, int views, int batch) {
  return pace.per_view * views + pace.fixed * ((views + batch - 1) / batch);
}

bench_pace bench_trial_pace(const bench_trial *t) {
  const double one = t->one, several = t->last_seconds;
  const int count = t->last_views;
  if (count < 2) return (bench_pace){fmax(one, 1e-9), 0};
  /* Noise may leave no slope: a view takes something all the same. */
  const double per_view = fmax(fmax((several - one) / (count - 1), 0.05 * several / count), 1e-9);
  return (bench_pace){per_view, fmax(several - per_view * count, 0)};
}

int bench_trial_next(const bench_trial *t, const bench_terms *terms) {
  const int most = least_of(terms->views, TRIAL_VIEWS);
  if (t->sweeps < 1) return 1;
  const int next = t->sweeps < 2 ? 1 : least_of(least_of(2 * t->last_views, terms->batch), most - t->views);
  if (next < 1 || t->views + next > most || (t->sweeps > 1 && next < t->last_views)) return 0;
  const bench_pace pace = bench_trial_pace(t);
  if (t->spent + bench_pace_time(pace, next, terms->batch) > trial_limits * terms->limit) return 0;
  /* Without a fixed share more views say nothing new, unless they cost nothing. */
  const bool settled = t->last_views > 1 && pace.fixed < slight * t->last_seconds;
  return settled && t->spent > terms->limit / 2 ? 0 : next;
}

void bench_trial_add(bench_trial *t, int views, double seconds) {
  t->views += views;
  t->sweeps++;
  t->spent += seconds;
  if (views == 1) t->one = seconds;
  t->last_views = views;
  t->last_seconds = seconds;
}

void bench_share_limit(const bench_terms *terms, bench_pace pace, int *views, int *runs) {
  const double limit = terms->limit;
  *runs = terms->repeat;
  *views = terms->views;
  if (!terms->all_views && bench_pace_time(pace, *views, terms->batch) * *runs > limit) {
    /* Within one sweep; of several, whole ones. */
    const double whole = bench_pace_time(pace, terms->batch, terms->batch), share = limit / *runs;
    const double affordable =
        share >= whole ? floor(share / whole) * terms->batch : (share - pace.fixed) / pace.per_view;
    const double least = fmin(fmin(*views, TRIAL_VIEWS), fmax(1, (limit - pace.fixed) / pace.per_view));
    *views = (int)fmin(fmax(affordable, least), *views);
    if (*views > terms->batch) *views -= *views % terms->batch;
  }
  const double affordable = limit / bench_pace_time(pace, *views, terms->batch);
  if (affordable < *runs) *runs = (int)fmax(*runs > 1 && !terms->all_views ? 2 : 1, affordable);
}
