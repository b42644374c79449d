/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes go to the folder NAME-results beside NAME.gantry, one after another; when one cannot be written the session
 * is not either. */
#include "app/session/session-saver.h"

#include "app/errors.h"
#include "app/session/file-names.h"
#include "app/session/recent.h"
#include "app/tasks-session.h"
#include "recon/base/units.h"
#include "ui/shown.h"

#include <errno.h>
#include <glib/gstdio.h>

struct _GantrySessionSaver {
  GObject parent_instance;
  GantrySessionSaverParts with;
  char *path;     /* being saved to; NULL: nothing is */
  gboolean anew;  /* the answer was to save to another file */
  GQueue unsaved; /* of GantryEntry, to be written first */
};

G_DEFINE_FINAL_TYPE(GantrySessionSaver, gantry_session_saver, G_TYPE_OBJECT)

static void end(GantrySessionSaver *self) {
  g_queue_clear_full(&self->unsaved, g_object_unref);
  g_clear_pointer(&self->path, g_free);
}

static void gantry_session_saver_finalize(GObject *object) {
  GantrySessionSaver *self = GANTRY_SESSION_SAVER(object);
  end(self);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_session_saver_parent_class)->finalize(object);
}

static void gantry_session_saver_class_init(GantrySessionSaverClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_session_saver_finalize;
}

static void gantry_session_saver_init(GantrySessionSaver *self) {
  g_queue_init(&self->unsaved);
}

GantrySessionSaver *gantry_session_saver_new(const GantrySessionSaverParts *parts) {
  GantrySessionSaver *self = g_object_new(GANTRY_TYPE_SESSION_SAVER, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

/* The session's own file */

static void written(gpointer owner, GantryTask *task) {
  GantrySessionSaver *self = owner;
  const GantryKeepTask *keep = (const GantryKeepTask *)task;
  if (!self->with.context->window || task->dropped) return;
  if (keep->work.error) {
    gantry_context_show_error(self->with.context, keep->work.error);
    return;
  }
  g_autofree char *name = gantry_shown_name(keep->path);
  gantry_workspace_set_path(self->with.workspace, keep->path);
  gantry_recent_add(self->with.context, keep->path);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_FILE, NULL, NULL, "Saved the session %s", name);
  gantry_context_changed(self->with.context);
}

static void write_session(GantrySessionSaver *self) {
  GantryWorkspaceCopy copy;
  g_autofree char *path = g_steal_pointer(&self->path);
  end(self);
  if (!gantry_workspace_capture(self->with.workspace, &copy)) return;
  GantryKeepTask *task = gantry_keep_task_new(G_OBJECT(self), written, &copy, path);
  gantry_worker_push(self->with.context->files_worker, (GantryTask *)task);
}

/* Results */

static void write_next(GantrySessionSaver *self);

/* NAME-results beside the session. */
static char *dup_folder(GantrySessionSaver *self) {
  g_autofree char *stem = gantry_file_stem(self->path);
  return g_strdup_printf("%s-results", stem);
}

/* A name in the folder that nothing has yet. */
static char *free_name(GantrySessionSaver *self, GantryEntry *entry) {
  g_autofree char *folder = dup_folder(self), *part = gantry_file_part(gantry_entry_get_name(entry));
  for (int number = 1;; number++) {
    g_autofree char *name = number == 1 ? g_strdup_printf("%s.mha", *part ? part : "result")
                                        : g_strdup_printf("%s-%d.mha", *part ? part : "result", number);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) return g_steal_pointer(&path);
  }
}

static void result_written(gpointer owner, GantryTask *task) {
  GantrySessionSaver *self = owner;
  const GantrySaveTask *save = (const GantrySaveTask *)task;
  if (!self->with.context->window || task->dropped || save->work.error) {
    if (save->work.error) gantry_context_show_error(self->with.context, save->work.error);
    end(self);
    return;
  }
  gantry_shelf_note_file(self->with.shelf, save->result, save->path);
  write_next(self);
}

