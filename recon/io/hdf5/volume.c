/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes in HDF5 as NeXus data (NXentry, NXdata): /entry/volume/data [z][y][x] with the coordinates of its axes in mm
 * (px), exact spacing and origin as attributes, the plan as text. 16-bit samples carry scale_factor and add_offset
 * (value = stored * scale + offset). Other files: the one array of 3 dimensions, or FILE::DATASET. */
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/shared/io-private.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP CT_HDF5_VOLUME_GROUP

/* Finite numbers of an attribute; when it is missing the values stay as they are. False when it is there but unusable.
 */
static bool get_numbers(hid_t object, const char *name, double *values, size_t count) {
  if (H5Aexists(object, name) <= 0) return true;
  const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
  if (id < 0) return false;
  const hid_t space = H5Aget_space(id), type = H5Aget_type(id);
  bool good = space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
              ct_hdf5_sound_type(type) && H5Aread(id, H5T_NATIVE_DOUBLE, values) >= 0;
  for (size_t i = 0; good && i < count; i++) good = isfinite(values[i]);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(id);
  return good;
}

/* Which dataset is the volume? */
static bool find_volume(const ct_hdf5_file *file, const char *path, const char *dataset, char name[4 * CT_HDF5_TEXT],
                        ct_error **error) {
  if (dataset) {
    const bool named = ct_hdf5_join(name, "/", dataset[0] == '/' ? dataset + 1 : dataset);
    if (named && !ct_hdf5_check_link(file, path, name, error)) return false;
    if (named && ct_hdf5_is_dataset(file, name)) return true;
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s holds no dataset %s.", path, dataset);
  }
  snprintf(name, 4 * CT_HDF5_TEXT, "%s", GROUP "/data");
  if (ct_hdf5_is_dataset(file, name)) return true;
  char list[1024];
  const int found = ct_hdf5_list_arrays(file, path, list, sizeof list, name, error);
  if (found == 1) return true;
  if (found < 0) return false;
  if (found == 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s holds no array of three dimensions, so no volume.", path);
  ct_hdf5_place place;
  const bool scan = ct_hdf5_find_scan(file, path, NULL, &place, NULL) && place.kind != CT_HDF5_PLAIN;
  return ct_error_set(error, CT_ERROR_FORMAT,
                      scan
                          ? "%s is a scan, and has to be reconstructed first; as it stands it holds several arrays, of "
                            "which one is opened as %s::NAME: %s."
                          : "%s holds several arrays; choose one as %s::NAME: %s.",
                      path, ct_path_name(path), list);
}

/* A volume in its file, not yet read. */
typedef struct {
  const char *path, *dataset;
  bool anywhere, plan_alone;
  atomic_uint *steps; /* ct_trial_step */
  ct_hdf5_file *file;
  ct_hdf5_frames frames;
  double scale, offset;
  ct_grid grid;
  bool pitch_unknown;
  char *plan;
} source;

/* Spacing, origin and scale as attributes; unit voxels about the origin where the file says nothing. */
static bool read_grid(const ct_hdf5_array *array, const char *path, const char *name, source *s, ct_error **error) {
  ct_grid *grid = &s->grid;
  if (array->rank != 3 || array->dims[0] > INT_MAX || array->dims[1] > INT_MAX || array->dims[2] > INT_MAX)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s has %d dimensions; a volume has three.", path, name,
                        array->rank);
  const int counts[3] = {(int)array->dims[2], (int)array->dims[1], (int)array->dims[0]};
  if (ct_hdf5_cil_content(s->file) == CT_CONTENT_VOLUME)
    return ct_hdf5_cil_grid(array, path, grid, &s->scale, &s->offset, error) && ct_grid_check(grid, error);
  double spacing[3] = {NAN, NAN, NAN}, origin[3];
  double element[3] = {NAN, NAN, NAN}; /* micrometres, z first, as ImageJ's plugin writes them */
  bool good = get_numbers(array->id, "spacing_mm", spacing, 3);
  if (good && isnan(spacing[0]) && get_numbers(array->id, "element_size_um", element, 3) && element[0] > 0 &&
      element[1] > 0 && element[2] > 0)
    for (int i = 0; i < 3; i++) spacing[i] = element[2 - i] * 1e-3;
  s->pitch_unknown = isnan(spacing[0]);
  for (int i = 0; i < 3 && s->pitch_unknown; i++) spacing[i] = 1;
  for (int i = 0; i < 3; i++) origin[i] = -0.5 * (counts[i] - 1) * spacing[i];
  good = good && get_numbers(array->id, "origin_mm", origin, 3) &&
         get_numbers(array->id, "scale_factor", &s->scale, 1) && get_numbers(array->id, "add_offset", &s->offset, 1);
  if (!good)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the spacing, origin or scale of %s is damaged.", path, name);
  *grid =
      (ct_grid){counts[0], counts[1], counts[2], spacing[0], spacing[1], spacing[2], origin[0], origin[1], origin[2]};
  if (ct_grid_check(grid, error)) return true;
  ct_error_prefix(error, "%s, %s", path, name);
  return false;
}

