/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A background thread that does tasks one after another. Everything here but a task's run function belongs to the
 * thread that made the worker (the main loop), which never waits for it: a task is answered by its done function in
 * that thread's main context, exactly once, whether it ran, was replaced by a newer one or the worker was shut down. */
#pragma once

#include <glib.h>

#include "recon/base/job.h"

G_BEGIN_DECLS

typedef struct _GantryWorker GantryWorker;
typedef struct _GantryTask GantryTask;

/* Begin your own struct with this one and fill run, done and free. */
struct _GantryTask {
  void (*run)(GantryTask *task);  /* worker's thread */
  void (*done)(GantryTask *task); /* main context; `dropped` when it never ran */
  void (*free)(GantryTask *task); /* main context, after done: releases what the task owns and the task itself */
  guint slot;                     /* not 0: takes the place of a waiting task of the same slot */
  guint64 generation;             /* a running task of the same slot with a smaller generation is cancelled */
  ct_job *job;                    /* made by push, alive until free */
  gboolean dropped;
};

/* NULL when no thread can be started. name is shown by debuggers. */
GantryWorker *gantry_worker_new(const char *name, GError **error);
/* Takes the task. Without memory for a job the task is answered as dropped. */
void gantry_worker_push(GantryWorker *worker, GantryTask *task);
/* Drops waiting tasks of that slot and cancels a running one. */
void gantry_worker_cancel_slot(GantryWorker *worker, guint slot);
/* Whether a task waits or runs that has not been answered yet. */
gboolean gantry_worker_is_busy(GantryWorker *worker);
/* Cancels everything and lets the thread end; returns at once. When it has ended, and every task has been answered,
 * ended(data) is called in the main context and the worker is gone. */
void gantry_worker_shut(GantryWorker *worker, void (*ended)(gpointer data), gpointer data);

G_END_DECLS
