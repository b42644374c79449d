/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process is known by its number and by when it started, in ticks since the machine did (/proc/PID/stat): numbers are
 * used again. A machine by its name and by the name space of its processes, which containers have each of their own. */
#include "recon/base/leftovers-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Time for a process that has just ended to be looked after by whoever ended it, s. */
enum { REST = 600 };

#define PREFIX ".gantry-"
#define SUFFIX ".tmp"

/* FNV-1a. */
static uint32_t machine_number(void) {
  char text[512] = "", space[128] = "";
  if (gethostname(text, 256) != 0) text[0] = 0;
  text[255] = 0;
  const ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
  if (length > 0) strncat(text, space, sizeof text - strlen(text) - 1);
  uint32_t hash = 2166136261u;
  for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  return hash;
}

/* Field 22 of /proc/PID/stat, counted behind the command's name, which may hold anything; 0: not known. */
static unsigned long long start_of(long process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  text[bytes > 0 ? bytes : 0] = 0;
  const char *at = strrchr(text, ')');
  for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
  return at ? strtoull(at, NULL, 10) : 0;
}

void ct_leftovers_name(char name[CT_LEFTOVER_NAME]) {
  uint64_t tag;
  if (getrandom(&tag, sizeof tag, 0) != (ssize_t)sizeof tag) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    tag = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u + (uint64_t)now.tv_sec;
  }
  const long process = getpid();
  snprintf(name, CT_LEFTOVER_NAME, PREFIX "%08x-%lx-%llx-%016llx" SUFFIX, machine_number(), (unsigned long)process,
           start_of(process), (unsigned long long)tag);
}

/* Whether a name is of such a process that is no more. */
static bool is_left(const char *name, uint32_t here) {
  unsigned machine;
  unsigned long process;
  unsigned long long start, tag;
  char again[CT_LEFTOVER_NAME];
  if (sscanf(name, PREFIX "%8x-%lx-%llx-%16llx" SUFFIX, &machine, &process, &start, &tag) != 4) return false;
  snprintf(again, sizeof again, PREFIX "%08x-%lx-%llx-%016llx" SUFFIX, machine, process, start, tag);
  if (strcmp(name, again) != 0 || machine != here || process == 0 || process > INT32_MAX) return false;
  if (kill((pid_t)process, 0) != 0 && errno == ESRCH) return true;
  const unsigned long long found = start_of((long)process);
  return start && found && found != start;
}

void ct_leftovers_remove_folder(int at, const char *path) {
  const int folder = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *dir = folder >= 0 ? fdopendir(folder) : NULL;
  if (dir) {
    const struct dirent *entry;
    while ((entry = readdir(dir)))
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
  } else if (folder >= 0)
    close(folder);
  unlinkat(at, path, AT_REMOVEDIR);
}

void ct_leftovers_remove(const char *path) {
  DIR *dir = opendir(path);
  if (!dir) return;
  const uint32_t here = machine_number();
  const struct dirent *entry;
  while ((entry = readdir(dir))) {
    struct stat status;
    if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) != 0 || !is_left(entry->d_name, here)) continue;
    if (fstatat(dirfd(dir), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_uid != geteuid() ||
        time(NULL) - status.st_mtime < REST)
      continue;
    if (S_ISDIR(status.st_mode))
      ct_leftovers_remove_folder(dirfd(dir), entry->d_name);
    else if (S_ISREG(status.st_mode))
      unlinkat(dirfd(dir), entry->d_name, 0);
  }
  closedir(dir);
}