/* The result is that of the first in the queue. */
static void write_result(GantrySessionSaver *self, GantryResult *result) {
  g_autoptr(GantryEntry) entry = g_queue_pop_head(&self->unsaved);
  g_autofree char *path = free_name(self, entry);
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), result_written, GANTRY_SAVE_VOLUME, path);
  task->result = gantry_result_ref(result);
  gantry_worker_push(self->with.context->files_worker, (GantryTask *)task);
}

/* One that has left the memory is read for this alone. */
static void result_read(gpointer owner, GantryTask *task) {
  GantrySessionSaver *self = owner;
  const GantryReturnTask *read = (const GantryReturnTask *)task;
  if (self->with.context->window && read->result) {
    write_result(self, read->result);
    return;
  }
  if (read->work.error) gantry_context_show_error(self->with.context, read->work.error);
  end(self);
}

static void write_next(GantrySessionSaver *self) {
  GantryEntry *entry = g_queue_peek_head(&self->unsaved);
  if (!entry) {
    write_session(self);
  } else if (gantry_entry_get_result(entry)) {
    write_result(self, gantry_entry_get_result(entry));
  } else {
    GantryReturnTask *task = gantry_return_task_new(G_OBJECT(self), result_read, gantry_entry_get_file(entry),
                                                    gantry_entry_get_facts(entry), gantry_entry_get_record(entry));
    gantry_worker_push(self->with.context->files_worker, (GantryTask *)task);
  }
}

static void write_results(GantrySessionSaver *self) {
  g_autofree char *folder = dup_folder(self);
  if (g_mkdir_with_parents(folder, 0777) != 0) {
    g_autofree char *text = g_strdup_printf("The folder %s for the results cannot be made: %s. Nothing was saved.",
                                            folder, g_strerror(errno));
    gantry_window_show_error(self->with.context->window, text);
    end(self);
    return;
  }
  for (guint i = 0; i < gantry_shelf_count(self->with.shelf); i++) {
    GantryEntry *entry = gantry_shelf_get(self->with.shelf, i);
    if (gantry_entry_is_unsaved(entry)) g_queue_push_tail(&self->unsaved, g_object_ref(entry));
  }
  write_next(self);
}

/* The question */

static void answered(AdwMessageDialog *dialog, const char *response, gpointer data) {
  GantrySessionSaver *self = data;
  if (!self->with.context->window || g_str_equal(response, "cancel"))
    end(self);
  else if (g_str_equal(response, "save"))
    write_results(self);
  else
    write_session(self);
}

static double unsaved_bytes(GantrySessionSaver *self) {
  double bytes = 0;
  for (guint i = 0; i < gantry_shelf_count(self->with.shelf); i++) {
    GantryEntry *entry = gantry_shelf_get(self->with.shelf, i);
    if (gantry_entry_is_unsaved(entry)) bytes += gantry_entry_get_bytes(entry);
  }
  return bytes;
}

