/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW's wisdom (which algorithm was fastest for which length) kept in $XDG_CACHE_HOME/gantry/fftwf-wisdom, or
 * ~/.cache/gantry without it. Written under another name and renamed, so that two programs never read half a file. */
#include "recon/filter/fft-private.h"

#include "recon/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *cache_folder(void) {
  const char *cache = getenv("XDG_CACHE_HOME");
  /* The XDG base directory specification tells to ignore relative paths. */
  if (cache && cache[0] == '/') return ct_strprintf("%s", cache);
  const char *home = getenv("HOME");
  if (home && home[0] == '/') return ct_strprintf("%s/.cache", home);
  return NULL;
}

char *ct_wisdom_path(void) {
  char *folder = cache_folder();
  if (!folder) return NULL;
  char *path = ct_strprintf("%s/gantry/fftwf-wisdom", folder);
  ct_free(folder);
  return path;
}

void ct_wisdom_import(void) {
  char *path = ct_wisdom_path();
  if (!path) return;
  struct stat status;
  /* Anything but a regular file of a sane size is not ours. */
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size < (4 << 20))
    fftwf_import_wisdom_from_filename(path);
  ct_free(path);
}

static bool make_folder(const char *path) {
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

void ct_wisdom_export(void) {
  char *cache = cache_folder();
  char *folder = cache ? ct_strprintf("%s/gantry", cache) : NULL;
  char *path = folder ? ct_strprintf("%s/fftwf-wisdom", folder) : NULL;
  char *draft = folder ? ct_strprintf("%s/fftwf-wisdom.XXXXXX", folder) : NULL;
  if (path && draft && make_folder(cache) && make_folder(folder)) {
    const int fd = mkstemp(draft);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file) {
      fftwf_export_wisdom_to_file(file);
      const bool whole = !ferror(file);
      if (fclose(file) != 0 || !whole || rename(draft, path) != 0) unlink(draft);
    } else if (fd >= 0) {
      close(fd);
      unlink(draft);
    }
  }
  ct_free(draft);
  ct_free(path);
  ct_free(folder);
  ct_free(cache);
}
