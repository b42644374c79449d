/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worker's queue: order, tasks of a slot, cancelling and closing. Waiting is bounded; nothing depends on how fast
 * the machine is. */
#include "tests/app/wait.h"
#include "tests/test.h"

#include "app/tasks-source.h"
#include "app/tasks.h"
#include "app/worker.h"

#include <glib/gstdio.h>

typedef struct {
  GantryTask task;
  guint *answers, *freed, *dropped, *ran, *cancelled;
  GThread *thread;
  int number, *order;
  gint *started;    /* set when it runs */
  gboolean endless; /* until cancelled */
  gint *held;       /* and as long as this is not 0 */
} Probe;

static void probe_run(GantryTask *task) {
  Probe *probe = (Probe *)task;
  probe->thread = g_thread_self();
  if (probe->started) g_atomic_int_set(probe->started, 1);
  while (probe->endless && ct_job_requested(task->job) != CT_JOB_CANCEL) g_usleep(200);
  while (probe->held && g_atomic_int_get(probe->held)) g_usleep(200);
}

static void probe_done(GantryTask *task) {
  Probe *probe = (Probe *)task;
  if (task->dropped) {
    ++*probe->dropped;
  } else {
    if (probe->order) probe->order[*probe->ran] = probe->number;
    ++*probe->ran;
    if (ct_job_requested(task->job) == CT_JOB_CANCEL) ++*probe->cancelled;
  }
  ++*probe->answers;
}

static void probe_free(GantryTask *task) {
  ++*((Probe *)task)->freed;
  g_free(task);
}

typedef struct {
  guint answers, freed, dropped, ran, cancelled, ended;
  int order[64];
} Tally;

static Probe *probe_new(Tally *tally, int number, guint slot, guint64 generation) {
  Probe *probe = g_new0(Probe, 1);
  probe->task =
      (GantryTask){.run = probe_run, .done = probe_done, .free = probe_free, .slot = slot, .generation = generation};
  probe->answers = &tally->answers;
  probe->freed = &tally->freed;
  probe->dropped = &tally->dropped;
  probe->ran = &tally->ran;
  probe->cancelled = &tally->cancelled;
  probe->order = tally->order;
  probe->number = number;
  return probe;
}

static void await(gint *started) {
  while (!g_atomic_int_get(started)) g_usleep(200);
}

static void tasks_run_in_order(void) {
  Tally tally = {0};
  GantryWorker *worker = gantry_worker_new("test", NULL);
  CHECK(worker);
  for (int i = 0; i < 20; i++) gantry_worker_push(worker, (GantryTask *)probe_new(&tally, i, 0, 0));
  CHECK(gantry_worker_is_busy(worker));
  CHECK(wait_for(&tally.answers, 20));
  CHECK(!gantry_worker_is_busy(worker));
  CHECK(tally.ran == 20 && tally.dropped == 0 && tally.freed == 20);
  for (int i = 0; i < 20; i++) CHECK(tally.order[i] == i);
  gantry_worker_shut(worker, count_end, &tally.ended);
  CHECK(tally.ended == 0); /* shut only asks */
  CHECK(wait_for(&tally.ended, 1));
}

/* A worker that has begun a task, which ends by being cancelled. */
static GantryWorker *busy_worker(Probe *first) {
  gint started = 0;
  GantryWorker *worker = gantry_worker_new("test", NULL);
  first->endless = TRUE;
  first->started = &started;
  gantry_worker_push(worker, (GantryTask *)first);
  await(&started);
  return worker;
}

