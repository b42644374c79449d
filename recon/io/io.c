/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats, and what goes through it: probing, opening scans with their descriptions, reading volumes. */
#include "recon/io/io.h"

#include "recon/base/memory.h"
#include "recon/io/description/description-private.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_SIZE = 4096 };

static const ct_format *const formats[] = {
    &ct_format_hdf5, &ct_format_tiff,     &ct_format_png, &ct_format_metaimage,
    &ct_format_nrrd, &ct_format_rabbitct, &ct_format_raw,
};

const ct_format *const *ct_formats(size_t *count) {
  *count = sizeof formats / sizeof *formats;
  return formats;
}

const ct_format *ct_format_find(const char *id) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(formats[i]->id, id) == 0) return formats[i];
  return NULL;
}

static void append_text(char *text, size_t size, const char *more) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s", more);
}

/* "MetaImage (.mha), NRRD (.nrrd)" of the formats that `can` tells. */
static void list_formats(char *text, size_t size, bool (*can)(const ct_format *)) {
  text[0] = 0;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (!can(formats[i])) continue;
    char one[128];
    const char *extensions = formats[i]->extensions;
    snprintf(one, sizeof one, "%s%s (.%.*s)", text[0] ? ", " : "", formats[i]->title, (int)strcspn(extensions, " "),
             extensions);
    append_text(text, size, one);
  }
}

static bool can_open_scan(const ct_format *format) {
  return format->open_scan;
}

static bool can_read_volume(const ct_format *format) {
  return format->read_volume;
}

static bool can_write_volume(const ct_format *format) {
  return format->writer;
}

const ct_format *ct_format_for_writing(const char *path, ct_error **error) {
  /* A path without an extension is a folder of slices. */
  if (!*ct_path_extension(path)) return &ct_format_tiff;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i]->writer && ct_path_has_extension(path, formats[i]->extensions)) return formats[i];
  char list[512];
  list_formats(list, sizeof list, can_write_volume);
  ct_error_set(error, CT_ERROR_ARGUMENT,
               "The extension of %s names no format that a volume can be written in; there are %s.", path, list);
  return NULL;
}

/* The first bytes of a regular file; other kinds are refused, an empty file too. */
static bool read_head(const char *path, unsigned char *head, size_t *size, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return false;
  if (bytes == 0) return ct_error_set(error, CT_ERROR_FORMAT, "%s is empty.", path);
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return ct_error_set_errno(error, errno, "Cannot open %s", path);
  *size = bytes < HEAD_SIZE ? (size_t)bytes : HEAD_SIZE;
  const bool good = ct_read_exactly(descriptor, path, head, *size, 0, error);
  close(descriptor);
  return good;
}

/* A folder without images; what lies there instead is named. Always NULL. */
static const ct_format *refuse_folder(const char *path, bool (*can)(const ct_format *), ct_error **error) {
  const bool scan = can == can_open_scan;
  char words[1024], extensions[256] = "";
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (!can(formats[i])) continue;
    append_text(extensions, sizeof extensions, formats[i]->extensions);
    append_text(extensions, sizeof extensions, " ");
  }
  append_text(extensions, sizeof extensions, scan ? "json" : "");
  if (ct_folder_in_words(path, extensions, words, sizeof words, error))
    ct_error_set(
        error, CT_ERROR_FORMAT, "The folder %s holds no %s. %s.", path,
        scan ? "projections: neither TIFF nor PNG images, nor a scan.json that tells of others" : "TIFF images", words);
  return NULL;
}

/* The format that is surest of the path and can do what is asked. */
static const ct_format *probe(const char *path, bool (*can)(const ct_format *), const char *what, ct_error **error) {
  unsigned char head[HEAD_SIZE];
  size_t size = 0;
  const bool folder = ct_path_is_folder(path);
  if (!folder && (ct_path_exists(path) || !ct_path_is_pattern(path)) && !read_head(path, head, &size, error))
    return NULL;
  const ct_format *best = NULL, *other = NULL;
  int confidence = 0, other_confidence = 0;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const int sure = formats[i]->probe(path, head, size, folder);
    if (sure > confidence && can(formats[i])) {
      best = formats[i];
      confidence = sure;
    } else if (sure > other_confidence && !can(formats[i])) {
      other = formats[i];
      other_confidence = sure;
    }
  }
  if (best && confidence >= other_confidence) return best;
  char list[512];
  if (folder) return refuse_folder(path, can, error);
  list_formats(list, sizeof list, can);
  if (other)
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is a %s file, from which no %s can be read; there are %s.", path,
                 other->title, what, list);
  else
    ct_error_set(error, CT_ERROR_FORMAT, "%s is of no format that a %s can be read from; there are %s.", path, what,
                 list);
  return NULL;
}

const ct_format *ct_probe_scan(const char *path) {
  return probe(path, can_open_scan, "scan", NULL);
}

bool ct_refuse_volume(const char *path, ct_error **error) {
  return ct_error_set(
      error, CT_ERROR_FORMAT,
      "%s is a volume that Gantry made, and its slices are no projections: open the scan that it was made from.", path);
}

