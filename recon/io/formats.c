/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats, and lists made from it. */
#include "recon/io/io.h"

#include "recon/base/path.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/description/description-private.h"
#include "recon/io/shared/rows-private.h"

#include <stdio.h>
#include <string.h>

#define ROW(name) &ct_format_##name,
static const ct_format *const formats[] = {CT_FORMAT_ROWS(ROW)};
#undef ROW
enum { COUNT = sizeof formats / sizeof *formats };

const ct_format *const *ct_formats(size_t *count) {
  *count = COUNT;
  return formats;
}

const ct_format *ct_format_find(const char *id) {
  for (size_t i = 0; i < COUNT; i++)
    if (strcmp(formats[i]->id, id) == 0) return formats[i];
  return NULL;
}

bool ct_format_can(const ct_format *format, ct_format_use use) {
  switch (use) {
  case CT_FORMAT_OPEN_SCAN:
    return format->open_scan;
  case CT_FORMAT_WRITE_SCAN:
    return format->write_scan;
  case CT_FORMAT_READ_VOLUME:
    return format->reader;
  case CT_FORMAT_WRITE_VOLUME:
    return format->writer;
  }
  return false;
}

/* Appends to a text of `size` bytes, the separator first where it is not empty. */
static void append(char *text, size_t size, const char *separator, const char *more) {
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length ? separator : "", more);
}

const char *ct_formats_list(ct_format_use use, char *text, size_t size) {
  text[0] = 0;
  for (size_t i = 0; i < COUNT; i++) {
    if (!ct_format_can(formats[i], use)) continue;
    char one[128];
    const char *extensions = formats[i]->extensions;
    snprintf(one, sizeof one, "%s (.%.*s)", formats[i]->title, (int)strcspn(extensions, " "), extensions);
    append(text, size, ", ", one);
  }
  return text;
}

const char *ct_formats_extensions(ct_format_use use, char *text, size_t size) {
  text[0] = 0;
  for (size_t i = 0; i < COUNT; i++)
    if (ct_format_can(formats[i], use)) append(text, size, " ", formats[i]->extensions);
  if (use == CT_FORMAT_OPEN_SCAN) {
    append(text, size, " ", CT_DESCRIPTION_EXTENSION);
    ct_beside_extensions(text, size);
  }
  return text;
}

const char *ct_format_list_written(const ct_format *format, char *text, size_t size) {
  text[0] = 0;
  if (ct_format_can(format, CT_FORMAT_WRITE_SCAN)) append(text, size, ", ", "scans");
  if (ct_format_can(format, CT_FORMAT_WRITE_VOLUME)) append(text, size, ", ", "volumes");
  if (format->also_written) append(text, size, ", ", format->also_written);
  return text;
}

static const ct_format *find_by_extension(const char *path, ct_format_use use) {
  for (size_t i = 0; i < COUNT; i++)
    if (ct_format_can(formats[i], use) && ct_path_has_extension(path, formats[i]->extensions)) return formats[i];
  return NULL;
}

const ct_format *ct_format_for_writing(const char *path, ct_error **error) {
  const bool folder = !*ct_path_extension(path);
  for (size_t i = 0; folder && i < COUNT; i++)
    if (formats[i]->writer && formats[i]->writes_folder) return formats[i];
  const ct_format *format = find_by_extension(path, CT_FORMAT_WRITE_VOLUME);
  char list[512];
  if (!format)
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 "The extension of %s names no format that a volume can be written in; there are %s.", path,
                 ct_formats_list(CT_FORMAT_WRITE_VOLUME, list, sizeof list));
  return format;
}

const ct_format *ct_format_for_writing_scan(const char *path, ct_error **error) {
  const ct_format *format = find_by_extension(path, CT_FORMAT_WRITE_SCAN);
  char list[512];
  if (!format)
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 "The extension of %s names no format that a scan can be written in; there is %s.", path,
                 ct_formats_list(CT_FORMAT_WRITE_SCAN, list, sizeof list));
  return format;
}
