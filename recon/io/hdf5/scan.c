/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans in HDF5 files: opened by their layout, frames read from the file when they are asked for. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/lab-private.h"
#include "recon/io/shared/meanings.h"

#include <string.h>

static void close_scan(ct_hdf5_scan *scan) {
  for (int kind = 0; kind < 3; kind++) {
    ct_hdf5_array_close(&scan->arrays[kind].array);
    ct_free(scan->indices[kind]);
  }
  for (int i = 0; i < 2; i++) ct_free(scan->positions[i]);
  ct_hdf5_close_file(scan->file);
  ct_geometry_clear(&scan->facts.geometry);
  ct_remarks_clear(&scan->remarks);
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
  const bool good = ct_hdf5_sources_check(scan->file->sources, false, error) &&
                    ct_hdf5_frames_read(&scan->arrays[indices ? 0 : kind], scan->path, indices ? indices[index] : index,
                                        row0, rows, out, error) &&
                    ct_hdf5_sources_check(scan->file->sources, false, error);
  ct_hdf5_unlock();
  const size_t count = (size_t)rows * (size_t)scan->facts.geometry.nu;
  const double scale = scan->scale[indices ? 0 : kind], offset = scan->offset[indices ? 0 : kind];
  for (size_t i = 0; good && (scale != 1 || offset != 0) && i < count; i++) out[i] = (float)(out[i] * scale + offset);
  return good;
}

static bool check_sources(void *state, ct_error **error) {
  const ct_hdf5_scan *scan = state;
  return ct_hdf5_sources_check(scan->file->sources, true, error);
}

/* Flats or darks that the layout tells of. */
static bool open_reference(ct_hdf5_scan *scan, const ct_hdf5_place *place, ct_frame_kind kind, ct_error **error) {
  const char *name = place->references[kind == CT_FRAME_FLAT ? 0 : 1];
  const ct_geometry *g = &scan->facts.geometry;
  ct_hdf5_frames *frames = &scan->arrays[kind];
  const ct_hdf5_order order = {.layout = CT_LAYOUT_PROJECTIONS};
  if (!name[0]) return true;
  if (!ct_hdf5_array_open(&frames->array, scan->file, scan->path, name, error) ||
      !ct_hdf5_frames_init(frames, scan->file, name, &order, NULL, error))
    return false;
  if (frames->nu != g->nu || frames->nv != g->nv)
    return ct_error_set(error, CT_ERROR_DATA, "%s: the frames of %s have %d x %d pixels, the projections %d x %d.",
                        scan->path, name, frames->nu, frames->nv, g->nu, g->nv);
  *(kind == CT_FRAME_FLAT ? &scan->facts.flats : &scan->facts.darks) = frames->count;
  return true;
}

/* A number of MATLAB's structure. */
static bool number_of_matlab(void *structure, const char *name, double *value) {
  const ct_hdf5_scan *scan = structure;
  char path[4 * CT_HDF5_TEXT];
  double *values = NULL;
  size_t count = 0;
  if (!ct_hdf5_matlab_member(scan->file, scan->place.parameters, name, path) || !ct_hdf5_is_dataset(scan->file, path) ||
      !ct_hdf5_read_numbers(scan->file, path, &values, &count, NULL, NULL))
    return false;
  *value = values[0];
  ct_free(values);
  return count == 1;
}

static bool fill_plain(ct_hdf5_scan *scan, const ct_hdf5_place *place, const ct_open_options *options,
                       ct_error **error) {
  ct_hdf5_frames *frames = &scan->arrays[CT_FRAME_PROJECTION];
  char units[CT_HDF5_TEXT] = "";
  double *angles = NULL;
  size_t count = 0;
  const bool told = place->angles[0] && !options->ignore_angles;
  if (!ct_hdf5_array_open(&frames->array, scan->file, scan->path, place->data, error) ||
      (told && !ct_hdf5_read_numbers(scan->file, place->angles, &angles, &count, units, error)))
    return false;
  const ct_hdf5_order order = {count, options->layout, place->frame_axis, place->matlab};
  bool good = ct_hdf5_frames_init(frames, scan->file, place->data, &order, &scan->facts.layout, error) &&
              ct_geometry_init(&scan->facts.geometry, CT_BEAM_PARALLEL, frames->nu, frames->nv, frames->count, error) &&
              open_reference(scan, place, CT_FRAME_FLAT, error) && open_reference(scan, place, CT_FRAME_DARK, error);
  scan->facts.format = place->title ? place->title : "HDF5";
  if (good && place->by_vectors)
    ct_remarks_add(&scan->remarks, place->by_vectors > 1 ? CT_REMARK_ASSUMED : CT_REMARK_READ, ct_path_name(scan->path),
                   "%s: views along its %s axis, by the number of ASTRA vectors in the file", place->data,
                   frames->frame_axis == 0 ? "first" : "second");
  if (good && place->matlab) ct_lab_take(&scan->facts, scan, number_of_matlab);
  if (good && options->ignore_angles)
    ct_assume_angles(&scan->facts.geometry);
  else if (good)
    good = (!told || ct_hdf5_fit_angles(scan, angles, count, frames->count, place->angles, error)) &&
           ct_hdf5_take_angles(scan, angles, units, place->angles, error);
  ct_free(angles);
  return good;
}

/* What the array's unit states, else its long name (NeXus), where that tells of decadic logarithms. */
static void take_values(ct_hdf5_scan *scan, hid_t array) {
  static const char *const attributes[] = {"units", "long_name"}, *const what[] = {
                                                                      "the attribute units of its array",
                                                                      "the attribute long_name of its array"};
  ct_values *values = &scan->facts.values;
  for (int i = 0; i < 2 && *values == CT_VALUES_UNKNOWN; i++) {
    char text[CT_HDF5_TEXT];
    ct_hdf5_text_attribute(array, attributes[i], text);
    const ct_values told = ct_values_told(text, what[i], ct_path_name(scan->path), &scan->remarks);
    if (i == 0 || told == CT_VALUES_OPTICAL_DENSITY) *values = told;
  }
}

