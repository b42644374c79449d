/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the workers are busy with, as the user sees it. Owns the one job that the header shows (its kind, pause, and
 * whether it can still be finished early), the quiet tasks that the busy line tells of, whether the preview under way
 * is a search for the centre, and the timer that keeps both up to date. Knows nothing of what a job is for: who begins
 * one says how its progress reads. */
#pragma once

#include "app/session/context.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_JOB_NONE,
  GANTRY_JOB_LOAD,
  GANTRY_JOB_VOLUME,
  GANTRY_JOB_SWEEP,
  GANTRY_JOB_SAVE,
  GANTRY_JOB_TUNE,
  GANTRY_JOB_VARIANTS,
  GANTRY_JOB_FIGURES
} GantryJobKind;

typedef struct {
  GantryJobKind kind;
  GantryTask *task;
  const char *path; /* of a file that is being opened, borrowed from the task; NULL without */
  /* How far it is (g_free); NULL: as gantry_progress_text tells it. */
  char *(*text)(GantryTask *task, const ct_progress *progress, gpointer user);
  gpointer user;
} GantryJob;

/* Tasks besides the job, at most one of each: the newest. */
typedef enum {
  GANTRY_WATCH_LOOK,    /* at a file that was chosen while something would be lost */
  GANTRY_WATCH_READING, /* of a volume that becomes B */
  GANTRY_WATCH_TRUTH,   /* that is being made for the shelf */
  GANTRY_WATCH_SESSION, /* a result of a session that is being opened */
  GANTRY_WATCH_PREVIEW,
  GANTRY_WATCHES
} GantryWatch;

typedef struct _GantryJobs GantryJobs;
GantryJobs *gantry_jobs_new(GantryContext *context);
void gantry_jobs_free(GantryJobs *self);
/* No more ticks: the window is gone. */
void gantry_jobs_stop(GantryJobs *self);

/* Pushes the task: it is the job from now on. */
void gantry_jobs_begin(GantryJobs *self, const GantryJob *job, GantryWorker *worker);
/* The task was answered; another one may be the job already. */
void gantry_jobs_end(GantryJobs *self, const GantryTask *task);
void gantry_jobs_cancel(GantryJobs *self);
/* A file is being looked at or read, beside the job; its task answers with an error when it is cancelled. */
gboolean gantry_jobs_is_opening(GantryJobs *self);
void gantry_jobs_cancel_opening(GantryJobs *self);
gboolean gantry_jobs_is_idle(GantryJobs *self);
GantryJobKind gantry_jobs_get_kind(GantryJobs *self);
void gantry_jobs_set_paused(GantryJobs *self, gboolean paused);
gboolean gantry_jobs_is_paused(GantryJobs *self);
void gantry_jobs_finish_early(GantryJobs *self);
/* A volume, of which no part has been written with all of its views yet. */
gboolean gantry_jobs_can_finish(GantryJobs *self);
/* The volume in the making is to post what is on screen, also while it is paused. */
void gantry_jobs_look(GantryJobs *self);

/* Pushes the task, which the busy line tells of from now on, in place of another. path as in a job. */
void gantry_jobs_watch(GantryJobs *self, GantryWatch watch, GantryTask *task, const char *path, GantryWorker *worker);
/* The task was answered: whether it is still the one waited for, which it is no longer then. */
gboolean gantry_jobs_take(GantryJobs *self, GantryWatch watch, const GantryTask *task);
/* Nobody waits for it any more: cancels it. */
void gantry_jobs_drop(GantryJobs *self, GantryWatch watch);
gboolean gantry_jobs_is_watched(GantryJobs *self, GantryWatch watch);

/* The preview is a search for the centre: the header shows it, and it can be cancelled there. */
void gantry_jobs_set_searching(GantryJobs *self, gboolean searching);
gboolean gantry_jobs_is_searching(GantryJobs *self);
/* The engine makes slices of B, too: a job may have to wait for them. */
void gantry_jobs_set_shares_engine(GantryJobs *self, gboolean shares);

G_END_DECLS
