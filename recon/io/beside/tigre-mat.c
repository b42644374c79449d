/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A geometry of TIGRE in a MAT file, of versions 5 to 7.2 (libmatio) and 7.3 (HDF5): the structure with DSD and DSO,
 * and the variable "angles" beside it, as the JSON of the same members. In MATLAB pairs are [u; v], one column for each
 * view where there are several; they are turned to Python's [v, u]. Source: TIGRE's demos for MATLAB. */
#include "recon/io/beside/beside-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/matlab/matlab-private.h"
#include "recon/io/shared/io-private.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { MOST_VARIABLES = 1000, MOST_NUMBERS = 1 << 22 };

/* rows: entries along MATLAB's first index. */
typedef struct {
  const char *key;
  int rows; /* that a column of several views has; 0: a list */
  bool pair;
} member;

static const member members[] = {{"DSD", 1, false},      {"DSO", 1, false},        {"nDetector", 2, true},
                                 {"dDetector", 2, true}, {"offDetector", 2, true}, {"rotDetector", 3, false},
                                 {"COR", 1, false},      {"angles", 0, false}};
enum { MEMBERS = sizeof members / sizeof *members, ANGLES = MEMBERS - 1 };

/* Numbers in MATLAB's order as a member: a number, a list, or a list of lists. */
static json_t *value_of(const member *m, const double *numbers, size_t count, size_t rows) {
  if (count == 1) return json_real(numbers[0]);
  const size_t width = m->rows ? (size_t)m->rows : rows == 3 && count > 3 ? 3 : 1;
  const bool several = width > 1 && count > width && count % width == 0;
  json_t *list = json_array(), *to = list;
  for (size_t i = 0; i < count; i++) {
    if (several && i % width == 0) {
      to = json_array();
      json_array_append_new(list, to);
    }
    const size_t from = m->pair ? i ^ 1 : i;
    json_array_append_new(to, isfinite(numbers[from < count ? from : i]) ? json_real(numbers[from < count ? from : i])
                                                                         : json_string("not a finite number"));
  }
  return list;
}

static void take(json_t *root, const member *m, double *numbers, size_t count, size_t rows) {
  if (numbers && count > 0 && count <= MOST_NUMBERS && !json_object_get(root, m->key))
    json_object_set_new(root, m->key, value_of(m, numbers, count, rows));
  ct_free(numbers);
}

static void take_mode(json_t *root, const char *mode) {
  json_object_set_new(root, "mode", json_string(strcasecmp(mode, "parallel") == 0 ? "parallel" : "cone"));
}

/* Version 5. */

static bool is_geometry(matvar_t *v) {
  return v && v->class_type == MAT_C_STRUCT && Mat_VarGetStructFieldByName(v, "DSD", 0) &&
         Mat_VarGetStructFieldByName(v, "DSO", 0);
}

static void take_variable(json_t *root, const member *m, matvar_t *v) {
  size_t count;
  double *numbers = v ? ct_matlab_numbers(v, &count, NULL) : NULL;
  if (numbers) take(root, m, numbers, count, v->dims[0]);
}

static void take_text(json_t *root, matvar_t *v) {
  char mode[16] = "";
  if (!v || v->class_type != MAT_C_CHAR || !v->data || v->data_size < 1) return;
  const size_t count = v->nbytes / (size_t)v->data_size;
  for (size_t i = 0; i < count && i < sizeof mode - 1; i++) mode[i] = ((const char *)v->data)[i * (size_t)v->data_size];
  take_mode(root, mode);
}

static json_t *read_five(const char *path, const ct_told *told, bool *holds_scan, ct_error **error) {
  uint64_t bytes;
  char name[256] = "";
  bool angles = false;
  if (!ct_file_size(path, &bytes, error)) return NULL;
  mat_t *mat = ct_matlab_open(path, error);
  if (!mat) return NULL;
  for (int i = 0; i < MOST_VARIABLES; i++) {
    matvar_t *v = Mat_VarReadNextInfo(mat);
    if (!v) break;
    if (!name[0] && is_geometry(v)) snprintf(name, sizeof name, "%.250s", v->name ? v->name : "");
    angles = angles || (v->name && strcmp(v->name, members[ANGLES].key) == 0);
    *holds_scan = *holds_scan || (ct_matlab_is_array(v) && !(v->name && strcmp(v->name, "angles") == 0));
    Mat_VarFree(v);
  }
  json_t *root = NULL;
  matvar_t *owner = NULL, *list = NULL;
  matvar_t *v = name[0] ? ct_matlab_find(mat, path, name, bytes, &owner, error) : NULL;
  if (!name[0]) ct_error_set(error, CT_ERROR_FORMAT, "%s holds no structure with DSD and DSO.", path);
  if (v && (root = json_object())) {
    for (int i = 0; i < MEMBERS; i++)
      take_variable(root, &members[i], Mat_VarGetStructFieldByName(v, members[i].key, 0));
    take_text(root, Mat_VarGetStructFieldByName(v, "mode", 0));
    if (angles) take_variable(root, &members[ANGLES], ct_matlab_find(mat, path, "angles", bytes, &list, NULL));
  }
  Mat_VarFree(owner);
  Mat_VarFree(list);
  Mat_Close(mat);
  return root;
}

