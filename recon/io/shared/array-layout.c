/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where an array's files are, and the numbers and units that headers write as text. */
#include "recon/io/shared/array-private.h"

#include "recon/base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool ct_array_layout_add(ct_array_layout *layout, const char *path, int64_t offset, uint64_t limit, int planes,
                         ct_error **error) {
  const size_t count = layout->part_count;
  ct_source source = {0};
  const bool beside = strcmp(path, layout->path) != 0;
  struct stat status;
  if (beside && lstat(path, &status) != 0 && errno == ENOENT)
    return ct_error_set(error, CT_ERROR_IO, "%s: its data file %s is not there. Put it there, or name another one.",
                        layout->path, strncmp(path, "./", 2) == 0 ? path + 2 : path);
  if (!ct_source_take(&source, path, error)) {
    if (beside) ct_error_prefix(error, "%s", layout->path);
    return false;
  }
  if ((count & (count - 1)) == 0) { /* 0, 1, 2, 4, 8, ... parts: there is no room for another */
    ct_array_part *parts = ct_alloc(count ? 2 * count : 1, sizeof *parts, "a list of files", error);
    if (!parts) return false;
    if (count) memcpy(parts, layout->parts, count * sizeof *parts);
    ct_free(layout->parts);
    layout->parts = parts;
  }
  char *copy = ct_strdup(path, error);
  if (!copy) return false;
  layout->parts[layout->part_count++] =
      (ct_array_part){.path = copy, .offset = offset, .limit = limit, .source = source, .planes = planes};
  return true;
}

bool ct_array_layout_holds(const ct_array_layout *layout, const char *file) {
  for (size_t i = 0; i < layout->part_count; i++)
    if (ct_path_is_same(layout->parts[i].path, file)) return true;
  return false;
}

/* One part per listed file. */
static bool add_files(ct_array_layout *layout, char *const *paths, size_t count, int64_t offset, ct_error **error) {
  const int planes = count && count <= INT_MAX ? layout->nz / (int)count : 0;
  if (planes < 1 || (size_t)planes * count != (size_t)layout->nz)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %d slices cannot be shared out over the %zu data files it names",
                        layout->path, layout->nz, count);
  for (size_t i = 0; i < count; i++)
    if (!ct_array_layout_add(layout, paths[i], offset, 0, planes, error)) return false;
  return true;
}

static bool add_list(ct_array_layout *layout, const char *folder, char *list, int64_t offset, ct_error **error) {
  const size_t length = strlen(list), capacity = (size_t)layout->nz < length ? (size_t)layout->nz : length + 1;
  ct_file_list files = {ct_alloc_zero(capacity, sizeof(char *), "a list of files", error), 0};
  bool good = files.paths != NULL;
  char *state = NULL;
  for (char *line = strtok_r(list, "\r\n", &state); good && line; line = strtok_r(NULL, "\r\n", &state)) {
    line += strspn(line, " \t");
    for (size_t n = strlen(line); n > 0 && strchr(" \t", line[n - 1]);) line[--n] = 0;
    if (!*line) continue;
    if (files.count >= capacity)
      good = ct_error_set(error, CT_ERROR_FORMAT, "%s names more data files than it has slices (%d)", layout->path,
                          layout->nz);
    else
      good = (files.paths[files.count++] = ct_path_join(folder, line, error)) != NULL;
  }
  good = good && add_files(layout, files.paths, files.count, offset, error);
  ct_file_list_clear(&files);
  return good;
}

