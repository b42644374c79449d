/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which format a path is of, and opening a scan as its file tells it. */
#include "recon/io/open-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/description/description-private.h"
#include "recon/io/shared/io-private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_SIZE = 4096 };

static const char *noun_of(ct_format_use use) {
  return use == CT_FORMAT_OPEN_SCAN ? "scan" : "volume";
}

/* The first bytes of a regular file; other kinds are refused, an empty file too. */
static bool read_header(const char *path, unsigned char *header, size_t *size, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return false;
  if (bytes == 0) return ct_error_set(error, CT_ERROR_FORMAT, "%s is empty.", path);
  const int descriptor = ct_open_to_read(path, error);
  if (descriptor < 0) return false;
  *size = bytes < HEADER_SIZE ? (size_t)bytes : HEADER_SIZE;
  const bool good = ct_read_exactly(descriptor, path, header, *size, 0, error);
  close(descriptor);
  return good;
}

/* "TIFF", "TIFF nor PNG", ...: what the images in folders of that use are called. */
static void list_images(ct_format_use use, char *text, size_t size) {
  size_t count, length = 0;
  const ct_format *const *formats = ct_formats(&count);
  text[0] = 0;
  for (size_t i = 0; i < count && length < size; i++)
    if (formats[i]->images && ct_format_can(formats[i], use))
      length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " nor " : "", formats[i]->images);
}

/* A folder without images; what lies there instead is named. */
static void refuse_folder(const char *path, ct_format_use use, ct_error **error) {
  char inside[1024], extensions[256], images[128];
  list_images(use, images, sizeof images);
  ct_formats_extensions(use, extensions, sizeof extensions);
  if (!ct_folder_describe(path, extensions, inside, sizeof inside, error)) return;
  if (use == CT_FORMAT_OPEN_SCAN)
    ct_error_set(error, CT_ERROR_FORMAT,
                 "The folder %s holds no projections: neither %s images, nor a scan.json that tells of others. %s.",
                 path, images, inside);
  else
    ct_error_set(error, CT_ERROR_FORMAT, "The folder %s holds no %s images. %s.", path, images, inside);
}

typedef struct {
  const ct_format *format;
  int confidence;
} guess;

/* The best guess among the formats that serve the use, and among the others. */
static bool judge(const char *path, ct_format_use use, guess *best, guess *other, ct_error **error) {
  unsigned char header[HEADER_SIZE];
  size_t size = 0, count;
  const bool folder = ct_path_is_folder(path);
  *best = *other = (guess){NULL, 0};
  if (!folder && (ct_path_exists(path) || !ct_path_is_pattern(path)) && !read_header(path, header, &size, error))
    return false;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++) {
    const int confidence = formats[i]->probe(path, header, size, folder);
    guess *to = ct_format_can(formats[i], use) ? best : other;
    if (confidence > to->confidence) *to = (guess){formats[i], confidence};
  }
  return true;
}

/* A file that no format recognises, by its true name where its first bytes tell that. */
static void refuse_unknown(const char *path, ct_format_use use, ct_error **error) {
  unsigned char header[HEADER_SIZE];
  size_t size = 0;
  char list[512], text[512];
  const bool scan = use == CT_FORMAT_OPEN_SCAN;
  if (read_header(path, header, &size, NULL) && ct_known_file(header, size, text, sizeof text)) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is %s.", path, text);
    return;
  }
  ct_raw_advice(path, text, sizeof text);
  ct_error_set(error, CT_ERROR_FORMAT, "%s is of no format that a %s can be read from; there are %s%s%s.", path,
               noun_of(use), ct_formats_list(use, list, sizeof list), scan ? "; " : "", scan ? text : "");
}

/* An error of a reader that was chosen by the file's name alone: what the file is instead. */
static void name_truly(const char *path, const ct_format *format, ct_error **error) {
  unsigned char header[HEADER_SIZE];
  size_t size = 0;
  char text[512];
  ct_error *own = NULL;
  if (!error || !*error || (*error)->code != CT_ERROR_FORMAT || ct_path_is_folder(path) ||
      !read_header(path, header, &size, NULL) || format->probe(path, header, size, false) >= 80 ||
      !ct_known_file(header, size, text, sizeof text))
    return;
  ct_error_set(&own, CT_ERROR_FORMAT, "%s is no %s file, but %s.", path, format->title, text);
  ct_error_clear(error);
  *error = own;
}

