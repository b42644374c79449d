/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header's progress and the busy line, brought up to date ten times a second while there is something to tell. */
#include "app/session/jobs.h"

#include "app/progress-text.h"
#include "recon/base/memory.h"
#include "ui/shown.h"

#define PROGRESS_MS 100
#define PROGRESS_AFTER 0.15 /* s, for jobs that usually end at once */

struct _GantryJobs {
  GantryContext *context;
  GantryJob job; /* task NULL: none */
  gboolean paused;
  gboolean finish_is_late; /* the first slab is written: the others must take as many views */
  GantryTask *watched[GANTRY_WATCHES];
  const char *paths[GANTRY_WATCHES];
  gboolean searching, shares_engine;
  guint timer;
};

GantryJobs *gantry_jobs_new(GantryContext *context) {
  GantryJobs *self = g_new0(GantryJobs, 1);
  self->context = gantry_context_ref(context);
  return self;
}

void gantry_jobs_stop(GantryJobs *self) {
  g_clear_handle_id(&self->timer, g_source_remove);
}

void gantry_jobs_free(GantryJobs *self) {
  gantry_jobs_stop(self);
  gantry_context_unref(self->context);
  g_free(self);
}

/* What is shown */

/* A file that is being opened beside the job. */
static GantryWatch opening_watch(GantryJobs *self) {
  static const GantryWatch watches[] = {GANTRY_WATCH_LOOK, GANTRY_WATCH_READING, GANTRY_WATCH_TRUTH,
                                        GANTRY_WATCH_SESSION};
  for (gsize i = 0; i < G_N_ELEMENTS(watches); i++)
    if (self->watched[watches[i]]) return watches[i];
  return GANTRY_WATCHES;
}

/* What the header shows, to be cancelled there: a job, a file that is being opened, or a search for the centre. */
static const GantryTask *header_task(GantryJobs *self) {
  const GantryWatch opening = opening_watch(self);
  if (self->job.task) return self->job.task;
  if (opening != GANTRY_WATCHES) return self->watched[opening];
  return self->searching ? self->watched[GANTRY_WATCH_PREVIEW] : NULL;
}

/* Of the file that the task opens; NULL: it opens none. */
static const char *path_of(GantryJobs *self, const GantryTask *task) {
  if (task == self->job.task) return self->job.kind == GANTRY_JOB_LOAD ? self->job.path : NULL;
  const GantryWatch opening = opening_watch(self);
  return opening != GANTRY_WATCHES && task == self->watched[opening] ? self->paths[opening] : NULL;
}

static char *with_name(const char *path, char *text) {
  if (!path) return text;
  g_autofree char *name = gantry_shown_name(path), *rest = text;
  return g_strdup_printf("Opening %s: %s", name, rest);
}

/* The thin line, for previews, and for opening a file while the header shows something else. */
static void show_busy(GantryJobs *self) {
  const GantryTask *header = header_task(self), *preview = self->watched[GANTRY_WATCH_PREVIEW];
  const GantryWatch opening = opening_watch(self);
  const GantryTask *opens = opening != GANTRY_WATCHES ? self->watched[opening] : NULL;
  const GantryTask *task = opens && opens != header ? opens : preview;
  if (!task || task == header) {
    gantry_window_set_busy(self->context->window, FALSE, NULL);
    return;
  }
  ct_progress progress;
  ct_job_get_progress(task->job, &progress);
  g_autofree char *text = progress.stage != CT_STAGE_WAITING  ? gantry_progress_text(&progress, 0, NULL)
                          : self->job.task && task == preview ? g_strdup("the preview waits for the work above to end")
                                                              : g_strdup("beginning");
  g_autofree char *whole = with_name(path_of(self, task), g_steal_pointer(&text));
  gantry_window_set_busy(self->context->window, TRUE, whole);
}

/* The engine does one thing at a time. */
static const char *waits_for(GantryJobs *self) {
  if (self->watched[GANTRY_WATCH_PREVIEW] && self->job.task) return "waiting for the preview to end";
  return self->shares_engine ? "waiting for the slices of B to end" : "beginning";
}

static char *progress_text(GantryJobs *self, const GantryTask *task, const ct_progress *progress) {
  const char *path = path_of(self, task);
  if (path)
    return with_name(path, progress->stage == CT_STAGE_WAITING ? g_strdup("beginning")
                                                               : gantry_progress_text(progress, 0, NULL));
  if (progress->stage == CT_STAGE_WAITING && !progress->paused) return g_strdup(waits_for(self));
  if (self->job.text) return self->job.text(self->job.task, progress, self->job.user);
  return gantry_progress_text(progress, ct_memory_resident(), NULL);
}

