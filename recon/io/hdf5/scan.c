/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans in HDF5 files: opened by their layout, frames read from the file when they are asked for. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/hdf5-private.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void ct_hdf5_add_note(ct_hdf5_scan *scan, const char *format, ...) {
  const size_t length = strlen(scan->note);
  if (length + 2 >= sizeof scan->note) return;
  if (length) memcpy(scan->note + length, " ", 2);
  va_list args;
  va_start(args, format);
  vsnprintf(scan->note + strlen(scan->note), sizeof scan->note - strlen(scan->note), format, args);
  va_end(args);
}

static void close_scan(ct_hdf5_scan *scan) {
  for (int kind = 0; kind < 3; kind++) {
    ct_hdf5_array_close(&scan->arrays[kind].array);
    ct_free(scan->indices[kind]);
  }
  for (int i = 0; i < 2; i++) ct_free(scan->positions[i]);
  if (scan->file >= 0) H5Fclose(scan->file);
  ct_geometry_clear(&scan->facts.geometry);
  ct_free(scan->path);
  ct_free(scan);
}

static void free_scan(void *state) {
  ct_hdf5_lock();
  close_scan(state);
  ct_hdf5_unlock();
}

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  const ct_hdf5_scan *scan = state;
  const int *indices = scan->indices[kind];
  ct_hdf5_lock();
  const bool good = ct_hdf5_frames_read(&scan->arrays[indices ? 0 : kind], scan->path, indices ? indices[index] : index,
                                        row0, rows, out, error);
  ct_hdf5_unlock();
  return good;
}

static ct_values values_of(const char *units) {
  static const struct {
    const char *word;
    ct_values values;
  } words[] = {
      {"filtered line integral", CT_VALUES_FILTERED}, {"line integral", CT_VALUES_LINE_INTEGRALS},
      {"attenuation", CT_VALUES_LINE_INTEGRALS},      {"absorption", CT_VALUES_LINE_INTEGRALS},
      {"transmission", CT_VALUES_TRANSMISSION},       {"count", CT_VALUES_COUNTS},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(units, words[i].word)) return words[i].values;
  return CT_VALUES_UNKNOWN;
}

static bool fill_plain(ct_hdf5_scan *scan, const ct_hdf5_place *place, ct_error **error) {
  ct_hdf5_frames *frames = &scan->arrays[CT_FRAME_PROJECTION];
  if (!ct_hdf5_array_open(&frames->array, scan->file, scan->path, place->data, error) ||
      !ct_hdf5_frames_init(frames, scan->path, place->data, 0, error) ||
      !ct_geometry_init(&scan->facts.geometry, CT_BEAM_PARALLEL, frames->nu, frames->nv, frames->count, error))
    return false;
  scan->facts.format = "HDF5";
  return ct_hdf5_take_angles(scan, NULL, "", "", error);
}

bool ct_hdf5_take_angles(ct_hdf5_scan *scan, const double *angles, const char *units, const char *name,
                         ct_error **error) {
  ct_geometry *g = &scan->facts.geometry;
  double largest = 0, smallest = INFINITY, greatest = -INFINITY;
  for (int i = 0; angles && i < g->views; i++) {
    if (!isfinite(angles[i]))
      return ct_error_set(error, CT_ERROR_DATA, "%s: the angle of projection %d in %s is not a finite number.",
                          scan->path, i, name);
    largest = fmax(largest, fabs(angles[i]));
    smallest = fmin(smallest, angles[i]);
    greatest = fmax(greatest, angles[i]);
  }
  if (!angles || (largest == 0 && g->views > 1)) {
    const char *assumed = ct_assume_angles(g);
    if (angles) ct_hdf5_add_note(scan, "All angles in the file are zero.");
    ct_hdf5_add_note(scan, "%s", assumed);
    return true;
  }
  bool radians = strncasecmp(units, "rad", 3) == 0;
  if (!radians && strncasecmp(units, "deg", 3) != 0 && strcmp(units, "\xc2\xb0") != 0) {
    radians = largest <= 2 * M_PI && g->views > 1;
    ct_hdf5_add_note(scan, "The angles carry no unit; they are taken as %s because the largest is %.4g.",
                     radians ? "radians" : "degrees", largest);
  }
  const double turn = radians ? 2 * M_PI : 360, factor = radians ? 1 : M_PI / 180;
  /* A stage that has been turned many times counts on; whole turns are taken off, the same from all, so that a scan
   * that passes 360 degrees stays in order. */
  const double shift = smallest >= turn    ? turn * floor(smallest / turn)
                       : greatest <= -turn ? turn * ceil(greatest / turn)
                                           : 0;
  for (int i = 0; i < g->views; i++) g->angles[i] = (angles[i] - shift) * factor;
  scan->facts.known |= CT_KNOWN_ANGLES;
  return true;
}

