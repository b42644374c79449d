/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What formats write beside a volume, which is an output as much as the volume's own file. */
#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/io/io.h"
#include "recon/io/shared/io-private.h"

#include <string.h>

char *ct_companion_path(const ct_companion *companion, const char *path, ct_error **error) {
  const int stem = (int)(strlen(path) - strlen(ct_path_extension(path)));
  char *file = ct_strprintf("%.*s%s", stem, path, companion->beside);
  if (!file) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a path.");
  return file;
}

/* Calls `found` with each file that writing `path` makes, itself first, until it says true; memory that lacks counts as
 * that. */
static bool any_output(const char *path, bool (*found)(const char *file, const char *other), const char *other) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  bool is = found(path, other);
  for (size_t i = 0; i < count && !is; i++)
    for (const ct_companion *c = formats[i]->companions; c && c->extension && !is; c++) {
      if (!ct_path_has_extension(path, c->extension)) continue;
      char *file = ct_companion_path(c, path, NULL);
      is = !file || found(file, other);
      ct_free(file);
    }
  return is;
}

static bool is_same(const char *file, const char *other) {
  return ct_path_is_same(file, other);
}

static bool is_made_by(const char *file, const char *other) {
  return any_output(other, is_same, file);
}

static bool is_there(const char *file, const char *other) {
  (void)other;
  return ct_path_exists(file);
}

bool ct_outputs_meet(const char *a, const char *b) {
  return any_output(a, is_made_by, b);
}

bool ct_output_is_there(const char *path) {
  return any_output(path, is_there, NULL);
}

/* Whether the header or samples at `file`, which is there, are those of the volume at `path`. */
static bool belongs(const ct_format *format, const char *path, const char *file) {
  static const ct_open_options none;
  return ct_path_exists(path) && format->reads && format->reads(path, &none, file);
}

/* The volume that is replaced may have been compressed: what it was before that then lies beside it, too. */
static bool belonged(const ct_format *format, const char *path, const char *file) {
  bool found = belongs(format, path, file);
  for (const ct_companion *c = format->companions; c->extension && !found; c++) {
    char *other = ct_path_has_extension(path, c->extension) ? ct_companion_path(c, path, NULL) : NULL;
    found = other && ct_path_exists(other) && belongs(format, path, other);
    ct_free(other);
  }
  return found;
}

static bool refuse(const char *path, const char *why, const char *file, unsigned untold, ct_error **error) {
  if (ct_untold(NULL) > untold)
    return ct_error_set(error, CT_ERROR_MEMORY,
                        "Cannot write %s: there is not enough memory to see what lies beside it.", path);
  return ct_error_set(error, CT_ERROR_IO,
                      "Cannot write %s: %s %s. Give the output another name, or move that file away.", path, why, file);
}

bool ct_volume_check_beside(const ct_format *format, const char *path, ct_error **error) {
  const unsigned untold = ct_untold(NULL);
  bool good = true;
  for (const ct_companion *c = format->companions; c && c->extension && good; c++) {
    if (!ct_path_has_extension(path, c->extension)) continue;
    char *file = ct_companion_path(c, path, error);
    if (!file) return false;
    if (ct_path_exists(file) && !belonged(format, path, file))
      good = refuse(path, "with it would go what is not of this volume,", file, untold, error);
    ct_free(file);
  }
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  const bool there = good && ct_path_exists(path);
  for (size_t i = 0; i < count && there && good; i++)
    for (const ct_companion *c = formats[i]->companions; c && c->extension && good; c++) {
      if (!ct_path_has_extension(path, c->beside)) continue;
      const ct_companion back = {c->beside, c->extension};
      char *header = ct_companion_path(&back, path, error);
      if (!header) return false;
      if (belongs(formats[i], header, path)) good = refuse(path, "it holds the samples of", header, untold, error);
      ct_free(header);
    }
  return good;
}