static bool fill(ct_hdf5_scan *scan, const ct_open_options *options, ct_error **error) {
  ct_hdf5_place *place = &scan->place;
  if (!ct_hdf5_find_scan(scan->file, scan->path, options->dataset, place, error)) return false;
  const bool good = place->kind == CT_HDF5_EXCHANGE ? ct_hdf5_fill_exchange(scan, place, options, error)
                    : place->kind == CT_HDF5_NXTOMO ? ct_hdf5_fill_nxtomo(scan, place, options, error)
                    : place->kind == CT_HDF5_CIL    ? ct_hdf5_fill_cil(scan, place, error)
                                                    : fill_plain(scan, place, options, error);
  if (!good) return false;
  if (place->others) ct_hdf5_add_note(scan, "The file holds %d scans; %s was opened.", place->others + 1, place->data);
  const ct_hdf5_array *array = &scan->arrays[CT_FRAME_PROJECTION].array;
  take_values(scan, array->id);
  scan->facts.together = scan->arrays[CT_FRAME_PROJECTION].together;
  scan->facts.dataset = place->data;
  scan->facts.path = scan->path;
  scan->facts.note = scan->note[0] ? scan->note : NULL;
  scan->facts.remarks = &scan->remarks;
  scan->facts.flat_positions = scan->positions[0];
  scan->facts.dark_positions = scan->positions[1];
  for (int kind = 0; kind < 3; kind++) {
    const char *name = kind == CT_FRAME_PROJECTION ? place->data : kind == CT_FRAME_FLAT ? "the flats" : "the darks";
    const hid_t id = scan->arrays[kind].array.id;
    if (id >= 0 && (!ct_hdf5_sources_add_dataset(scan->file->sources, id, name, error) ||
                    (place->kind != CT_HDF5_CIL && !ct_hdf5_take_packing(scan, (ct_frame_kind)kind, name, error))))
      return false;
  }
  scan->facts.integers = array->integers && scan->scale[0] == 1;
  scan->facts.bytes = scan->file->sources->files[0].state.bytes;
  return ct_hdf5_sources_check(scan->file->sources, true, error);
}

typedef struct {
  const char *path;
  const ct_open_options *options;
  ct_hdf5_proof *proof; /* from the trial; or NULL */
  bool proves;
} attempt;

/* With its file open, and nothing read of it yet. */
static ct_hdf5_scan *new_scan(const attempt *a, ct_error **error) {
  ct_hdf5_scan *scan = ct_alloc_zero(1, sizeof *scan, "the scan", error);
  if (!scan) return NULL;
  for (int kind = 0; kind < 3; kind++) {
    scan->arrays[kind].array.id = -1;
    scan->scale[kind] = 1;
  }
  if ((scan->path = ct_strdup(a->path, error)) &&
      (scan->file = ct_hdf5_open_file(a->path, a->options->anywhere, error))) {
    scan->file->sources->proof = a->proof;
    scan->file->sources->proves = a->proves;
    if (a->proves && a->proof) scan->file->sources->steps = &a->proof->steps;
    return scan;
  }
  close_scan(scan);
  return NULL;
}

/* Everything that opening reads; the result is complete or NULL. */
static ct_hdf5_scan *open_all(const attempt *a, ct_error **error) {
  ct_hdf5_scan *scan = new_scan(a, error);
  /* Nothing goes on without what somebody may allow to be read. */
  if (!scan || (fill(scan, a->options, error) && !ct_hdf5_was_refused(scan->file, error))) return scan;
  ct_hdf5_was_refused(scan->file, error);
  close_scan(scan);
  return NULL;
}

static bool try_to_open(void *data, ct_error **error) {
  attempt a = *(const attempt *)data;
  a.proves = true;
  return open_all(&a, error);
}

ct_scan *ct_hdf5_open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  const ct_open_options none = {0};
  attempt a = {.path = path, .options = options ? options : &none, .proof = ct_trial_share(sizeof *a.proof)};
  ct_hdf5_lock();
  atomic_uint *steps = a.proof ? &a.proof->steps : NULL;
  ct_hdf5_scan *scan = ct_survives_and_opens(try_to_open, &a, steps, path, "HDF5", error) ? open_all(&a, error) : NULL;
  if (scan) scan->file->sources->proof = NULL;
  ct_hdf5_unlock();
  ct_trial_unshare(a.proof, sizeof *a.proof);
  return scan ? ct_scan_new(&scan->facts, (ct_scan_source){scan, read_frame, free_scan, check_sources}, error) : NULL;
}

static void try_quietly(void *data) {
  try_to_open(data, NULL);
}

bool ct_hdf5_scan_reads(const char *path, const ct_open_options *options, const char *file) {
  attempt a = {.path = path, .options = options, .proof = ct_trial_share(sizeof *a.proof)};
  bool found = false;
  ct_hdf5_lock();
  const atomic_uint *steps = a.proof ? &a.proof->steps : NULL;
  const bool survives = ct_survives(try_quietly, &a, steps, path, "HDF5", NULL);
  ct_hdf5_scan *scan = survives ? new_scan(&a, NULL) : NULL;
  if (scan) {
    fill(scan, options, NULL);
    found = ct_hdf5_sources_hold(scan->file->sources, file);
    close_scan(scan);
  }
  ct_hdf5_unlock();
  ct_trial_unshare(a.proof, sizeof *a.proof);
  return found || (!survives && ct_hdf5_is_file(file)); /* what it reads is not known: it may be this one */
}