void ct_hdf5_take_pitch(ct_hdf5_scan *scan, const char *group) {
  static const char *const names[2][3] = {{"x_pixel_size", "pixel_size_x", "pixel_size"},
                                          {"y_pixel_size", "pixel_size_y", "pixel_size"}};
  double pitch[2] = {0, 0};
  char name[4 * CT_HDF5_TEXT];
  bool present = false;
  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < 3 && pitch[axis] == 0; i++) {
      if (!ct_hdf5_join(name, group, names[axis][i]) || !ct_hdf5_exists(scan->file, name)) continue;
      present = true;
      /* From 1 nm to 100 mm: beyond it is a unit's mistake or a place holder. */
      if (!ct_hdf5_read_length(scan->file, name, &pitch[axis]) || !(pitch[axis] >= 1e-6 && pitch[axis] <= 100))
        pitch[axis] = 0;
    }
  if (pitch[0] > 0 || pitch[1] > 0) {
    scan->facts.geometry.du = pitch[0] > 0 ? pitch[0] : pitch[1];
    scan->facts.geometry.dv = pitch[1] > 0 ? pitch[1] : pitch[0];
    scan->facts.known |= CT_KNOWN_PITCH;
  } else if (present) {
    ct_hdf5_add_note(scan, "The pixel size in %s is no usable length and was passed over.", group);
  }
}

static bool fill(ct_hdf5_scan *scan, const ct_open_options *options, ct_error **error) {
  ct_hdf5_place *place = &scan->place;
  if (!ct_hdf5_find_scan(scan->file, scan->path, options->dataset, place, error)) return false;
  const bool good = place->kind == CT_HDF5_EXCHANGE ? ct_hdf5_fill_exchange(scan, place, options, error)
                    : place->kind == CT_HDF5_NXTOMO ? ct_hdf5_fill_nxtomo(scan, place, options, error)
                                                    : fill_plain(scan, place, error);
  if (!good) return false;
  if (place->others) ct_hdf5_add_note(scan, "The file holds %d scans; %s was opened.", place->others + 1, place->data);
  const ct_hdf5_array *array = &scan->arrays[CT_FRAME_PROJECTION].array;
  char units[CT_HDF5_TEXT];
  ct_hdf5_text_attribute(array->id, "units", units);
  if (scan->facts.values == CT_VALUES_UNKNOWN) scan->facts.values = values_of(units);
  if (scan->facts.values == CT_VALUES_UNKNOWN && scan->facts.flats > 0) scan->facts.values = CT_VALUES_COUNTS;
  scan->facts.integers = array->integers;
  scan->facts.together = scan->arrays[CT_FRAME_PROJECTION].together;
  scan->facts.dataset = place->data;
  scan->facts.path = scan->path;
  scan->facts.note = scan->note[0] ? scan->note : NULL;
  scan->facts.flat_positions = scan->positions[0];
  scan->facts.dark_positions = scan->positions[1];
  return ct_file_size(scan->path, &scan->facts.bytes, error);
}

/* Everything that opening reads; the result is complete or NULL. */
static ct_hdf5_scan *open_all(const char *path, const ct_open_options *options, ct_error **error) {
  ct_hdf5_scan *scan = ct_alloc_zero(1, sizeof *scan, "the scan", error);
  if (!scan) return NULL;
  scan->file = -1;
  for (int kind = 0; kind < 3; kind++) scan->arrays[kind].array.id = -1;
  if ((scan->path = ct_strdup(path, error)) && (scan->file = ct_hdf5_open_file(path, error)) >= 0 &&
      fill(scan, options, error))
    return scan;
  close_scan(scan);
  return NULL;
}

typedef struct {
  const char *path;
  const ct_open_options *options;
} attempt;

static void try_to_open(void *data) {
  const attempt *a = data;
  open_all(a->path, a->options, NULL);
}

ct_scan *ct_hdf5_open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  const ct_open_options none = {0};
  attempt a = {path, options ? options : &none};
  ct_hdf5_scan *scan = NULL;
  ct_hdf5_lock();
  if (ct_hdf5_survives(try_to_open, &a))
    scan = open_all(path, a.options, error);
  else
    ct_error_set(error, CT_ERROR_FORMAT, "%s is a damaged HDF5 file.", path);
  ct_hdf5_unlock();
  return scan ? ct_scan_new(&scan->facts, (ct_scan_source){scan, read_frame, free_scan}, error) : NULL;
}