/* Whether the volume is the one that Gantry writes, where one is named. */
static bool is_own(const char *dataset) {
  return !dataset || strcmp(dataset + strspn(dataset, "/"), &GROUP "/data"[1]) == 0;
}

/* steps: where it is a trial; else NULL. */
static bool open_source(source *s, atomic_uint *steps, ct_error **error) {
  char name[4 * CT_HDF5_TEXT] = "";
  s->frames = (ct_hdf5_frames){.array = {.id = -1}, .frame_axis = 0, .row_axis = 1, .column_axis = 2};
  s->scale = 1;
  s->offset = 0;
  if (!(s->file = ct_hdf5_open_file(s->path, s->anywhere, error))) return false;
  s->file->sources->steps = steps;
  if (s->plan_alone && is_own(s->dataset) && ct_hdf5_is_dataset(s->file, GROUP "/plan"))
    return (s->plan = ct_hdf5_read_text(s->file, GROUP "/plan", error));
  if (!find_volume(s->file, s->path, s->dataset, name, error) ||
      !ct_hdf5_array_open(&s->frames.array, s->file, s->path, name, error) ||
      !ct_hdf5_sources_add_dataset(s->file->sources, s->frames.array.id, name, error) ||
      !read_grid(&s->frames.array, s->path, name, s, error)) {
    ct_hdf5_was_refused(s->file, error);
    return false;
  }
  s->frames.count = s->grid.nz;
  s->frames.nv = s->grid.ny;
  s->frames.nu = s->grid.nx;
  if (!ct_hdf5_frames_cache(&s->frames, s->file, name, true))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the dataset %s cannot be opened.", s->path, name);
  if (strcmp(name, GROUP "/data") != 0 || !ct_hdf5_is_dataset(s->file, GROUP "/plan"))
    return !ct_hdf5_was_refused(s->file, error);
  return (s->plan = ct_hdf5_read_text(s->file, GROUP "/plan", error));
}

static void close_source(source *s) {
  ct_hdf5_array_close(&s->frames.array);
  ct_hdf5_close_file(s->file);
  ct_free(s->plan);
}

static bool try_to_open(void *data, ct_error **error) {
  source *s = data;
  return open_source(s, s->steps, error);
}

static void try_quietly(void *data) {
  try_to_open(data, NULL);
}

/* The source, of which path and options are set, is to be closed, also on failure. */
static bool open_safely(source *s, ct_error **error) {
  s->frames.array.id = -1;
  s->steps = ct_trial_share(sizeof *s->steps);
  ct_hdf5_lock();
  const bool good =
      ct_survives_and_opens(try_to_open, s, s->steps, s->path, "HDF5", error) && open_source(s, NULL, error);
  ct_hdf5_unlock();
  ct_trial_unshare(s->steps, sizeof *s->steps);
  s->steps = NULL;
  return good;
}

static void close_slices(void *state) {
  ct_hdf5_lock();
  close_source(state);
  ct_hdf5_unlock();
  ct_free(state);
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  source *s = ct_alloc_zero(1, sizeof *s, "a reader", error);
  if (!s) return NULL;
  *s = (source){.path = path, .dataset = options->dataset, .anywhere = options->anywhere};
  if (!open_safely(s, error)) {
    close_slices(s);
    return NULL;
  }
  facts->grid = s->grid;
  facts->pitch_unknown = s->pitch_unknown;
  facts->unit_bytes = s->frames.chunk_bytes;
  const ct_hdf5_sources *sources = s->file->sources;
  for (size_t i = 0; i < sources->count; i++) facts->file_bytes += sources->files[i].state.bytes;
  facts->plan = s->plan;
  s->plan = NULL;
  return s;
}

static bool read_rows(void *state, int k, int row0, int rows, float *out, ct_error **error) {
  const source *s = state;
  const double scale = s->scale, offset = s->offset;
  ct_hdf5_lock();
  const bool good = ct_hdf5_sources_check(s->file->sources, false, error) &&
                    ct_hdf5_frames_read(&s->frames, s->path, k, row0, rows, out, error) &&
                    ct_hdf5_sources_check(s->file->sources, false, error);
  ct_hdf5_unlock();
  const size_t count = (size_t)rows * (size_t)s->frames.nu;
  if (good && (scale != 1 || offset != 0))
    for (size_t i = 0; i < count; i++) out[i] = (float)(out[i] * scale + offset);
  return good;
}

