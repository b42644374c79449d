/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One write at a time; a change during it has another one follow. */
#include "app/session/autosave.h"

#include "app/errors.h"
#include "app/session/autosave-files.h"
#include "app/tasks-session.h"
#include "recon/base/memory.h"

#include <errno.h>
#include <glib/gstdio.h>

enum { PAUSE = 2500 /* ms */, MOST_OFFERED = 5 };

struct _GantryAutosave {
  GObject parent_instance;
  GantryContext *context;
  GantryWorkspace *workspace;
  char *folder;
  GantryAutosaveFile *file; /* NULL: nothing was kept yet */
  GPtrArray *offered;       /* of GantryAutosaveFile; NULL where one was taken */
  GHashTable *told;         /* why nothing could be kept, since it was last */
  guint timer;
  gboolean writing, again;
};

G_DEFINE_FINAL_TYPE(GantryAutosave, gantry_autosave, G_TYPE_OBJECT)

static void leave_offered(GantryAutosave *self) {
  for (guint i = 0; i < self->offered->len; i++)
    if (self->offered->pdata[i]) gantry_autosave_file_leave(self->offered->pdata[i]);
  g_ptr_array_set_size(self->offered, 0);
}

static void gantry_autosave_finalize(GObject *object) {
  GantryAutosave *self = GANTRY_AUTOSAVE(object);
  gantry_autosave_stop(self);
  g_clear_pointer(&self->file, gantry_autosave_file_remove);
  leave_offered(self);
  g_ptr_array_unref(self->offered);
  g_hash_table_unref(self->told);
  g_free(self->folder);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_autosave_parent_class)->finalize(object);
}

static void gantry_autosave_class_init(GantryAutosaveClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_autosave_finalize;
}

