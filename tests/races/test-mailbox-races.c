/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mailbox and the worker between two threads, under the thread sanitizer (tests/check-races): pictures come whole,
 * and every task is answered once. */
#include "app/mailbox.h"
#include "app/worker.h"
#include "recon/base/job.h"
#include "tests/test.h"

enum { ROUNDS = 3000, WIDTH = 24, HEIGHT = 7 };

typedef struct {
  GantryMailbox *mailbox;
  guint64 last[GANTRY_VIEWS];
  int arrivals, torn, backwards, curves, solids;
  gboolean posted; /* atomic: the other thread is done */
} desk;

static GantryImage *make_image(GantryViewKind kind, guint64 generation) {
  GantryImage *image = gantry_image_new(WIDTH, HEIGHT);
  image->kind = kind;
  image->generation = generation;
  for (int i = 0; i < WIDTH * HEIGHT; i++) image->pixels[i] = (float)generation;
  return image;
}

static gpointer post_all(gpointer data) {
  desk *d = data;
  g_autoptr(GantryMailbox) mailbox = gantry_mailbox_ref(d->mailbox);
  const ct_grid grid = {4, 4, 4, 1, 1, 1, 0, 0, 0};
  float values[64];
  ct_iteration points[3] = {0};
  for (guint64 n = 1; n <= ROUNDS; n++) {
    GantryWanted wanted;
    gantry_mailbox_get_wanted(mailbox, &wanted);
    GantryImage *images[GANTRY_VIEWS] = {0};
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) images[kind] = make_image((GantryViewKind)kind, n);
    gantry_mailbox_post_views(mailbox, GANTRY_A, images, &grid);
    for (int i = 0; i < 3; i++) points[i].index = (int)n;
    gantry_mailbox_post_curve(mailbox, (guint)n, points, 3);
    if (n % 50 == 0) {
      for (int i = 0; i < 64; i++) values[i] = (float)(n + (guint64)i);
      GantrySolid *solid = gantry_solid_new(values, &grid, GANTRY_SOLID_SIDE_COARSE);
      if (solid) gantry_mailbox_post_solid(mailbox, solid, n);
    }
  }
  __atomic_store_n(&d->posted, TRUE, __ATOMIC_RELEASE);
  return NULL;
}

static void look_at(desk *d, const GantryImage *image) {
  for (int i = 0; i < WIDTH * HEIGHT; i++) d->torn += image->pixels[i] != (float)image->generation;
  d->backwards += image->generation < d->last[image->kind];
  d->last[image->kind] = image->generation;
}

static void fetch(gpointer data) {
  desk *d = data;
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 generation;
  guint run;
  gsize count;
  d->arrivals++;
  gantry_mailbox_take(d->mailbox, images, &grid, &generation);
  for (int side = 0; side < GANTRY_SIDES; side++)
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
      if (images[side][kind]) look_at(d, images[side][kind]);
      g_clear_pointer(&images[side][kind], gantry_image_unref);
    }
  g_autofree ct_iteration *curve = gantry_mailbox_take_curve(d->mailbox, &run, &count);
  d->curves += curve != NULL;
  for (gsize i = 0; curve && i < count; i++) d->torn += curve[i].index != (int)run;
  GantrySolid *solid = gantry_mailbox_take_solid(d->mailbox, &generation);
  d->solids += solid != NULL;
  if (solid) gantry_solid_unref(solid);
  const GantryWanted wanted = {.centred = TRUE, .generation = (guint64)d->arrivals};
  gantry_mailbox_set_wanted(d->mailbox, &wanted);
}

static void pictures_come_whole(void) {
  desk d = {0};
  d.mailbox = gantry_mailbox_new(fetch, &d);
  GThread *thread = g_thread_new("posts", post_all, &d);
  while (!__atomic_load_n(&d.posted, __ATOMIC_ACQUIRE)) g_main_context_iteration(NULL, FALSE);
  g_thread_join(thread);
  while (g_main_context_iteration(NULL, FALSE)) continue;
  CHECK(d.torn == 0 && d.backwards == 0);
  CHECK(d.arrivals > 0 && d.arrivals <= 2 * ROUNDS + ROUNDS / 50 && d.curves > 0 && d.solids > 0);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) CHECK(d.last[kind] == ROUNDS);
  gantry_mailbox_close(d.mailbox);
  gantry_mailbox_unref(d.mailbox);
}