static bool check_slices(void *state, ct_error **error) {
  const source *s = state;
  ct_hdf5_lock();
  const bool good = ct_hdf5_sources_check(s->file->sources, true, error);
  ct_hdf5_unlock();
  return good;
}

const ct_slice_reader ct_hdf5_volume_reader = {open_slices, read_rows, check_slices, close_slices};

/* A plan beside samples that lie elsewhere is read without them. */
bool ct_hdf5_read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  source s = {.path = path, .dataset = dataset, .plan_alone = true};
  const bool good = open_safely(&s, error);
  if (good) {
    *plan = s.plan;
    s.plan = NULL;
  }
  ct_hdf5_lock();
  close_source(&s);
  ct_hdf5_unlock();
  return good;
}

bool ct_hdf5_volume_reads(const char *path, const ct_open_options *options, const char *file) {
  source s = {.path = path,
              .dataset = options->dataset,
              .anywhere = options->anywhere,
              .steps = ct_trial_share(sizeof *s.steps),
              .frames.array.id = -1};
  ct_hdf5_lock();
  const bool survives = ct_survives(try_quietly, &s, s.steps, path, "HDF5", NULL);
  if (survives) open_source(&s, NULL, NULL);
  const bool found = s.file && ct_hdf5_sources_hold(s.file->sources, file);
  close_source(&s);
  ct_hdf5_unlock();
  ct_trial_unshare(s.steps, sizeof *s.steps);
  return found || (!survives && ct_hdf5_is_file(file)); /* what it reads is not known: it may be this one */
}

/* The centres of the voxels along an axis. */
static bool put_axis(hid_t file, const char *name, int count, double first, double step, const char *unit) {
  double *values = ct_alloc((size_t)count, sizeof *values, "an axis", NULL);
  if (!values) return false;
  for (int i = 0; i < count; i++) values[i] = first + i * step;
  const bool good = ct_hdf5_put_numbers(file, name, values, (size_t)count, unit);
  ct_free(values);
  return good;
}

static bool put_class(hid_t file, const char *group, const char *class, const char *key, const char *value) {
  const hid_t id = H5Gopen2(file, group, H5P_DEFAULT);
  const bool good = id >= 0 && (!class || ct_hdf5_put_text_attribute(id, "NX_class", class)) &&
                    ct_hdf5_put_text_attribute(id, key, value);
  if (id >= 0) H5Gclose(id);
  return good;
}

