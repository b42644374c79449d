/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans and volumes as CIL's NEXUSDataWriter keeps them: /entry1/tomo_entry/data/data with the names of its axes
 * (dim0: "angle", "vertical", "horizontal", "channel") and the panel as attributes, /entry1/tomo_entry/config with the
 * positions of source, detector and axis for the angle 0, and the angles. The object turns by the angle
 * counter-clockwise, so that the gantry turns the other way. Positions are float32. Source: the writer and
 * convert_geometry_to_astra_vec_3D.py of CIL 21 to 25. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/hdf5-private.h"
#include "recon/io/shared/angle-text.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/told-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#define ENTRY "/entry1/tomo_entry"
#define CONFIG ENTRY "/config"
#define DATA ENTRY "/data/data"

enum { MOST_FRAMES = 20000000 };

ct_content ct_hdf5_cil_content(const ct_hdf5_file *file) {
  char type[CT_HDF5_TEXT] = "";
  const hid_t id = ct_hdf5_is_dataset(file, DATA) ? H5Dopen2(file->id, DATA, file->access) : -1;
  if (id < 0) return CT_CONTENT_EITHER;
  ct_hdf5_text_attribute(id, "data_type", type);
  H5Dclose(id);
  return strcmp(type, "AcquisitionData") == 0 ? CT_CONTENT_SCAN
         : strcmp(type, "ImageData") == 0     ? CT_CONTENT_VOLUME
                                              : CT_CONTENT_EITHER;
}

bool ct_hdf5_find_cil(const ct_hdf5_file *file, ct_hdf5_place *place) {
  if (ct_hdf5_cil_content(file) != CT_CONTENT_SCAN) return false;
  *place = (ct_hdf5_place){.kind = CT_HDF5_CIL, .title = "CIL NeXus", .data = DATA, .entry = ENTRY};
  return true;
}

/* The axis with a name, or -1. */
static int axis_named(hid_t data, const char *name) {
  for (int i = 0; i < CT_HDF5_MAX_RANK; i++) {
    char key[16], text[CT_HDF5_TEXT];
    snprintf(key, sizeof key, "dim%d", i);
    ct_hdf5_text_attribute(data, key, text);
    if (strcasecmp(text, name) == 0) return i;
  }
  return -1;
}

static bool take_axes(ct_hdf5_scan *scan, ct_error **error) {
  ct_hdf5_frames *frames = &scan->arrays[CT_FRAME_PROJECTION];
  const ct_hdf5_array *a = &frames->array;
  const int view = axis_named(a->id, "angle"), row = axis_named(a->id, "vertical"),
            column = axis_named(a->id, "horizontal");
  if (column < 0 || column >= a->rank || view >= a->rank || row >= a->rank)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: the axes of %s are not named (dim0 to dim%d: angle, vertical, "
                        "horizontal).",
                        scan->path, DATA, a->rank - 1);
  for (int i = 0; i < a->rank; i++)
    if (i != view && i != row && i != column && a->dims[i] != 1)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "%s holds %llu energy channels; save one of them (get_slice(channel=...)).", scan->path,
                          (unsigned long long)a->dims[i]);
  const hsize_t count = view < 0 ? 1 : a->dims[view], rows = row < 0 ? 1 : a->dims[row], columns = a->dims[column];
  if (count > MOST_FRAMES || rows > INT_MAX || columns > INT_MAX || (double)rows * (double)columns > 0x1p40)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s claims %llu frames of %llu x %llu pixels, which cannot be.",
                        scan->path, DATA, (unsigned long long)count, (unsigned long long)columns,
                        (unsigned long long)rows);
  frames->frame_axis = view;
  frames->row_axis = row;
  frames->column_axis = column;
  frames->count = (int)count;
  frames->nv = (int)rows;
  frames->nu = (int)columns;
  scan->facts.layout = row >= 0 && row < view ? CT_LAYOUT_SINOGRAMS : CT_LAYOUT_PROJECTIONS;
  return ct_hdf5_frames_cache(frames, scan->file, DATA, false) ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s: the dataset %s cannot be opened.", scan->path, DATA);
}

/* The decimal number of seven digits that a float32 stands for. */
static double of_float(double value) {
  if (value == 0 || !isfinite(value)) return value;
  const double unit = pow(10, 6 - floor(log10(fabs(value)))), rounded = round(value * unit) / unit;
  return (float)rounded == (float)value ? rounded : value;
}

/* Two or three numbers, z = 0 where there are two. Fails where they are missing and needed. */
static bool take_vector(ct_hdf5_scan *scan, const char *name, const double *without, double out[3], ct_error **error) {
  double *values;
  size_t count;
  if (without && !ct_hdf5_is_dataset(scan->file, name)) {
    memcpy(out, without, 3 * sizeof *out);
    return true;
  }
  if (!ct_hdf5_read_numbers(scan->file, name, &values, &count, NULL, error)) return false;
  bool good = count == 2 || count == 3;
  for (size_t i = 0; i < 3; i++) out[i] = i < count && good ? of_float(values[i]) : 0;
  for (int i = 0; i < 3; i++) good = good && isfinite(out[i]) && fabs(out[i]) < 1e12;
  ct_free(values);
  return good || ct_error_set(error, CT_ERROR_DATA, "%s: %s must hold two or three finite numbers.", scan->path, name);
}

