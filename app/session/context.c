/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reference-counted; the workers are shut before the last reference goes. */
#include "app/session/context.h"

#include "app/errors.h"

GantryContext *gantry_context_new(GSettings *settings, void (*changed)(gpointer user), gpointer user, GError **error) {
  GantryContext *self = g_rc_box_new0(GantryContext);
  self->settings = g_object_ref(settings);
  self->changed = changed;
  self->user = user;
  self->engine_worker = gantry_worker_new("engine", error);
  self->planes_worker = self->engine_worker ? gantry_worker_new("planes", error) : NULL;
  self->files_worker = self->planes_worker ? gantry_worker_new("files", error) : NULL;
  ct_error *fault = NULL;
  if (self->files_worker && !(self->backend = gantry_backend_new("none", &fault))) gantry_take_ct_error(error, &fault);
  if (!self->backend) {
    gantry_context_shut(self, NULL, NULL);
    gantry_context_unref(self);
    return NULL;
  }
  self->engine = gantry_engine_new();
  self->probe = gantry_probe_new();
  return self;
}

GantryContext *gantry_context_ref(GantryContext *self) {
  return g_rc_box_acquire(self);
}

static void clear(gpointer data) {
  GantryContext *self = data;
  g_clear_pointer(&self->engine, gantry_engine_free);
  g_clear_pointer(&self->backend, gantry_backend_free);
  g_clear_pointer(&self->mailbox, gantry_mailbox_unref);
  gantry_probe_free(self->probe);
  g_clear_object(&self->settings);
}

void gantry_context_unref(GantryContext *self) {
  g_rc_box_release_full(self, clear);
}

/* The end */

typedef struct {
  guint left;
  void (*ended)(gpointer user);
  gpointer user;
} End;

static void worker_ended(gpointer data) {
  End *end = data;
  if (--end->left > 0) return;
  if (end->ended) end->ended(end->user);
  g_free(end);
}

void gantry_context_shut(GantryContext *self, void (*ended)(gpointer user), gpointer user) {
  GantryWorker **workers[] = {&self->engine_worker, &self->planes_worker, &self->files_worker};
  End *end = g_new(End, 1);
  *end = (End){1, ended, user};
  for (gsize i = 0; i < G_N_ELEMENTS(workers); i++) {
    if (!*workers[i]) continue;
    end->left++;
    gantry_worker_shut(g_steal_pointer(workers[i]), worker_ended, end);
  }
  worker_ended(end);
}

/* Shared services */

void gantry_context_changed(GantryContext *self) {
  if (self->window) self->changed(self->user);
}

GantryPlanPanel *gantry_context_get_panel(GantryContext *self) {
  return gantry_window_get_panel(self->window);
}

void gantry_context_fill_plan(GantryContext *self, ct_plan *plan) {
  const int threads = g_settings_get_int(self->settings, "threads");
  if (plan->threads == CT_AUTO_INT && threads > 0) plan->threads = threads;
}

void gantry_context_show_error(GantryContext *self, const GError *error) {
  if (!self->window || gantry_error_is_cancelled(error)) return;
  g_autofree char *sentence = gantry_error_sentence(error);
  gantry_window_show_error(self->window, sentence);
}

void gantry_context_ask_elsewhere(GantryContext *self, const GError *error, const char *action_name) {
  if (!self->window) return;
  g_autofree char *sentence = gantry_error_sentence(error);
  const GantryWarning question = {.text = sentence,
                                  .label = "_Read Those Files",
                                  .tip = "Read the files outside its folder that this file takes its values from",
                                  .action_name = action_name};
  gantry_window_ask(self->window, &question);
}

void gantry_context_toast(GantryContext *self, GantryTopic topic, const char *button, const char *action,
                          const char *format, ...) {
  if (!self->window) return;
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  gantry_window_toast(self->window, topic, text, button, action);
}
