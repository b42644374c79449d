/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli's watch beside the work it watches, under the thread sanitizer (tests/check-races): progress is told from
 * its thread, and a signal cancels the job. */
#include "app/cli/cli.h"
#include "tests/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  atomic_int calls;
  uint64_t most; /* of the watching thread until it has ended */
} told;

static void tell(const ct_progress *progress, void *user) {
  told *t = user;
  if (progress->done > t->most) t->most = progress->done;
  atomic_fetch_add(&t->calls, 1);
}

static void *advance(void *data) {
  for (int i = 0; i < 2000; i++) ct_job_advance(data, 1);
  return NULL;
}

/* Some tenths of a second of work: stages, parts, notes, words, and a second thread of the team. */
static void work(cli_watch *watch, told *t) {
  ct_job *job = cli_watch_job(watch);
  const struct timespec pause = {0, 3000000};
  char note[40];
  cli_watch_tell(watch, tell, t);
  for (int part = 0; part < 2; part++) {
    ct_job_begin_part(job, part, 2);
    for (int n = 0; n < 60; n++) {
      pthread_t helper;
      ct_job_begin_stage(job, n % 2 ? CT_STAGE_BACKPROJECTING : CT_STAGE_FILTERING, 4000);
      const bool helped = pthread_create(&helper, NULL, advance, job) == 0;
      advance(job);
      ct_job_add_updates(job, 1e6);
      if (helped) pthread_join(helper, NULL);
      snprintf(note, sizeof note, "note %d", n);
      cli_watch_note(watch, note);
      if (n % 20 == 0) cli_watch_say(watch, "Said.");
      if (n % 30 == 0) cli_watch_warn(watch, "Warned.");
      nanosleep(&pause, NULL);
    }
  }
}

static void progress_is_told(void) {
  ct_error *error = NULL;
  told t = {0};
  for (int quiet = 0; quiet < 2; quiet++) {
    cli_watch *watch = cli_watch_begin(quiet, &error);
    CHECK_OK(watch != NULL);
    work(watch, &t);
    const ct_job_request request = ct_job_requested(cli_watch_job(watch));
    cli_watch_end(watch);
    CHECK(request == CT_JOB_GO);
  }
  CHECK(atomic_load(&t.calls) > 0 && t.most <= 4000);
}

static void signal_cancels(void) {
  ct_error *error = NULL;
  cli_watch *watch = cli_watch_begin(true, &error);
  CHECK_OK(watch != NULL);
  ct_job *job = cli_watch_job(watch);
  kill(getpid(), SIGINT);
  const struct timespec pause = {0, 1000000};
  for (int i = 0; i < 20000 && ct_job_checkpoint(job) != CT_JOB_CANCEL; i++) nanosleep(&pause, NULL);
  const ct_job_request request = ct_job_requested(job);
  cli_watch_end(watch);
  CHECK(request == CT_JOB_CANCEL);
}

int main(void) {
  const ct_test tests[] = {{"progress is told while the work goes on", progress_is_told},
                           {"a signal cancels the job", signal_cancels}};
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