/* @axes is a list of names, the slowest first. */
static bool put_axes_names(hid_t file) {
  static const char names[3][2] = {"z", "y", "x"};
  const hsize_t size = 3;
  const hid_t group = H5Gopen2(file, GROUP, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1),
              space = H5Screate_simple(1, &size, NULL);
  H5Tset_size(type, 2);
  const hid_t id = group >= 0 ? H5Acreate2(group, "axes", type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
  const bool good = id >= 0 && H5Awrite(id, type, names) >= 0;
  if (id >= 0) H5Aclose(id);
  if (group >= 0) H5Gclose(group);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

/* Everything but the voxels; the array is returned, negative on failure. */
static hid_t put_frame_of_volume(hid_t file, const ct_volume_header *header) {
  const ct_grid *g = &header->grid;
  const double spacing[3] = {g->dx, g->dy, g->dz}, origin[3] = {g->x0, g->y0, g->z0},
               scale = (header->high - header->low) / 65535;
  const int dims[3] = {g->nz, g->ny, g->nx};
  const ct_units units = header->units;
  const bool known = header->plan || !ct_units_are_pixels(units);
  const hid_t id = ct_hdf5_put_array(file, GROUP "/data", header->integers ? H5T_NATIVE_UINT16 : H5T_NATIVE_FLOAT, dims,
                                     header->compress);
  /* As ImageJ's HDF5 plugin has it: micrometres, the slowest axis first. */
  const double element[3] = {1e3 * g->dz, 1e3 * g->dy, 1e3 * g->dx};
  const bool good = id >= 0 && ct_hdf5_put_text_attribute(id, "units", units.value) &&
                    (ct_units_are_pixels(units) || ct_hdf5_put_number_attribute(id, "element_size_um", element, 3)) &&
                    (!known || ct_hdf5_put_number_attribute(id, "spacing_mm", spacing, 3)) &&
                    ct_hdf5_put_number_attribute(id, "origin_mm", origin, 3) &&
                    (!header->integers || (ct_hdf5_put_number_attribute(id, "scale_factor", &scale, 1) &&
                                           ct_hdf5_put_number_attribute(id, "add_offset", &header->low, 1))) &&
                    put_axis(file, GROUP "/x", g->nx, g->x0, g->dx, units.length) &&
                    put_axis(file, GROUP "/y", g->ny, g->y0, g->dy, units.length) &&
                    put_axis(file, GROUP "/z", g->nz, g->z0, g->dz, units.length) && put_axes_names(file) &&
                    put_class(file, GROUP, "NXdata", "signal", "data") &&
                    put_class(file, "/entry", "NXentry", "default", "volume") &&
                    put_class(file, "/", NULL, "default", "entry") &&
                    (!header->plan || ct_hdf5_put_text(file, GROUP "/plan", header->plan));
  if (good || id < 0) return id;
  H5Dclose(id);
  return -1;
}

typedef struct {
  const ct_volume_header *header;
  ct_output *output;
  ct_hdf5_writer file;
  hid_t array;
} writing;

/* Where all else is in the file, one voxel makes the library give the array the place behind it: the samples are the
 * file's last bytes. Their offset; 0 with an error. */
static haddr_t place_samples(const writing *w, ct_error **error) {
  const ct_grid *g = &w->header->grid;
  const hsize_t last[3] = {(hsize_t)g->nz - 1, (hsize_t)g->ny - 1, (hsize_t)g->nx - 1}, one = 1;
  const float nothing = 0;
  const hid_t space = H5Dget_space(w->array), memory = H5Screate_simple(1, &one, NULL);
  bool good = H5Fflush(w->file.file, H5F_SCOPE_GLOBAL) >= 0 && space >= 0 && memory >= 0 &&
              H5Sselect_elements(space, H5S_SELECT_SET, 1, last) >= 0 &&
              H5Dwrite(w->array, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, &nothing) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  const haddr_t place = good ? H5Dget_offset(w->array) : HADDR_UNDEF;
  good = ct_hdf5_writer_check(&w->file, place != HADDR_UNDEF, error);
  return good ? place : 0;
}

/* What stands before the samples, alone. */
static bool cut_samples_off(const writing *w, haddr_t place, ct_error **error) {
  struct stat status;
  const char *path = ct_output_get_path(w->output);
  if (stat(path, &status) != 0 || (uint64_t)status.st_size != place + ct_volume_header_bytes(w->header))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s: this HDF5 library leaves something behind the samples, so that processes cannot write "
                        "them together.",
                        w->header->path);
  return truncate(path, (off_t)place) == 0 || ct_error_set_errno(error, errno, "Cannot write %s", w->header->path);
}

static bool close_writer(void *state, bool keep, ct_error **error) {
  writing *w = state;
  bool good = keep;
  haddr_t place = 0;
  ct_hdf5_lock();
  if (good && w->header->header_only) good = (place = place_samples(w, error)) > 0;
  if (w->array >= 0 && H5Dclose(w->array) < 0 && good) good = ct_hdf5_writer_check(&w->file, false, error);
  good = ct_hdf5_writer_close(&w->file, good, error);
  ct_hdf5_unlock();
  if (good && w->header->header_only) good = cut_samples_off(w, place, error);
  if (good)
    good = ct_output_commit(w->output, error);
  else
    ct_output_abandon(w->output);
  ct_free(w);
  return good;
}

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  writing *w = ct_alloc_zero(1, sizeof *w, "a writer", error);
  if (!w) return NULL;
  w->header = header;
  w->array = w->file.file = -1;
  if ((w->output = ct_output_begin(header->path, false, error)) &&
      (header->header_only || ct_volume_header_check_space(header, w->output, error))) {
    ct_hdf5_lock();
    if (ct_hdf5_writer_open(&w->file, ct_output_get_path(w->output), header->path, error)) {
      w->array = put_frame_of_volume(w->file.file, header);
      ct_hdf5_writer_check(&w->file, w->array >= 0, error);
    }
    ct_hdf5_unlock();
  }
  if (w->array >= 0 && !w->file.fault) return w;
  close_writer(w, false, NULL);
  return NULL;
}

static bool put_slice(void *state, int k, const void *samples, ct_error **error) {
  const writing *w = state;
  const ct_grid *g = &w->header->grid;
  ct_hdf5_lock();
  const hid_t type = w->header->integers ? H5T_NATIVE_UINT16 : H5T_NATIVE_FLOAT;
  const bool good = ct_hdf5_writer_check(&w->file, ct_hdf5_put_frame(w->array, type, k, g->ny, g->nx, samples), error);
  ct_hdf5_unlock();
  return good;
}

const ct_slice_writer ct_hdf5_volume_writer = {
    .open = open_writer,
    .put = put_slice,
    .close = close_writer,
    .plain = true,
};
