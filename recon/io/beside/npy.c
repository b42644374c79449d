/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of numbers in NumPy's .npy, in double precision: rows of float64 or float32, C order. Source:
 * numpy.lib.format. (Images in such files are read by recon/io/numpy, as float32.) */
#include "recon/io/beside/beside-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/io-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_MOST = 1 << 16, VALUES_MOST = 1 << 24 };

typedef struct {
  char *text; /* of the header */
  off_t data;
  bool big_endian;
  size_t size; /* of a number */
  size_t rows, columns;
} table;

/* What follows 'KEY': in the header, blanks left out; "" where it is not there. */
static const char *value_of(const char *text, const char *key) {
  const char *at = strstr(text, key);
  at = at ? strchr(at, ':') : NULL;
  if (!at) return "";
  return at + 1 + strspn(at + 1, " ");
}

static bool parse(const char *path, table *t, ct_error **error) {
  const char *type = value_of(t->text, "'descr'"), *order = value_of(t->text, "'fortran_order'"),
             *shape = value_of(t->text, "'shape'");
  if (*type == '\'') type++;
  t->big_endian = *type == '>';
  t->size = strncmp(type, "<f8", 3) == 0 || strncmp(type, ">f8", 3) == 0   ? 8
            : strncmp(type, "<f4", 3) == 0 || strncmp(type, ">f4", 3) == 0 ? 4
                                                                           : 0;
  if (!t->size || strncmp(order, "False", 5) != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s: tables of float64 or float32 in C order can be read: save it by "
                        "numpy.ascontiguousarray(..., dtype=float).",
                        path);
  char *end;
  const unsigned long long rows = *shape == '(' ? strtoull(shape + 1, &end, 10) : 0;
  const unsigned long long columns = rows && *end == ',' ? strtoull(end + 1, &end, 10) : 0;
  if (!rows || !columns || columns > 64 || rows > VALUES_MOST / columns || *(end + strspn(end, ", ")) != ')')
    return ct_error_set(error, CT_ERROR_DATA, "%s: a table of two dimensions is expected, a row for each view.", path);
  t->rows = (size_t)rows;
  t->columns = (size_t)columns;
  return true;
}

static bool read_head(const char *path, int descriptor, table *t, ct_error **error) {
  unsigned char begin[12];
  if (!ct_read_exactly(descriptor, path, begin, sizeof begin, 0, error)) return false;
  if (memcmp(begin, "\x93NUMPY", 6) != 0 || begin[6] < 1 || begin[6] > 3)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is no NumPy array of version 1 to 3.", path);
  const bool is_short = begin[6] == 1;
  const size_t length = is_short ? begin[8] | (size_t)begin[9] << 8
                                 : begin[8] | (size_t)begin[9] << 8 | (size_t)begin[10] << 16 | (size_t)begin[11] << 24;
  if (length > HEAD_MOST) return ct_error_set(error, CT_ERROR_FORMAT, "%s: its header is too long.", path);
  t->data = (off_t)((is_short ? 10 : 12) + length);
  t->text = ct_alloc_zero(length + 1, 1, "a header", error);
  return t->text && ct_read_exactly(descriptor, path, t->text, length, is_short ? 10 : 12, error) &&
         parse(path, t, error);
}

static double number_at(const unsigned char *from, const table *t) {
  unsigned char bytes[8] = {0};
  for (size_t i = 0; i < t->size; i++)
    bytes[i] = t->big_endian == ct_machine_is_big_endian() ? from[i] : from[t->size - 1 - i];
  double wide;
  float narrow;
  memcpy(&wide, bytes, sizeof wide);
  memcpy(&narrow, bytes, sizeof narrow);
  return t->size == 8 ? wide : (double)narrow;
}

double *ct_beside_read_npy(const char *path, size_t *count, int *columns, ct_error **error) {
  table t = {0};
  const int descriptor = ct_open_to_read(path, error);
  double *values = NULL;
  unsigned char *bytes = NULL;
  if (descriptor < 0) return NULL;
  if (read_head(path, descriptor, &t, error)) {
    uint64_t there = 0;
    *count = t.rows * t.columns;
    *columns = (int)t.columns;
    /* The header is checked against the file before memory is taken for what it promises. */
    if (!ct_file_size(path, &there, error) || there < (uint64_t)t.data + *count * t.size)
      ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: its header promises %zu x %zu numbers.", path, t.rows,
                   t.columns);
    else if ((bytes = ct_alloc(*count, t.size, "the geometry", error)) &&
             ct_read_exactly(descriptor, path, bytes, *count * t.size, t.data, error))
      values = ct_alloc(*count, sizeof *values, "the geometry", error);
  }
  for (size_t i = 0; values && i < *count; i++) values[i] = number_at(bytes + i * t.size, &t);
  close(descriptor);
  ct_free(bytes);
  ct_free(t.text);
  return values;
}
