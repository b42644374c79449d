/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/session/autosave-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#define SUFFIX ".gantry"
#define LOCK_SUFFIX ".lock"
/* What a write that was cut off leaves behind (recon/base/output.c). */
#define CUT_PREFIX ".gantry-"
#define CUT_SUFFIX ".tmp"

char *gantry_autosave_dup_folder(const char *folder) {
  return folder ? g_strdup(folder) : g_build_filename(g_get_user_state_dir(), "gantry", "sessions", NULL);
}

/* The folder's lock; -1: it cannot be had, another program has stopped with it. */
static int lock_folder(const char *folder) {
  enum { TRIES = 20, PAUSE = 1000 }; /* µs: the main loop waits */
  g_autofree char *path = g_build_filename(folder, "folder" LOCK_SUFFIX, NULL);
  if (g_mkdir_with_parents(folder, 0700) != 0) return -1;
  const int lock = g_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  for (int i = 0; lock >= 0 && i < TRIES; i++) {
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    g_usleep(PAUSE);
  }
  if (lock >= 0) close(lock);
  return -1;
}

/* Takes the texts. */
static GantryAutosaveFile *file_new(char *path, char *lock_path, int lock) {
  GantryAutosaveFile *file = g_new(GantryAutosaveFile, 1);
  *file = (GantryAutosaveFile){path, lock_path, lock};
  return file;
}

static void file_free(GantryAutosaveFile *file) {
  close(file->lock);
  g_free(file->path);
  g_free(file->lock_path);
  g_free(file);
}

GantryAutosaveFile *gantry_autosave_file_new(const char *folder) {
  const int guard = lock_folder(folder);
  if (guard < 0) return NULL;
  GantryAutosaveFile *made = NULL;
  g_autofree char *name = g_strdup_printf("%s/%d-XXXXXX" LOCK_SUFFIX, folder, (int)getpid());
  const int lock = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
    char *stem = g_strndup(name, strlen(name) - strlen(LOCK_SUFFIX));
    made = file_new(g_strconcat(stem, SUFFIX, NULL), g_strdup(name), lock);
    g_free(stem);
  } else if (lock >= 0) {
    close(lock);
    g_unlink(name);
  }
  close(guard);
  return made;
}

gboolean gantry_autosave_file_is_there(const GantryAutosaveFile *file) {
  return g_file_test(file->lock_path, G_FILE_TEST_EXISTS);
}

/* NULL: somebody holds it. */
static GantryAutosaveFile *take(const char *folder, const char *name) {
  g_autofree char *path = g_build_filename(folder, name, NULL);
  g_autofree char *stem = g_strndup(path, strlen(path) - strlen(SUFFIX));
  g_autofree char *lock_path = g_strconcat(stem, LOCK_SUFFIX, NULL);
  const int lock = g_open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
    return file_new(g_steal_pointer(&path), g_steal_pointer(&lock_path), lock);
  if (lock >= 0) close(lock);
  return NULL;
}

static gint64 time_of(const char *path) {
  GStatBuf status;
  return g_stat(path, &status) == 0 ? (gint64)status.st_mtime : 0;
}

static int newest_first(gconstpointer a, gconstpointer b) {
  const GantryAutosaveFile *const *one = a, *const *other = b;
  const gint64 mine = time_of((*one)->path), its = time_of((*other)->path);
  return mine > its ? -1 : mine < its;
}

/* A lock without a session belongs to a window that has nothing to keep, or to nobody: then it goes. So does what a
 * write has left that was cut off an hour ago. */
static void tidy(const char *folder, const char *name) {
  g_autofree char *path = g_build_filename(folder, name, NULL);
  if (g_str_has_prefix(name, CUT_PREFIX) && g_str_has_suffix(name, CUT_SUFFIX)) {
    if (time_of(path) + 3600 < g_get_real_time() / G_USEC_PER_SEC) g_unlink(path);
    return;
  }
  if (!g_str_has_suffix(name, LOCK_SUFFIX) || g_str_equal(name, "folder" LOCK_SUFFIX)) return;
  g_autofree char *stem = g_strndup(path, strlen(path) - strlen(LOCK_SUFFIX));
  g_autofree char *session = g_strconcat(stem, SUFFIX, NULL);
  if (g_file_test(session, G_FILE_TEST_EXISTS)) return;
  const int lock = g_open(path, O_RDWR | O_CLOEXEC, 0);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) g_unlink(path);
  if (lock >= 0) close(lock);
}

GPtrArray *gantry_autosave_files_take(const char *folder, guint most) {
  GPtrArray *files = g_ptr_array_new();
  if (!g_file_test(folder, G_FILE_TEST_IS_DIR)) return files;
  const int guard = lock_folder(folder);
  g_autoptr(GDir) names = guard >= 0 ? g_dir_open(folder, 0, NULL) : NULL;
  const char *name;
  while (names && (name = g_dir_read_name(names))) {
    GantryAutosaveFile *file = g_str_has_suffix(name, SUFFIX) && *name != '.' ? take(folder, name) : NULL;
    if (file) g_ptr_array_add(files, file);
    tidy(folder, name);
  }
  g_ptr_array_sort(files, newest_first);
  while (files->len > most) gantry_autosave_file_leave(g_ptr_array_steal_index(files, files->len - 1));
  if (guard >= 0) close(guard);
  return files;
}

void gantry_autosave_file_leave(GantryAutosaveFile *file) {
  file_free(file);
}

void gantry_autosave_file_remove(GantryAutosaveFile *file) {
  g_unlink(file->path);
  g_unlink(file->lock_path);
  file_free(file);
}
