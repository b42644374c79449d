/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables of MAT files. What a header promises is compared with the file's size before libmatio takes memory for it.
 */
#include "recon/io/matlab/matlab-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/inflate-private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 6 };

mat_t *ct_matlab_open(const char *path, ct_error **error) {
  unsigned char header[128];
  const size_t size = ct_read_beginning(path, header, sizeof header, NULL);
  mat_t *mat = NULL;
  if (size < sizeof header || memcmp(header, "MATLAB 5.0 MAT-file", 19) != 0)
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "%s is no MAT file of version 5 or 7.3: save it anew with save(name, '-v7')", path);
  else if (!(mat = Mat_Open(path, MAT_ACC_RDONLY)))
    ct_error_set(error, CT_ERROR_FORMAT, "%s is a cut-off or damaged MAT file", path);
  return mat;
}

/* Bytes that a variable and its fields are said to take; UINT64_MAX where they make no sense. */
static uint64_t claimed(matvar_t *v, int depth) {
  uint64_t elements = 1, total;
  if (!v) return 0;
  if (depth > DEEPEST || v->rank < 1 || v->rank > 16 || !v->dims) return UINT64_MAX;
  for (int i = 0; i < v->rank; i++)
    if (__builtin_mul_overflow(elements, (uint64_t)v->dims[i], &elements)) return UINT64_MAX;
  if (__builtin_mul_overflow(elements, v->data_size > 8 ? 8u : (uint64_t)v->data_size, &total)) return UINT64_MAX;
  if (v->class_type != MAT_C_STRUCT) return total;
  const unsigned fields = Mat_VarGetNumberOfFields(v);
  if (elements != 1 || fields > 1000) return UINT64_MAX;
  for (unsigned i = 0; i < fields; i++) {
    const uint64_t more = claimed(Mat_VarGetStructFieldByIndex(v, i, 0), depth + 1);
    if (__builtin_add_overflow(total, more, &total)) return UINT64_MAX;
  }
  return total;
}

matvar_t *ct_matlab_find(mat_t *mat, const char *path, const char *name, uint64_t file_bytes, matvar_t **owner,
                         ct_error **error) {
  char part[256];
  *owner = NULL;
  name += strspn(name, "/.");
  size_t length = strcspn(name, "/.");
  if (length == 0 || length >= sizeof part) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s holds no variable %s", path, name);
    return NULL;
  }
  memcpy(part, name, length);
  part[length] = 0;
  errno = 0;
  matvar_t *info = Mat_VarReadInfo(mat, part), *found = NULL;
  uint64_t most;
  if (__builtin_mul_overflow(file_bytes, (uint64_t)CT_DEFLATE_RATIO, &most)) most = UINT64_MAX - 1;
  if (info && claimed(info, 0) > most) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: %s promises more than its %llu bytes can hold", path, part,
                 (unsigned long long)file_bytes);
  } else if (info && (*owner = Mat_VarRead(mat, part))) {
    found = *owner;
  }
  const bool damaged = info && !found, short_of_memory = !found && errno == ENOMEM;
  Mat_VarFree(info);
  for (name += length; found && *name; name += length) {
    name += strspn(name, "/.");
    length = strcspn(name, "/.");
    if (length >= sizeof part) length = sizeof part - 1;
    memcpy(part, name, length);
    part[length] = 0;
    found = found->class_type == MAT_C_STRUCT ? Mat_VarGetStructFieldByName(found, part, 0) : NULL;
  }
  if (found) return found;
  if (short_of_memory && (!error || !*error))
    ct_error_set(error, CT_ERROR_MEMORY, "%s: there is not enough memory to read %s, or it is damaged.", path, part);
  else if (!error || !*error)
    ct_error_set(error, damaged ? CT_ERROR_FORMAT : CT_ERROR_ARGUMENT,
                 damaged ? "%s is a cut-off or damaged MAT file: %s cannot be read" : "%s holds no variable %s", path,
                 part);
  Mat_VarFree(*owner);
  *owner = NULL;
  return NULL;
}

static bool is_number(matvar_t *v) {
  switch (v->class_type) {
  case MAT_C_DOUBLE:
  case MAT_C_SINGLE:
  case MAT_C_INT8:
  case MAT_C_UINT8:
  case MAT_C_INT16:
  case MAT_C_UINT16:
  case MAT_C_INT32:
  case MAT_C_UINT32:
  case MAT_C_INT64:
  case MAT_C_UINT64:
    return !v->isComplex && v->dims && v->rank >= 2;
  default:
    return false;
  }
}

void ct_matlab_sides(matvar_t *v, size_t sides[3]) {
  int kept = 0, spare = v->rank - 3;
  for (int i = 0; i < 3; i++) sides[i] = 1;
  for (int i = 0; i < v->rank && kept < 3; i++) {
    if (spare > 0 && v->dims[i] == 1)
      spare--;
    else
      sides[kept++] = v->dims[i];
  }
}

bool ct_matlab_is_array(matvar_t *v) {
  int longer = 0;
  if (!v || !is_number(v)) return false;
  for (int i = 0; i < v->rank; i++) {
    if (v->dims[i] < 1) return false;
    longer += v->dims[i] > 1;
  }
  return longer == 2 || longer == 3;
}

#define COPY(type)                                                                                                     \
  for (size_t i = 0; i < n; i++) values[i] = (double)((const type *)v->data)[i];                                       \
  break

double *ct_matlab_numbers(matvar_t *v, size_t *count, ct_error **error) {
  size_t n = 1;
  bool good = is_number(v) && v->data;
  for (int i = 0; good && i < v->rank; i++) good = !__builtin_mul_overflow(n, v->dims[i], &n);
  good = good && n > 0 && v->data_size > 0 && v->nbytes / (size_t)v->data_size >= n;
  if (!good) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s holds no real numbers", v->name ? v->name : "A variable");
    return NULL;
  }
  double *values = ct_alloc(n, sizeof *values, "numbers of a MAT file", error);
  if (!values) return NULL;
  *count = n;
  switch (v->class_type) {
  case MAT_C_SINGLE:
    COPY(float);
  case MAT_C_INT8:
    COPY(int8_t);
  case MAT_C_UINT8:
    COPY(uint8_t);
  case MAT_C_INT16:
    COPY(int16_t);
  case MAT_C_UINT16:
    COPY(uint16_t);
  case MAT_C_INT32:
    COPY(int32_t);
  case MAT_C_UINT32:
    COPY(uint32_t);
  case MAT_C_INT64:
    COPY(int64_t);
  case MAT_C_UINT64:
    COPY(uint64_t);
  default:
    COPY(double);
  }
  return values;
}
