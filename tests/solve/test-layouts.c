/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts made ahead, as the pipeline asks for them: what it promises to a kernel comes next, and the volume is that of
 * plain runs, bit for bit, whole or ended early; without room for a second layout it does without. */
#include "recon/bp/kernel.h"
#include "tests/solve/counted.h"
#include "tests/test.h"

enum { VIEWS = 60 };

/* A kernel that is there on every machine, watched. */
static struct {
  const ct_bp_kernel *inner;
  size_t plain, ahead;    /* bytes for one layout and for two */
  bool refuse;            /* two layouts */
  bool two;               /* what it was prepared for at last */
  int runs, told, broken; /* runs that were told the next; promises not kept */
  int promised[VIEWS], promised_count;
  int cancel_at; /* run in which the job is cancelled; 0: none */
  ct_job *job;
} seen;

static ct_bp_state *prepare(const ct_bp_kernel *watched, const ct_bp_request *request, ct_error **error) {
  ct_bp_request other = *request;
  other.ahead = false, seen.plain = seen.inner->memory(seen.inner, &other);
  other.ahead = true, seen.ahead = seen.inner->memory(seen.inner, &other);
  seen.two = request->ahead;
  seen.runs = seen.told = seen.promised_count = 0;
  if (!seen.refuse || !request->ahead) return seen.inner->prepare(seen.inner, request, error);
  ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory.");
  return NULL;
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  seen.runs++;
  if (seen.promised_count > 0)
    seen.broken += batch->count != seen.promised_count ||
                   memcmp(batch->views, seen.promised, sizeof *batch->views * (size_t)batch->count) != 0;
  seen.promised_count = batch->next ? batch->next->count : 0;
  if (batch->next) {
    seen.told++;
    memcpy(seen.promised, batch->next->views, sizeof *seen.promised * (size_t)seen.promised_count);
  }
  if (seen.runs == seen.cancel_at) ct_job_cancel(seen.job);
  return seen.inner->run(state, batch, volume, job, error);
}

static ct_bp_kernel kernel;
static const ct_bp_kernel *const list[] = {&kernel};

/* lays: whether it says so. bytes: of the file; 0: in memory. */
static bool open_watched(bench *b, bool lays, uint64_t bytes, ct_error **error) {
  const ct_bp_table cpu = ct_bp_cpu_kernels();
  memset(&seen, 0, sizeof seen);
  seen.inner = ct_bp_find(&cpu, "z-window-c8");
  kernel = *seen.inner;
  kernel.id = "watched", kernel.prepare = prepare, kernel.run = run, kernel.lays = lays;
  const ct_backend backend = {.kernels = {list, 1}};
  if (!bench_open_file(b, &cone, bytes, 0, error)) return false;
  ct_pipeline_set_backend(b->pipeline, &backend);
  b->plan.threads = 2;
  strcpy(b->plan.kernel, "watched");
  return true;
}

static ct_volume *plain_volume(int stop_at, ct_error **error) {
  bench b;
  watcher w = {.job = ct_job_new(error), .stop_at = stop_at};
  const ct_publisher publisher = {&w, watch};
  ct_volume *volume = w.job && open_watched(&b, false, 0, error)
                          ? ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, error)
                          : NULL;
  if (volume && seen.told + seen.two > 0) ct_volume_free(volume), volume = NULL;
  bench_close(&b);
  ct_job_free(w.job);
  return volume;
}

static void look_on(void *user, const ct_partial *partial) {}

/* Somebody looks, so that the first batches are small. */
static const ct_publisher somebody = {NULL, look_on};

static bool makes_seen(bench *b, const ct_volume *expected, ct_error **error) {
  ct_volume *volume = ct_pipeline_volume(b->pipeline, &b->plan, &somebody, NULL, error);
  const bool same = same_volume(volume, expected);
  ct_volume_free(volume);
  return same;
}

