/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files: lists of numbered ones, natural order, FILE::DATASET, and what an extension tells. */
#include "recon/base/memory.h"
#include "recon/io/shared/io-private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int ct_natural_compare(const char *a, const char *b) {
  const char *p = a, *q = b;
  while (*p && *q) {
    if (is_digit(*p) && is_digit(*q)) {
      while (*p == '0') p++;
      while (*q == '0') q++;
      size_t m = 0, n = 0;
      while (is_digit(p[m])) m++;
      while (is_digit(q[n])) n++;
      if (m != n) return m < n ? -1 : 1;
      const int order = memcmp(p, q, m);
      if (order != 0) return order;
      p += m;
      q += n;
    } else {
      if (*p != *q) return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
      p++;
      q++;
    }
  }
  if (*p || *q) return *p ? 1 : -1;
  return strcmp(a, b); /* equal but for leading zeros */
}

static int compare_paths(const void *a, const void *b) {
  return ct_natural_compare(*(const char *const *)a, *(const char *const *)b);
}

void ct_file_list_clear(ct_file_list *list) {
  for (size_t i = 0; i < list->count; i++) ct_free(list->paths[i]);
  ct_free(list->paths);
  list->paths = NULL;
  list->count = 0;
}

bool ct_file_list_holds(const ct_file_list *list, const char *file) {
  struct stat wanted, one;
  if (stat(file, &wanted) != 0) return false;
  /* By any name: links point both ways. */
  for (size_t i = 0; i < list->count; i++)
    if (stat(list->paths[i], &one) == 0 && one.st_dev == wanted.st_dev && one.st_ino == wanted.st_ino) return true;
  return false;
}

static bool append(ct_file_list *list, size_t *capacity, const char *folder, const char *name, ct_error **error) {
  if (list->count == *capacity) {
    const size_t larger = *capacity ? *capacity * 2 : 64;
    char **paths = ct_alloc(larger, sizeof *paths, "a list of files", error);
    if (!paths) return false;
    if (list->count) memcpy(paths, list->paths, list->count * sizeof *paths);
    ct_free(list->paths);
    list->paths = paths;
    *capacity = larger;
  }
  char *path = ct_path_join(folder, name, error);
  if (!path) return false;
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
    ct_free(path);
    return true;
  }
  list->paths[list->count++] = path;
  return true;
}

/* %d and %0Nd: the digits that a number takes; 0 for no such place here. */
static size_t number_place(const char *pattern) {
  if (pattern[0] != '%') return 0;
  size_t n = 1;
  while (is_digit(pattern[n])) n++;
  return pattern[n] == 'd' || pattern[n] == 'i' || pattern[n] == 'u' ? n + 1 : 0;
}

/* Glob match. What does not fit is tried again from two places, so that no pattern takes exponential time: the number
 * takes one digit more, or else the last '*' one character more. */
static bool fits(const char *pattern, const char *name) {
  const char *p = pattern, *n = name;
  const char *star = NULL, *star_end = NULL;     /* the pattern behind it, the name behind what it takes */
  const char *number = NULL, *number_end = NULL; /* likewise, since the last star */
  for (;;) {
    const size_t place = number_place(p);
    if (*p == '*') {
      star = ++p;
      star_end = n;
      number = NULL;
    } else if (place && is_digit(*n)) {
      number = p += place;
      number_end = ++n;
    } else if (!*p && !*n) {
      return true;
    } else if (!place && *n && (*p == '?' || *p == *n || (*p == '#' && is_digit(*n)))) {
      p++;
      n++;
    } else if (number && is_digit(*number_end)) {
      p = number;
      n = ++number_end;
    } else if (star && *star_end) {
      p = star;
      n = ++star_end;
      number = NULL;
    } else {
      return false;
    }
  }
}

bool ct_path_is_pattern(const char *path) {
  for (const char *c = ct_path_name(path); *c; c++)
    if (*c == '*' || *c == '?' || *c == '#' || number_place(c)) return true;
  return false;
}

/* Lists `folder`; pattern or extensions, the other is NULL. */
static bool list_files(ct_file_list *list, const char *folder, const char *pattern, const char *extensions,
                       ct_error **error) {
  *list = (ct_file_list){NULL, 0};
  DIR *dir = opendir(folder);
  if (!dir) return ct_error_set_errno(error, errno, "Cannot open the folder %s", folder);
  size_t capacity = 0;
  bool good = true;
  const struct dirent *entry;
  while (good && (entry = readdir(dir))) {
    const char *name = entry->d_name;
    if (name[0] == '.') continue;
    if (pattern ? fits(pattern, name) : ct_path_has_extension(name, extensions))
      good = append(list, &capacity, folder, name, error);
  }
  closedir(dir);
  if (!good) {
    ct_file_list_clear(list);
    return false;
  }
  if (list->count) qsort(list->paths, list->count, sizeof *list->paths, compare_paths);
  return true;
}

bool ct_file_list_folder(ct_file_list *list, const char *folder, const char *extensions, ct_error **error) {
  if (!list_files(list, folder, NULL, extensions, error)) return false;
  if (list->count) return true;
  ct_file_list_clear(list);
  return ct_error_set(error, CT_ERROR_FORMAT, "The folder %s holds no file that ends in: %s", folder, extensions);
}

bool ct_file_list_pattern(ct_file_list *list, const char *pattern, ct_error **error) {
  *list = (ct_file_list){NULL, 0};
  char *folder = ct_path_folder(pattern, error);
  if (!folder) return false;
  bool good = list_files(list, folder, ct_path_name(pattern), NULL, error);
  ct_free(folder);
  if (good && list->count == 0) {
    ct_file_list_clear(list);
    good = ct_error_set(error, CT_ERROR_IO, "No file fits %s", pattern);
  }
  return good;
}

bool ct_path_split_dataset(const char *path, char **file, char **dataset) {
  *file = *dataset = NULL;
  const char *mark = ct_path_exists(path) ? NULL : strstr(path, "::");
  if (!mark || mark == path || !mark[2]) return false;
  *file = ct_strprintf("%.*s", (int)(mark - path), path);
  *dataset = ct_strdup(mark + 2, NULL);
  if (*file && *dataset) return true;
  ct_free(*file);
  ct_free(*dataset);
  *file = *dataset = NULL;
  return false;
}

char *ct_path_trimmed(const char *path, ct_error **error) {
  char *trimmed = ct_strdup(path, error);
  if (trimmed)
    for (size_t n = strlen(trimmed); n > 1 && trimmed[n - 1] == '/';) trimmed[--n] = 0;
  return trimmed;
}

int ct_probe_confidence(const char *path, const char *extensions, bool recognised) {
  const bool named = ct_path_has_extension(path, extensions);
  if (recognised) return named ? 95 : 80;
  return named ? 50 : 0;
}
