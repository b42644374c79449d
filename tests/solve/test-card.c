/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipeline does with a kernel that behaves as those of graphics cards: it ends in the middle of a batch where
 * the run is to finish early, leaves the thread to others while it works, and is cancelled from where its planes are
 * shown. */
#include "recon/solve/pipeline-private.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const simulation cone = {CT_BEAM_CONE, 32, 24, 48, 360, 0, "shepp-logan-3d"};

/* textbook on a device of its own kind. What it is to do in run call `at`, and what it saw there. */
static struct {
  const ct_bp_kernel *textbook;
  ct_scan *scan;
  atomic_int reads; /* of its frames */
  int calls, at;
  int add;        /* so many views, asking to finish early; 0: all */
  bool may_leave; /* whether that was allowed */
  int gathered;   /* planes of any pose */
  int ahead;      /* views read when it returns, waited for until there are so many */
} card;

static bool run_on_card(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job,
                        ct_error **error) {
  if (++card.calls != card.at) return card.textbook->run(state, batch, volume, job, error);
  const int wanted = card.ahead;
  for (int n = 0; n < 2000 && atomic_load(&card.reads) < wanted; n++) usleep(5000);
  card.ahead = atomic_load(&card.reads);
  if (!card.add) return card.textbook->run(state, batch, volume, job, error);
  ct_job_finish_early(job);
  card.may_leave = batch->added;
  if (batch->added) *batch->added = card.add;
  const ct_bp_batch first = {
      .count = batch->added ? card.add : batch->count, .views = batch->views, .projections = batch->projections};
  return card.textbook->run(state, &first, volume, job, error);
}

/* Where the volume lies for textbook. */
static bool read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                       ct_error **error) {
  ct_volume_copy_plane(volume, plane, index, out);
  return true;
}

static bool read_oblique(ct_bp_state *state, const ct_volume *volume, const ct_oblique *oblique, float *out,
                         ct_error **error) {
  card.gathered++;
  ct_volume_copy_oblique(volume, oblique, out);
  return true;
}

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  atomic_fetch_add(&card.reads, 1);
  return ct_scan_read(card.scan, kind, index, row0, rows, out, error);
}

typedef struct bench {
  ct_bp_kernel kernel;
  const ct_bp_kernel *list[2];
  ct_backend backend;
  ct_scan *scan;
  ct_pipeline *pipeline;
  ct_plan plan;
  ct_job *job;
} bench;

static bool bench_open(bench *b, ct_error **error) {
  const ct_bp_table cpu = ct_bp_cpu_kernels();
  const ct_bp_kernel *textbook = ct_bp_find(&cpu, "textbook");
  memset(&card, 0, sizeof card);
  card.textbook = textbook;
  *b = (bench){.kernel = *textbook};
  b->kernel.id = "card", b->kernel.gpu = true, b->kernel.run = run_on_card;
  b->list[0] = textbook, b->list[1] = &b->kernel;
  /* Nobody looks into a device but its kernels. */
  b->backend = (ct_backend){.kernels = {b->list, 2}, .device = (ct_bp_device *)&card};
  card.scan = sim_scan(&cone, error);
  b->scan = card.scan ? ct_scan_new(ct_scan_get_facts(card.scan), (ct_scan_source){.read = read_frame}, error) : NULL;
  b->pipeline = b->scan ? ct_pipeline_new(b->scan, &b->backend, error) : NULL;
  ct_plan_init(&b->plan);
  strcpy(b->plan.kernel, "card");
  b->plan.nx = b->plan.ny = b->plan.nz = 16;
  b->plan.threads = 2;
  return b->pipeline && (b->job = ct_job_new(error));
}

static void bench_close(bench *b) {
  ct_pipeline_free(b->pipeline);
  ct_scan_free(b->scan);
  ct_scan_free(card.scan);
  ct_job_free(b->job);
}

static void look_on(void *user, const ct_partial *partial) {}

/* The volume of so many views (0: all), which is what an early end has to leave. */
static ct_volume *volume_of(bench *b, int views, int *done, ct_error **error) {
  if (!ct_pipeline_prepare_volume(b->pipeline, &b->plan, NULL, b->job, error)) return NULL;
  static const ct_publisher somebody = {NULL, look_on}; /* so that the first batches are small */
  const ct_part all = {.plan = &b->plan, .grid = &b->pipeline->facts.grid, .publisher = &somebody};
  return ct_pipeline_backproject(b->pipeline, &all, views, done, b->job, error);
}

