/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan is read from, so that no output takes its place: its own files, those that tell its angles, and those
 * that a description names, wherever they are. */
#include "recon/io/description/description-private.h"
#include "recon/io/metaimage/metaimage-private.h"
#include "recon/io/shared/open.h"
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"

#include <string.h>

/* The files that a volume of the first extension may be written into beside the one that is named. */
static const struct {
  const char *extension, *beside;
} companions[] = {{"mhd", "raw"}, {"mhd", "zraw"}, {"nhdr", "raw"}, {"nhdr", "raw.gz"}, {"raw", "raw.json"}};

static bool list_holds(const ct_file_list *list, const char *file) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(ct_path_name(list->paths[i]), ct_path_name(file)) == 0 && ct_path_is_same(list->paths[i], file))
      return true;
  return false;
}

/* Whether `file` is one of the images that are read from a folder, a pattern or an image's neighbours. */
static bool series_holds(const char *path, const char *extensions, const char *file) {
  ct_series series;
  if (!ct_series_find(&series, path, extensions, NULL)) return false;
  bool found = false;
  for (int kind = 0; kind < 3 && !found; kind++) found = list_holds(&series.files[kind], file);
  ct_series_clear(&series);
  return found;
}

/* Whether `file` holds samples of a MetaImage whose header names it. */
static bool metaimage_holds(const char *path, const char *file) {
  ct_metaimage header;
  if (!ct_metaimage_read_header(path, &header, NULL)) return false;
  bool found = false;
  for (size_t i = 0; i < header.layout.part_count && !found; i++)
    found = ct_path_is_same(header.layout.parts[i].path, file);
  ct_metaimage_clear(&header);
  return found;
}

static bool angles_are_in(const char *path, bool is_stack, const char *file) {
  char *angles = ct_series_angles_file(path, is_stack);
  const bool found = angles && ct_path_is_same(angles, file);
  ct_free(angles);
  return found;
}

/* Whether `file` is in the folder, and tells of the images there. */
static bool describes(const char *folder, const char *file) {
  const char *name = ct_path_name(file);
  if (strcmp(name, "scan.json") != 0 && strcmp(name, "angles.txt") != 0 && !ct_path_has_extension(name, "ang"))
    return false;
  char *own = ct_path_folder(file, NULL);
  const bool found = own && ct_path_is_same(own, folder);
  ct_free(own);
  return found;
}

/* Whether ct_open_plain(path) reads `file`, which is there. */
static bool plain_reads(const char *path, const char *file) {
  char *container, *dataset;
  if (ct_path_is_same(path, file)) return true;
  if (ct_path_split_dataset(path, &container, &dataset)) {
    const bool found = ct_path_is_same(container, file);
    ct_free(container);
    ct_free(dataset);
    return found;
  }
  if (ct_path_is_folder(path) && describes(path, file)) return true;
  const ct_format *format = ct_probe_scan(path);
  if (format == &ct_format_tiff || format == &ct_format_png)
    return series_holds(path, format->extensions, file) || angles_are_in(path, true, file);
  return format == &ct_format_metaimage && (metaimage_holds(path, file) || angles_are_in(path, false, file));
}

/* A path in a description. */
static bool named_reads(const ct_description *d, const json_t *value, const char *file) {
  const char *name = json_string_value(value);
  char *path = name && *name ? ct_path_join(d->folder, name, NULL) : NULL;
  const bool found = path && plain_reads(path, file);
  ct_free(path);
  return found;
}

/* "files", "flats" or "darks": a path, a raw layout, a set {"files": either}, or a list of these. */
static bool files_read(const ct_description *d, const json_t *value, const char *file) {
  bool found = false;
  for (size_t i = 0; i < json_array_size(value) && !found; i++) found = files_read(d, json_array_get(value, i), file);
  const char *raw = json_string_value(json_object_get(value, "raw"));
  char *path = raw ? ct_path_join(d->folder, raw, NULL) : NULL;
  ct_file_list list;
  if (path && !ct_path_exists(path) && ct_path_is_pattern(path) && ct_file_list_pattern(&list, path, NULL)) {
    found = found || list_holds(&list, file);
    ct_file_list_clear(&list);
  } else if (path) {
    found = found || ct_path_is_same(path, file);
  }
  ct_free(path);
  return found || named_reads(d, value, file) ||
         (json_is_object(value) && files_read(d, json_object_get(value, "files"), file));
}

/* Whether a scan at `path` that has this description reads `file`. files: those that it names are the projections. */
static bool description_reads(const ct_description *d, bool files, const char *file) {
  static const char *const sets[] = {"flats", "darks"}, *const tables[] = {"angles_deg", "matrices"};
  bool found = ct_path_is_same(d->path, file) || (files && files_read(d, json_object_get(d->root, "files"), file));
  for (int i = 0; i < 2 && !found; i++)
    found = files_read(d, json_object_get(d->root, sets[i]), file) ||
            named_reads(d, json_object_get(json_object_get(d->root, tables[i]), "file"), file);
  return found;
}

static bool reads(const char *path, const char *description, const char *file) {
  char *container, *dataset;
  const bool split = ct_path_split_dataset(path, &container, &dataset);
  const char *plain = split ? container : path;
  const bool folder = ct_path_is_folder(plain), own = ct_path_has_extension(plain, "json") && !folder;
  char *beside = own || description ? NULL : ct_description_find(plain, folder);
  char *start = folder ? ct_strdup(plain, NULL) : ct_path_folder(plain, NULL);
  const char *const sources[] = {own ? plain : NULL, description ? description : beside};
  bool found = plain_reads(path, file);
  for (int i = 0; i < 2 && start && !found; i++) {
    ct_description *d = sources[i] ? ct_description_new(sources[i], start, NULL) : NULL;
    if (!d) continue;
    const bool projections = i == 0 || folder || json_is_object(json_object_get(d->root, "files"));
    found = description_reads(d, projections, file);
    ct_description_free(d);
  }
  ct_free(start);
  ct_free(beside);
  ct_free(container);
  ct_free(dataset);
  return found;
}

bool ct_scan_is_destroyed(const char *path, const char *description, const char *target) {
  bool found = ct_path_is_same(path, target) || (ct_path_exists(target) && reads(path, description, target));
  for (size_t i = 0; i < sizeof companions / sizeof *companions && !found; i++) {
    if (!ct_path_has_extension(target, companions[i].extension)) continue;
    const int stem = (int)(strlen(target) - strlen(ct_path_extension(target)));
    char *other = ct_strprintf("%.*s%s", stem, target, companions[i].beside);
    found = other && ct_path_exists(other) && reads(path, description, other);
    ct_free(other);
  }
  return found;
}