static void ask(GantrySessionSaver *self, guint count) {
  char size[32];
  g_autofree char *folder = dup_folder(self), *name = gantry_shown_name(folder);
  g_autofree char *heading = count == 1 ? g_strdup("Save the result with the session?")
                                        : g_strdup_printf("Save %u results with the session?", count);
  g_autofree char *body = g_strdup_printf(
      "A session refers to files, and %s in no file yet. Saved, %s in the folder “%s” beside it (%s). Left out, the "
      "session keeps how %s made, to be reconstructed again.",
      count == 1 ? "the result is" : "these results are", count == 1 ? "it lies" : "they lie", name,
      ct_format_bytes(unsaved_bytes(self), size, sizeof size), count == 1 ? "it was" : "they were");
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self->with.context->window), heading, body);
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG(dialog);
  adw_message_dialog_add_responses(message, "cancel", "_Cancel", "leave", "_Leave Out", "save", "_Save", NULL);
  adw_message_dialog_set_response_appearance(message, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response(message, "save");
  adw_message_dialog_set_close_response(message, "cancel");
  g_signal_connect_object(dialog, "response", G_CALLBACK(answered), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* Takes the path. */
static void begin(GantrySessionSaver *self, char *path) {
  self->path = path;
  const guint unsaved = gantry_shelf_count_unsaved(self->with.shelf);
  if (unsaved)
    ask(self, unsaved);
  else
    write_session(self);
}

/* The file */

static void file_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySessionSaver *self = data;
  g_autofree char *path = gantry_dialogs_end_with_path(self->with.dialogs, dialog, response);
  if (!path || gantry_saver_refuses(self->with.saver, path)) return;
  g_autofree char *name = g_path_get_basename(path), *whole = g_strdup_printf("%s.gantry", path);
  const gboolean bare = !strchr(name, '.') && !g_file_test(whole, G_FILE_TEST_EXISTS);
  begin(self, bare ? g_steal_pointer(&whole) : g_steal_pointer(&path));
}

static void ask_file(GantrySessionSaver *self) {
  GantryWorkspaceCopy copy;
  if (!gantry_workspace_capture(self->with.workspace, &copy)) return;
  GtkFileChooser *chooser = gantry_dialogs_begin(self->with.dialogs, "Save the Session", GTK_FILE_CHOOSER_ACTION_SAVE,
                                                 "_Save", G_CALLBACK(file_chosen), self);
  const char *before = gantry_workspace_get_path(self->with.workspace);
  g_autofree char *stem = gantry_file_stem(copy.file.title ? copy.file.title : "session");
  g_autofree char *name = before ? gantry_shown_name(before) : g_strdup_printf("%s.gantry", stem);
  gantry_dialogs_add_filter(self->with.dialogs, "Gantry sessions", "gantry");
  gtk_file_chooser_set_current_name(chooser, name);
  gantry_dialogs_show(self->with.dialogs);
  gantry_workspace_copy_clear(&copy);
}

/* A file that somebody else has written since */

static gboolean go_on(gpointer data) {
  GantrySessionSaver *self = data;
  const gboolean anew = self->anew;
  self->anew = FALSE;
  if (self->with.context->window && !anew) {
    begin(self, g_steal_pointer(&self->path));
    return G_SOURCE_REMOVE;
  }
  end(self);
  if (self->with.context->window && !gantry_dialogs_is_open(self->with.dialogs)) ask_file(self);
  return G_SOURCE_REMOVE;
}

/* Acted on when the dialog has closed. */
static void changed_answered(AdwMessageDialog *dialog, const char *response, gpointer data) {
  GantrySessionSaver *self = data;
  if (!self->with.context->window || g_str_equal(response, "cancel")) {
    end(self);
    return;
  }
  self->anew = g_str_equal(response, "other");
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, go_on, g_object_ref(self), g_object_unref);
}

/* Takes the path. */
static void ask_changed(GantrySessionSaver *self, char *path) {
  g_autofree char *name = gantry_shown_name(path);
  g_autofree char *heading = g_strdup_printf("Replace %s?", name);
  self->path = path;
  GtkWidget *dialog = adw_message_dialog_new(
      GTK_WINDOW(self->with.context->window), heading,
      "It has been changed since it was opened or saved here, by another window or program. Replaced, what was saved "
      "there meanwhile is lost.");
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG(dialog);
  adw_message_dialog_add_responses(message, "cancel", "_Cancel", "other", "Save _As…", "replace", "_Replace", NULL);
  adw_message_dialog_set_response_appearance(message, "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response(message, "cancel");
  adw_message_dialog_set_close_response(message, "cancel");
  g_signal_connect_object(dialog, "response", G_CALLBACK(changed_answered), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
}

void gantry_session_saver_save(GantrySessionSaver *self, gboolean anew) {
  if (self->path || gantry_dialogs_is_open(self->with.dialogs) || gantry_workspace_is_opening(self->with.workspace))
    return;
  const char *path = gantry_workspace_get_path(self->with.workspace);
  if (path && !anew && gantry_workspace_file_was_changed(self->with.workspace))
    ask_changed(self, g_strdup(path));
  else if (path && !anew)
    begin(self, g_strdup(path));
  else
    ask_file(self);
}
