/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of a scan as beamlines and laboratories lay them out: projections in one, flats and darks in others inside or
 * beside it ("Tomo", "Flat_Before", "Flat_After", "Dark_Before", "180deg"). */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <errno.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum { FOLDER_OTHER, FOLDER_FLAT, FOLDER_DARK, FOLDER_RESULT, FOLDER_PROJECTIONS } folder_kind;

/* A run of letters that begins like a word, or is a whole one. */
static const struct {
  folder_kind kind;
  bool whole;
  const char *word;
} words[] = {
    {FOLDER_DARK, false, "dark"},
    {FOLDER_DARK, true, "df"},
    {FOLDER_DARK, true, "di"},
    {FOLDER_FLAT, false, "flat"},
    {FOLDER_FLAT, false, "white"},
    {FOLDER_FLAT, false, "bright"},
    {FOLDER_FLAT, false, "openbeam"},
    {FOLDER_FLAT, true, "ff"},
    {FOLDER_FLAT, true, "ob"},
    {FOLDER_FLAT, true, "ref"},
    {FOLDER_FLAT, true, "refs"},
    {FOLDER_FLAT, true, "reference"},
    {FOLDER_RESULT, false, "recon"},
    {FOLDER_RESULT, true, "rec"},
    {FOLDER_RESULT, false, "slice"},
    {FOLDER_RESULT, false, "volume"},
    {FOLDER_RESULT, false, "sino"},
    {FOLDER_PROJECTIONS, false, "proj"},
    {FOLDER_PROJECTIONS, false, "tomo"},
    {FOLDER_PROJECTIONS, false, "radio"},
    {FOLDER_PROJECTIONS, true, "sample"},
    {FOLDER_PROJECTIONS, true, "scan"},
    {FOLDER_PROJECTIONS, true, "raw"},
};

static folder_kind kind_of(const char *name) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const size_t length = strlen(words[i].word);
    for (const char *c = name; *c; c++) {
      if (c > name && isalpha((unsigned char)c[-1])) continue;
      if (strncasecmp(c, words[i].word, length) == 0 && (!words[i].whole || !isalpha((unsigned char)c[length])))
        return words[i].kind;
    }
  }
  return FOLDER_OTHER;
}

/* Letters of other alphabets are bytes that isalpha does not know. */
static bool is_letter(char c) {
  return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Letters or digits that follow each other; 0: what stands between words. */
static size_t run_length(const char *text) {
  size_t length = 0;
  if (is_letter(*text))
    while (is_letter(text[length])) length++;
  else
    while (isdigit((unsigned char)text[length])) length++;
  return length;
}

static bool has_run(const char *name, const char *run, size_t length) {
  for (const char *c = name; *c;) {
    const size_t there = run_length(c);
    if (there == length && strncasecmp(c, run, length) == 0) return true;
    c += there ? there : 1;
  }
  return false;
}

/* Images at 180 degrees, of the scan in the folder of the name `own`: "180deg", "walnut_180deg" beside "walnut". What
 * has words or numbers of its own is another scan, and so is one of a series: "leaf_180" beside "leaf_090". */
static bool is_opposite(const char *name, const char *own) {
  static const char degrees[] = "deg degs degree degrees ° º", plain[] = "image images img frame frames at tif tiff";
  bool found = false, in_degrees = false, of_own = false, own_has_words = false;
  for (const char *c = own; *c && !own_has_words; c++) own_has_words = is_letter(*c);
  if (kind_of(name) != FOLDER_OTHER) return false;
  for (const char *c = name; *c;) {
    const size_t length = run_length(c);
    if (length == 3 && strncmp(c, "180", 3) == 0)
      found = true;
    else if (length && has_run(own, c, length))
      of_own = true;
    else if (length && has_run(degrees, c, length))
      in_degrees = true;
    else if (length && !has_run(plain, c, length))
      return false;
    c += length ? length : 1;
  }
  return found && (in_degrees || (own_has_words && !of_own));
}

/* Whether a folder's name is made of nothing but words for flats and darks, of what the name of the projections' folder
 * has too, and numbers: "white_oak" beside "walnut" is another sample, "walnut_flat" is none. */
static bool says_no_more(const char *name, const char *own) {
  static const char *const more[] = {"before", "after", "pre",    "post",  "field",  "fields", "image",
                                     "images", "img",   "frames", "frame", "beam",   "open",   "ct",
                                     "tif",    "tiff",  "s",      "es",    "start",  "end",    "in",
                                     "of",     "and",   "the",    "deg",   "degree", "degrees"};
  for (const char *c = name; *c;) {
    const size_t length = run_length(c);
    bool known = !is_letter(*c) || has_run(own, c, length);
    for (size_t i = 0; i < sizeof more / sizeof *more && !known; i++)
      known = strlen(more[i]) == length && strncasecmp(c, more[i], length) == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++) {
      const size_t word = strlen(words[i].word);
      if (length < word || strncasecmp(c, words[i].word, word) != 0) continue;
      known = length == word;
      for (size_t k = 0; k < sizeof more / sizeof *more && !known; k++)
        known = strlen(more[k]) == length - word && strncasecmp(c + word, more[k], length - word) == 0;
    }
    if (!known) return false;
    c += length ? length : 1;
  }
  return true;
}

static bool is_after(const char *name) {
  return strcasestr(name, "after") || strcasestr(name, "post");
}

static bool join(ct_file_list *list, ct_file_list *more, ct_error **error) {
  char **paths = ct_alloc(list->count + more->count, sizeof *paths, "a list of files", error);
  if (!paths) return false;
  if (list->count) memcpy(paths, list->paths, list->count * sizeof *paths);
  memcpy(paths + list->count, more->paths, more->count * sizeof *paths);
  ct_free(list->paths);
  list->paths = paths;
  list->count += more->count;
  ct_free(more->paths);
  *more = (ct_file_list){NULL, 0};
  return true;
}

