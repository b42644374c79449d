/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arrays of numbers in an HDF5 file, to choose from, and angles out of one that is named. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/shared/angle-text.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <string.h>

enum { MOST_LISTED = 2000, MOST_CHILDREN = 4096, MOST_VISITS = 20000, DEEPEST = 12 };

typedef struct {
  const char *path;
  ct_hdf5_file *file;
  ct_dataset_list *list;
  bool (*wants)(const char *name); /* NULL: all are looked at */
  int visits;
  ct_hdf5_names groups;
  ct_error **error;
  bool failed;
} listing;

static void name_type(hid_t id, char text[16]) {
  const hid_t type = H5Dget_type(id);
  const int bits = (int)(8 * H5Tget_size(type));
  const bool is_float = H5Tget_class(type) == H5T_FLOAT, is_signed = is_float || H5Tget_sign(type) != H5T_SGN_NONE;
  snprintf(text, 16, "%s%d", is_float ? "float" : is_signed ? "int" : "uint", bits);
  H5Tclose(type);
}

/* Whether a file elsewhere is read is asked when the array is opened. */
static void take_trouble(ct_dataset *item, const ct_error *trouble) {
  item->elsewhere = trouble && trouble->code == CT_ERROR_ELSEWHERE;
  if (trouble && !item->elsewhere) item->trouble = ct_strdup(trouble->message, NULL);
}

/* The item's texts are taken. */
static bool add_item(listing *l, ct_dataset *item, const char *name) {
  if ((item->path = ct_strdup(name, l->error)) && ct_dataset_list_add(l->list, item, l->error)) return true;
  ct_free(item->path);
  ct_free(item->trouble);
  return false;
}

/* A dataset of integers or reals; others are passed over. */
static bool add_array(listing *l, const char *name) {
  hsize_t dims[CT_HDF5_MAX_RANK];
  ct_dataset item = {0};
  ct_hdf5_array array;
  ct_error *trouble = NULL;
  if (l->wants && !l->wants(name)) return true;
  if (!ct_hdf5_shape(l->file, name, &item.rank, dims) || item.rank < 1) return true;
  for (int i = 0; i < item.rank; i++) item.dims[i] = dims[i];
  const hid_t id = H5Dopen2(l->file->id, name, l->file->access);
  if (id < 0) return true;
  name_type(id, item.type);
  H5Dclose(id);
  if (ct_hdf5_array_open(&array, l->file, l->path, name, &trouble)) {
    ct_hdf5_sources_add_dataset(l->file->sources, array.id, name, &trouble);
    ct_hdf5_array_close(&array);
  }
  take_trouble(&item, trouble);
  ct_error_clear(&trouble);
  return add_item(l, &item, name);
}

/* A link to what is not there, or may not be read, is listed with what it points to. */
static bool add_broken(listing *l, const char *name) {
  ct_error *trouble = NULL;
  if (ct_hdf5_check_link(l->file, l->path, name, &trouble)) return true;
  ct_dataset item = {0};
  take_trouble(&item, trouble);
  ct_error_clear(&trouble);
  return add_item(l, &item, name);
}

static void list_below(listing *l, const char *group, int depth) {
  char name[CT_HDF5_TEXT], path[4 * CT_HDF5_TEXT];
  ct_hdf5_children children = ct_hdf5_children_of(l->file, group, MOST_CHILDREN);
  while (!l->failed && ct_hdf5_next_child(&children, name)) {
    if (!name[0] || !ct_hdf5_join(path, group, name)) continue;
    if (l->list->count >= MOST_LISTED || l->visits++ >= MOST_VISITS) {
      l->list->more = true;
      break;
    }
    ct_hdf5_sources_forget(l->file->sources);
    H5L_info_t link;
    if (H5Lget_info(l->file->id, path, &link, l->file->access) < 0) continue;
    if (!ct_hdf5_exists(l->file, path))
      l->failed = !add_broken(l, path);
    else if (ct_hdf5_is_dataset(l->file, path))
      l->failed = !add_array(l, path);
    else if (link.type == H5L_TYPE_HARD && depth < DEEPEST && ct_hdf5_is_new_group(l->file, path, &l->groups))
      list_below(l, path, depth + 1);
  }
  ct_hdf5_children_clear(&children);
}

typedef struct {
  const char *path, *dataset;
  bool anywhere;
  bool (*wants)(const char *name);
  atomic_uint *steps; /* ct_trial_step; NULL: this is no trial */
} attempt;

static ct_hdf5_file *open_file(const attempt *a, ct_error **error) {
  ct_hdf5_file *file = ct_hdf5_open_file(a->path, a->anywhere, error);
  if (file) file->sources->steps = a->steps;
  return file;
}

