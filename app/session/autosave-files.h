/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that windows keep their sessions in while they work: each a pair NAME.gantry and NAME.lock, whose lock the
 * window holds (flock: the system lets go of it however the program ends). A file whose lock is free was left by a
 * program that ended unexpectedly. Taking one, and making one, are done under the folder's own lock, so that windows
 * and programs that begin at the same moment do not get the same file. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *path; /* NAME.gantry, which may not be there yet */
  char *lock_path;
  int lock; /* file descriptor */
} GantryAutosaveFile;

/* folder: NULL for sessions of gantry's folder for state. */
char *gantry_autosave_dup_folder(const char *folder);
/* A new one of its own, and the folder for it; NULL with errno where none can be made. */
GantryAutosaveFile *gantry_autosave_file_new(const char *folder);
/* Not where somebody has removed its folder, or its lock. */
gboolean gantry_autosave_file_is_there(const GantryAutosaveFile *file);
/* All that nobody holds, the newest first; they are held from now on. At most `most`. */
GPtrArray *gantry_autosave_files_take(const char *folder, guint most);
/* Lets go of it: it stays, for whoever comes next. */
void gantry_autosave_file_leave(GantryAutosaveFile *file);
/* Removes it. */
void gantry_autosave_file_remove(GantryAutosaveFile *file);

G_END_DECLS
