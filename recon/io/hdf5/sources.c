/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the values of datasets come from: the files that they and the datasets that they are made of lie in. */
#include "recon/io/hdf5/sources-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/io-private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEEP = 8 };

typedef struct {
  ct_hdf5_sources *sources;
  const char *name;      /* of the dataset that is read */
  const char *container; /* the file that it is in, and that names others */
  int depth;
} walk;

static bool add_dataset(const walk *w, hid_t dataset, ct_error **error);

static bool is_missing(const walk *w, const char *file, ct_error **error) {
  return ct_error_set(error, CT_ERROR_IO,
                      "%s: the values of %s are in %s, which is not there. Put that file beside it, and open it again.",
                      w->container, w->name, file);
}

static bool may_read(const walk *w, const char *path, ct_error **error) {
  return ct_hdf5_may_read(w->sources, w->container, w->name, path, error);
}

/* The dataset `name` of another file. */
static bool add_other(const walk *w, const char *path, const char *name, ct_error **error) {
  ct_hdf5_array array;
  if (w->depth >= MOST_DEEP)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s is made from datasets that are made from each other.",
                        w->container, w->name);
  ct_hdf5_file *file = ct_hdf5_open_part(path, w->sources, error);
  if (!file) return false;
  const walk next = {w->sources, w->name, path, w->depth + 1};
  bool good = ct_hdf5_check_link(file, path, name, error) && ct_hdf5_array_open(&array, file, path, name, error);
  if (good) {
    good = add_dataset(&next, array.id, error);
    ct_hdf5_array_close(&array);
  } else {
    ct_error_prefix(error, "%s, %s", w->container, w->name);
  }
  ct_hdf5_close_part(file);
  return good;
}

/* One file and dataset of a mapping; *found: the file is there. */
static bool add_mapped(const walk *w, const char *file, const char *dataset, bool *found, ct_error **error) {
  *found = true;
  if (strcmp(file, ".") == 0) return add_other(w, w->container, dataset, error); /* this file itself */
  char *path = ct_hdf5_find_file(w->container, file, "HDF5_VDS_PREFIX");
  *found = path != NULL;
  const bool good = path && may_read(w, path, error) && add_other(w, path, dataset, error);
  ct_free(path);
  return good;
}

static bool add_mapping(const walk *w, const char *file, const char *dataset, ct_error **error) {
  bool found = false, good = true;
  char *first = ct_hdf5_block_name(file, 0), *first_dataset = ct_hdf5_block_name(dataset, 0);
  if (!first) {
    good = add_mapped(w, file, first_dataset ? first_dataset : dataset, &found, error);
    if (!found) is_missing(w, file, error);
  }
  for (int block = 0; good && first && block < CT_HDF5_MOST_BLOCKS; block++) {
    char *name = ct_hdf5_block_name(file, block), *inner = ct_hdf5_block_name(dataset, block);
    good = name && add_mapped(w, name, inner ? inner : dataset, &found, error);
    ct_free(name);
    ct_free(inner);
    if (found) continue;
    good = block > 0 || is_missing(w, first, error);
    break;
  }
  ct_free(first);
  ct_free(first_dataset);
  return good;
}

static bool add_mappings(const walk *w, hid_t create, ct_error **error) {
  size_t count = 0;
  bool good = H5Pget_virtual_count(create, &count) >= 0;
  char *last_file = NULL, *last_dataset = NULL;
  for (size_t i = 0; good && i < count; i++) {
    char *file = ct_hdf5_mapping_text(H5Pget_virtual_filename, create, i, error),
         *dataset = ct_hdf5_mapping_text(H5Pget_virtual_dsetname, create, i, error);
    good = file && dataset;
    if (good && !(last_file && strcmp(file, last_file) == 0 && strcmp(dataset, last_dataset) == 0))
      good = add_mapping(w, file, dataset, error);
    ct_free(last_file);
    ct_free(last_dataset);
    last_file = file;
    last_dataset = dataset;
  }
  ct_free(last_file);
  ct_free(last_dataset);
  return good ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s: what %s is made from cannot be told.", w->container, w->name);
}

