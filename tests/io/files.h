/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary folders and small files for the tests of io. Paths come from a ring of buffers: valid for the next 16
 * calls. */
#ifndef CT_TESTS_IO_FILES_H
#define CT_TESTS_IO_FILES_H

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char test_folder[64];

/* A fresh folder for one test; the one before must have been removed. */
static inline const char *make_test_folder(void) {
  snprintf(test_folder, sizeof test_folder, "/tmp/gantry-test-XXXXXX");
  if (!mkdtemp(test_folder)) abort();
  return test_folder;
}

static inline void remove_tree(const char *path) {
  DIR *dir = opendir(path);
  const struct dirent *entry;
  while (dir && (entry = readdir(dir))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char *inside = NULL;
    struct stat status;
    if (asprintf(&inside, "%s/%s", path, entry->d_name) < 0) abort();
    if (lstat(inside, &status) == 0 && S_ISDIR(status.st_mode))
      remove_tree(inside);
    else
      unlink(inside);
    free(inside);
  }
  if (dir) closedir(dir);
  rmdir(path);
}

static inline void remove_test_folder(void) {
  remove_tree(test_folder);
}

/* NAME inside the test's folder. */
__attribute__((format(printf, 1, 2))) static inline const char *in_folder(const char *format, ...) {
  static char ring[16][1024];
  static int turn;
  char *path = ring[turn = (turn + 1) % 16];
  va_list args;
  const int length = snprintf(path, 1024, "%s/", test_folder);
  va_start(args, format);
  vsnprintf(path + length, (size_t)(1024 - length), format, args);
  va_end(args);
  return path;
}

static inline void write_file(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) abort();
}

static inline void write_text(const char *path, const char *text) {
  write_file(path, text, strlen(text));
}

/* The whole file in new memory (free). */
static inline unsigned char *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) abort();
  const long size = ftell(file);
  unsigned char *data = malloc((size_t)size + 1);
  rewind(file);
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) abort();
  data[size] = 0;
  fclose(file);
  *bytes = (size_t)size;
  return data;
}

/* Entries of a folder, hidden ones too. */
static inline int count_entries(const char *path) {
  DIR *dir = opendir(path);
  int count = 0;
  if (!dir) return -1;
  while (readdir(dir)) count++;
  closedir(dir);
  return count - 2;
}

static inline int path_exists(const char *path) {
  return access(path, F_OK) == 0;
}

#endif
