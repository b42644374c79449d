/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a folder that nothing can be read from: its first files and folders by name, and which of them can be
 * opened by themselves. */
#include "recon/base/memory.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMED = 3, LONGEST = 64 };

typedef struct {
  char *names[NAMED]; /* the first in natural order */
  size_t count;       /* of all */
} kind_of_entry;

static void clear(kind_of_entry *kind) {
  for (int i = 0; i < NAMED; i++) ct_free(kind->names[i]);
}

static bool take(kind_of_entry *kind, const char *name, ct_error **error) {
  kind->count++;
  int place = 0;
  while (place < NAMED && kind->names[place] && ct_natural_compare(kind->names[place], name) < 0) place++;
  if (place == NAMED) return true;
  char *copy = ct_strdup(name, error);
  if (!copy) return false;
  ct_free(kind->names[NAMED - 1]);
  memmove(kind->names + place + 1, kind->names + place, (size_t)(NAMED - 1 - place) * sizeof *kind->names);
  kind->names[place] = copy;
  return true;
}

static void add(char *text, size_t size, const char *more) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s", more);
}

/* Bytes of a name that are shown: a long one ends before a character of UTF-8, never within. */
static size_t shown(const char *name) {
  size_t length = strnlen(name, LONGEST);
  for (int back = 0; back < 3 && length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80; back++) length--;
  return length;
}

/* "a.txt, b.txt, c.txt and 9 more files"; "the folder x" */
static void name_entries(char *text, size_t size, const kind_of_entry *kind, bool folders) {
  char more[48];
  const size_t others = kind->count > NAMED ? kind->count - NAMED : 0;
  if (folders) add(text, size, kind->count == 1 ? "the folder " : "the folders ");
  for (int i = 0; i < NAMED && kind->names[i]; i++) {
    char name[LONGEST + 8];
    const size_t length = shown(kind->names[i]);
    snprintf(name, sizeof name, "%s%.*s%s", i ? ", " : "", (int)length, kind->names[i],
             kind->names[i][length] ? "…" : "");
    add(text, size, name);
  }
  snprintf(more, sizeof more, " and %zu more%s", others, folders ? "" : others == 1 ? " file" : " files");
  if (others) add(text, size, more);
}

bool ct_file_opens_alone(const char *path, const char *extensions, bool *lone) {
  if (!ct_path_has_extension(path, extensions)) return false;
  if (!ct_path_has_extension(path, CT_DESCRIPTION_EXTENSION)) return true;
  ct_description *description = ct_description_new(path, NULL, NULL);
  const bool names = description && ct_description_names_files(description);
  if (lone && description && !names && strcmp(ct_path_name(path), "scan.json") == 0) *lone = true;
  ct_description_free(description);
  return names;
}

/* What the first file is, where its first bytes tell that it cannot be read. */
static bool add_true_name(char *text, size_t size, const char *folder, const char *name, ct_error **error) {
  char known[512], *path = ct_path_join(folder, name, error);
  if (!path) return false;
  if (ct_known_file_at(path, known, sizeof known)) {
    add(text, size, ". ");
    add(text, size, name);
    add(text, size, " is ");
    add(text, size, known);
  }
  ct_free(path);
  return true;
}

bool ct_folder_describe(const char *folder, const char *extensions, char *text, size_t size, ct_error **error) {
  DIR *dir = opendir(folder);
  if (!dir) return ct_error_set_errno(error, errno, "Cannot open the folder %s", folder);
  kind_of_entry files = {0}, folders = {0}, scans = {0};
  bool good = true, lone = false;
  const struct dirent *entry;
  while (good && (entry = readdir(dir))) {
    struct stat status;
    if (entry->d_name[0] == '.') continue;
    char *path = ct_path_join(folder, entry->d_name, error);
    good = path != NULL;
    if (good && stat(path, &status) == 0) {
      const bool is_folder = S_ISDIR(status.st_mode);
      good = take(is_folder ? &folders : &files, entry->d_name, error);
      if (good && !is_folder && ct_file_opens_alone(path, extensions, &lone)) good = take(&scans, entry->d_name, error);
    }
    ct_free(path);
  }
  closedir(dir);
  snprintf(text, size, "%s", files.count || folders.count ? "It holds " : "It is empty");
  if (files.count) name_entries(text, size, &files, false);
  if (files.count && folders.count) add(text, size, ", and ");
  if (folders.count) name_entries(text, size, &folders, true);
  if (scans.count)
    add(text, size,
        scans.count == 1 ? ". This one can be opened by itself: " : ". These can be opened by themselves: ");
  if (scans.count)
    name_entries(text, size, &scans, false);
  else if (lone)
    add(text, size,
        ". The scan.json tells a geometry but names no files: put the images beside it, or name them in it under "
        "\"files\"");
  else if (folders.count)
    add(text, size, ": open one that holds the images");
  else if (good && files.count)
    good = add_true_name(text, size, folder, files.names[0], error);
  clear(&files);
  clear(&folders);
  clear(&scans);
  return good;
}
