/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the cache folder are named after what they are about. */
#include "app/cache.h"

#include "recon/base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *gantry_cache_folder(const char *what, ct_error **error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  /* The specification tells to ignore a relative path. */
  char *path = cache && *cache == '/' ? ct_strprintf("%s/gantry", cache)
               : home && *home == '/' ? ct_strprintf("%s/.cache/gantry", home)
                                      : NULL;
  if (!path) ct_error_set(error, CT_ERROR_IO, "There is no folder for %s: HOME is not set.", what);
  return path;
}

/* FNV-1a: two devices, or two drivers of one, get two files. */
static uint64_t digest(uint64_t hash, const char *text) {
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

char *gantry_cache_path(const char *prefix, const char *const texts[], size_t count, const char *suffix,
                        const char *what, ct_error **error) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++) hash = digest(i ? digest(hash, "\n") : hash, texts[i]);
  char *where = gantry_cache_folder(what, error);
  char *path = where ? ct_strprintf("%s/%s-%016llx.%s", where, prefix, (unsigned long long)hash, suffix) : NULL;
  if (where && !path) ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for a file's name.");
  ct_free(where);
  return path;
}

bool gantry_cache_make(const char *what, ct_error **error) {
  char *path = gantry_cache_folder(what, error);
  if (!path) return false;
  bool good = true;
  char reason[128];
  for (char *slash = path; good && slash;) {
    slash = strchr(slash + 1, '/');
    if (slash) *slash = 0;
    good = mkdir(path, 0700) == 0 || errno == EEXIST;
    if (!good)
      ct_error_set(error, CT_ERROR_IO,
                   "There is no place for %s: the folder %s cannot be made (%s); make it, or set XDG_CACHE_HOME to a "
                   "folder that can be written",
                   what, path, strerror_r(errno, reason, sizeof reason));
    if (slash) *slash = '/';
  }
  ct_free(path);
  return good;
}