bool ct_path_split_dataset(const char *path, char **file, char **dataset) {
  *file = *dataset = NULL;
  const char *mark = ct_path_exists(path) ? NULL : strstr(path, "::");
  if (!mark || mark == path || !mark[2]) return false;
  *file = ct_strprintf("%.*s", (int)(mark - path), path);
  *dataset = ct_strdup(mark + 2, NULL);
  if (*file && *dataset) return true;
  ct_free(*file);
  ct_free(*dataset);
  *file = *dataset = NULL;
  return false;
}

ct_scan *ct_open_plain(const char *path, const ct_open_options *options, ct_error **error) {
  char *file, *dataset;
  ct_open_options own = options ? *options : (ct_open_options){0};
  if (ct_path_split_dataset(path, &file, &dataset)) {
    own.dataset = dataset;
    path = file;
  }
  const ct_format *format = probe(path, can_open_scan, "scan", error);
  ct_scan *scan = NULL;
  if (format == &ct_format_hdf5)
    scan = ct_hdf5_open_scan(path, &own, error);
  else if (format && own.dataset)
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s is a %s file, which has no datasets inside; %s cannot be chosen in it.",
                 path, format->title, own.dataset);
  else if (format)
    scan = format->open_scan(path, error);
  ct_free(file);
  ct_free(dataset);
  return scan;
}

/* The description that counts for a path: the given one, the one beside it, or the path itself. */
static bool load_description(const char *path, const char *given, ct_description **description, ct_error **error) {
  *description = NULL;
  char *file, *dataset, *found = NULL;
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  const char *plain = split ? file : path;
  const bool folder_given = ct_path_is_folder(plain);
  if (!given) given = found = ct_description_find(plain, folder_given);
  bool good = true;
  if (given) {
    char *folder = folder_given ? ct_strdup(plain, error) : ct_path_folder(plain, error);
    good = folder && (*description = ct_description_new(given, folder, error));
    ct_free(folder);
  }
  /* A folder's description that puts files together says nothing about one image among them. */
  if (good && found && !folder_given && ct_path_exists(plain) && strcmp(ct_path_name(found), "scan.json") == 0 &&
      json_object_get((*description)->root, "files")) {
    ct_description_free(*description);
    *description = NULL;
  }
  ct_free(found);
  ct_free(file);
  ct_free(dataset);
  return good;
}

ct_scan *ct_scan_open(const char *path, const char *description, ct_error **error) {
  ct_description *extra = NULL, *own = NULL;
  ct_scan *scan = NULL;
  const bool is_description = ct_path_has_extension(path, "json") && !ct_path_is_folder(path);
  if (is_description) {
    if (!(own = ct_description_new(path, NULL, error))) return NULL;
    if (description && !(extra = ct_description_new(description, own->folder, error))) goto done;
  } else if (!load_description(path, description, &extra, error)) {
    return NULL;
  }
  if (own) {
    scan = ct_description_open_files(own, NULL, error);
    if (scan) scan = ct_description_apply(own, path, scan, error);
  } else if (extra && json_object_get(extra->root, "files") &&
             (ct_path_is_folder(path) || json_is_object(json_object_get(extra->root, "files")))) {
    scan = ct_description_open_files(extra, path, error);
  } else {
    const ct_open_options options = {extra ? ct_description_get_dataset(extra) : NULL,
                                     extra && ct_description_tells_angles(extra)};
    scan = ct_open_plain(path, &options, error);
  }
  if (scan && extra) scan = ct_description_apply(extra, path, scan, error);
done:
  ct_description_free(own);
  ct_description_free(extra);
  return scan;
}

bool ct_scan_is_there(const char *path) {
  char *file, *dataset;
  ct_file_list list;
  if (ct_path_exists(path)) return true;
  if (ct_path_split_dataset(path, &file, &dataset)) {
    const bool there = ct_path_exists(file) && !ct_path_is_folder(file);
    ct_free(file);
    ct_free(dataset);
    return there;
  }
  const bool there = ct_path_is_pattern(path) && ct_file_list_pattern(&list, path, NULL);
  if (there) ct_file_list_clear(&list);
  return there;
}

/* The format of a volume at a path, which may be FILE.h5::DATASET; NULL with an error. */
static const ct_format *probe_volume(const char *path, ct_error **error) {
  char *file, *dataset;
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  const ct_format *format = probe(split ? file : path, can_read_volume, "volume", error);
  if (format && split && format != &ct_format_hdf5) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s is a %s file, which has no datasets inside; %s cannot be chosen in it.",
                 file, format->title, dataset);
    format = NULL;
  }
  ct_free(file);
  ct_free(dataset);
  return format;
}

ct_volume *ct_volume_read(const char *path, ct_job *job, ct_error **error) {
  const ct_format *format = probe_volume(path, error);
  return format ? format->read_volume(path, job, error) : NULL;
}

bool ct_volume_read_plan(const char *path, char **plan, ct_error **error) {
  const ct_format *format = probe_volume(path, error);
  *plan = NULL;
  return format && format->read_plan(path, plan, error);
}
