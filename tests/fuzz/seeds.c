/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seeds of a target: made by code, and the files of findings/TARGET, each named after a fault that it once was. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

int fuzz_put_seeds(const fuzz_target *target, const char *folder) {
  fuzz_put_text_seeds(target->name, folder);
  if (strncmp(target->file, "in.", 3) == 0 && strcmp(target->file + strlen("in."), target->name) == 0)
    fuzz_put_binary_seeds(target->name, folder);
  fuzz_put_geometry_seeds(target->name, folder);
  if (strcmp(target->name, "command") == 0) fuzz_put_command_seeds(folder);
  int count = 0;
  DIR *dir = opendir(folder);
  if (!dir) abort();
  for (const struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
  closedir(dir);
  return count;
}
