/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands about the session as a file. */
#include "app/session/session-private.h"

#include "app/errors.h"

#define COMMAND(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer data)

/* A session names its scan. */
static void save(GantrySession *self, gboolean anew) {
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  if (scan && !gantry_scan_get_file(scan) && !gantry_scan_is_example(scan)) {
    gantry_window_show_notice(self->context->window,
                              "The simulated scan is in memory alone: save it first, so that the "
                              "session can name its file.");
    gantry_window_offer_remedy(self->context->window, "_Save Scan…", "Write the simulated scan to a file",
                               "win.save-scan");
    return;
  }
  gantry_session_saver_save(self->session_saver, anew);
}

COMMAND(save_session) {
  save(data, FALSE);
}

COMMAND(save_session_as) {
  save(data, TRUE);
}

/* Opening */

static void open_here(gpointer owner, gpointer data) {
  GantrySession *self = owner;
  gantry_jobs_cancel(self->jobs);
  gantry_workspace_open(self->workspace, data, NULL, FALSE);
}

static void open_elsewhere(gpointer owner, gpointer data) {
  g_signal_emit_by_name(((GantrySession *)owner)->workspace, "elsewhere", data);
}

/* Nobody is asked to give up work for a file that cannot be opened. */
static gboolean is_readable(GantrySession *self, const char *path) {
  gantry_session_file file;
  ct_error *fault = NULL;
  if (gantry_session_file_read(&file, path, &fault)) {
    gantry_session_file_clear(&file);
    return TRUE;
  }
  g_autoptr(GError) error = NULL;
  gantry_take_ct_error(&error, &fault);
  gantry_context_show_error(self->context, error);
  return FALSE;
}

void gantry_session_open_file(GantrySession *self, const char *path) {
  if (!is_readable(self, path)) return;
  const GantryQuestion question = {.heading = "Open the session?",
                                   .discard = "_Open Here",
                                   .other = "Open in _New Window",
                                   .go_on = open_here,
                                   .instead = open_elsewhere,
                                   .owner = self,
                                   .data = g_strdup(path),
                                   .destroy = g_free};
  gantry_questions_ask(self->questions, &question);
}

static void session_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = gantry_dialogs_end_with_path(self->dialogs, dialog, response);
  if (path) gantry_session_open_file(self, path);
}

COMMAND(open_session) {
  GantrySession *self = data;
  if (gantry_dialogs_is_open(self->dialogs)) return;
  gantry_dialogs_begin(self->dialogs, "Open a Session", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                       G_CALLBACK(session_chosen), self);
  gantry_dialogs_add_filter(self->dialogs, "Gantry sessions", "gantry json");
  gantry_dialogs_add_filter(self->dialogs, "All files", NULL);
  gantry_dialogs_show(self->dialogs);
}

static void scan_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = gantry_dialogs_end_with_path(self->dialogs, dialog, response);
  if (path && gantry_workspace_get_missing_scan(self->workspace)) gantry_workspace_locate_scan(self->workspace, path);
}

COMMAND(locate_scan) {
  GantrySession *self = data;
  if (!gantry_workspace_get_missing_scan(self->workspace) || gantry_dialogs_is_open(self->dialogs)) return;
  gantry_dialogs_begin(self->dialogs, "Choose the Scan of the Session", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                       G_CALLBACK(scan_chosen), self);
  gantry_dialogs_show(self->dialogs);
}

/* Left by a program that ended unexpectedly */

COMMAND(restore_session) {
  GantrySession *self = data;
  const gboolean empty =
      !gantry_scan_slot_get(self->slot) && !gantry_session_is_alone(self) && gantry_jobs_is_idle(self->jobs);
  if (empty) gantry_autosave_restore(self->autosave, g_variant_get_uint32(parameter));
}

COMMAND(discard_session) {
  gantry_autosave_discard(((GantrySession *)data)->autosave, g_variant_get_uint32(parameter));
}

void gantry_session_add_session_actions(GantrySession *self) {
  static const GActionEntry entries[] = {
      {.name = "save-session", .activate = save_session},
      {.name = "save-session-as", .activate = save_session_as},
      {.name = "open-session", .activate = open_session},
      {.name = "locate-scan", .activate = locate_scan},
      {.name = "restore-session", .activate = restore_session, .parameter_type = "u"},
      {.name = "discard-session", .activate = discard_session, .parameter_type = "u"},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self->context->window), entries, G_N_ELEMENTS(entries), self);
}

void gantry_session_update_session_actions(GantrySession *self) {
  const gboolean open = gantry_scan_slot_get(self->slot) || gantry_shelf_count(self->shelf);
  static const char *const names[] = {"save-session", "save-session-as"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
    g_simple_action_set_enabled(
        G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->context->window), names[i])), open);
}