/* Closed while the other thread posts, which lets it go last. */
static void closing_ends_the_calls(void) {
  desk d = {0};
  d.mailbox = gantry_mailbox_new(fetch, &d);
  GThread *thread = g_thread_new("posts", post_all, &d);
  while (d.arrivals < 5) g_main_context_iteration(NULL, FALSE);
  gantry_mailbox_close(d.mailbox);
  const int arrivals = d.arrivals;
  g_thread_join(thread);
  gantry_mailbox_unref(d.mailbox);
  while (g_main_context_iteration(NULL, FALSE)) continue;
  CHECK(d.arrivals == arrivals);
}

typedef struct {
  GantryTask task;
  int *done, *ran, *cancelled;
  int ran_here;
} work_task;

static void shown_while_paused(void *user) {
  ct_progress progress;
  ct_job_get_progress(user, &progress);
}

static void run_task(GantryTask *task) {
  work_task *w = (work_task *)task;
  ct_job_set_show(task->job, shown_while_paused, task->job);
  ct_job_begin_part(task->job, 0, 2);
  for (int stage = CT_STAGE_READING; stage <= CT_STAGE_BACKPROJECTING; stage++) {
    ct_job_begin_stage(task->job, (ct_stage)stage, 50);
    for (int i = 0; i < 50; i++) {
      ct_job_advance(task->job, 1);
      ct_job_add_updates(task->job, 10);
      if (!ct_job_may_go_on(task->job, NULL)) return;
    }
  }
  w->ran_here = 1;
}

static void task_done(GantryTask *task) {
  work_task *w = (work_task *)task;
  (*w->done)++;
  *w->ran += w->ran_here;
  *w->cancelled += !task->dropped && !w->ran_here;
}

static void free_task(GantryTask *task) {
  g_free(task);
}

static void ended(gpointer data) {
  *(gboolean *)data = TRUE;
}

/* The jobs' progress is read, and they are paused, looked at and cancelled, from the thread that owns the worker. */
static void every_task_is_answered(void) {
  int done = 0, ran = 0, cancelled = 0;
  gboolean over = FALSE;
  GantryWorker *worker = gantry_worker_new("worker", NULL);
  CHECK(worker);
  enum { TASKS = 600 };
  for (int n = 0; n < TASKS; n++) {
    work_task *w = g_new0(work_task, 1);
    *w = (work_task){
        {run_task, task_done, free_task, .slot = (guint)(n % 3), .generation = (guint64)n}, &done, &ran, &cancelled, 0};
    ct_progress progress;
    gantry_worker_push(worker, &w->task);
    if (w->task.job) { /* freed by this thread's main context alone */
      ct_job_get_progress(w->task.job, &progress);
      ct_job_set_paused(w->task.job, n % 4 == 0);
      ct_job_look(w->task.job);
      if (n % 7 == 0) ct_job_cancel(w->task.job);
      if (n % 5 == 0) ct_job_finish_early(w->task.job);
      ct_job_set_paused(w->task.job, FALSE);
    }
    if (n % 11 == 0) gantry_worker_cancel_slot(worker, 1);
    g_main_context_iteration(NULL, FALSE);
  }
  while (done < TASKS / 2) g_main_context_iteration(NULL, TRUE);
  gantry_worker_shut(worker, ended, &over);
  while (!over) g_main_context_iteration(NULL, TRUE);
  CHECK(done == TASKS && ran > 0 && ran + cancelled <= TASKS);
}

int main(void) {
  const ct_test tests[] = {{"pictures come whole and in order", pictures_come_whole},
                           {"closing ends the calls", closing_ends_the_calls},
                           {"every task is answered once", every_task_is_answered}};
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