/* Files of plain samples, which the library looks for in the working directory. */
static bool add_storage(const walk *w, hid_t create, int count, ct_error **error) {
  const char *prefix = getenv("HDF5_EXTFILE_PREFIX");
  for (int i = 0; i < count; i++) {
    char name[4 * CT_HDF5_TEXT] = "";
    off_t offset = 0;
    hsize_t size = 0;
    if (H5Pget_external(create, (unsigned)i, sizeof name - 1, name, &offset, &size) < 0)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s: the files of %s cannot be told.", w->container, w->name);
    char *path = ct_hdf5_file_in(name[0] == '/' ? NULL : prefix, name);
    bool good = (path || is_missing(w, name, error)) && may_read(w, path, error);
    good = good && ct_hdf5_sources_add(w->sources, path, error);
    const uint64_t end = (uint64_t)offset + (size == H5F_UNLIMITED ? 0 : (uint64_t)size);
    uint64_t bytes = 0;
    if (good && ct_file_size(path, &bytes, error) && bytes < end)
      good = ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: %s of %s needs %llu bytes of it, it has %llu.", path,
                          w->name, w->container, (unsigned long long)end, (unsigned long long)bytes);
    ct_free(path);
    if (!good) return false;
  }
  return true;
}

static bool add_storage_of(const walk *w, hid_t dataset, ct_error **error) {
  const hid_t create = H5Dget_create_plist(dataset);
  if (create < 0) return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s cannot be read.", w->container, w->name);
  const int stored = H5Pget_external_count(create);
  bool good = true;
  if (H5Pget_layout(create) == H5D_VIRTUAL)
    good = add_mappings(w, create, error);
  else if (stored > 0)
    good = add_storage(w, create, stored, error);
  H5Pclose(create);
  return good;
}

/* The file that the dataset is in, which behind an external link is one of its own, and those that it is made from. */
static bool add_dataset(const walk *w, hid_t dataset, ct_error **error) {
  char *container = ct_hdf5_file_name(dataset, error);
  if (!container) return ct_error_set(error, CT_ERROR_FORMAT, "The file of %s has no name.", w->name);
  const walk own = {w->sources, w->name, container, w->depth};
  const bool good = may_read(w, container, error) && ct_hdf5_sources_add(w->sources, container, error) &&
                    add_storage_of(&own, dataset, error);
  ct_free(container);
  return good;
}

bool ct_hdf5_sources_add_dataset(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error) {
  return add_dataset(&(walk){.sources = sources, .name = name, .container = sources->files[0].path}, dataset, error);
}

/* `part` is a link to nowhere: says to what. */
static bool explain_link(const ct_hdf5_file *file, const char *path, const char *part, ct_error **error) {
  H5L_info_t info;
  if (ct_hdf5_was_refused(file, error)) return false;
  if (H5Lget_info(file->id, part, &info, file->access) < 0 || info.type == H5L_TYPE_HARD) return true;
  char *value = ct_alloc_zero(info.u.val_size + 1, 1, "a link", error);
  bool good = value && H5Lget_val(file->id, part, value, info.u.val_size, file->access) >= 0;
  const char *other = NULL, *object = value;
  if (good && info.type == H5L_TYPE_EXTERNAL)
    good = H5Lunpack_elink_val(value, info.u.val_size, NULL, &other, &object) >= 0;
  char *found = good && other ? ct_hdf5_find_file(path, other, "HDF5_EXT_PREFIX") : NULL;
  if (good && other && !found)
    ct_error_set(error, CT_ERROR_IO,
                 "%s: %s points to %s, which is not there. Put that file beside it, and open it again.", path, part,
                 other);
  else if (good && other)
    ct_error_set(error, CT_ERROR_FORMAT, "%s: %s points to %s in %s, which is not there or cannot be read.", path, part,
                 object, found);
  else
    ct_error_set(error, CT_ERROR_FORMAT, "%s: %s points to %s, which is not there.", path, part,
                 good ? object : "something");
  ct_free(found);
  ct_free(value);
  return false;
}

bool ct_hdf5_check_link(const ct_hdf5_file *file, const char *path, const char *name, ct_error **error) {
  char part[4 * CT_HDF5_TEXT];
  bool link;
  return !ct_hdf5_find_missing(file, name, part, &link) || !link || explain_link(file, path, part, error);
}
