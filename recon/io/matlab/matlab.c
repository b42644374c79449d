/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format MATLAB 5: sinograms and stacks of projections out of MAT files, in memory, since libmatio reads variables
 * whole. A listing's rows are the views of a sinogram unless the number of angles says that its columns are; arrays of
 * three indices are rows, columns, views. */
#include "recon/io/matlab/matlab-private.h"

#include "recon/base/memory.h"
#include "recon/base/spare.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/lab-private.h"
#include "recon/io/shared/source-private.h"
#include "recon/io/shared/trial-private.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define EXTENSIONS "mat"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ct_matlab_lock(void) {
  pthread_mutex_lock(&lock);
}

void ct_matlab_unlock(void) {
  pthread_mutex_unlock(&lock);
}

typedef struct {
  char *path;
  float *frames; /* [views][nv][nu] */
  int nu, nv, views;
  ct_source source;
} matlab_scan;

static void free_scan(void *state) {
  matlab_scan *scan = state;
  if (!scan) return;
  ct_free(scan->frames);
  ct_free(scan->path);
  ct_free(scan);
}

static bool read_rows(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  const matlab_scan *scan = state;
  const size_t nu = (size_t)scan->nu;
  if (kind != CT_FRAME_PROJECTION) return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no such frame.");
  if (!ct_source_check(&scan->source, scan->path, error)) return false;
  memcpy(out, scan->frames + ((size_t)index * (size_t)scan->nv + (size_t)row0) * nu, (size_t)rows * nu * sizeof *out);
  return true;
}

static bool check_file(void *state, ct_error **error) {
  const matlab_scan *scan = state;
  return ct_source_check(&scan->source, scan->path, error);
}

/* How an array's indices (of `sides` entries) count views, rows and columns: which of 0..2 each is; -1: one entry. */
typedef struct {
  int view, row, column;
  ct_layout layout;
} order;

static order find_order(const size_t sides[3], size_t angles, ct_layout asked, bool columns_are_views) {
  if (sides[2] > 1) {
    /* Sinograms: rows of a listing are angles, the third index counts detector rows. */
    const bool first = angles > 0 && sides[0] == angles && sides[2] != angles;
    if (asked == CT_LAYOUT_SINOGRAMS || (asked == CT_LAYOUT_UNKNOWN && first))
      return (order){0, 2, 1, CT_LAYOUT_SINOGRAMS};
    return (order){2, 0, 1, CT_LAYOUT_PROJECTIONS};
  }
  const bool rows = angles > 1 && sides[0] == angles, columns = angles > 1 && !rows && sides[1] == angles;
  if (asked == CT_LAYOUT_PROJECTIONS) return (order){-1, 0, 1, asked};
  if (columns || (columns_are_views && !rows)) return (order){1, -1, 0, CT_LAYOUT_SINOGRAMS};
  if (rows || asked == CT_LAYOUT_SINOGRAMS) return (order){0, -1, 1, CT_LAYOUT_SINOGRAMS};
  return (order){-1, 0, 1, CT_LAYOUT_UNKNOWN};
}

/* Copies the numbers in the order of frames; the first index runs fastest. */
static bool take_frames(matlab_scan *scan, const double *values, const size_t sides[3], order o, ct_error **error) {
  const size_t steps[4] = {0, 1, sides[0], sides[0] * sides[1]}; /* of index -1, 0, 1, 2 */
  const size_t count[4] = {1, sides[0], sides[1], sides[2]};
  const size_t views = count[o.view + 1], rows = count[o.row + 1], columns = count[o.column + 1];
  if (views > INT32_MAX || rows > INT32_MAX || columns > INT32_MAX)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is too large", scan->path);
  scan->views = (int)views;
  scan->nv = (int)rows;
  scan->nu = (int)columns;
  if (!(scan->frames = ct_alloc(views * rows, columns * sizeof(float), "the projections", error))) return false;
  float *out = scan->frames;
  for (size_t view = 0; view < views; view++)
    for (size_t row = 0; row < rows; row++)
      for (size_t column = 0; column < columns; column++)
        *out++ = (float)values[view * steps[o.view + 1] + row * steps[o.row + 1] + column * steps[o.column + 1]];
  return true;
}

