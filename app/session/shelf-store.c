/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One entry is written at a time; a volume that has a file already leaves at once. */
#include "app/session/shelf-store.h"

#include "app/errors.h"
#include "app/tasks.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

/* Then the number of the process. */
#define FILE_PREFIX "result-"

struct _GantryShelfStore {
  GObject parent_instance;
  GantryContext *context;
  GantryShelf *shelf;
  char *folder;  /* NULL: the preference's */
  double budget; /* 0: the preference's */
  double beside; /* bytes held by others */
  GantryEntry *leaving;
  gboolean told; /* that all on it has to stay */
};

G_DEFINE_FINAL_TYPE(GantryShelfStore, gantry_shelf_store, G_TYPE_OBJECT)

static void gantry_shelf_store_finalize(GObject *object) {
  GantryShelfStore *self = GANTRY_SHELF_STORE(object);
  g_clear_object(&self->leaving);
  g_free(self->folder);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_shelf_store_parent_class)->finalize(object);
}

static void gantry_shelf_store_class_init(GantryShelfStoreClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_shelf_store_finalize;
}

static void gantry_shelf_store_init(GantryShelfStore *self) {}

/* Files of processes that are no longer there. */
static void remove_left_files(const char *folder) {
  g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
  const char *name;
  while (files && (name = g_dir_read_name(files))) {
    if (!g_str_has_prefix(name, FILE_PREFIX)) continue;
    const gint64 process = g_ascii_strtoll(name + strlen(FILE_PREFIX), NULL, 10);
    if (process <= 0 || kill((pid_t)process, 0) == 0 || errno != ESRCH) continue;
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
}

static char *dup_folder(GantryShelfStore *self) {
  g_autofree char *chosen =
      self->context->settings ? g_settings_get_string(self->context->settings, "cache-folder") : NULL;
  if (self->folder) return g_strdup(self->folder);
  return chosen && *chosen ? g_steal_pointer(&chosen) : g_build_filename(g_get_user_cache_dir(), "gantry", NULL);
}

double gantry_shelf_store_get_cached(const char *folder) {
  g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
  const char *name;
  double bytes = 0;
  while (files && (name = g_dir_read_name(files))) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    GStatBuf status;
    if (g_str_has_prefix(name, FILE_PREFIX) && g_stat(path, &status) == 0) bytes += (double)status.st_size;
  }
  return bytes;
}

GantryShelfStore *gantry_shelf_store_new(GantryContext *context, GantryShelf *shelf, const char *folder) {
  GantryShelfStore *self = g_object_new(GANTRY_TYPE_SHELF_STORE, NULL);
  self->context = gantry_context_ref(context);
  self->shelf = shelf;
  self->folder = g_strdup(folder);
  g_autofree char *place = dup_folder(self);
  remove_left_files(place);
  return self;
}

double gantry_shelf_store_get_budget(GantryShelfStore *self) {
  if (self->budget > 0) return self->budget;
  const int megabytes = self->context->settings ? g_settings_get_int(self->context->settings, "shelf-memory") : 0;
  return megabytes > 0 ? megabytes * 1e6 : (double)ct_memory_total() / 4;
}

void gantry_shelf_store_set_budget(GantryShelfStore *self, double bytes) {
  self->budget = bytes;
}

/* To the disk */

static void stays(GantryShelfStore *self, GantryEntry *entry, const char *why) {
  gantry_shelf_let_stay(self->shelf, entry);
  if (!self->context->window) return;
  g_autofree char *text = g_strdup_printf(
      "“%s” stays in memory: it could not be written to the cache folder. %s Nothing is lost; where memory gets short, "
      "remove results from the shelf.",
      gantry_entry_get_name(entry), why);
  gantry_window_show_notice(self->context->window, text);
}

static void written(gpointer owner, GantryTask *task) {
  GantryShelfStore *self = owner;
  const GantrySaveTask *save = (const GantrySaveTask *)task;
  g_autoptr(GantryEntry) entry = g_steal_pointer(&self->leaving);
  gantry_entry_set_busy(entry, FALSE);
  if (!save->work.error && !task->dropped) {
    gantry_entry_take_file(entry, save->path);
  } else {
    g_unlink(save->path);
    g_autofree char *sentence = save->work.error ? gantry_error_sentence(save->work.error) : NULL;
    if (sentence && !gantry_error_is_cancelled(save->work.error)) stays(self, entry, sentence);
    if (!sentence) return;
  }
  gantry_shelf_store_keep(self);
}

/* An empty file of a name that no other window or program has; NULL with errno. */
static char *new_file(const char *folder) {
  g_autofree char *name = g_strdup_printf(FILE_PREFIX "%d-XXXXXX.mha", (int)getpid());
  g_autofree char *path = g_build_filename(folder, name, NULL);
  if (g_mkdir_with_parents(folder, 0700) != 0) return NULL;
  const int file = g_mkstemp(path);
  if (file < 0) return NULL;
  close(file);
  return g_steal_pointer(&path);
}

/* NULL: it may; else why not (g_free). */
static char *cache_is_full(GantryShelfStore *self, const char *folder, GantryEntry *entry) {
  const int megabytes = self->context->settings ? g_settings_get_int(self->context->settings, "cache-size") : 0;
  char limit[32];
  if (megabytes < 1 || gantry_shelf_store_get_cached(folder) + gantry_entry_get_bytes(entry) <= megabytes * 1e6)
    return NULL;
  return g_strdup_printf("It would be larger than its %s (Preferences).",
                         ct_format_bytes(megabytes * 1e6, limit, sizeof limit));
}

