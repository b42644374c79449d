/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's life: the window goes at once, the workers are told to stop, and the application is held until they have.
 */
#include "app/session/session-private.h"

#include "app/session/recent.h"

G_DEFINE_FINAL_TYPE(GantrySession, gantry_session, G_TYPE_OBJECT)

#define SESSION_KEY "gantry-session"

static void gantry_session_finalize(GObject *object) {
  GantrySession *self = GANTRY_SESSION(object);
  if (self->context) gantry_session_free_objects(self);
  g_clear_pointer(&self->context, gantry_context_unref);
  g_clear_object(&self->application);
  G_OBJECT_CLASS(gantry_session_parent_class)->finalize(object);
}

static void gantry_session_class_init(GantrySessionClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_session_finalize;
}

static void gantry_session_init(GantrySession *self) {}

/* The end */

static void workers_ended(gpointer user) {
  GantrySession *self = user;
  g_application_release(G_APPLICATION(self->application));
  g_object_unref(self);
}

static void window_destroyed(GtkWidget *window, GantrySession *self) {
  if (self->closing) return;
  self->closing = TRUE;
  self->context->window = NULL;
  gantry_autosave_stop(self->autosave);
  gantry_queue_stop(self->queue);
  gantry_processes_stop(self->processes);
  gantry_slices_stop(self->slices);
  gantry_simulator_stop(self->simulator);
  gantry_jobs_stop(self->jobs);
  gantry_dialogs_close(self->dialogs);
  gantry_mailbox_close(self->context->mailbox);
  g_application_hold(G_APPLICATION(self->application));
  gantry_context_shut(self->context, workers_ended, g_object_ref(self));
}

static void close_window(gpointer owner, gpointer data) {
  gtk_window_destroy(gantry_session_get_window(owner));
}

/* TRUE: the window stays (for now). */
static gboolean close_requested(GtkWindow *window, GantrySession *self) {
  const char *besides =
      gantry_queue_is_running(self->queue) ? "The queue is still running; the rows that are not done would be given up."
      : gantry_processes_is_running(self->processes)
          ? "The reconstruction with several processes is still running; it would be ended, and what is "
            "finished of it kept."
          : NULL;
  if (!besides && !gantry_questions_would_lose(self->questions)) return FALSE;
  const GantryQuestion question = {
      .heading = "Close the window?", .besides = besides, .discard = "_Close", .go_on = close_window, .owner = self};
  gantry_questions_ask(self->questions, &question);
  return TRUE;
}

/* The begin */

static void recent_changed(GSettings *settings, const char *key, GantrySession *self) {
  gantry_recent_show(self->context);
}

static void load_elsewhere(GantryOpening *opening, const char *path, GantryScan *opened, GantrySession *self) {
  g_autoptr(GError) error = NULL;
  g_autoptr(GantrySession) other = gantry_session_new(self->application, self->context->settings, &error);
  if (!other) {
    gantry_context_show_error(self->context, error);
    return;
  }
  gtk_window_present(gantry_session_get_window(other));
  gantry_scan_slot_load(other->slot, path, opened, NULL);
}

static void open_session_elsewhere(GantryWorkspace *workspace, const char *path, GantrySession *self) {
  g_autoptr(GError) error = NULL;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autoptr(GantrySession) other = gantry_session_new(self->application, self->context->settings, &error);
  if (!other) {
    gantry_context_show_error(self->context, error);
    return;
  }
  gtk_window_present(gantry_session_get_window(other));
  gantry_session_open(other, file);
}

static void make_window(GantrySession *self) {
  GantryContext *context = self->context;
  context->window = gantry_window_new(self->application, context->settings);
  GantryPlanPanel *panel = gantry_context_get_panel(context);
  gantry_plan_panel_set_backend(panel, gantry_backend_get(context->backend));
  gantry_plan_panel_set_plan(panel, gantry_plan_editor_get(self->editor));
  gantry_plan_panel_set_scan(panel, NULL, NULL);
  gantry_session_connect_objects(self);
  g_signal_connect_object(context->window, "close-request", G_CALLBACK(close_requested), self, 0);
  g_signal_connect_object(context->window, "destroy", G_CALLBACK(window_destroyed), self, 0);
  g_signal_connect_object(context->settings, "changed::recent-scans", G_CALLBACK(recent_changed), self, 0);
  g_signal_connect_object(self->opening, "elsewhere", G_CALLBACK(load_elsewhere), self, 0);
  g_signal_connect_object(self->workspace, "elsewhere", G_CALLBACK(open_session_elsewhere), self, 0);
  /* The window keeps its session alive; its end breaks the circle. */
  g_object_set_data_full(G_OBJECT(context->window), SESSION_KEY, g_object_ref(self), g_object_unref);
}

static void changed(gpointer user) {
  gantry_session_update_actions(user);
}

/* Where a file is opened at once nothing is offered, and nobody is kept from being offered it. */
static gboolean offer_sessions(gpointer data) {
  GantrySession *self = data;
  if (!self->closing && gantry_session_is_empty(self)) gantry_autosave_offer(self->autosave);
  return G_SOURCE_REMOVE;
}

GantrySession *gantry_session_new(GtkApplication *application, GSettings *settings, GError **error) {
  g_autoptr(GantrySession) self = g_object_new(GANTRY_TYPE_SESSION, NULL);
  self->application = g_object_ref(application);
  self->context = gantry_context_new(settings, changed, self, error);
  if (!self->context) return NULL;
  gantry_session_make_objects(self);
  make_window(self);
  gantry_devices_find(self->devices);
  gantry_session_add_actions(self);
  gantry_recent_show(self->context);
  gantry_window_show_start(self->context->window);
  gantry_session_update_actions(self);
  g_idle_add_full(G_PRIORITY_LOW, offer_sessions, g_object_ref(self), g_object_unref);
  return g_steal_pointer(&self);
}

GtkWindow *gantry_session_get_window(GantrySession *self) {
  return GTK_WINDOW(self->context->window);
}

GantrySession *gantry_session_of_window(GtkWindow *window) {
  return window ? g_object_get_data(G_OBJECT(window), SESSION_KEY) : NULL;
}

gboolean gantry_session_is_empty(GantrySession *self) {
  return !self->closing && !gantry_scan_slot_get(self->slot) && gantry_jobs_is_idle(self->jobs) &&
         !gantry_jobs_is_watched(self->jobs, GANTRY_WATCH_LOOK) && !gantry_session_is_alone(self);
}

void gantry_session_open(GantrySession *self, GFile *file) {
  gantry_opening_open_at_once(self->opening, file);
}

void gantry_session_open_lesson(GantrySession *self, GFile *file) {
  gantry_lessons_open(self->lessons, file);
}