typedef struct {
  double source[3]; /* parallel: the direction of the rays */
  double detector[3], across[3], up[3];
} system_at_zero;

/* Turns a vector as the one that brings the axis to z. */
static void upright(const double axis[3], double v[3]) {
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double a = axis[0] / length, b = axis[1] / length, c = axis[2] / length;
  if (!(length > 0) || (fabs(a) < 1e-9 && fabs(b) < 1e-9 && c > 0)) return;
  if (c < -1 + 1e-9) {
    v[1] = -v[1];
    v[2] = -v[2];
    return;
  }
  const double k = 1 / (1 + c), x = v[0], y = v[1], z = v[2];
  v[0] = (1 - k * a * a) * x - k * a * b * y - a * z;
  v[1] = -k * a * b * x + (1 - k * b * b) * y - b * z;
  v[2] = a * x + b * y + c * z;
}

static bool take_system(ct_hdf5_scan *scan, bool parallel, system_at_zero *s, ct_error **error) {
  static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1}, none[3] = {0, 0, 0};
  double place[3], axis[3];
  if (!take_vector(scan, parallel ? CONFIG "/ray/direction" : CONFIG "/source/position", NULL, s->source, error) ||
      !take_vector(scan, CONFIG "/detector/position", parallel ? none : NULL, s->detector, error) ||
      !take_vector(scan, CONFIG "/detector/direction_x", x, s->across, error) ||
      !take_vector(scan, CONFIG "/detector/direction_y", z, s->up, error) ||
      !take_vector(scan, CONFIG "/rotation_axis/position", none, place, error) ||
      !take_vector(scan, CONFIG "/rotation_axis/direction", z, axis, error))
    return false;
  for (int i = 0; i < 3; i++) {
    s->detector[i] -= place[i];
    if (!parallel) s->source[i] -= place[i];
  }
  upright(axis, s->source);
  upright(axis, s->detector);
  upright(axis, s->across);
  upright(axis, s->up);
  return true;
}

/* Finite and positive, or `without`. */
static double pitch_of(hid_t data, const char *name, double without) {
  double value = 0;
  const bool told = ct_hdf5_number_attribute(data, name, &value);
  return told && value > 1e-9 && value < 1e6 ? of_float(value) : without;
}

static void turn(const double v[3], double angle, double scale, double out[3]) {
  const double c = cos(angle), s = sin(angle);
  out[0] = scale * (c * v[0] - s * v[1]);
  out[1] = scale * (s * v[0] + c * v[1]);
  out[2] = scale * v[2];
}

/* Of all views, new memory. */
static double *take_angles(ct_hdf5_scan *scan, int views, ct_error **error) {
  double *angles = NULL, initial = 0;
  size_t count;
  char unit[CT_HDF5_TEXT] = "";
  if (!ct_hdf5_read_numbers(scan->file, CONFIG "/angles", &angles, &count, NULL, error)) return NULL;
  const hid_t id = H5Dopen2(scan->file->id, CONFIG "/angles", scan->file->access);
  if (id >= 0) {
    ct_hdf5_text_attribute(id, "angle_unit", unit);
    ct_hdf5_number_attribute(id, "initial_angle", &initial);
    H5Dclose(id);
  }
  bool good = count == (size_t)views;
  if (!good)
    ct_error_set(error, CT_ERROR_DATA, "%s: %s holds %zu angles for %d projections.", scan->path, CONFIG "/angles",
                 count, views);
  double factor = 1;
  ct_angle_unit(unit, &factor);
  factor *= M_PI / 180;
  for (size_t i = 0; good && i < count; i++) {
    if (!isfinite(angles[i]) || !isfinite(initial))
      good = ct_error_set(error, CT_ERROR_DATA, "%s: angle %zu is not a finite number.", scan->path, i);
    angles[i] = -(of_float(angles[i]) + of_float(initial)) * factor;
  }
  if (good) return angles;
  ct_free(angles);
  return NULL;
}