/* In a child process, whose time goes with the steps of `a`. */
static bool survives(void (*attempt_it)(void *data), const attempt *a, ct_error **error) {
  attempt trial = *a;
  trial.steps = ct_trial_share(sizeof *trial.steps);
  const bool good = ct_survives(attempt_it, &trial, trial.steps, a->path, "HDF5", error);
  ct_trial_unshare(trial.steps, sizeof *trial.steps);
  return good;
}

static bool list_all(const attempt *a, ct_dataset_list *list, ct_error **error) {
  listing l = {.path = a->path, .file = open_file(a, error), .list = list, .wants = a->wants, .error = error};
  if (!l.file) return false;
  ct_hdf5_is_new_group(l.file, "/", &l.groups);
  list_below(&l, "/", 0);
  ct_hdf5_names_clear(&l.groups);
  l.failed = ct_hdf5_was_unreadable(l.file, error) || l.failed;
  ct_hdf5_close_file(l.file);
  if (l.failed) ct_dataset_list_clear(list);
  return !l.failed;
}

static void try_to_list(void *data) {
  const attempt *a = data;
  ct_dataset_list list = {0};
  if (list_all(a, &list, NULL)) ct_dataset_list_clear(&list);
}

static bool list_safely(const attempt *a, ct_dataset_list *list, ct_error **error) {
  ct_hdf5_lock();
  const bool good = survives(try_to_list, a, error) && list_all(a, list, error);
  ct_hdf5_unlock();
  return good;
}

bool ct_hdf5_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error) {
  return list_safely(&(attempt){.path = path, .anywhere = anywhere}, list, error);
}

bool ct_hdf5_list_wanted(const char *path, bool (*wants)(const char *name), ct_dataset_list *list) {
  return list_safely(&(attempt){.path = path, .wants = wants}, list, NULL);
}

static bool read_angles(const attempt *a, double **degrees, size_t *count, ct_error **error) {
  const char *path = a->path;
  char name[4 * CT_HDF5_TEXT], units[CT_HDF5_TEXT] = "";
  ct_hdf5_file *file = open_file(a, error);
  if (!file) return false;
  bool good = ct_hdf5_join(name, "/", a->dataset + strspn(a->dataset, "/")) &&
              ct_hdf5_check_link(file, path, name, error) &&
              ct_hdf5_read_numbers(file, name, degrees, count, units, error);
  double factor = 1;
  if (good && units[0] && !ct_angle_unit(units, &factor)) {
    ct_free(*degrees);
    *degrees = NULL;
    good = ct_error_set(error, CT_ERROR_DATA,
                        "%s: the angles %s have the unit \"%.40s\", which is not known: degrees, radians and gons are.",
                        path, name, units);
  }
  for (size_t i = 0; good && factor != 1 && i < *count; i++) (*degrees)[i] *= factor;
  ct_hdf5_close_file(file);
  return good;
}

static void try_to_read(void *data) {
  const attempt *a = data;
  double *degrees = NULL;
  size_t count;
  if (read_angles(a, &degrees, &count, NULL)) ct_free(degrees);
}

bool ct_hdf5_read_angles(const char *path, const char *dataset, bool anywhere, double **degrees, size_t *count,
                         ct_error **error) {
  attempt a = {.path = path, .dataset = dataset, .anywhere = anywhere};
  ct_hdf5_lock();
  const bool good = survives(try_to_read, &a, error) && read_angles(&a, degrees, count, error);
  ct_hdf5_unlock();
  return good;
}

static double *read_table(const attempt *a, size_t *count, int *columns, ct_error **error) {
  char name[4 * CT_HDF5_TEXT];
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  double *numbers = NULL;
  ct_hdf5_file *file = open_file(a, error);
  if (!file) return NULL;
  if (!ct_hdf5_join(name, "/", a->dataset + strspn(a->dataset, "/")) ||
      !ct_hdf5_check_link(file, a->path, name, error)) {
    /* It is said why. */
  } else if (!ct_hdf5_shape(file, name, &rank, dims) || rank != 2 || dims[1] < 1 || dims[1] > 4096) {
    if (!ct_hdf5_was_refused(file, error))
      ct_error_set(error, CT_ERROR_DATA, "%s: %s is no table of numbers.", a->path, name);
  } else if (ct_hdf5_read_numbers(file, name, &numbers, count, NULL, error)) {
    *columns = (int)dims[1];
  }
  ct_hdf5_close_file(file);
  return numbers;
}

static void try_table(void *data) {
  const attempt *a = data;
  size_t count;
  int columns;
  ct_free(read_table(a, &count, &columns, NULL));
}

double *ct_hdf5_read_table(const char *path, const ct_open_options *options, size_t *count, int *columns,
                           ct_error **error) {
  attempt a = {.path = path, .dataset = options->dataset, .anywhere = options->anywhere};
  ct_hdf5_lock();
  double *numbers = survives(try_table, &a, error) ? read_table(&a, count, columns, error) : NULL;
  ct_hdf5_unlock();
  return numbers;
}