static void gantry_autosave_init(GantryAutosave *self) {
  self->offered = g_ptr_array_new();
  self->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

GantryAutosave *gantry_autosave_new(GantryContext *context, GantryWorkspace *workspace, const char *folder) {
  GantryAutosave *self = g_object_new(GANTRY_TYPE_AUTOSAVE, NULL);
  self->context = gantry_context_ref(context);
  self->workspace = workspace;
  self->folder = gantry_autosave_dup_folder(folder);
  return self;
}

void gantry_autosave_stop(GantryAutosave *self) {
  g_clear_handle_id(&self->timer, g_source_remove);
}

/* Keeping */

/* Takes why: each reason once, until it has worked again. */
static void tell(GantryAutosave *self, char *why) {
  g_autofree char *text = g_strdup(why);
  if (g_hash_table_add(self->told, why))
    gantry_context_toast(self->context, GANTRY_ABOUT_ASIDE, NULL, NULL,
                         "The session cannot be kept for the case that the program ends unexpectedly: %s", text);
}

static void kept(gpointer owner, GantryTask *task) {
  GantryAutosave *self = owner;
  const GantryKeepTask *keep = (const GantryKeepTask *)task;
  self->writing = FALSE;
  /* Its place was given up while it was written. */
  if (!self->file || !g_str_equal(self->file->path, keep->path)) g_unlink(keep->path);
  if (!self->context->window) return;
  if (keep->work.error)
    tell(self, gantry_error_sentence(keep->work.error));
  else if (!task->dropped)
    g_hash_table_remove_all(self->told);
  if (self->again) gantry_autosave_touch(self);
  self->again = FALSE;
}

static void keep(GantryAutosave *self, GantryWorkspaceCopy *copy) {
  if (self->file && !gantry_autosave_file_is_there(self->file))
    g_clear_pointer(&self->file, gantry_autosave_file_remove);
  if (!self->file && !(self->file = gantry_autosave_file_new(self->folder))) {
    tell(self, g_strdup_printf("%s: %s.", self->folder, g_strerror(errno)));
    gantry_workspace_copy_clear(copy);
    return;
  }
  GantryKeepTask *task = gantry_keep_task_new(G_OBJECT(self), kept, copy, self->file->path);
  task->work.task.slot = GANTRY_SLOT_AUTOSAVE;
  self->writing = TRUE;
  gantry_worker_push(self->context->files_worker, (GantryTask *)task);
}

static gboolean tick(gpointer data) {
  GantryAutosave *self = data;
  GantryWorkspaceCopy copy;
  self->timer = 0;
  if (!self->context->window || !self->context->files_worker) return G_SOURCE_REMOVE;
  if (self->writing || gantry_workspace_is_opening(self->workspace)) {
    self->again = self->writing;
    if (!self->writing) gantry_autosave_touch(self);
    return G_SOURCE_REMOVE;
  }
  const gboolean wanted = g_settings_get_boolean(self->context->settings, "keep-session");
  if (wanted && gantry_workspace_capture(self->workspace, &copy))
    keep(self, &copy);
  else
    g_clear_pointer(&self->file, gantry_autosave_file_remove);
  return G_SOURCE_REMOVE;
}

void gantry_autosave_touch(GantryAutosave *self) {
  if (!self->timer && self->context->window) self->timer = g_timeout_add(PAUSE, tick, self);
}

/* Offering */

/* "26 November, 06:12", or of another year with that. */
static char *time_text(const char *saved) {
  g_autoptr(GDateTime) told = saved ? g_date_time_new_from_iso8601(saved, NULL) : NULL;
  g_autoptr(GDateTime) then = told ? g_date_time_to_local(told) : NULL, now = g_date_time_new_now_local();
  if (!then) return NULL;
  const gboolean this_year = g_date_time_get_year(then) == g_date_time_get_year(now);
  return g_date_time_format(then, this_year ? "%-d %B, %H:%M" : "%-d %B %Y, %H:%M");
}

/* One that cannot be read is removed by its row's button alone. */
static void show_one(GantryAutosave *self, guint number, GantryLostSession *row) {
  const GantryAutosaveFile *file = self->offered->pdata[number];
  gantry_session_file told;
  ct_error *error = NULL;
  *row = (GantryLostSession){.number = number};
  if (!gantry_session_file_read(&told, file->path, &error)) {
    row->title = g_strdup("A session that cannot be read");
    row->facts = g_utf8_make_valid(error->message, -1);
    row->damaged = TRUE;
    ct_error_clear(&error);
    return;
  }
  g_autofree char *when = time_text(told.saved);
  g_autofree char *results =
      told.count ? g_strdup_printf("%zu result%s", told.count, told.count == 1 ? "" : "s") : NULL;
  row->title = g_strdup(told.title ? told.title : "Volumes without a scan");
  row->facts = g_strdup_printf("%s%s%s", when ? when : "", when && results ? " · " : "", results ? results : "");
  gantry_session_file_clear(&told);
}

static void show_offered(GantryAutosave *self) {
  GantryLostSession rows[MOST_OFFERED] = {0};
  gsize count = 0;
  for (guint i = 0; i < self->offered->len && count < MOST_OFFERED; i++)
    if (self->offered->pdata[i]) show_one(self, i, &rows[count++]);
  gantry_window_set_lost_sessions(self->context->window, rows, count);
  for (gsize i = 0; i < count; i++) {
    g_free(rows[i].title);
    g_free(rows[i].facts);
  }
}

void gantry_autosave_offer(GantryAutosave *self) {
  if (!self->context->window) return;
  leave_offered(self);
  g_autoptr(GPtrArray) files = gantry_autosave_files_take(self->folder, MOST_OFFERED);
  for (guint i = 0; i < files->len; i++) g_ptr_array_add(self->offered, files->pdata[i]);
  show_offered(self);
}

static GantryAutosaveFile *take_offered(GantryAutosave *self, guint number) {
  return number < self->offered->len ? g_steal_pointer(&self->offered->pdata[number]) : NULL;
}

void gantry_autosave_restore(GantryAutosave *self, guint number) {
  GantryAutosaveFile *file = number < self->offered->len ? self->offered->pdata[number] : NULL;
  if (!file || !gantry_workspace_open(self->workspace, file->path, NULL, TRUE)) return;
  take_offered(self, number);
  /* What is kept from now on takes its place once it is written. */
  g_clear_pointer(&self->file, gantry_autosave_file_remove);
  self->file = file;
  show_offered(self);
}

void gantry_autosave_discard(GantryAutosave *self, guint number) {
  GantryAutosaveFile *file = take_offered(self, number);
  if (!file) return;
  gantry_autosave_file_remove(file);
  show_offered(self);
}