static bool take_geometry(ct_hdf5_scan *scan, ct_error **error) {
  ct_geometry *g = &scan->facts.geometry;
  const hid_t data = scan->arrays[CT_FRAME_PROJECTION].array.id;
  const bool parallel = !ct_hdf5_is_dataset(scan->file, CONFIG "/source/position");
  const double du = pitch_of(data, "pixel_size_h", 1), dv = pitch_of(data, "pixel_size_v", du);
  system_at_zero s;
  ct_told told;
  ct_told_init(&told);
  double *angles = take_system(scan, parallel, &s, error) ? take_angles(scan, g->views, error) : NULL;
  bool good = angles && (told.poses = ct_alloc((size_t)g->views, 12 * sizeof *told.poses, "the geometry", error));
  for (int i = 0; good && i < g->views; i++) {
    double *pose = told.poses + 12 * (size_t)i;
    turn(s.source, angles[i], 1, pose);
    turn(s.detector, angles[i], 1, pose + 3);
    turn(s.across, angles[i], du, pose + 6);
    turn(s.up, angles[i], dv, pose + 9);
  }
  told.beam = parallel ? CT_TOLD_PARALLEL : CT_TOLD_DIVERGENT;
  told.per_pixel = true;
  good = good && ct_told_apply_poses(&told, &scan->facts, error);
  if (!good) ct_error_prefix(error, "%s", scan->path);
  ct_told_clear(&told);
  ct_free(angles);
  return good;
}

bool ct_hdf5_fill_cil(ct_hdf5_scan *scan, const ct_hdf5_place *place, ct_error **error) {
  ct_hdf5_frames *frames = &scan->arrays[CT_FRAME_PROJECTION];
  char origin[CT_HDF5_TEXT] = "";
  double scale = 1, offset = 0;
  if (ct_hdf5_exists(scan->file, ENTRY "/data/image_key"))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s holds image keys, which CIL's writer does not write: name the arrays of projections, flats "
                        "and darks in a scan description.",
                        scan->path);
  if (!ct_hdf5_array_open(&frames->array, scan->file, scan->path, place->data, error) || !take_axes(scan, error) ||
      !ct_geometry_init(&scan->facts.geometry, CT_BEAM_PARALLEL, frames->nu, frames->nv, frames->count, error))
    return false;
  ct_hdf5_text_attribute(frames->array.id, "panel_origin", origin);
  scan->facts.format = place->title;
  scan->facts.flip_rows = strstr(origin, "top") != NULL;
  scan->facts.flip_columns = strstr(origin, "right") != NULL;
  /* stored = value scale + offset */
  ct_hdf5_number_attribute(frames->array.id, "scale", &scale);
  ct_hdf5_number_attribute(frames->array.id, "offset", &offset);
  if (!isfinite(1 / scale) || !isfinite(offset) || scale == 0)
    return ct_error_set(error, CT_ERROR_DATA, "%s: scale %g and offset %g of its values make no sense.", scan->path,
                        scale, offset);
  scan->scale[CT_FRAME_PROJECTION] = 1 / scale;
  scan->offset[CT_FRAME_PROJECTION] = -offset / scale;
  const char *name = ct_path_name(scan->path);
  if (!take_geometry(scan, error)) return false;
  ct_remarks_add(&scan->remarks, CT_REMARK_READ, name,
                 "where source, detector and axis are, the angles, the pixels and the panel's origin (%s)",
                 origin[0] ? origin : "bottom-left");
  ct_remarks_add(&scan->remarks, CT_REMARK_ASSUMED, name, "its lengths are millimetres");
  return true;
}

bool ct_hdf5_cil_grid(const ct_hdf5_array *array, const char *path, ct_grid *grid, double *scale, double *offset,
                      ct_error **error) {
  static const char *const axes[3] = {"horizontal_x", "horizontal_y", "vertical"};
  static const char *const sizes[3] = {"voxel_size_x", "voxel_size_y", "voxel_size_z"};
  static const char *const centres[3] = {"center_x", "center_y", "center_z"};
  const int counts[3] = {(int)array->dims[2], (int)array->dims[1], (int)array->dims[0]};
  double size[3], centre[3] = {0, 0, 0}, factor = 1, shift = 0;
  for (int i = 0; i < 3; i++) {
    if (axis_named(array->id, axes[i]) != 2 - i)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "%s: the axes of %s must be vertical, horizontal_y, horizontal_x; reorder it by "
                          "reorder(['vertical', 'horizontal_y', 'horizontal_x']).",
                          path, DATA);
    size[i] = pitch_of(array->id, sizes[i], 1);
    ct_hdf5_number_attribute(array->id, centres[i], &centre[i]);
    centre[i] = of_float(centre[i]);
  }
  ct_hdf5_number_attribute(array->id, "scale", &factor);
  ct_hdf5_number_attribute(array->id, "offset", &shift);
  if (factor == 0 || !isfinite(1 / factor) || !isfinite(shift) || !isfinite(centre[0] + centre[1] + centre[2]))
    return ct_error_set(error, CT_ERROR_DATA, "%s: the scale or place of %s is damaged.", path, DATA);
  *scale = 1 / factor;
  *offset = -shift / factor;
  *grid = (ct_grid){counts[0], counts[1], counts[2], size[0], size[1], size[2], 0, 0, 0};
  grid->x0 = centre[0] - 0.5 * (counts[0] - 1) * size[0];
  grid->y0 = centre[1] - 0.5 * (counts[1] - 1) * size[1];
  grid->z0 = centre[2] - 0.5 * (counts[2] - 1) * size[2];
  return true;
}
