/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's life, its scan and its plan. */
#include "app/session/session-private.h"

#include "app/errors.h"

G_DEFINE_FINAL_TYPE(GantrySession, gantry_session, G_TYPE_OBJECT)

#define SESSION_KEY "gantry-session"

static void gantry_session_finalize(GObject *object) {
  GantrySession *self = GANTRY_SESSION(object);
  g_clear_pointer(&self->engine, gantry_engine_free);
  g_clear_pointer(&self->kernels, gantry_kernel_table_free);
  g_clear_pointer(&self->scan, gantry_scan_unref);
  g_clear_pointer(&self->history, gantry_history_free);
  g_clear_pointer(&self->outcome, gantry_outcome_free);
  g_clear_pointer(&self->volume_outcome, gantry_outcome_free);
  gantry_session_forget_lone_plan(self);
  gantry_result_unref(self->volume);
  gantry_result_unref(self->reference);
  for (int side = 0; side < GANTRY_SIDES; side++)
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&self->shown[side][kind], gantry_image_unref);
  gantry_mailbox_unref(self->mailbox);
  gantry_probe_free(self->probe);
  g_clear_object(&self->settings);
  g_clear_object(&self->application);
  G_OBJECT_CLASS(gantry_session_parent_class)->finalize(object);
}

static void gantry_session_class_init(GantrySessionClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_session_finalize;
}

static void gantry_session_init(GantrySession *self) {
  ct_plan plan;
  ct_plan_init(&plan);
  self->history = gantry_history_new(&plan);
  self->centred = TRUE;
  self->generation = self->scan_generation = self->reference_generation = 1;
}

/* What the window says */

static void plan_edited(GantryPlanPanel *panel, const char *key, gpointer data) {
  GantrySession *self = data;
  self->centre_asked = FALSE;
  gantry_probe_begin(self->probe, "edit-to-first-plane");
  if (gantry_history_push(self->history, gantry_plan_panel_get_plan(panel), key, g_get_monotonic_time()))
    gantry_session_plan_changed(self);
}

static void planes_wanted(GantryWindow *window, gpointer data) {
  GantrySession *self = data;
  if (!self->showing) gantry_session_request_planes(self);
}

static void projection_wanted(GantryWindow *window, int index, gboolean sinogram, gpointer data) {
  GantrySession *self = data;
  self->projection_index = index;
  self->sinogram = sinogram;
  gantry_session_request_projection(self);
}

static void file_dropped(GantryWindow *window, GFile *file, gpointer data) {
  gantry_session_open(data, file);
}

static gboolean close_requested(GtkWindow *window, gpointer data) {
  return gantry_session_close_request(data);
}

static void window_destroyed(GtkWidget *window, gpointer data) {
  gantry_session_shut(data);
}

static void auto_preview_changed(GSettings *settings, const char *key, gpointer data) {
  GantrySession *self = data;
  if (self->window && g_settings_get_boolean(settings, key)) gantry_session_plan_changed(self);
}

static void recent_changed(GSettings *settings, const char *key, gpointer data) {
  gantry_session_update_recent(data);
}

static void connect_window(GantrySession *self) {
  GantryPlanPanel *panel = gantry_window_get_panel(self->window);
  gantry_plan_panel_set_kernels(panel, gantry_kernel_table_get(self->kernels));
  gantry_plan_panel_set_plan(panel, gantry_session_get_plan(self));
  gantry_plan_panel_set_scan(panel, NULL, NULL);
  g_signal_connect_object(panel, "plan-edited", G_CALLBACK(plan_edited), self, 0);
  g_signal_connect_object(self->window, "planes-wanted", G_CALLBACK(planes_wanted), self, 0);
  g_signal_connect_object(self->window, "projection-wanted", G_CALLBACK(projection_wanted), self, 0);
  g_signal_connect_object(self->window, "file-dropped", G_CALLBACK(file_dropped), self, 0);
  g_signal_connect_object(self->window, "close-request", G_CALLBACK(close_requested), self, 0);
  g_signal_connect_object(self->window, "destroy", G_CALLBACK(window_destroyed), self, 0);
  g_signal_connect_object(self->settings, "changed::auto-preview", G_CALLBACK(auto_preview_changed), self, 0);
  g_signal_connect_object(self->settings, "changed::recent-scans", G_CALLBACK(recent_changed), self, 0);
  /* The window keeps its session alive; gantry_session_shut breaks the circle. */
  g_object_set_data_full(G_OBJECT(self->window), SESSION_KEY, g_object_ref(self), g_object_unref);
}

