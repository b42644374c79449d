/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small text files, and numbers in text: always with a '.', whatever locale the program runs in. */
#include "recon/base/text.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular(const struct stat *status, const char *path, ct_error **error) {
  if (S_ISDIR(status->st_mode)) return ct_error_set(error, CT_ERROR_IO, "%s is a folder, not a file", path);
  return S_ISREG(status->st_mode) || ct_error_set(error, CT_ERROR_IO, "%s is not a regular file", path);
}

bool ct_file_size(const char *path, uint64_t *bytes, ct_error **error) {
  struct stat status;
  if (stat(path, &status) != 0) return ct_path_cannot_open(path, errno, error);
  if (!is_regular(&status, path, error)) return false;
  *bytes = (uint64_t)status.st_size;
  return true;
}

int ct_open_to_read(const char *path, ct_error **error) {
  struct stat status;
  uint64_t bytes;
  /* Before it is opened, which alone does something to some devices; and after, since it may be another one then. */
  if (!ct_file_size(path, &bytes, error)) return -1;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool good = descriptor >= 0 || ct_path_cannot_open(path, errno, error);
  if (good && fstat(descriptor, &status) != 0) good = ct_path_cannot_open(path, errno, error);
  if (good && is_regular(&status, path, error)) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

FILE *ct_stream_to_read(const char *path, ct_error **error) {
  const int descriptor = ct_open_to_read(path, error);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
  if (descriptor >= 0 && !file) {
    ct_path_cannot_open(path, errno, error);
    close(descriptor);
  }
  return file;
}

bool ct_read_exactly(int descriptor, const char *path, void *data, size_t bytes, off_t offset, ct_error **error) {
  char *to = data;
  while (bytes > 0) {
    const ssize_t got = pread(descriptor, to, bytes < ((size_t)1 << 30) ? bytes : (size_t)1 << 30, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ct_error_set_errno(error, errno, "Cannot read %s", path);
    if (got == 0)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: it is cut off or not what it is said to be", path);
    to += got;
    bytes -= (size_t)got;
    offset += got;
  }
  return true;
}

char *ct_read_whole(const char *path, size_t limit, size_t *length, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return NULL;
  if (bytes > limit) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s is too large for a text file of this kind (%llu bytes)", path,
                 (unsigned long long)bytes);
    return NULL;
  }
  const int descriptor = ct_open_to_read(path, error);
  if (descriptor < 0) return NULL;
  char *text = ct_alloc((size_t)bytes + 1, 1, "a text file", error);
  const bool good = text && ct_read_exactly(descriptor, path, text, (size_t)bytes, 0, error);
  close(descriptor);
  if (!good) {
    ct_free(text);
    return NULL;
  }
  text[bytes] = 0;
  *length = (size_t)bytes;
  return text;
}

char *ct_read_text(const char *path, size_t limit, size_t *length, ct_error **error) {
  static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
  size_t bytes;
  char *text = ct_read_whole(path, limit, &bytes, error);
  if (!text) return NULL;
  const bool wide = bytes >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
  if (wide || memchr(text, 0, bytes)) {
    ct_error_set(error, CT_ERROR_FORMAT,
                 wide ? "%s is text in UTF-16, which is not read: save it as UTF-8"
                      : "%s is not a text file: it holds zero bytes",
                 path);
    ct_free(text);
    return NULL;
  }
  if (strncmp(text, mark, strlen(mark)) == 0) {
    bytes -= strlen(mark);
    memmove(text, text + strlen(mark), bytes + 1);
  }
  if (length) *length = bytes;
  return text;
}

double ct_text_to_double(const char *text, char **end) {
  locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!locale) return strtod(text, end);
  const double value = strtod_l(text, end, locale);
  freelocale(locale);
  return value;
}

char *ct_double_to_text(double value, char text[32]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, 32, "%.*g", digits, value);
    const char *point = localeconv()->decimal_point;
    char *found = strstr(text, point);
    if (found && strcmp(point, ".") != 0) {
      const size_t length = strlen(point);
      *found = '.';
      memmove(found + 1, found + length, strlen(found + length) + 1);
    }
    if (!(ct_text_to_double(text, NULL) != value)) break;
  }
  return text;
}

bool ct_read_numbers(const char *path, double **values, size_t *count, ct_error **error) {
  *values = NULL;
  *count = 0;
  size_t length;
  char *text = ct_read_text(path, (size_t)1 << 28, &length, error);
  if (!text) return false;
  /* A number takes two bytes at least, with its separator. */
  double *numbers = ct_alloc(length / 2 + 1, sizeof *numbers, "the numbers of a text file", error);
  bool good = numbers != NULL;
  size_t n = 0, line = 1;
  const char *line_start = text;
  bool fresh = true; /* nothing of this line seen yet */
  for (const char *c = text; good && *c;) {
    if (*c == '\n') {
      line++;
      fresh = true;
      line_start = ++c;
    } else if (strchr(" \t\r,;", *c)) {
      c++;
    } else if (fresh && *c == '#') {
      while (*c && *c != '\n') c++;
    } else {
      char *end;
      const double value = ct_text_to_double(c, &end);
      if (end == c || !(*end == 0 || strchr(" \t\r\n,;", *end)))
        /* Not quoted: another file's name may have led here, to one that is nobody's angles. */
        good = ct_error_set(error, CT_ERROR_FORMAT, "%s, line %zu, column %zu: this is not a number", path, line,
                            (size_t)(c - line_start) + 1);
      else if (!isfinite(value))
        good = ct_error_set(error, CT_ERROR_FORMAT, "%s, line %zu: a number is not finite", path, line);
      else
        numbers[n++] = value;
      fresh = false;
      c = end;
    }
  }
  if (good && n == 0) good = ct_error_set(error, CT_ERROR_FORMAT, "%s holds no numbers", path);
  ct_free(text);
  if (!good) {
    ct_free(numbers);
    return false;
  }
  *values = numbers;
  *count = n;
  return true;
}

size_t ct_read_beginning(const char *path, void *bytes, size_t room, ct_error **error) {
  FILE *file = ct_stream_to_read(path, error);
  if (!file) return 0;
  errno = 0;
  const size_t size = fread(bytes, 1, room, file);
  if (ferror(file)) ct_error_set_errno(error, errno, "Cannot read %s", path);
  fclose(file);
  return size;
}
