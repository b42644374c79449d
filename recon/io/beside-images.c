/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The images that a geometry file belongs to, where that file is what was opened. */
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <errno.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRIED = 64, NAMED = 3 };

typedef struct {
  const char *path, *stem; /* of the geometry; what the images' names begin like */
  const ct_told *told;
  char *best;
  int likeness, tried, fitting;
  char others[400];  /* those as alike as the best */
  char refused[600]; /* why others do not fit */
} search;

static void add(char *text, size_t size, const char *separator, const char *more) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length ? separator : "", more);
}

static void try_one(search *s, const char *path, const char *name) {
  char why[160], line[400];
  if (s->tried >= MOST_TRIED) return;
  ct_error *error = NULL;
  ct_scan *scan = ct_open_plain(path, NULL, &error);
  const bool fits = scan && ct_told_fits(s->told, ct_scan_get_facts(scan), why, sizeof why);
  const int alike = ct_beside_likeness(name, s->stem);
  if (!fits && s->tried < NAMED) {
    snprintf(line, sizeof line, "%.80s: %.250s", ct_path_name(path), scan ? why : error ? error->message : "");
    add(s->refused, sizeof s->refused, "; ", line);
  }
  s->tried++;
  ct_error_clear(&error);
  ct_scan_free(scan);
  if (!fits) return;
  if (s->best && alike <= s->likeness) {
    if (alike == s->likeness) add(s->others, sizeof s->others, ", ", ct_path_name(path));
    return;
  }
  ct_free(s->best);
  s->best = ct_strdup(path, NULL);
  s->likeness = alike;
  s->others[0] = 0;
}

/* Of each series of images the one file that is most like the geometry's name; other files of scans each. */
static void try_folder(search *s, const char *folder) {
  char extensions[256], *image = NULL;
  int alike = -1;
  ct_file_list list;
  ct_formats_extensions(CT_FORMAT_OPEN_SCAN, extensions, sizeof extensions);
  if (!ct_file_list_folder(&list, folder, extensions, NULL)) return;
  for (size_t i = 0; i < list.count; i++) {
    const char *name = ct_path_name(list.paths[i]);
    if (!ct_beside_may_be_projections(list.paths[i])) continue;
    if (!ct_path_is_image(name)) {
      try_one(s, list.paths[i], name);
    } else if (ct_beside_likeness(name, s->stem) > alike) {
      alike = ct_beside_likeness(name, s->stem);
      image = list.paths[i];
    }
  }
  /* The folder as a whole leaves out previews and finds flats; a series of its own is taken where it does not fit. */
  char *before = image ? ct_strdup(s->best ? s->best : "", NULL) : NULL;
  if (image) try_one(s, folder, ct_path_name(image));
  if (image && before && (!s->best || strcmp(before, s->best) == 0)) try_one(s, image, ct_path_name(image));
  ct_free(before);
  ct_file_list_clear(&list);
}

static void try_folders_in(search *s, const char *folder) {
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  if (!dir) ct_path_cannot_open(folder, errno, NULL);
  while (dir && (entry = readdir(dir))) {
    if (entry->d_name[0] == '.') continue;
    char *path = ct_path_join(folder, entry->d_name, NULL);
    if (path && ct_path_is_folder(path) && ct_probe(path, CT_FORMAT_OPEN_SCAN, NULL)) try_one(s, path, entry->d_name);
    ct_free(path);
  }
  if (dir) closedir(dir);
}

static char *find_images(const char *path, const ct_told *told, ct_error **error) {
  const char *name = ct_path_name(path);
  char *folder = ct_path_folder(path, error), *named = NULL;
  search s = {.path = path, .stem = told->images[0] ? told->images : name, .told = told};
  if (!folder) return NULL;
  if (told->folder[0]) named = ct_path_join(folder, told->folder, NULL);
  if (named && ct_path_is_folder(named)) try_folder(&s, named);
  if (!s.best) try_folder(&s, folder);
  if (!s.best) try_folders_in(&s, folder);
  ct_free(named);
  ct_free(folder);
  if (s.best && !s.others[0]) return s.best;
  if (s.best)
    ct_error_set(error, CT_ERROR_DATA,
                 "%s fits several scans beside it: %s, %s. Open the one that it belongs to, or name it in a scan "
                 "description (\"files\" and \"geometry\").",
                 path, ct_path_name(s.best), s.others);
  else if (s.tried)
    ct_error_set(error, CT_ERROR_DATA, "%s tells a geometry, and no images beside it fit (%s).", path, s.refused);
  else
    ct_error_set(error, CT_ERROR_DATA,
                 "%s tells a geometry, and there are no images beside it: put it into their folder, or name it in a "
                 "scan description (\"geometry\").",
                 path);
  ct_free(s.best);
  return NULL;
}

char *ct_beside_images(const char *path, bool anywhere, ct_error **error) {
  const ct_geometry_reader *reader = ct_beside_recognise(path);
  ct_told told;
  if (!reader) return NULL;
  ct_told_init(&told);
  told.anywhere = anywhere;
  char *images = reader->read(path, &told, error) ? find_images(path, &told, error) : NULL;
  ct_told_clear(&told);
  return images;
}
