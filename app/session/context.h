/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the objects of one session share: the window, the preferences, the workers, the engine of one of them, the
 * mailbox that brings images back, the kernels to choose from. It owns these and no state of the session's own. The
 * session makes it and tells when the window is gone; every object holds a reference, so that an answer that comes late
 * finds no window and does nothing. Main loop only. */
#pragma once

#include "app/engine.h"
#include "app/backend.h"
#include "app/probe.h"
#include "app/worker.h"
#include "ui/window/window.h"

G_BEGIN_DECLS

typedef struct {
  GantryWindow *window; /* NULL once closed */
  GSettings *settings;
  GantryProbe *probe;
  GantryWorker *engine_worker, *planes_worker, *files_worker; /* NULL once shut */
  GantryEngine *engine;                                       /* for tasks of engine_worker only */
  GantryMailbox *mailbox;
  gantry_backend *backend; /* without a device, which is the engine's */
  void (*changed)(gpointer user);
  gpointer user;
} GantryContext;

/* changed(user): see gantry_context_changed. NULL when a worker or the kernels cannot be had. */
GantryContext *gantry_context_new(GSettings *settings, void (*changed)(gpointer user), gpointer user, GError **error);
GantryContext *gantry_context_ref(GantryContext *self);
void gantry_context_unref(GantryContext *self);
/* Lets the workers end; ended(user) is called once when all have. */
void gantry_context_shut(GantryContext *self, void (*ended)(gpointer user), gpointer user);

/* Something that decides which commands make sense was changed. */
void gantry_context_changed(GantryContext *self);
GantryPlanPanel *gantry_context_get_panel(GantryContext *self);
/* The plan as the engine gets it: the number of threads of the preferences filled in. */
void gantry_context_fill_plan(GantryContext *self, ct_plan *plan);

/* Nothing is shown of a cancel, or without a window. */
void gantry_context_show_error(GantryContext *self, const GError *error);
/* A file takes its values from others outside its folder: whether these may be read, which the action does. */
void gantry_context_ask_elsewhere(GantryContext *self, const GError *error, const char *action_name);
void gantry_context_toast(GantryContext *self, GantryTopic topic, const char *button, const char *action,
                          const char *format, ...) G_GNUC_PRINTF(5, 6);

G_END_DECLS