GantrySession *gantry_session_new(GtkApplication *application, GSettings *settings, GError **error) {
  g_autoptr(GantrySession) self = g_object_new(GANTRY_TYPE_SESSION, NULL);
  self->application = g_object_ref(application);
  self->settings = g_object_ref(settings);
  self->engine_worker = gantry_worker_new("engine", error);
  self->planes_worker = self->engine_worker ? gantry_worker_new("planes", error) : NULL;
  self->files_worker = self->planes_worker ? gantry_worker_new("files", error) : NULL;
  ct_error *fault = NULL;
  if (self->files_worker && !(self->kernels = gantry_kernel_table_new("none", &fault)))
    gantry_take_ct_error(error, &fault);
  if (!self->kernels) {
    gantry_session_shut(self);
    return NULL;
  }
  self->engine = gantry_engine_new();
  self->mailbox = gantry_mailbox_new(gantry_session_pictures_arrived, self);
  self->probe = gantry_probe_new();
  self->window = gantry_window_new(GTK_APPLICATION(application), settings);
  connect_window(self);
  gantry_session_find_devices(self);
  gantry_session_add_actions(self);
  gantry_session_update_recent(self);
  gantry_window_show_start(self->window);
  gantry_session_update_actions(self);
  return g_steal_pointer(&self);
}

GtkWindow *gantry_session_get_window(GantrySession *self) {
  return GTK_WINDOW(self->window);
}

GantrySession *gantry_session_of_window(GtkWindow *window) {
  return window ? g_object_get_data(G_OBJECT(window), SESSION_KEY) : NULL;
}

gboolean gantry_session_is_empty(GantrySession *self) {
  return !self->closing && !self->scan && !self->job;
}

/* The plan */

const ct_plan *gantry_session_get_plan(GantrySession *self) {
  return gantry_history_get(self->history);
}

void gantry_session_engine_plan(GantrySession *self, ct_plan *plan) {
  const int threads = g_settings_get_int(self->settings, "threads");
  if (plan->threads == CT_AUTO_INT && threads > 0) plan->threads = threads;
}

void gantry_session_set_plan(GantrySession *self, const ct_plan *plan, const char *key) {
  if (!gantry_history_push(self->history, plan, key, g_get_monotonic_time())) return;
  gantry_plan_panel_set_plan(gantry_window_get_panel(self->window), plan);
  gantry_session_plan_changed(self);
}

void gantry_session_plan_changed(GantrySession *self) {
  if (self->run_refused) gantry_window_clear_error(self->window);
  self->run_refused = FALSE;
  if (self->scan && self->window) {
    g_autofree char *subtitle = gantry_scan_dup_subtitle(self->scan, gantry_session_get_plan(self));
    gantry_window_set_subtitle(self->window, subtitle);
  }
  gantry_session_choose_source(self);
  gantry_session_update_actions(self);
}

/* Words */

void gantry_session_show_error(GantrySession *self, const GError *error) {
  if (!self->window || gantry_error_is_cancelled(error)) return;
  g_autofree char *sentence = gantry_error_sentence(error);
  gantry_window_show_error(self->window, sentence);
}

void gantry_session_toast(GantrySession *self, GantryTopic topic, const char *button, const char *action,
                          const char *format, ...) {
  if (!self->window) return;
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  gantry_window_toast(self->window, topic, text, button, action);
}