static void write_entry(GantryShelfStore *self, GantryEntry *entry) {
  g_autofree char *folder = dup_folder(self), *full = cache_is_full(self, folder, entry);
  g_autofree char *path = full ? NULL : new_file(folder);
  if (!path) {
    g_autofree char *why = full ? g_strdup(full) : g_strdup_printf("%s: %s.", folder, g_strerror(errno));
    stays(self, entry, why);
    return;
  }
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), written, GANTRY_SAVE_VOLUME, path);
  task->result = gantry_result_ref(gantry_entry_get_result(entry));
  self->leaving = g_object_ref(entry);
  gantry_entry_set_busy(entry, TRUE);
  gantry_worker_push(self->context->files_worker, (GantryTask *)task);
}

/* More than it may hold, and all of it in use. */
static void tell_full(GantryShelfStore *self, double held, double budget) {
  if (self->told) return;
  self->told = TRUE;
  char has[32], may[32];
  gantry_context_toast(
      self->context, GANTRY_ABOUT_ASIDE, NULL, NULL,
      "The results take %s, more than the shelf's %s: what is A, B, ticked or pinned stays in memory%s.",
      ct_format_bytes(held, has, sizeof has), ct_format_bytes(budget, may, sizeof may),
      self->beside > 0 ? ", and so do the volumes of the table of variants" : "");
}

static double get_held(GantryShelfStore *self) {
  return gantry_shelf_get_held(self->shelf) + self->beside;
}

static void show_memory(GantryShelfStore *self) {
  if (!self->context->window) return;
  char has[32], may[32], rows[32];
  ct_format_bytes(get_held(self), has, sizeof has);
  ct_format_bytes(gantry_shelf_store_get_budget(self), may, sizeof may);
  g_autofree char *text = g_strdup_printf("%s of %s", has, may);
  g_autofree char *beside = self->beside > 0 ? g_strdup_printf(", %s of them volumes of the table of variants",
                                                               ct_format_bytes(self->beside, rows, sizeof rows))
                                             : g_strdup("");
  g_autofree char *tip = g_strdup_printf(
      "The results take %s in memory%s, and may take %s (Preferences; by itself a quarter of the memory). "
      "Beyond that the oldest on the shelf go to the disk, and come back when they are chosen; what is A, B, ticked or "
      "pinned stays.",
      has, beside, may);
  gantry_window_set_shelf_memory(self->context->window, text, tip);
}

static void make_room(GantryShelfStore *self) {
  const double budget = gantry_shelf_store_get_budget(self);
  while (!self->leaving) {
    const double held = get_held(self);
    if (held <= budget) {
      self->told = FALSE;
      return;
    }
    GantryEntry *entry = gantry_shelf_find_leaver(self->shelf);
    if (!entry) {
      tell_full(self, held, budget);
      return;
    }
    if (gantry_entry_get_file(entry)) {
      gantry_entry_leave(entry);
      gantry_shelf_moved(self->shelf, entry);
    } else {
      write_entry(self, entry);
    }
  }
}

void gantry_shelf_store_set_beside(GantryShelfStore *self, double bytes) {
  if (bytes == self->beside) return;
  self->beside = bytes;
  gantry_shelf_store_keep(self);
}

void gantry_shelf_store_keep(GantryShelfStore *self) {
  if (self->context->files_worker) make_room(self);
  show_memory(self);
}

/* And back */

typedef struct {
  GantryEntry *entry;
  GantryBrought brought;
  gpointer user;
} Return;

static void return_free(gpointer data) {
  g_object_unref(((Return *)data)->entry);
  g_free(data);
}

static void returned(gpointer owner, GantryTask *task) {
  GantryShelfStore *self = owner;
  GantryReturnTask *read = (GantryReturnTask *)task;
  const Return *way = read->data;
  if (read->result) {
    /* Busy until it is in use: where memory is short it would be the next to leave. */
    gantry_entry_return(way->entry, g_steal_pointer(&read->result));
    way->brought(way->user, way->entry);
    gantry_entry_set_busy(way->entry, FALSE);
    gantry_shelf_moved(self->shelf, way->entry);
    gantry_shelf_store_keep(self);
    return;
  }
  gantry_entry_set_busy(way->entry, FALSE);
  if (read->work.error) gantry_context_show_error(self->context, read->work.error);
}

void gantry_shelf_store_bring(GantryShelfStore *self, GantryEntry *entry, GantryBrought brought, gpointer user) {
  if (gantry_entry_get_result(entry)) {
    brought(user, entry);
    return;
  }
  if (gantry_entry_is_busy(entry) || !self->context->files_worker) return;
  GantryReturnTask *task = gantry_return_task_new(G_OBJECT(self), returned, gantry_entry_get_file(entry),
                                                  gantry_entry_get_facts(entry), gantry_entry_get_record(entry));
  Return *way = g_new(Return, 1);
  *way = (Return){g_object_ref(entry), brought, user};
  task->data = way;
  task->destroy = return_free;
  gantry_entry_set_busy(entry, TRUE);
  gantry_worker_push(self->context->files_worker, (GantryTask *)task);
}