/* Version 7.3: groups are structures; the first index of MATLAB is the last of HDF5. */

static void take_dataset(json_t *root, const member *m, const ct_hdf5_file *file, const char *group, const char *key) {
  char name[4 * CT_HDF5_TEXT];
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  double *numbers;
  size_t count;
  if (!ct_hdf5_matlab_member(file, group, key, name) || !ct_hdf5_shape(file, name, &rank, dims) || rank < 1 ||
      !ct_hdf5_read_numbers(file, name, &numbers, &count, NULL, NULL))
    return;
  if (m) {
    take(root, m, numbers, count, (size_t)dims[rank - 1]);
    return;
  }
  char mode[16] = "";
  for (size_t i = 0; i < count && i < sizeof mode - 1; i++)
    mode[i] = numbers[i] > 0 && numbers[i] < 127 ? (char)numbers[i] : 0;
  ct_free(numbers);
  take_mode(root, mode);
}

static json_t *read_seven(const char *path, const ct_told *told, bool *holds_scan, ct_error **error) {
  char child[CT_HDF5_TEXT], group[4 * CT_HDF5_TEXT], name[4 * CT_HDF5_TEXT], found[4 * CT_HDF5_TEXT] = "";
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  ct_hdf5_file *file = ct_hdf5_open_file(path, told && told->anywhere, error);
  if (!file) return NULL;
  ct_hdf5_children children = ct_hdf5_children_of(file, "/", MOST_VARIABLES);
  while (ct_hdf5_next_child(&children, child)) {
    if (!child[0] || child[0] == '#' || strcmp(child, "angles") == 0) continue;
    if (!ct_hdf5_matlab_member(file, "/", child, group) || !ct_hdf5_exists(file, group)) continue;
    if (ct_hdf5_is_dataset(file, group)) {
      const bool shaped = ct_hdf5_shape(file, group, &rank, dims);
      int longer = 0;
      for (int i = 0; shaped && i < rank; i++) longer += dims[i] > 1;
      *holds_scan = *holds_scan || longer >= 2;
    } else if (!found[0] && ct_hdf5_matlab_member(file, group, "DSD", name) && ct_hdf5_is_dataset(file, name) &&
               ct_hdf5_matlab_member(file, group, "DSO", name) && ct_hdf5_is_dataset(file, name)) {
      memcpy(found, group, sizeof found);
    }
  }
  ct_hdf5_children_clear(&children);
  /* What may not be looked at could be projections. */
  *holds_scan = *holds_scan || ct_hdf5_was_refused(file, NULL);
  json_t *root = found[0] ? json_object() : NULL;
  for (int i = 0; root && i < MEMBERS; i++) take_dataset(root, &members[i], file, found, members[i].key);
  if (root) take_dataset(root, &members[ANGLES], file, "/", "angles");
  if (root && ct_hdf5_matlab_member(file, found, "mode", name) && ct_hdf5_is_dataset(file, name))
    take_dataset(root, NULL, file, found, "mode");
  if (told && ct_hdf5_was_refused(file, error)) {
    json_decref(root);
    root = NULL;
  }
  ct_hdf5_close_file(file);
  if (!root) ct_error_set(error, CT_ERROR_FORMAT, "%s holds no structure with DSD and DSO.", path);
  return root;
}

typedef struct {
  const char *path;
  const ct_told *told;
  json_t *(*read)(const char *path, const ct_told *told, bool *holds_scan, ct_error **error);
} attempt;

static bool try_to_read(void *data) {
  const attempt *a = data;
  bool holds_scan = false;
  ct_error *error = NULL;
  json_t *root = a->read(a->path, a->told, &holds_scan, &error);
  const bool refused = error && error->code == CT_ERROR_ELSEWHERE;
  ct_error_clear(&error);
  json_decref(root);
  return root || refused;
}

json_t *ct_beside_read_mat(const char *path, const ct_told *told, bool *holds_scan, ct_error **error) {
  unsigned char head[520] = {0};
  FILE *file = ct_stream_to_read(path, NULL);
  const size_t size = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  const bool seven = ct_hdf5_has_signature(head, size);
  attempt a = {path, told, seven ? read_seven : read_five};
  json_t *root = NULL;
  *holds_scan = false;
  seven ? ct_hdf5_lock() : ct_matlab_lock();
  if (ct_reads_small(try_to_read, &a))
    root = a.read(path, told, holds_scan, error);
  else
    ct_error_set(error, CT_ERROR_FORMAT, "%s holds no structure with DSD and DSO, or is a damaged MAT file.", path);
  seven ? ct_hdf5_unlock() : ct_matlab_unlock();
  return root;
}
