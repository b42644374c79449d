/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many views a kernel is timed on, for kernels whose sweeps take known times: nothing is timed here. */
#include "app/bench/pace-private.h"
#include "tests/test.h"

/* A kernel: its very first sweep takes `first` besides. */
typedef struct {
  double per_view, fixed, first;
} kernel;

/* Views -1: it asked for what is not there, or for ever. */
static bench_trial tried(const kernel *k, const bench_terms *terms) {
  bench_trial trial = {0};
  for (int next; (next = bench_trial_next(&trial, terms)) > 0;) {
    if (trial.views + next > terms->views || next > terms->batch || trial.sweeps > 20)
      return (bench_trial){.views = -1};
    bench_trial_add(&trial, next, k->per_view * next + k->fixed + (trial.sweeps ? 0 : k->first));
  }
  return trial;
}

static double rate_of(const kernel *k, int views, int batch) {
  return views / bench_pace_time((bench_pace){k->per_view, k->fixed}, views, batch);
}

/* A volume of gigabytes is swept in 1.5 s and takes 0.2 s a view: one view would show an eighth of the rate. */
static void test_fixed_share(void) {
  const kernel k = {.per_view = 0.2, .fixed = 1.5, .first = 0.4};
  const bench_terms brief = {.views = 512, .batch = 64, .limit = 2, .repeat = 1};
  bench_trial trial = tried(&k, &brief);
  bench_pace pace = bench_trial_pace(&trial);
  CHECK(trial.spent <= 6 * brief.limit && trial.last_views >= 2);
  CHECK_NEAR(pace.per_view, k.per_view, 1e-9);
  CHECK_NEAR(pace.fixed, k.fixed, 1e-9);
  int views, runs;
  bench_share_limit(&brief, pace, &views, &runs);
  CHECK(views == 2 && runs == 1);
  /* Also where one sweep alone takes longer than the limit. */
  const kernel vast = {.per_view = 0.4, .fixed = 2.5, .first = 0.3};
  trial = tried(&vast, &brief);
  CHECK_NEAR(bench_trial_pace(&trial).fixed, vast.fixed, 1e-9);
  /* A longer limit goes into views before it goes into runs. */
  const bench_terms usual = {.views = 512, .batch = 64, .limit = 5, .repeat = 5};
  trial = tried(&k, &usual);
  pace = bench_trial_pace(&trial);
  bench_share_limit(&usual, pace, &views, &runs);
  CHECK(views == 16 && runs == 2);
  CHECK(rate_of(&k, views, 64) > 5 * rate_of(&k, 1, 64));
}

/* Where there is nothing fixed the trial ends early, and the limit is kept. */
static void test_proportional(void) {
  const kernel k = {.per_view = 0.75};
  const bench_terms terms = {.views = 512, .batch = 64, .limit = 2, .repeat = 1};
  bench_trial trial = tried(&k, &terms);
  const bench_pace pace = bench_trial_pace(&trial);
  int views, runs;
  CHECK(trial.spent <= 2 * terms.limit);
  CHECK_NEAR(pace.per_view, k.per_view, 1e-9);
  CHECK_NEAR(pace.fixed, 0, 1e-9);
  bench_share_limit(&terms, pace, &views, &runs);
  CHECK(views == 2 && runs == 1);
  const kernel slow = {.per_view = 9};
  trial = tried(&slow, &terms);
  CHECK(trial.views == 1);
  bench_share_limit(&terms, bench_trial_pace(&trial), &views, &runs);
  CHECK(views == 1 && runs == 1);
}

/* What costs nothing is timed on all views, as often as wished; of a few batches whole ones are taken. */
static void test_quick(void) {
  const kernel k = {.per_view = 1e-3, .fixed = 5e-3, .first = 0.1};
  bench_terms terms = {.views = 64, .batch = 64, .limit = 5, .repeat = 5};
  bench_trial trial = tried(&k, &terms);
  int views, runs;
  CHECK(trial.views == 16 && trial.last_views == 8);
  bench_share_limit(&terms, bench_trial_pace(&trial), &views, &runs);
  CHECK(views == 64 && runs == 5);
  terms = (bench_terms){.views = 512, .batch = 64, .limit = 1, .repeat = 5};
  trial = tried(&k, &terms);
  bench_share_limit(&terms, bench_trial_pace(&trial), &views, &runs);
  CHECK(views == 128 && runs == 5);
  CHECK(bench_pace_time(bench_trial_pace(&trial), views, terms.batch) * runs <= terms.limit);
}

/* Batches of one view have no fixed share of their own; few views are no more than there are. */
static void test_borders(void) {
  const kernel k = {.per_view = 0.1, .fixed = 0.3, .first = 0.2};
  bench_terms terms = {.views = 100, .batch = 1, .limit = 4, .repeat = 2};
  bench_trial trial = tried(&k, &terms);
  bench_pace pace = bench_trial_pace(&trial);
  CHECK_NEAR(pace.per_view, 0.4, 1e-9);
  CHECK_NEAR(pace.fixed, 0, 1e-9);
  for (int count = 1; count < 6; count++) {
    terms = (bench_terms){.views = count, .batch = 64, .all_views = true, .limit = 4, .repeat = 3};
    trial = tried(&k, &terms);
    int views, runs;
    bench_share_limit(&terms, bench_trial_pace(&trial), &views, &runs);
    CHECK(trial.views <= count && views == count && runs >= 1);
  }
  /* Noise that leaves no slope does not promise views for nothing. */
  const bench_trial noisy = {.views = 4, .sweeps = 3, .spent = 3, .one = 1, .last_views = 2, .last_seconds = 0.9};
  pace = bench_trial_pace(&noisy);
  CHECK(pace.per_view > 0.02 && pace.fixed >= 0 && bench_pace_time(pace, 2, 64) < 1);
}

static const ct_test tests[] = {
    {"the fixed share of a sweep is found and outweighed", test_fixed_share},
    {"slow kernels without one stay within the limit", test_proportional},
    {"quick kernels are timed on all views", test_quick},
    {"batches of one view, few views, noise", test_borders},
};

CT_TEST_MAIN(tests)