static int compare_paths(const void *a, const void *b) {
  return ct_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Folders in a folder whose names say that they are of the scan in the folder of the name `own`; all where that is
 * NULL. Links are followed. */
static bool list_folders(const char *folder, const char *own, ct_file_list *list, ct_error **error) {
  *list = (ct_file_list){NULL, 0};
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  bool good = true;
  if (!dir) ct_path_cannot_open(folder, errno, NULL);
  while (dir && good && (entry = readdir(dir))) {
    /* The folder beside which the scan lies may hold any number of files: names are looked at of folders alone. */
    if (entry->d_name[0] == '.' || (entry->d_type != DT_DIR && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN))
      continue;
    const folder_kind kind = kind_of(entry->d_name);
    if (own && kind != FOLDER_FLAT && kind != FOLDER_DARK && !is_opposite(entry->d_name, own)) continue;
    char *path = ct_path_join(folder, entry->d_name, error);
    ct_file_list one = {path ? ct_alloc(1, sizeof(char *), "a list of files", error) : NULL, 1};
    good = one.paths;
    if (good && ct_path_is_folder(path)) {
      one.paths[0] = path;
      path = NULL;
      good = join(list, &one, error);
    }
    ct_free(one.paths);
    ct_free(path);
  }
  if (dir) closedir(dir);
  if (list->count) qsort(list->paths, list->count, sizeof *list->paths, compare_paths);
  return good;
}

char *ct_series_inner_folder(const char *folder, const char *extensions) {
  ct_file_list list;
  const char *found = NULL, *named = NULL;
  size_t count = 0, names = 0, fields = 0;
  if (!list_folders(folder, NULL, &list, NULL)) {
    ct_file_list_clear(&list);
    return NULL;
  }
  for (size_t i = 0; i < list.count; i++) {
    const char *name = ct_path_name(list.paths[i]);
    const folder_kind kind = kind_of(name);
    ct_file_list images;
    if (kind == FOLDER_RESULT || is_opposite(name, ct_path_name(folder)) ||
        !ct_file_list_folder(&images, list.paths[i], extensions, NULL))
      continue;
    ct_file_list_clear(&images);
    if (kind == FOLDER_FLAT || kind == FOLDER_DARK) {
      fields++;
      continue;
    }
    found = list.paths[i];
    count++;
    if (kind == FOLDER_PROJECTIONS) named = found, names++;
  }
  /* One folder of images beside flats or darks, or one that is called by what it holds. */
  char *inner = names == 1 ? ct_strdup(named, NULL) : count == 1 && fields >= 1 ? ct_strdup(found, NULL) : NULL;
  ct_file_list_clear(&list);
  return inner;
}

/* Those of one folder, if it is one of flats or darks that the series lacks. before, after: which of them are wanted.
 */
static bool take_folder(ct_series *series, const char *path, const char *extensions, const bool wanted[3], bool after,
                        ct_error **error) {
  const char *name = ct_path_name(path);
  const folder_kind kind = kind_of(name);
  const ct_frame_kind frame = kind == FOLDER_FLAT ? CT_FRAME_FLAT : CT_FRAME_DARK;
  ct_file_list images;
  if ((kind != FOLDER_FLAT && kind != FOLDER_DARK) || !wanted[frame] || is_after(name) != after ||
      !ct_file_list_folder(&images, path, extensions, NULL))
    return true;
  const size_t count = images.count;
  series->beside[frame] = true;
  if (!join(&series->files[frame], &images, error)) {
    ct_file_list_clear(&images);
    return false;
  }
  if (after) series->after[frame] += count;
  return true;
}

/* Folders in the scan's own, or beside it. */
static bool take_folders(ct_series *series, const char *folder, const char *own, const char *extensions,
                         ct_error **error) {
  const bool inside = own == folder;
  const char *own_name = ct_path_name(own);
  ct_file_list list;
  bool good = list_folders(folder, own_name, &list, error);
  const bool wanted[3] = {false, series->files[CT_FRAME_FLAT].count == 0, series->files[CT_FRAME_DARK].count == 0};
  for (int after = 0; after < 2; after++)
    for (size_t i = 0; good && i < list.count; i++) {
      const char *name = ct_path_name(list.paths[i]);
      if (!inside && ct_path_is_same(own, list.paths[i])) continue;
      if (is_opposite(name, own_name))
        snprintf(series->opposite, sizeof series->opposite, "%s", name);
      else if (inside || says_no_more(name, own_name))
        good = take_folder(series, list.paths[i], extensions, wanted, after, error);
      else if (!series->passed_over[0])
        snprintf(series->passed_over, sizeof series->passed_over, "%s", name);
    }
  ct_file_list_clear(&list);
  return good;
}

bool ct_series_add_fields(ct_series *series, const char *folder, const char *extensions, ct_error **error) {
  if (kind_of(ct_path_name(folder)) == FOLDER_FLAT || kind_of(ct_path_name(folder)) == FOLDER_DARK) return true;
  const char *name = ct_path_name(folder);
  const bool plain = strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && *name;
  char *outer = plain ? ct_path_folder(folder, error) : ct_path_join(folder, "..", error);
  const bool good = outer && take_folders(series, folder, folder, extensions, error) &&
                    take_folders(series, outer, folder, extensions, error);
  ct_free(outer);
  return good;
}

bool ct_series_is_after(const ct_series *series, ct_frame_kind kind, size_t index) {
  const ct_file_list *files = &series->files[kind];
  return series->beside[kind] ? index + series->after[kind] >= files->count
                              : is_after(ct_path_name(files->paths[index]));
}