/* Batches of 8, 16, 32 and 4 views. In memory the second is not waited for before the first planes. */
static void test_volume(void) {
  ct_error *error = NULL;
  ct_volume *expected = plain_volume(0, &error);
  CHECK_OK(expected);
  for (int threads = 1; threads <= 3; threads++)
    for (int file = 0; file < 2; file++) {
      bench b;
      CHECK_OK(open_watched(&b, true, (uint64_t)file, &error));
      b.plan.threads = threads;
      CHECK_OK(makes_seen(&b, expected, &error));
      CHECK(seen.two && seen.runs == 4 && seen.broken == 0 && seen.told <= 3 && (file || seen.told == 2));
      /* All are filtered now. */
      CHECK_OK(makes_seen(&b, expected, &error));
      CHECK(seen.told == 3 && seen.broken == 0);
      bench_close(&b);
    }
  ct_volume_free(expected);
}

/* What was laid for views that are not wanted any more is in no volume. */
static void test_finish_early(void) {
  ct_error *error = NULL;
  ct_volume *expected = plain_volume(2, &error);
  CHECK_OK(expected);
  bench b;
  watcher w = {.job = ct_job_new(&error), .stop_at = 2};
  CHECK_OK(w.job && open_watched(&b, true, 0, &error));
  const ct_publisher publisher = {&w, watch};
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
  CHECK_OK(volume);
  CHECK(same_volume(volume, expected) && seen.runs == 2 && seen.promised_count == 32);
  ct_volume_free(volume);
  ct_volume_free(expected);
  bench_close(&b);
  ct_job_free(w.job);
}

/* While the next layout is made; afterwards the whole volume can be had. */
static void test_cancel(void) {
  ct_error *error = NULL;
  ct_volume *expected = plain_volume(0, &error);
  CHECK_OK(expected);
  bench b;
  CHECK_OK(open_watched(&b, true, 0, &error));
  CHECK_OK(seen.job = ct_job_new(&error));
  seen.cancel_at = 2;
  CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, &somebody, seen.job, &error), CT_ERROR_CANCELLED, "cancel");
  CHECK(seen.runs == 2 && seen.promised_count == 32);
  seen.cancel_at = 0;
  CHECK_OK(makes_seen(&b, expected, &error));
  ct_volume_free(expected);
  ct_job_free(seen.job);
  bench_close(&b);
}

/* Within a limit, and where the memory cannot be had after all. */
static void test_memory(void) {
  ct_error *error = NULL;
  ct_volume *expected = plain_volume(0, &error);
  CHECK_OK(expected);
  for (int turn = 0; turn < 3; turn++) {
    bench b;
    CHECK_OK(open_watched(&b, true, 0, &error));
    CHECK_OK(makes_seen(&b, expected, &error) && seen.two);
    CHECK(seen.ahead > seen.plain);
    /* Told before, and no part of what is needed. */
    const ct_backend backend = {.kernels = {list, 1}};
    ct_estimate e, alone;
    CHECK_OK(ct_plan_estimate(&b.plan, b.scan, &backend, &e, &error));
    CHECK_NEAR(e.kernel, (double)seen.plain, 1);
    CHECK_NEAR(e.ahead, (double)(seen.ahead - seen.plain), 1);
    kernel.lays = false;
    CHECK_OK(ct_plan_estimate(&b.plan, b.scan, &backend, &alone, &error));
    kernel.lays = true;
    CHECK(alone.ahead == 0 && alone.total == e.total);
    const size_t besides = ct_stack_bytes(ct_pipeline_get_line_integrals(b.pipeline)) +
                           ct_stack_bytes(ct_pipeline_get_filtered(b.pipeline)) + ct_volume_bytes(expected);
    if (turn < 2) ct_pipeline_limit_memory(b.pipeline, besides + seen.ahead - (size_t)turn);
    seen.refuse = turn == 2;
    CHECK_OK(makes_seen(&b, expected, &error));
    CHECK(seen.two == (turn == 0) && (seen.told > 0) == (turn == 0));
    bench_close(&b);
  }
  ct_volume_free(expected);
}

static const ct_test tests[] = {
    {"the next batch is what was promised, and the volume the plain one", test_volume},
    {"an early end after a layout made ahead", test_finish_early},
    {"a cancel amid a layout made ahead", test_cancel},
    {"no room for a second layout", test_memory},
};
CT_TEST_MAIN(tests)
