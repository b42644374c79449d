/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small datasets of numbers, and lengths with units. */
#include "recon/io/hdf5/sources-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>
#include <strings.h>

bool ct_hdf5_read_numbers(const ct_hdf5_file *file, const char *name, double **values, size_t *count,
                          char units[CT_HDF5_TEXT], ct_error **error) {
  const char *path = file->sources->files[0].path;
  *values = NULL;
  *count = 0;
  ct_hdf5_array array;
  if (!ct_hdf5_array_open(&array, file, path, name, error)) return false;
  size_t n = 1;
  bool good = ct_hdf5_sources_add_dataset(file->sources, array.id, name, error);
  const bool complete = good;
  for (int i = 0; good && i < array.rank; i++) good = !__builtin_mul_overflow(n, (size_t)array.dims[i], &n);
  if (!complete) {
    good = false;
  } else if (!good || n > (size_t)1 << 26) {
    good = ct_error_set(error, CT_ERROR_FORMAT, "%s: %s holds too many values.", path, name);
  } else if ((good = (*values = ct_alloc(n, sizeof(double), "numbers of an HDF5 file", error)))) {
    if (H5Dread(array.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
      good = ct_error_set(error, CT_ERROR_FORMAT,
                          "%s: the values of %s cannot be read: the file is cut off or damaged.", path, name);
  }
  if (good && units) ct_hdf5_text_attribute(array.id, "units", units);
  ct_hdf5_array_close(&array);
  if (good) {
    *count = n;
  } else {
    ct_free(*values);
    *values = NULL;
  }
  return good;
}

bool ct_hdf5_length_unit(const char *unit, double *mm) {
  static const struct {
    const char *unit;
    double mm;
  } units[] = {
      {"mm", 1},           {"millimeter", 1},    {"millimetre", 1},
      {"m", 1e3},          {"meter", 1e3},       {"metre", 1e3},
      {"cm", 10},          {"um", 1e-3},         {"\xc2\xb5m", 1e-3},
      {"\xce\xbcm", 1e-3}, {"micrometer", 1e-3}, {"micrometre", 1e-3},
      {"micron", 1e-3},    {"nm", 1e-6},         {"", 1e3}, /* NeXus and Data Exchange: SI units by default */
  };
  const size_t length = strlen(unit);
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const size_t known = strlen(units[i].unit);
    const bool plural = known > 2 && length == known + 1 && (unit[known] == 's' || unit[known] == 'S');
    if ((length == known || plural) && strncasecmp(unit, units[i].unit, known) == 0) {
      *mm = units[i].mm;
      return true;
    }
  }
  return false;
}

bool ct_hdf5_read_length(const ct_hdf5_file *file, const char *name, double *mm) {
  double *values, scale;
  size_t count;
  char unit[CT_HDF5_TEXT];
  if (!ct_hdf5_is_dataset(file, name) || !ct_hdf5_read_numbers(file, name, &values, &count, unit, NULL)) return false;
  const double value = values[0];
  ct_free(values);
  if (!ct_hdf5_length_unit(unit, &scale)) return false;
  *mm = value * scale;
  return isfinite(*mm);
}