/* The number is written out here: a text out of a file is nothing to hand to printf as a format. */
static bool add_pattern(ct_array_layout *layout, const char *folder, const char *pattern, int64_t offset,
                        ct_error **error) {
  const char *percent = strchr(pattern, '%'), *after = percent ? percent + 1 : pattern;
  int width = 0;
  while (*after >= '0' && *after <= '9' && width < 100) width = width * 10 + (*after++ - '0');
  const bool number = percent && (*after == 'd' || *after == 'i' || *after == 'u') && width < 100;
  const size_t tail = number ? strcspn(after + 1, " \t") : 0;
  int64_t range[4] = {1, layout->nz, 1, 0};
  if (!number || ct_text_integers(after + 1 + tail, range, 4) < 0 || memchr(after, '%', tail + 1) || range[2] < 1 ||
      range[0] < 0 || range[1] < range[0] || range[1] > INT_MAX || (range[1] - range[0]) / range[2] >= layout->nz)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the names of its data files, \"%.60s\", make no sense",
                        layout->path, pattern);
  const int64_t files = (range[1] - range[0]) / range[2] + 1;
  if (layout->nz % files != 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %d slices cannot be shared out over the %lld data files it names",
                        layout->path, layout->nz, (long long)files);
  bool good = true;
  for (int64_t i = 0; good && i < files; i++) {
    char *name = ct_strprintf("%.*s%0*lld%.*s", (int)(percent - pattern), pattern, width,
                              (long long)(range[0] + i * range[2]), (int)tail, after + 1);
    char *path = name ? ct_path_join(folder, name, error) : NULL;
    good = path && ct_array_layout_add(layout, path, offset, 0, (int)(layout->nz / files), error);
    ct_free(path);
    ct_free(name);
  }
  return good || ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory for the file names of %s", layout->path);
}

bool ct_array_layout_add_named(ct_array_layout *layout, const char *name, char *list, int64_t offset, uint64_t limit,
                               ct_error **error) {
  char *folder = ct_path_folder(layout->path, error), *path = NULL;
  bool good = folder != NULL;
  if (good && list)
    good = add_list(layout, folder, list, offset, error);
  else if (good && strchr(name, '%'))
    good = add_pattern(layout, folder, name, offset, error);
  else if (good)
    good = (path = ct_path_join(folder, name, error)) &&
           ct_array_layout_add(layout, path, offset, limit, layout->nz, error);
  ct_free(path);
  ct_free(folder);
  return good;
}

bool ct_array_layout_set_counts(ct_array_layout *layout, const int64_t *counts, int axes, ct_error **error) {
  int *const to[3] = {&layout->nx, &layout->ny, &layout->nz};
  layout->nx = layout->ny = layout->nz = 1;
  for (int i = 0; i < axes; i++) {
    if (counts[i] < 1 || counts[i] > INT_MAX)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible size: %lld along axis %d", layout->path,
                          (long long)counts[i], i + 1);
    if (i < 3)
      *to[i] = (int)counts[i];
    else if (counts[i] != 1)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s has more than three axes", layout->path);
  }
  return true;
}

void ct_array_layout_clear(ct_array_layout *layout) {
  for (size_t i = 0; i < layout->part_count; i++) ct_free(layout->parts[i].path);
  ct_free(layout->parts);
  ct_free(layout->path);
  *layout = (ct_array_layout){0};
}

static const char *skip_blanks(const char *text) {
  while (*text && strchr(" \t\r,", *text)) text++;
  return text;
}

int ct_text_numbers(const char *text, double *values, int capacity) {
  int count = 0;
  for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
    char *end;
    const double value = ct_text_to_double(text, &end);
    if (end == text || count == capacity || !(*end == 0 || strchr(" \t\r,", *end))) return -1;
    values[count++] = value;
    text = end;
  }
  return count;
}

int ct_text_integers(const char *text, int64_t *values, int capacity) {
  int count = 0;
  for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || errno || count == capacity || !(*end == 0 || strchr(" \t\r,", *end))) return -1;
    values[count++] = value;
    text = end;
  }
  return count;
}

double ct_unit_to_mm(const char *unit, size_t length) {
  static const struct {
    const char *name;
    double mm;
  } units[] = {{"mm", 1},          {"millimeter", 1},   {"cm", 10},      {"um", 1e-3}, {"micron", 1e-3},
               {"\\u00B5m", 1e-3}, {"\xc2\xb5m", 1e-3}, {"\xb5m", 1e-3}, {"nm", 1e-6}, {"m", 1000}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i].name) == length && memcmp(units[i].name, unit, length) == 0) return units[i].mm;
  return 0;
}
