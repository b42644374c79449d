/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening scans: from a dialog, a folder, the list of recent ones, a drop, the command line. A scan that cannot be
 * opened leaves everything as it was. */
#include "app/session/session-private.h"

#define RECENT_KEPT 10

/* Recent scans */

static char *display_name(const char *uri) {
  g_autoptr(GFile) file = g_file_new_for_uri(uri);
  g_autofree char *base = g_file_get_basename(file);
  return g_filename_display_name(base ? base : uri);
}

void gantry_session_update_recent(GantrySession *self) {
  if (!self->window) return;
  g_auto(GStrv) uris = g_settings_get_strv(self->settings, "recent-scans");
  const guint count = g_strv_length(uris);
  g_auto(GStrv) names = g_new0(char *, count + 1);
  for (guint i = 0; i < count; i++) names[i] = display_name(uris[i]);
  gantry_window_set_recent(self->window, (const char *const *)uris, (const char *const *)names);
}

static void remember(GantrySession *self, const char *path) {
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autofree char *uri = g_file_get_uri(file);
  g_auto(GStrv) old = g_settings_get_strv(self->settings, "recent-scans");
  g_autoptr(GPtrArray) uris = g_ptr_array_new();
  g_ptr_array_add(uris, uri);
  for (char **each = old; *each && uris->len < RECENT_KEPT; each++)
    if (!g_str_equal(*each, uri)) g_ptr_array_add(uris, *each);
  g_ptr_array_add(uris, NULL);
  g_settings_set_strv(self->settings, "recent-scans", (const char *const *)uris->pdata);
}

/* Loading */

static void show_scan(GantrySession *self) {
  const ct_scan_facts *facts = gantry_scan_get_facts(self->scan);
  g_autofree char *subtitle = gantry_scan_dup_subtitle(self->scan, gantry_session_get_plan(self));
  GantryPlanPanel *panel = gantry_window_get_panel(self->window);
  gantry_plan_panel_set_scan(panel, gantry_scan_get_name(self->scan), facts);
  gantry_plan_panel_set_outcome(panel, NULL, NULL, NULL);
  gantry_plan_panel_set_sweep(panel, NULL, 0, 0);
  gantry_plan_panel_set_plan(panel, gantry_session_get_plan(self));
  gantry_window_show_scan(self->window, gantry_scan_get_name(self->scan), subtitle);
  gantry_window_set_projection_range(self->window, facts->geometry.views, facts->geometry.nv);
  gantry_window_suit_fourth(self->window, facts->geometry.nv);
}

/* The session of a scan begins: its plan, no results, no pictures. */
static void take_scan(GantrySession *self, GantryScan *scan) {
  ct_plan plan;
  ct_plan_init(&plan);
  g_clear_pointer(&self->scan, gantry_scan_unref);
  self->scan = scan ? gantry_scan_ref(scan) : NULL;
  gantry_history_reset(self->history, &plan);
  g_clear_pointer(&self->volume, gantry_result_unref);
  self->unsaved = FALSE;
  gantry_session_end_reading(self);
  g_clear_pointer(&self->reference, gantry_result_unref);
  self->reference_is_plan = FALSE;
  g_clear_pointer(&self->outcome, gantry_outcome_free);
  g_clear_pointer(&self->volume_outcome, gantry_outcome_free);
  self->source = GANTRY_SOURCE_NONE;
  self->has_estimate = self->has_preview_plan = self->earlier_values = self->preview_failed = self->whole_known = FALSE;
  self->run_refused = self->too_big = FALSE;
  self->run_kept = self->has_point = self->slices_alone = FALSE;
  self->run = 0;
  gantry_window_clear_runs(self->window);
  self->whole_volume = NULL;
  self->centred = TRUE;
  self->has_grid = FALSE;
  self->projection_index = 0;
  self->scan_generation = ++self->generation;
  gantry_session_forget_pictures(self);
  gantry_window_set_statistics(self->window, NULL, NULL);
}

static void loaded(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  GantryLoadTask *load = (GantryLoadTask *)task;
  gantry_session_end_job(self, task);
  if (!self->window) return;
  if (load->work.error || task->dropped) {
    if (load->work.error) gantry_session_show_error(self, load->work.error);
    if (load->plan) gantry_session_lone_scan_loaded(self, load->plan, load->work.error);
    gantry_session_update_actions(self);
    gantry_session_request_planes(self);
    return;
  }
  gantry_window_clear_error(self->window);
  take_scan(self, load->scan);
  gantry_session_forget_lone_plan(self);
  if (!self->scan) {
    gantry_plan_panel_set_scan(gantry_window_get_panel(self->window), NULL, NULL);
    gantry_window_show_start(self->window);
  } else {
    show_scan(self);
    if (load->path) remember(self, load->path);
    const char *note = gantry_scan_get_facts(self->scan)->note;
    if (load->plan) gantry_session_lone_scan_loaded(self, load->plan, NULL);
    if (note && *note) gantry_session_toast(self, GANTRY_ABOUT_ASIDE, NULL, NULL, "%s", note);
  }
  gantry_session_choose_source(self);
  gantry_session_request_projection(self);
  gantry_session_update_actions(self);
}

/* A look that nobody waits for any more must not hold up the files' worker. */
static void end_look(GantrySession *self) {
  if (self->look) ct_job_cancel(self->look->job);
  self->look = NULL;
}

/* opened: the scan of that path, if somebody looked already; plan: file whose values it gets; else NULL. */
static void begin_load(GantrySession *self, const char *path, GantryScan *opened, const char *plan) {
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), loaded, self->engine, path);
  task->plan = g_strdup(plan);
  task->opened = opened ? gantry_scan_ref(opened) : NULL;
  self->centre_asked = FALSE;
  end_look(self);
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_PREVIEW);
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_REFERENCE);
  gantry_window_clear_error(self->window);
  gantry_probe_begin(self->probe, "open-to-first-plane");
  gantry_session_begin_job(self, GANTRY_JOB_LOAD, (GantryTask *)task, self->engine_worker);
}