static void newest_of_a_slot_wins(void) {
  Tally tally = {0};
  gint held = 1;
  Probe *first = probe_new(&tally, 0, 7, 1);
  first->held = &held;
  GantryWorker *worker = busy_worker(first);
  /* Same generation: waits its turn. Newer ones: the running one is cancelled, the waiting one dropped, in favour of
   * the last. */
  gantry_worker_push(worker, (GantryTask *)probe_new(&tally, 1, 7, 1));
  CHECK(ct_job_requested(first->task.job) == CT_JOB_GO);
  for (int i = 2; i < 10; i++) gantry_worker_push(worker, (GantryTask *)probe_new(&tally, i, 7, (guint64)i));
  gantry_worker_push(worker, (GantryTask *)probe_new(&tally, 50, 8, 0));
  g_atomic_int_set(&held, 0);
  CHECK(wait_for(&tally.answers, 11));
  CHECK(tally.ran == 3 && tally.dropped == 8 && tally.cancelled == 1);
  CHECK(tally.order[0] == 0 && tally.order[1] == 9 && tally.order[2] == 50);
  gantry_worker_shut(worker, count_end, &tally.ended);
  CHECK(wait_for(&tally.ended, 1));
  CHECK(tally.freed == 11);
}

static void shutting_answers_everything(void) {
  Tally tally = {0};
  GantryWorker *worker = busy_worker(probe_new(&tally, 0, 0, 0));
  for (int i = 1; i < 6; i++) gantry_worker_push(worker, (GantryTask *)probe_new(&tally, i, 0, 0));
  gantry_worker_shut(worker, count_end, &tally.ended);
  gantry_worker_push(worker, (GantryTask *)probe_new(&tally, 6, 0, 0));
  CHECK(wait_for(&tally.ended, 1));
  CHECK(tally.answers == 7 && tally.freed == 7 && tally.dropped == 6 && tally.cancelled == 1);
}

static void slots_can_be_cancelled(void) {
  Tally tally = {0};
  GantryWorker *worker = busy_worker(probe_new(&tally, 0, 3, 0));
  gantry_worker_push(worker, (GantryTask *)probe_new(&tally, 1, 4, 0));
  gantry_worker_cancel_slot(worker, 3);
  CHECK(wait_for(&tally.answers, 2));
  CHECK(tally.cancelled == 1 && tally.ran == 2);
  gantry_worker_shut(worker, count_end, &tally.ended);
  CHECK(wait_for(&tally.ended, 1));
}

static void content_known(gpointer owner, GantryTask *task) {
  *(ct_content *)g_object_get_data(owner, "content") = ((GantryContentTask *)task)->content;
}

/* What a file is may take a child process to tell: the worker asks, not the main loop. */
static void files_are_told_apart_by_a_worker(void) {
  guint ended = 0;
  const ct_content unknown = (ct_content)-1;
  ct_content content = unknown;
  GError *error = NULL;
  g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_set_data(owner, "content", &content);
  static const char header[] = "NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nendian: little\n\n";
  g_autoptr(GString) file = g_string_new_len(header, sizeof header - 1);
  for (int i = 0; i < 32; i++) g_string_append_c(file, 0);
  g_autofree char *folder = g_dir_make_tmp("gantry-test-XXXXXX", NULL),
                  *path = g_build_filename(folder, "v.nrrd", NULL);
  CHECK(g_file_set_contents(path, file->str, (gssize)file->len, NULL));
  GantryWorker *worker = gantry_worker_new("planes", &error);
  CHECK(worker);
  gantry_worker_push(worker, (GantryTask *)gantry_content_task_new(owner, content_known, path));
  CHECK(content == unknown);
  while (gantry_worker_is_busy(worker)) g_main_context_iteration(NULL, TRUE);
  CHECK(content != CT_CONTENT_SCAN && content == ct_path_content(path, NULL));
  gantry_worker_shut(worker, count_end, &ended);
  CHECK(wait_for(&ended, 1));
  g_unlink(path);
  g_rmdir(folder);
}

static const ct_test tests[] = {
    {"tasks run in order, and shutting returns at once", tasks_run_in_order},
    {"the newest task of a slot wins", newest_of_a_slot_wins},
    {"a closing worker answers every task", shutting_answers_everything},
    {"slots can be cancelled", slots_can_be_cancelled},
    {"files are told apart by a worker", files_are_told_apart_by_a_worker},
};
CT_TEST_MAIN(tests)
