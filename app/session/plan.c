/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a plan back. Without a scan its own is offered: where the plan says, beside the plan, or chosen by hand. */
#include "app/session/session-private.h"

#include "app/errors.h"

/* Where the plan's scan is: as the plan says, seen from the plan where that is relative, or beside it. NULL: nowhere.
 */
static char *find_scan(const char *plan, const char *input) {
  g_autofree char *folder = g_path_get_dirname(plan), *base = g_path_get_basename(input);
  g_autofree char *told = g_canonicalize_filename(input, folder), *beside = g_build_filename(folder, base, NULL);
  return ct_scan_is_there(told) ? g_steal_pointer(&told) : ct_scan_is_there(beside) ? g_steal_pointer(&beside) : NULL;
}

void gantry_session_forget_lone_plan(GantrySession *self) {
  g_clear_pointer(&self->lone_plan, g_free);
  g_clear_pointer(&self->lone_scan, g_free);
}

static void offer_scan(GantrySession *self) {
  gantry_window_offer_remedy(self->window, self->lone_scan ? "Open Its _Scan" : "_Choose a Scan…",
                             "Open a scan with the values of the plan", "win.open-plan-scan");
  gantry_session_update_actions(self);
}

/* input: where the plan's scan was, or NULL. */
static void ask_for_scan(GantrySession *self, const char *path, const char *input) {
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *scan = input ? g_filename_display_name(input) : NULL;
  char *found = input ? find_scan(path, input) : NULL;
  g_autofree char *place = found ? g_filename_display_name(found) : NULL;
  g_autofree char *text =
      found ? g_strdup_printf("%s is a plan: it tells how a scan is reconstructed. Its scan is %s.", name, place)
      : input
          ? g_strdup_printf("%s is a plan: it tells how a scan is reconstructed. Its scan, %s, is not there any "
                            "more: choose where it is now, or another scan.",
                            name, scan)
          : g_strdup_printf("%s is a plan: it tells how a scan is reconstructed. Choose the scan to use it on.", name);
  gantry_session_forget_lone_plan(self);
  self->lone_plan = g_strdup(path);
  self->lone_scan = found;
  gantry_window_show_notice(self->window, text);
  offer_scan(self);
}

static void identified(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryIdentifyTask *identify = (const GantryIdentifyTask *)task;
  if (task->dropped || !self->window || identify->scan != self->scan || !identify->note) return;
  g_autofree char *note = g_utf8_make_valid(identify->note, -1);
  /* An error is not hidden by what is none. */
  if (self->preview_failed || self->run_refused)
    gantry_session_toast(self, GANTRY_ABOUT_PLAN, NULL, NULL, "%s", note);
  else
    gantry_window_show_notice(self->window, note);
}

void gantry_session_load_plan_file(GantrySession *self, GFile *file) {
  g_autofree char *path = g_file_get_path(file);
  ct_plan plan;
  ct_plan_init(&plan);
  ct_identity input = {0};
  ct_error *reason = NULL;
  if (!path || !ct_plan_load(&plan, &input, path, &reason)) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &reason);
    gantry_session_show_error(self, error);
    return;
  }
  if (!self->scan) {
    ask_for_scan(self, path, input.path);
    ct_identity_clear(&input);
    return;
  }
  g_autofree char *name = g_filename_display_basename(path);
  gantry_window_clear_error(self->window);
  self->centre_asked = FALSE;
  gantry_session_set_plan(self, &plan, NULL);
  gantry_session_toast(self, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "Values taken from %s", name);
  gantry_worker_push(self->files_worker,
                     (GantryTask *)gantry_identify_task_new(G_OBJECT(self), identified, self->scan, &input, name));
}

/* The scan of a plan that was opened alone */

void gantry_session_lone_scan_loaded(GantrySession *self, const char *plan, const GError *error) {
  g_autoptr(GFile) file = g_file_new_for_path(plan);
  if (!error || gantry_error_is_cancelled(error)) {
    gantry_session_load_plan_file(self, file);
  } else if (!self->scan) {
    gantry_session_forget_lone_plan(self);
    self->lone_plan = g_strdup(plan);
    offer_scan(self);
  }
}

static void scan_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = gantry_session_end_dialog_with_path(self, dialog, response);
  if (path && gantry_session_can_open_lone_scan(self)) gantry_session_load_for_plan(self, path, self->lone_plan);
}

gboolean gantry_session_can_open_lone_scan(GantrySession *self) {
  return self->lone_plan && !self->scan && !self->job;
}

void gantry_session_open_lone_scan(GantrySession *self) {
  if (!gantry_session_can_open_lone_scan(self) || self->chooser) return;
  if (self->lone_scan) {
    gantry_session_load_for_plan(self, self->lone_scan, self->lone_plan);
    return;
  }
  gantry_session_begin_dialog(self, "Choose the Scan of the Plan", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                              G_CALLBACK(scan_chosen));
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

static void plan_file_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = gantry_session_end_dialog_with_path(self, dialog, response);
  if (!path) return;
  g_autoptr(GFile) file = g_file_new_for_path(path);
  gantry_session_load_plan_file(self, file);
}

void gantry_session_load_plan(GantrySession *self) {
  if (!self->scan || self->chooser) return;
  gantry_session_begin_dialog(self, "Load a Plan", GTK_FILE_CHOOSER_ACTION_OPEN, "_Load", G_CALLBACK(plan_file_chosen));
  gantry_session_add_filter(self, "Plans", "json");
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}