/* In its second batch, after three of 16 views: 8 and 3 are the volume. Not in the first, and not in a slab that has to
 * take the views of another. */
static void test_finish(void) {
  static const struct { int at, most, done; } turns[] = {{2, 0, 11}, {1, 0, 8}, {2, 40, 40}};
  for (int turn = 0; turn < 3; turn++) {
    bench b, plain;
    ct_error *error = NULL;
    int done = 0, expected = 0;
    CHECK_OK(bench_open(&plain, &error));
    ct_volume *right = volume_of(&plain, turns[turn].done, &expected, &error);
    CHECK_OK(right);
    bench_close(&plain);
    CHECK_OK(bench_open(&b, &error));
    card.at = turns[turn].at, card.add = 3;
    ct_volume *volume = volume_of(&b, turns[turn].most, &done, &error);
    CHECK_OK(volume);
    CHECK(done == turns[turn].done && expected == done && card.may_leave == (turn == 0));
    const float *a = ct_volume_get_data(volume), *c = ct_volume_get_data(right);
    double most = 0, difference = 0;
    for (size_t n = 0; n < ct_grid_voxels(ct_volume_grid(volume)); n++)
      most = fmax(most, fabsf(c[n])), difference = fmax(difference, fabsf(a[n] - c[n]));
    CHECK(most > 0 && difference < 1e-5 * most);
    ct_volume_free(volume);
    ct_volume_free(right);
    bench_close(&b);
  }
}

/* A scan in memory, too: its next 16 views are taken while the card has the first 8. */
static void test_beside(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &error));
  card.at = 1, card.ahead = 8 + 16;
  ct_volume *volume = volume_of(&b, 0, NULL, &error);
  CHECK_OK(volume);
  CHECK(card.ahead == 8 + 16);
  ct_volume_free(volume);
  bench_close(&b);
}

static void cancel(void *user, const ct_partial *partial) {
  (void)partial;
  ct_job_cancel(user);
}

static void test_cancel(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &error));
  const ct_publisher publisher = {b.job, cancel};
  CHECK(!ct_pipeline_volume(b.pipeline, &b.plan, &publisher, b.job, &error) && error &&
        error->code == CT_ERROR_CANCELLED);
  CHECK(card.calls == 1);
  ct_error_clear(&error);
  bench_close(&b);
}

enum { SIDE = 24 };

typedef struct look {
  float plane[SIDE * SIDE];
  int calls;
  bool good;
} look;

static void publish(void *user, const ct_partial *partial) {
  look *l = user;
  const ct_oblique pose = ct_oblique_turned((double[]){5, 0, -3}, 0.4, 0.9, 8, SIDE, SIDE);
  if (l->calls++ == 1) l->good = ct_partial_read_oblique(partial, &pose, l->plane, NULL);
}

/* A kernel that gathers planes of any pose is asked to; the same planes come from slices without it. */
static void test_oblique(void) {
  look looks[3] = {0};
  for (int n = 0; n < 3; n++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, &error));
    if (n > 0) b.kernel.read_plane = read_plane;
    if (n > 1) b.kernel.read_oblique = read_oblique;
    const ct_publisher publisher = {&looks[n], publish};
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, b.job, &error);
    CHECK_OK(volume);
    CHECK(looks[n].good && card.gathered == (n > 1));
    float most = 0, difference = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
      most = fmaxf(most, fabsf(looks[0].plane[i]));
      difference = fmaxf(difference, fabsf(looks[n].plane[i] - looks[0].plane[i]));
    }
    CHECK(most > 0 && difference <= 1e-5f * most);
    ct_volume_free(volume);
    bench_close(&b);
  }
}

static const ct_test tests[] = {
    {"a kernel that finishes early in the middle of a batch leaves a volume of its first views", test_finish},
    {"views are made ready beside a card's kernel", test_beside},
    {"planes of any pose are gathered by the kernel, or come from slices", test_oblique},
    {"a cancel from where planes are shown ends the run", test_cancel},
};
CT_TEST_MAIN(tests)