const ct_format *ct_probe(const char *path, ct_format_use use, ct_error **error) {
  guess best, other;
  char list[512];
  if (!judge(path, use, &best, &other, error)) return NULL;
  if (best.format && best.confidence >= other.confidence) return best.format;
  if (ct_path_is_folder(path))
    refuse_folder(path, use, error);
  else if (other.format)
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is a %s file, from which no %s can be read; there are %s.", path,
                 other.format->title, noun_of(use), ct_formats_list(use, list, sizeof list));
  else
    refuse_unknown(path, use, error);
  return NULL;
}

const ct_format *ct_probe_any(const char *path) {
  guess scan, other;
  if (!judge(path, CT_FORMAT_OPEN_SCAN, &scan, &other, NULL)) return NULL;
  return scan.confidence >= other.confidence ? scan.format : other.format;
}

const ct_format *ct_probe_dataset(const char *path, ct_format_use use, char **file, char **dataset, ct_error **error) {
  if (!ct_path_split_dataset(path, file, dataset) && !(*file = ct_strdup(path, error))) return NULL;
  const ct_format *format = ct_probe(*file, use, error);
  if (!format || format->datasets || !*dataset) return format;
  ct_error_set(error, CT_ERROR_ARGUMENT, "%s is a %s file, which has no datasets inside; %s cannot be chosen in it.",
               *file, format->title, *dataset);
  return NULL;
}

/* What the reader gave, as pictures of the layout that was asked for. */
static ct_scan *take_layout(ct_scan *scan, const ct_format *format, const ct_open_options *options, ct_error **error) {
  if (!scan || options->layout == CT_LAYOUT_UNKNOWN) return scan;
  if (options->layout == CT_LAYOUT_SINOGRAMS && !format->turns)
    scan = ct_scan_of_sinograms(scan, options, format->images, error);
  if (scan) ct_scan_take_layout(scan, options->layout);
  return scan;
}

ct_scan *ct_open_plain(const char *path, const ct_open_options *options, ct_error **error) {
  char *file, *dataset;
  ct_open_options own = options ? *options : (ct_open_options){0};
  const ct_format *format = ct_probe_dataset(path, CT_FORMAT_OPEN_SCAN, &file, &dataset, error);
  ct_scan *scan = NULL;
  if (dataset) own.dataset = dataset;
  if (format && own.dataset && !format->datasets) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s is a %s file, which has no datasets inside; %s cannot be chosen in it.",
                 file, format->title, own.dataset);
  } else if (format) {
    ct_open_options first = own;
    if (own.layout == CT_LAYOUT_SINOGRAMS && !format->turns) first.ignore_angles = true;
    scan = take_layout(format->open_scan(file, &first, error), format, &own, error);
    if (!scan) name_truly(file, format, error);
  }
  ct_free(file);
  ct_free(dataset);
  return scan;
}

bool ct_read_angles(const char *path, bool anywhere, double **degrees, size_t *count, ct_error **error) {
  char *file, *dataset;
  const ct_format *format = ct_probe_dataset(path, CT_FORMAT_OPEN_SCAN, &file, &dataset, error);
  const bool good =
      format && format->read_angles && dataset && format->read_angles(file, dataset, anywhere, degrees, count, error);
  ct_free(file);
  ct_free(dataset);
  return good;
}

bool ct_file_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error) {
  *list = (ct_dataset_list){0};
  const ct_format *format = ct_probe_any(path);
  if (format && format->list_datasets) return format->list_datasets(path, anywhere, list, error);
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is no file with several arrays inside.", path);
}

bool ct_path_is_image(const char *path) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++)
    if (formats[i]->images && ct_path_has_extension(path, formats[i]->extensions)) return true;
  return false;
}
