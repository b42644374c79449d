/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread, one queue of waiting tasks, one queue of answers that a single armed source empties. */
#include "app/worker.h"

struct _GantryWorker {
  GThread *thread;
  GMainContext *context;
  GMutex lock;
  GCond wake;
  /* Under the lock: */
  GQueue waiting;
  GQueue answers;
  GantryTask *running;
  gboolean armed, closing, ended;
  /* Main context only: */
  guint unanswered;
  void (*on_ended)(gpointer data);
  gpointer ended_data;
};

static void worker_free(GantryWorker *worker) {
  g_thread_join(worker->thread); /* its function has returned, or is about to: it set `ended` as its last act */
  g_mutex_clear(&worker->lock);
  g_cond_clear(&worker->wake);
  g_main_context_unref(worker->context);
  g_free(worker);
}

static void answer_one(GantryWorker *worker, GantryTask *task) {
  worker->unanswered--;
  task->done(task);
  ct_job *job = task->job;
  task->free(task);
  ct_job_free(job);
}

static gboolean answer(gpointer data) {
  GantryWorker *worker = data;
  g_mutex_lock(&worker->lock);
  worker->armed = FALSE;
  GQueue answers = worker->answers;
  g_queue_init(&worker->answers);
  const gboolean ended = worker->ended;
  g_mutex_unlock(&worker->lock);

  GantryTask *task;
  while ((task = g_queue_pop_head(&answers))) answer_one(worker, task);
  /* An answer may have pushed a task, which a closing worker drops at once: then another source is under way. */
  g_mutex_lock(&worker->lock);
  const gboolean again = worker->armed;
  g_mutex_unlock(&worker->lock);
  if (ended && !again) {
    void (*on_ended)(gpointer) = worker->on_ended;
    gpointer ended_data = worker->ended_data;
    worker_free(worker);
    if (on_ended) on_ended(ended_data);
  }
  return G_SOURCE_REMOVE;
}

/* Lock held. */
static void arm(GantryWorker *worker) {
  if (worker->armed) return;
  worker->armed = TRUE;
  GSource *source = g_idle_source_new();
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  g_source_set_callback(source, answer, worker, NULL);
  g_source_attach(source, worker->context);
  g_source_unref(source);
}

/* Lock held. */
static void drop(GantryWorker *worker, GantryTask *task) {
  task->dropped = TRUE;
  g_queue_push_tail(&worker->answers, task);
  arm(worker);
}

static gpointer work(gpointer data) {
  GantryWorker *worker = data;
  g_mutex_lock(&worker->lock);
  for (;;) {
    while (!worker->closing && g_queue_is_empty(&worker->waiting)) g_cond_wait(&worker->wake, &worker->lock);
    if (worker->closing) break;
    GantryTask *task = g_queue_pop_head(&worker->waiting);
    worker->running = task;
    g_mutex_unlock(&worker->lock);
    task->run(task);
    g_mutex_lock(&worker->lock);
    worker->running = NULL;
    g_queue_push_tail(&worker->answers, task);
    arm(worker);
  }
  worker->ended = TRUE;
  arm(worker);
  g_mutex_unlock(&worker->lock);
  return NULL;
}

GantryWorker *gantry_worker_new(const char *name, GError **error) {
  GantryWorker *worker = g_new0(GantryWorker, 1);
  worker->context = g_main_context_ref_thread_default();
  g_mutex_init(&worker->lock);
  g_cond_init(&worker->wake);
  g_queue_init(&worker->waiting);
  g_queue_init(&worker->answers);
  worker->thread = g_thread_try_new(name, work, worker, error);
  if (worker->thread) return worker;
  g_mutex_clear(&worker->lock);
  g_cond_clear(&worker->wake);
  g_main_context_unref(worker->context);
  g_free(worker);
  return NULL;
}

/* Lock held. */
static void drop_waiting(GantryWorker *worker, guint slot) {
  for (GList *link = worker->waiting.head; link;) {
    GList *next = link->next;
    GantryTask *task = link->data;
    if (slot == 0 || task->slot == slot) {
      g_queue_delete_link(&worker->waiting, link);
      drop(worker, task);
    }
    link = next;
  }
}

void gantry_worker_push(GantryWorker *worker, GantryTask *task) {
  task->dropped = FALSE;
  task->job = ct_job_new(NULL);
  worker->unanswered++;
  g_mutex_lock(&worker->lock);
  if (task->slot != 0) {
    drop_waiting(worker, task->slot);
    GantryTask *running = worker->running;
    if (running && running->slot == task->slot && running->generation < task->generation) ct_job_cancel(running->job);
  }
  if (worker->closing || !task->job) {
    drop(worker, task);
  } else {
    g_queue_push_tail(&worker->waiting, task);
    g_cond_signal(&worker->wake);
  }
  g_mutex_unlock(&worker->lock);
}

void gantry_worker_cancel_slot(GantryWorker *worker, guint slot) {
  g_mutex_lock(&worker->lock);
  drop_waiting(worker, slot);
  if (worker->running && worker->running->slot == slot) ct_job_cancel(worker->running->job);
  g_mutex_unlock(&worker->lock);
}

gboolean gantry_worker_is_busy(GantryWorker *worker) {
  return worker->unanswered > 0;
}

void gantry_worker_shut(GantryWorker *worker, void (*ended)(gpointer data), gpointer data) {
  worker->on_ended = ended;
  worker->ended_data = data;
  g_mutex_lock(&worker->lock);
  worker->closing = TRUE;
  drop_waiting(worker, 0);
  if (worker->running) ct_job_cancel(worker->running->job);
  g_cond_signal(&worker->wake);
  g_mutex_unlock(&worker->lock);
}