static bool get_number(void *structure, const char *name, double *value) {
  matvar_t *field = Mat_VarGetStructFieldByName(structure, name, 0);
  size_t count = 0;
  double *values = field ? ct_matlab_numbers(field, &count, NULL) : NULL;
  if (values) *value = values[0];
  ct_free(values);
  return count == 1;
}

/* The structure's angles in degrees, NULL where it has none (*count 0). */
static double *get_angles(matvar_t *structure, size_t *count) {
  matvar_t *field = structure ? Mat_VarGetStructFieldByName(structure, "angles", 0) : NULL;
  *count = 0;
  return field ? ct_matlab_numbers(field, count, NULL) : NULL;
}

typedef struct {
  const char *path, *dataset;
  const ct_open_options *options;
  ct_scan_facts facts; /* the geometry is owned */
  ct_remarks remarks;
  matlab_scan *scan;
} opening;

/* MATLAB's variables have no units: as in HDF5, angles none of which is beyond 2 pi are radians. */
static void set_angles(opening *o, const double *angles, size_t count) {
  ct_scan_facts *facts = &o->facts;
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(angles[i]));
  const bool radians = largest <= 2 * M_PI && count > 1;
  for (size_t i = 0; i < count; i++) facts->geometry.angles[i] = angles[i] * (radians ? 1 : M_PI / 180);
  facts->known |= CT_KNOWN_ANGLES;
  ct_remarks_add(&o->remarks, CT_REMARK_ASSUMED, ct_path_name(o->path),
                 "its angles are %s: they carry no unit, and the largest is %.4g", radians ? "radians" : "degrees",
                 largest);
}

static bool take_array(opening *o, const ct_matlab_place *place, matvar_t *data, matvar_t *structure,
                       ct_error **error) {
  size_t count, sides[3], angles = 0;
  ct_scan_facts *facts = &o->facts;
  if (!ct_matlab_is_array(data))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s is no array of real numbers with two or three axes", o->path,
                        place->data);
  ct_matlab_sides(data, sides);
  double *degrees = o->options->ignore_angles ? NULL : get_angles(structure, &angles);
  double *values = ct_matlab_numbers(data, &count, error);
  const order found = find_order(sides, angles, o->options->layout, place->columns_are_views);
  bool good = values && take_frames(o->scan, values, sides, found, error) &&
              ct_geometry_init(&facts->geometry, CT_BEAM_PARALLEL, o->scan->nu, o->scan->nv, o->scan->views, error);
  ct_free(values);
  if (good && degrees && angles != (size_t)o->scan->views)
    good = ct_error_set(error, CT_ERROR_DATA, "%s: %s holds %zu angles, but neither side of %s has as many", o->path,
                        place->parameters, angles, place->data);
  if (good) {
    facts->layout = found.layout;
    if (structure) ct_lab_take(facts, structure, get_number);
    if (!degrees) facts->note = ct_assume_angles(&facts->geometry);
    if (degrees) set_angles(o, degrees, angles);
  }
  ct_free(degrees);
  return good;
}

