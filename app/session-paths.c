/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of a session's files: as seen from the session, and whether what lies there is what it was. */
#include "app/session-file.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PART = 4096, PARTS = 16 };

/* FNV-1a. */
static uint64_t digest(uint64_t hash, const unsigned char *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
  return hash;
}

bool gantry_session_identify(const char *path, uint64_t *bytes, uint64_t *checksum) {
  struct stat status;
  unsigned char part[PART];
  FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rbe") : NULL;
  if (!file) return false;
  const uint64_t size = (uint64_t)status.st_size;
  uint64_t hash = digest(0xcbf29ce484222325u, (const unsigned char *)&size, sizeof size);
  bool good = true;
  /* Small files whole, of others the beginning, the end, and places between. */
  const uint64_t last = size > PART ? size - PART : 0;
  const uint64_t count = size <= (uint64_t)PART * PARTS ? (size + PART - 1) / PART : PARTS;
  for (uint64_t i = 0; i < count && good; i++) {
    const uint64_t at = count == PARTS ? last / (PARTS - 1) * i : i * PART;
    good = fseeko(file, (off_t)at, SEEK_SET) == 0;
    const size_t got = good ? fread(part, 1, sizeof part, file) : 0;
    good = good && got > 0 && !ferror(file);
    hash = digest(hash, part, got);
  }
  fclose(file);
  *bytes = size;
  *checksum = hash ? hash : 1;
  return good;
}

char *gantry_session_relative(const char *folder, const char *path) {
  size_t shared = 0, n = 0;
  /* The longest beginning of whole parts that both have. */
  for (; folder[n] && folder[n] == path[n]; n++)
    if (folder[n] == '/') shared = n + 1;
  if (!folder[n] && path[n] == '/') shared = n + 1;
  if (shared <= 1) return ct_strdup(path, NULL);
  char up[512] = "";
  size_t length = 0;
  const char *rest = strlen(folder) >= shared ? folder + shared : "";
  for (const char *at = rest; *at; at += strspn(at, "/")) {
    if (length + 4 > sizeof up) return ct_strdup(path, NULL);
    memcpy(up + length, "../", 4);
    length += 3;
    at += strcspn(at, "/");
  }
  return ct_strprintf("%s%s", up, path + shared);
}