void gantry_session_load_for_plan(GantrySession *self, const char *path, const char *plan) {
  begin_load(self, path, NULL, plan);
}

static void close_now(GantrySession *self, gpointer data) {
  if (self->job) ct_job_cancel(self->job->job);
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), loaded, self->engine, NULL);
  task->close = TRUE;
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_PREVIEW);
  gantry_session_begin_job(self, GANTRY_JOB_LOAD, (GantryTask *)task, self->engine_worker);
}

void gantry_session_close_scan(GantrySession *self) {
  if (!self->scan) return;
  const GantryQuestion question = {.heading = "Close this scan?", .discard = "_Close Scan", .go_on = close_now};
  gantry_session_ask(self, &question);
}

/* Asking first, where something would be lost; and before that looking whether there is anything to open. */

typedef struct {
  char *path;         /* NULL: the built-in example */
  GantryScan *opened; /* NULL: not yet */
} Choice;

static void choice_free(gpointer data) {
  Choice *choice = data;
  g_free(choice->path);
  g_clear_pointer(&choice->opened, gantry_scan_unref);
  g_free(choice);
}

static void load_now(GantrySession *self, gpointer data) {
  const Choice *choice = data;
  if (self->job) ct_job_cancel(self->job->job);
  begin_load(self, choice->path, choice->opened, NULL);
}

static void load_elsewhere(GantrySession *self, gpointer data) {
  const Choice *choice = data;
  g_autoptr(GError) error = NULL;
  GantrySession *other = gantry_session_new(self->application, self->settings, &error);
  if (!other) {
    gantry_session_show_error(self, error);
    return;
  }
  gtk_window_present(gantry_session_get_window(other));
  begin_load(other, choice->path, choice->opened, NULL);
  g_object_unref(other);
}

static void load_or_ask(GantrySession *self, const char *path, GantryScan *opened) {
  Choice *choice = g_new(Choice, 1);
  *choice = (Choice){g_strdup(path), opened ? gantry_scan_ref(opened) : NULL};
  const GantryQuestion question = {.heading = "Open another scan?",
                                   .discard = "_Open Here",
                                   .other = "Open in _New Window",
                                   .go_on = load_now,
                                   .instead = load_elsewhere,
                                   .data = choice,
                                   .destroy = choice_free};
  gantry_session_ask(self, &question);
}

static void looked(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryLoadTask *look = (const GantryLoadTask *)task;
  if (self->look != task) return;
  self->look = NULL;
  if (!self->window || task->dropped) return;
  if (look->scan && self->asking) {
    g_autofree char *name = g_filename_display_basename(look->path);
    gantry_session_toast(self, GANTRY_ABOUT_FILE, NULL, NULL,
                         "%s was not opened: answer the question first, then open it again.", name);
  } else if (look->scan)
    load_or_ask(self, look->path, look->scan);
  else
    gantry_session_show_error(self, look->work.error);
}

/* What is unsaved, or runs, goes on meanwhile. The newest choice counts. */
static void begin_look(GantrySession *self, const char *path) {
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), looked, NULL, path);
  /* What was said of another file is over; why there is no preview or no run is not. */
  if (!self->preview_failed && !self->run_refused) gantry_window_clear_error(self->window);
  end_look(self);
  self->look = (GantryTask *)task;
  gantry_worker_push(self->files_worker, (GantryTask *)task);
  gantry_session_watch(self);
}

void gantry_session_open_example(GantrySession *self) {
  load_or_ask(self, NULL, NULL);
}

void gantry_session_open(GantrySession *self, GFile *file) {
  g_autofree char *path = g_file_get_path(file);
  if (!path) {
    g_autofree char *name = g_file_get_parse_name(file);
    g_autofree char *text =
        g_strdup_printf("%s is not on this computer: copy it here first, then open the copy.", name);
    gantry_window_show_error(self->window, text);
    return;
  }
  if (ct_plan_is_file(path)) {
    gantry_session_load_plan_file(self, file);
    return;
  }
  if (gantry_session_would_lose(self))
    begin_look(self, path);
  else
    load_or_ask(self, path, NULL);
}

void gantry_session_open_recent(GantrySession *self, const char *uri) {
  g_autoptr(GFile) file = g_file_new_for_uri(uri);
  gantry_session_open(self, file);
}

/* Dialogs */

static void chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autoptr(GFile) file = gantry_session_end_dialog(self, dialog, response);
  if (file) gantry_session_open(self, file);
}

void gantry_session_ask_open(GantrySession *self, gboolean folder) {
  if (self->chooser) return;
  gantry_session_begin_dialog(self, folder ? "Open a Folder of Projections" : "Open a Scan",
                              folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                              G_CALLBACK(chosen));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER(self->chooser);
  if (!folder) {
    char extensions[256];
    gantry_session_add_filter(self, "Scans", ct_formats_extensions(CT_FORMAT_OPEN_SCAN, extensions, sizeof extensions));
    gantry_session_add_filter(self, "All files", NULL);
  }
  if (self->scan) {
    const char *path = gantry_scan_get_facts(self->scan)->path;
    g_autoptr(GFile) file = path && *path ? g_file_new_for_path(path) : NULL;
    g_autoptr(GFile) parent = file ? g_file_get_parent(file) : NULL;
    if (parent && g_file_query_exists(parent, NULL)) gtk_file_chooser_set_current_folder(chooser, parent, NULL);
  }
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}