/* Everything but the scan itself. */
static bool open_all(opening *o, ct_matlab_place *place, ct_error **error) {
  matvar_t *owner = NULL, *others = NULL, *structure = NULL;
  matlab_scan *scan = o->scan = ct_alloc_zero(1, sizeof *scan, "the scan", error);
  if (!scan || !(scan->path = ct_strdup(o->path, error)) || !ct_source_take(&scan->source, o->path, error))
    return false;
  const uint64_t bytes = scan->source.bytes;
  mat_t *mat = ct_matlab_open(o->path, error);
  if (!mat) return false;
  *place = (ct_matlab_place){0};
  if (o->dataset) snprintf(place->data, sizeof place->data, "%.250s", o->dataset);
  bool good = o->dataset || ct_matlab_find_scan(mat, o->path, bytes, place, error);
  matvar_t *data = good ? ct_matlab_find(mat, o->path, place->data, bytes, &owner, error) : NULL;
  good = data && (!place->parameters[0] ||
                  (structure = ct_matlab_find(mat, o->path, place->parameters, bytes, &others, error)));
  good = good && take_array(o, place, data, structure, error) && ct_source_check(&scan->source, o->path, error);
  Mat_VarFree(owner);
  Mat_VarFree(others);
  Mat_Close(mat);
  o->facts.path = o->path;
  o->facts.format = "MATLAB 5";
  o->facts.dataset = place->data;
  o->facts.bytes = bytes;
  return good;
}

static void end(opening *o) {
  free_scan(o->scan);
  ct_geometry_clear(&o->facts.geometry);
  ct_remarks_clear(&o->remarks);
  o->scan = NULL;
}

static void try_to_open(void *data) {
  opening o = *(opening *)data;
  ct_matlab_place place;
  open_all(&o, &place, NULL);
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  const ct_open_options none = {0};
  opening o = {.path = path, .dataset = options ? options->dataset : NULL, .options = options ? options : &none};
  ct_matlab_place place;
  ct_scan *scan = NULL;
  ct_matlab_lock();
  const bool good = ct_memory_is_spare("for the MATLAB library", error) &&
                    ct_survives(try_to_open, &o, NULL, path, "MAT", error) && open_all(&o, &place, error);
  ct_matlab_unlock();
  if (good) {
    o.facts.remarks = &o.remarks;
    scan = ct_scan_new(&o.facts, (ct_scan_source){o.scan, read_rows, free_scan, check_file}, error);
    o.scan = NULL;
  }
  end(&o);
  return scan;
}

typedef struct {
  const char *path, *dataset;
  ct_dataset_list *list;
  double **degrees;
  size_t *count;
} looking;

static bool look(const looking *l, ct_error **error) {
  uint64_t bytes;
  mat_t *mat = ct_file_size(l->path, &bytes, error) ? ct_matlab_open(l->path, error) : NULL;
  if (!mat) return false;
  matvar_t *owner = NULL;
  matvar_t *found = l->dataset ? ct_matlab_find(mat, l->path, l->dataset, bytes, &owner, error) : NULL;
  const bool good = l->dataset ? found && (*l->degrees = ct_matlab_numbers(found, l->count, error)) != NULL
                               : ct_matlab_list(mat, l->list, error);
  Mat_VarFree(owner);
  Mat_Close(mat);
  return good;
}

static void try_to_look(void *data) {
  look(data, NULL);
}

static bool look_safely(looking *l, ct_error **error) {
  ct_matlab_lock();
  const bool good = ct_memory_is_spare("for the MATLAB library", error) &&
                    ct_survives(try_to_look, l, NULL, l->path, "MAT", error) && look(l, error);
  ct_matlab_unlock();
  return good;
}

static bool list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error) {
  return look_safely(&(looking){.path = path, .list = list}, error);
}

static bool read_angles(const char *path, const char *dataset, bool anywhere, double **degrees, size_t *count,
                        ct_error **error) {
  return look_safely(&(looking){.path = path, .dataset = dataset, .degrees = degrees, .count = count}, error);
}

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return 0;
  return ct_probe_confidence(path, EXTENSIONS, header_size >= 19 && memcmp(header, "MATLAB 5.0 MAT-file", 19) == 0);
}

const ct_format ct_format_matlab = {
    .id = "matlab",
    .title = "MATLAB",
    .extensions = EXTENSIONS,
    .notes = "versions 5 and 7.3; sinograms by the names of fields, FILE::name.field chooses one array",
    .datasets = true,
    .turns = true,
    .probe = probe,
    .open_scan = open_scan,
    .read_angles = read_angles,
    .list_datasets = list_datasets,
};