static void show_progress(GantryJobs *self) {
  const GantryTask *task = header_task(self);
  if (!task) {
    gantry_window_set_progress(self->context->window, NULL, NULL);
    return;
  }
  ct_progress progress;
  ct_job_get_progress(task->job, &progress);
  if (self->job.kind != GANTRY_JOB_VOLUME && progress.elapsed < PROGRESS_AFTER) return;
  if (progress.part > 0 && !self->finish_is_late) {
    self->finish_is_late = TRUE;
    gantry_context_changed(self->context);
  }
  g_autofree char *text = progress_text(self, task, &progress);
  gantry_window_set_progress(self->context->window, &progress, text);
}

static gboolean is_busy(const GantryJobs *self) {
  gboolean busy = self->job.task != NULL;
  for (int i = 0; i < GANTRY_WATCHES; i++) busy |= self->watched[i] != NULL;
  return busy;
}

static gboolean tick(gpointer data) {
  GantryJobs *self = data;
  if (self->context->window) {
    show_progress(self);
    show_busy(self);
    if (is_busy(self)) return G_SOURCE_CONTINUE;
  }
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

static void begin_ticks(GantryJobs *self) {
  if (!self->timer) self->timer = g_timeout_add(PROGRESS_MS, tick, self);
}

/* The job */

void gantry_jobs_begin(GantryJobs *self, const GantryJob *job, GantryWorker *worker) {
  self->job = *job;
  self->paused = self->finish_is_late = FALSE;
  gantry_worker_push(worker, job->task);
  begin_ticks(self);
  if (job->kind == GANTRY_JOB_VOLUME && self->context->window) show_progress(self);
  gantry_context_changed(self->context);
}

void gantry_jobs_end(GantryJobs *self, const GantryTask *task) {
  if (self->job.task != task) return;
  self->job = (GantryJob){0};
  self->paused = FALSE;
  if (self->context->window) show_progress(self);
}

void gantry_jobs_cancel(GantryJobs *self) {
  if (self->job.task) ct_job_cancel(self->job.task->job);
}

gboolean gantry_jobs_is_opening(GantryJobs *self) {
  return opening_watch(self) != GANTRY_WATCHES;
}

void gantry_jobs_cancel_opening(GantryJobs *self) {
  const GantryWatch opening = opening_watch(self);
  if (opening != GANTRY_WATCHES) ct_job_cancel(self->watched[opening]->job);
}

gboolean gantry_jobs_is_idle(GantryJobs *self) {
  return self->job.task == NULL;
}

GantryJobKind gantry_jobs_get_kind(GantryJobs *self) {
  return self->job.kind;
}

void gantry_jobs_set_paused(GantryJobs *self, gboolean paused) {
  if (!self->job.task) return;
  self->paused = paused;
  ct_job_set_paused(self->job.task->job, paused);
}

gboolean gantry_jobs_is_paused(GantryJobs *self) {
  return self->paused;
}

void gantry_jobs_finish_early(GantryJobs *self) {
  if (self->job.kind == GANTRY_JOB_VOLUME) ct_job_finish_early(self->job.task->job);
}

gboolean gantry_jobs_can_finish(GantryJobs *self) {
  return self->job.kind == GANTRY_JOB_VOLUME && !self->finish_is_late;
}

void gantry_jobs_look(GantryJobs *self) {
  if (self->job.kind == GANTRY_JOB_VOLUME && self->paused) ct_job_look(self->job.task->job);
}

/* Other tasks */

void gantry_jobs_watch(GantryJobs *self, GantryWatch watch, GantryTask *task, const char *path, GantryWorker *worker) {
  self->watched[watch] = task;
  self->paths[watch] = path;
  gantry_worker_push(worker, task);
  begin_ticks(self);
  if (watch != GANTRY_WATCH_PREVIEW) gantry_context_changed(self->context);
}

gboolean gantry_jobs_take(GantryJobs *self, GantryWatch watch, const GantryTask *task) {
  if (self->watched[watch] != task) return FALSE;
  self->watched[watch] = NULL;
  if (watch != GANTRY_WATCH_PREVIEW) gantry_context_changed(self->context);
  return TRUE;
}

void gantry_jobs_drop(GantryJobs *self, GantryWatch watch) {
  if (self->watched[watch]) ct_job_cancel(self->watched[watch]->job);
  self->watched[watch] = NULL;
}

gboolean gantry_jobs_is_watched(GantryJobs *self, GantryWatch watch) {
  return self->watched[watch] != NULL;
}

void gantry_jobs_set_searching(GantryJobs *self, gboolean searching) {
  self->searching = searching;
}

gboolean gantry_jobs_is_searching(GantryJobs *self) {
  return self->searching;
}

void gantry_jobs_set_shares_engine(GantryJobs *self, gboolean shares) {
  self->shares_engine = shares;
}
