/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laying and adding by one team, with a kernel that only keeps books: every tile finds the whole layout of its views,
 * and every layout is made once, in the run before its own where that was told. */
#include "recon/bp/layout/layouts.h"
#include "tests/test.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { slots = 4, pieces = 3, tiles = 7, slabs = 2, most_views = 24 };

struct ct_bp_state {
  ct_bp_layouts layouts;
  atomic_int laid[2 * slots][pieces]; /* view and slab that stand there: 2 view + slab + 1 */
  atomic_int times[most_views][slabs][pieces], added[most_views][slabs][tiles];
  atomic_int wrong, early; /* tiles without their layout; views laid before their own run */
  int first, last;         /* views of the run in work */
  ct_job *job;
  int cancel_at; /* tiles added before the job is cancelled; 0: never */
  atomic_int all;
};

static void lay(ct_bp_state *state, const ct_bp_chunk *chunk, int n, int piece) {
  const int view = chunk->views[n];
  atomic_store(&state->laid[chunk->slot + n][piece], 2 * view + chunk->slab + 1);
  atomic_fetch_add(&state->times[view][chunk->slab][piece], 1);
  if (view > state->last) atomic_fetch_add(&state->early, 1);
}

static void add(const ct_bp_state *constant, const ct_bp_chunk *chunk, int tile, float *data, const ct_job *job) {
  ct_bp_state *state = (ct_bp_state *)(uintptr_t)constant;
  for (int n = 0; n < chunk->count; n++) {
    const int view = chunk->views[n];
    for (int piece = 0; piece < pieces; piece++)
      if (atomic_load(&state->laid[chunk->slot + n][piece]) != 2 * view + chunk->slab + 1)
        atomic_fetch_add(&state->wrong, 1);
    atomic_fetch_add(&state->added[view][chunk->slab][tile], 1);
  }
  /* By each that comes to it: the first may be kept waiting before it cancels. */
  const int all = atomic_fetch_add(&state->all, 1) + 1;
  if (state->cancel_at && all >= state->cancel_at) ct_job_cancel(state->job);
  (void)data, (void)job;
}

typedef struct scene {
  ct_bp_state state;
  ct_volume *volume;
  ct_bp_request request;
  int views[most_views];
  const float *projections[most_views];
} scene;

static void scene_make(scene *s, bool ahead, int threads) {
  ct_error *error = NULL;
  memset(s, 0, sizeof *s);
  const ct_grid grid = ct_grid_centred(4, 4, 4, 1, NULL);
  s->request = (ct_bp_request){.grid = grid, .threads = threads, .batch = most_views, .ahead = ahead};
  s->state.layouts =
      (ct_bp_layouts){.slots = slots, .slabs = slabs, .pieces = pieces, .tiles = tiles, .lay = lay, .add = add};
  CHECK_OK(s->volume = ct_volume_new(&grid, &error));
  for (int n = 0; n < most_views; n++) s->views[n] = n;
}

/* Views first .. end - 1; the next run's are behind them, up to next_end. */
static bool run(scene *s, int first, int end, int next_end, ct_error **error) {
  s->state.first = first, s->state.last = end - 1;
  const ct_bp_batch next = {.count = next_end - end, .views = s->views + end, .projections = s->projections + end};
  const ct_bp_batch batch = {.count = end - first,
                             .views = s->views + first,
                             .projections = s->projections + first,
                             .next = next_end > end ? &next : NULL};
  return ct_bp_run_layouts(&s->state, &s->request, &s->state.layouts, &batch, s->volume, s->state.job, error);
}

/* Whether views 0 .. count - 1 were laid and added once. */
static void check_once(scene *s, int count) {
  CHECK(s->state.wrong == 0);
  for (int view = 0; view < most_views; view++)
    for (int slab = 0; slab < slabs; slab++) {
      for (int piece = 0; piece < pieces; piece++) CHECK(s->state.times[view][slab][piece] == (view < count));
      for (int tile = 0; tile < tiles; tile++) CHECK(s->state.added[view][slab][tile] == (view < count));
    }
}

/* Batches of less than a layout, of one, and of several; the last layout of a run, and so the first of the next, is the
 * one or the other. */
static void test_order(void) {
  static const int ends[] = {0, 3, 7, 13, 14, 24};
  ct_error *error = NULL;
  for (int ahead = 0; ahead < 2; ahead++)
    for (int threads = 1; threads <= 3; threads++) {
      scene s;
      scene_make(&s, ahead, threads);
      for (int n = 0; n < 5; n++) {
        const int before = s.state.early;
        CHECK_OK(run(&s, ends[n], ends[n + 1], n < 4 ? ends[n + 2] : 0, &error));
        const int next = n == 4 ? 0 : ends[n + 2] - ends[n + 1], told = next < slots ? next : slots;
        CHECK(s.state.early - before == (ahead ? told * pieces : 0));
      }
      check_once(&s, most_views);
      ct_volume_free(s.volume);
    }
}

/* Where nobody says what follows, or where nothing does, every run lays its own. */
static void test_untold(void) {
  ct_error *error = NULL;
  scene s;
  scene_make(&s, true, 2);
  CHECK_OK(run(&s, 0, 5, 0, &error));
  CHECK_OK(run(&s, 5, 12, 0, &error));
  CHECK(s.state.early == 0);
  check_once(&s, 12);
  ct_volume_free(s.volume);
}

/* Amid an overlap: the run says so and stops, and what was half laid is not taken for a layout. */
static void test_cancel(void) {
  ct_error *error = NULL;
  scene s;
  scene_make(&s, true, 2);
  CHECK_OK(s.state.job = ct_job_new(&error));
  s.state.cancel_at = tiles + 2; /* in the second slab, beside the first layout of the next run */
  CHECK(!run(&s, 0, 4, 8, &error));
  CHECK(error && error->code == CT_ERROR_CANCELLED);
  CHECK(s.state.all < 2 * tiles);
  ct_error_clear(&error);
  ct_job_free(s.state.job);
  s.state.job = NULL;
  CHECK_OK(run(&s, 4, 8, 12, &error));
  CHECK(s.state.wrong == 0);
  for (int tile = 0; tile < tiles; tile++) CHECK(s.state.added[7][1][tile] == 1);
  ct_volume_free(s.volume);
}

static const ct_test tests[] = {
    {"every tile finds its layout, made once", test_order},
    {"a run that was not told of lays its own views", test_untold},
    {"a cancel amid an overlap", test_cancel},
};
CT_TEST_MAIN(tests)
