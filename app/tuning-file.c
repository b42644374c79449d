/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device's settings as a file named after its name and driver. */
#include "app/tuning-file.h"

#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/text.h"
#include "render/compute/tuning.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 16384 };

/* FNV-1a: two devices, or two drivers of one, get two files. */
static uint64_t digest(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

static char *folder(ct_error **error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  /* The specification tells to ignore a relative path. */
  char *path = cache && *cache == '/' ? ct_strprintf("%s/gantry", cache)
               : home && *home == '/' ? ct_strprintf("%s/.cache/gantry", home)
                                      : NULL;
  if (!path) ct_error_set(error, CT_ERROR_IO, "There is no folder for a graphics device's settings: HOME is not set.");
  return path;
}

char *gantry_tuning_path(const ct_bp_device *device, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  const uint64_t hash = digest(digest(digest(0xcbf29ce484222325u, facts->name), "\n"), facts->driver);
  char *where = folder(error);
  char *path = where ? ct_strprintf("%s/tuning-%016llx.txt", where, (unsigned long long)hash) : NULL;
  if (where && !path) ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for a file's name.");
  ct_free(where);
  return path;
}

/* The folder and the one above it, which a new account may lack. */
static bool make_folders(ct_error **error) {
  char *path = folder(error);
  if (!path) return false;
  char *last = strrchr(path, '/');
  *last = 0;
  bool good = mkdir(path, 0700) == 0 || errno == EEXIST;
  *last = '/';
  good = good && (mkdir(path, 0700) == 0 || errno == EEXIST);
  if (!good) ct_error_set_errno(error, errno, "The folder %s cannot be made", path);
  ct_free(path);
  return good;
}

bool gantry_tuning_save(ct_bp_device *device, ct_error **error) {
  char *path = gantry_tuning_path(device, error), *text = path ? ctgl_device_save_tuning(device, error) : NULL;
  const bool good = text && make_folders(error) && ct_output_write_text(path, text, error);
  ct_free(text);
  ct_free(path);
  return good;
}

bool gantry_tuning_load(ct_bp_device *device, ct_error **error) {
  char *path = gantry_tuning_path(device, NULL);
  if (!path || access(path, F_OK) != 0) {
    ct_free(path);
    return true;
  }
  char *text = ct_read_text(path, MOST_BYTES, NULL, error);
  bool good = text && ctgl_device_load_tuning(device, text, error);
  if (text && !good) ct_error_prefix(error, "%s", path);
  ct_free(text);
  ct_free(path);
  return good;
}
