/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes that say that the numbers of an array are packed: scale_factor and add_offset (CF conventions, netCDF-4:
 * value = stored scale_factor + add_offset) are applied. Others are warned of: programs disagree about their
 * direction. */
#include "recon/io/hdf5/hdf5-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <math.h>
#include <string.h>

/* Attributes of the dataset, or datasets beside it: NAME_scaling_factor, scaling_factor (NXdata). */
static bool find_other(const ct_hdf5_scan *scan, const char *name, hid_t dataset, char found[CT_HDF5_TEXT]) {
  static const struct {
    const char *name;
    double neutral;
  } attributes[] = {{"scale", 1},     {"offset", 0},      {"scaling_factor", 1}, {"slope", 1},
                    {"intercept", 0}, {"calibration", 1}, {"RescaleSlope", 1},   {"RescaleIntercept", 0}};
  static const struct {
    bool named; /* begins with the array's name */
    const char *ending;
    double neutral;
  } siblings[] = {{true, "_scaling_factor", 1}, {true, "_offset", 0}, {false, "scaling_factor", 1}};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    double value = attributes[i].neutral;
    if (ct_hdf5_number_attribute(dataset, attributes[i].name, &value) && value != attributes[i].neutral) {
      snprintf(found, CT_HDF5_TEXT, "its attribute \"%s\" = %g", attributes[i].name, value);
      return true;
    }
  }
  const char *slash = strrchr(name, '/');
  for (size_t i = 0; slash && i < sizeof siblings / sizeof *siblings; i++) {
    char path[4 * CT_HDF5_TEXT];
    double *values = NULL;
    size_t count = 0;
    if (snprintf(path, sizeof path, "%.*s/%s%s", (int)(slash - name), name, siblings[i].named ? slash + 1 : "",
                 siblings[i].ending) >= (int)sizeof path ||
        !ct_hdf5_is_dataset(scan->file, path) || !ct_hdf5_read_numbers(scan->file, path, &values, &count, NULL, NULL))
      continue;
    const double value = values[0];
    ct_free(values);
    if (value == siblings[i].neutral) continue;
    snprintf(found, CT_HDF5_TEXT, "%.200s = %g", path, value);
    return true;
  }
  return false;
}

bool ct_hdf5_take_packing(ct_hdf5_scan *scan, ct_frame_kind kind, const char *name, ct_error **error) {
  const ct_hdf5_array *array = &scan->arrays[kind].array;
  char other[CT_HDF5_TEXT];
  double scale = 1, offset = 0;
  const bool scaled = ct_hdf5_number_attribute(array->id, "scale_factor", &scale);
  if (ct_hdf5_number_attribute(array->id, "add_offset", &offset) || scaled) {
    if (scale == 0)
      return ct_error_set(error, CT_ERROR_DATA, "%s: the attribute scale_factor of %s is 0.", scan->path, name);
    scan->scale[kind] = scale;
    scan->offset[kind] = offset;
    ct_remarks_add(&scan->remarks, CT_REMARK_READ, ct_path_name(scan->path),
                   "%s is packed: value = stored x %g + %g (scale_factor, add_offset)", name, scale, offset);
  } else if (find_other(scan, name, array->id, other)) {
    ct_remarks_add(&scan->remarks, CT_REMARK_DOUBT, ct_path_name(scan->path),
                   "%s is read as it is stored, but %s may say that its values are others", name, other);
  }
  return true;
}
