/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the values of datasets come from. Names of other files are looked for in the library's order: as they stand
 * when absolute, below the prefix of the environment, beside the file that names them, in the working directory, and
 * beside what a symbolic link to that file points to (H5F_prefix_open_file). */
#include "recon/io/hdf5/sources-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/io-private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEEP = 8, FEW = 32, MOST_BLOCKS = 1000000 };

void ct_hdf5_sources_clear(ct_hdf5_sources *sources) {
  for (size_t i = 0; i < sources->count; i++) ct_free(sources->files[i].path);
  ct_free(sources->files);
  ct_error_clear(&sources->refused);
  *sources = (ct_hdf5_sources){0};
}

bool ct_hdf5_sources_add(ct_hdf5_sources *sources, const char *path, ct_error **error) {
  /* Neighbours in a list of mappings mostly come from one file, or from a new one. */
  for (size_t i = sources->count; i-- > 0;)
    if (strcmp(sources->files[i].path, path) == 0) return ct_source_check(&sources->files[i].state, path, error);
  if (sources->count == sources->capacity) {
    const size_t larger = sources->capacity ? 2 * sources->capacity : 4;
    ct_hdf5_source *files = ct_alloc(larger, sizeof *files, "a list of files", error);
    if (!files) return false;
    if (sources->count) memcpy(files, sources->files, sources->count * sizeof *files);
    ct_free(sources->files);
    sources->files = files;
    sources->capacity = larger;
  }
  ct_hdf5_source *file = &sources->files[sources->count];
  *file = (ct_hdf5_source){.path = ct_strdup(path, error)};
  if (!file->path) return false;
  sources->count++;
  return ct_source_take(&file->state, path, error);
}

bool ct_hdf5_sources_hold(const ct_hdf5_sources *sources, const char *file) {
  for (size_t i = 0; i < sources->count; i++)
    if (ct_path_is_same(sources->files[i].path, file)) return true;
  return false;
}

bool ct_hdf5_sources_check(const ct_hdf5_sources *sources, bool thorough, ct_error **error) {
  const size_t count = thorough || sources->count < FEW ? sources->count : FEW;
  for (size_t i = 0; i < count; i++)
    if (!ct_source_check(&sources->files[i].state, sources->files[i].path, error)) return false;
  return true;
}

/* "FOLDER/NAME" where that is a file, new text; else NULL. */
static char *file_in(const char *folder, const char *name) {
  char *path = folder && *folder ? ct_strprintf("%s/%s", folder, name) : ct_strdup(name, NULL);
  if (path && ct_path_exists(path) && !ct_path_is_folder(path)) return path;
  ct_free(path);
  return NULL;
}

/* The file that `container` calls `name`; new text, NULL where there is none. */
static char *find_file(const char *container, const char *name, const char *prefix_variable) {
  char *found = name[0] == '/' ? file_in(NULL, name) : NULL;
  const char *relative = name[0] == '/' ? ct_path_name(name) : name, *prefix = getenv(prefix_variable);
  char *folder = ct_path_folder(container, NULL), *real = realpath(container, NULL);
  char *real_folder = real ? ct_path_folder(real, NULL) : NULL;
  if (!found && prefix) found = file_in(prefix, relative);
  if (!found) found = file_in(folder, relative);
  if (!found) found = file_in(NULL, relative);
  if (!found) found = file_in(real_folder, relative);
  ct_free(folder);
  ct_free(real_folder);
  free(real);
  return found;
}

/* A name of the library's in new text (ct_free); get(plist, i, buffer, size) returns its length. */
static char *mapping_text(ssize_t (*get)(hid_t, size_t, char *, size_t), hid_t create, size_t i, ct_error **error) {
  const ssize_t length = get(create, i, NULL, 0);
  char *text = length >= 0 ? ct_alloc((size_t)length + 1, 1, "the name of a file", error) : NULL;
  if (text) get(create, i, text, (size_t)length + 1);
  return text;
}

typedef struct {
  ct_hdf5_sources *sources;
  const char *name;      /* of the dataset that is read */
  const char *container; /* the file that it is in, and that names others; NULL: any, for it is only listed */
  int depth;
} walk;

static bool add_dataset(const walk *w, hid_t dataset, ct_error **error);

static bool is_missing(const walk *w, const char *file, ct_error **error) {
  return ct_error_set(error, CT_ERROR_IO,
                      "%s: the values of %s are in %s, which is not there. Put that file beside it, and open it again.",
                      w->container, w->name, file);
}

/* Whether a file lies in the folder of another, or below it, links resolved. */
static bool is_beside(const char *path, const char *container) {
  char *file = realpath(path, NULL), *real = realpath(container, NULL);
  char *folder = real ? ct_path_folder(real, NULL) : NULL;
  const size_t length = folder ? strlen(folder) : 0;
  const bool beside = file && folder && strncmp(file, folder, length) == 0 && (file[length] == '/' || length == 1);
  ct_free(folder);
  free(real);
  free(file);
  return beside;
}

/* A file that somebody sent must not make pictures of other files of this machine unasked; any file can be read as
 * plain samples. */
static bool may_read(const walk *w, const char *path, ct_error **error) {
  if (w->sources->anywhere || is_beside(path, w->container)) return true;
  ct_error_set(&w->sources->refused, CT_ERROR_ELSEWHERE,
               "%s: the values of %s are in %s, outside its folder, where nothing is read unasked. %s", w->container,
               w->name, path,
               w->sources->volume ? "Of a volume nothing allows it: make one file of it with h5repack -l CONTI, behind "
                                    "an external link with h5copy -f ext, and open that."
                                  : "Allow it for this scan with --links anywhere, or in a description that you name: "
                                    "\"links\": \"anywhere\".");
  return ct_error_set(error, CT_ERROR_ELSEWHERE, "%s", w->sources->refused->message);
}

/* The dataset `name` of another file. */
static bool add_other(const walk *w, const char *path, const char *name, ct_error **error) {
  ct_hdf5_array array;
  if (w->depth >= MOST_DEEP)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s is made from datasets that are made from each other.",
                        w->container, w->name);
  if (!ct_hdf5_sources_add(w->sources, path, error)) return false;
  const hid_t file = ct_hdf5_open_file(path, error);
  if (file < 0) return false;
  const walk next = {w->sources, w->name, path, w->depth + 1};
  bool good = ct_hdf5_check_link(file, path, name, error) && ct_hdf5_array_open(&array, file, path, name, error);
  if (good) {
    good = add_dataset(&next, array.id, error);
    ct_hdf5_array_close(&array);
  } else {
    ct_error_prefix(error, "%s, %s", w->container, w->name);
  }
  H5Fclose(file);
  return good;
}

/* "part_%b.h5" and the like count their blocks from 0; new text, NULL where there is no such number. */
static char *block_name(const char *pattern, int block) {
  const char *mark = strchr(pattern, '%');
  while (mark && mark[1] == '%') mark = strchr(mark + 2, '%');
  const char *end = mark ? mark + 1 + strspn(mark + 1, "0123456789") : NULL;
  if (!end || *end != 'b') return NULL;
  const long width = strtol(mark + 1, NULL, 10);
  if (width > 99) return NULL; /* no block's number is so long */
  return ct_strprintf("%.*s%0*d%s", (int)(mark - pattern), pattern, (int)width, block, end + 1);
}

/* One file and dataset of a mapping; *found: the file is there. */
static bool add_mapped(const walk *w, const char *file, const char *dataset, bool *found, ct_error **error) {
  if (strcmp(file, ".") == 0) return *found = true; /* this file itself, whose datasets are checked when opened */
  char *path = find_file(w->container, file, "HDF5_VDS_PREFIX");
  *found = path != NULL;
  const bool good = path && may_read(w, path, error) && add_other(w, path, dataset, error);
  ct_free(path);
  return good;
}

static bool add_mapping(const walk *w, const char *file, const char *dataset, ct_error **error) {
  bool found = false, good = true;
  char *first = block_name(file, 0), *first_dataset = block_name(dataset, 0);
  if (!first) {
    good = add_mapped(w, file, first_dataset ? first_dataset : dataset, &found, error);
    if (!found) is_missing(w, file, error);
  }
  for (int block = 0; good && first && block < MOST_BLOCKS; block++) {
    char *name = block_name(file, block), *inner = block_name(dataset, block);
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
    char *file = mapping_text(H5Pget_virtual_filename, create, i, error),
         *dataset = mapping_text(H5Pget_virtual_dsetname, create, i, error);
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
    char *path = file_in(name[0] == '/' ? NULL : prefix, name);
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
  const ssize_t length = H5Fget_name(dataset, NULL, 0);
  char *container = length > 0 ? ct_alloc((size_t)length + 1, 1, "the name of a file", error) : NULL;
  if (!container) return ct_error_set(error, CT_ERROR_FORMAT, "The file of %s has no name.", w->name);
  H5Fget_name(dataset, container, (size_t)length + 1);
  const walk own = {w->sources, w->name, container, w->depth};
  const bool good = (!w->container || may_read(w, container, error)) &&
                    ct_hdf5_sources_add(w->sources, container, error) && add_storage_of(&own, dataset, error);
  ct_free(container);
  return good;
}

bool ct_hdf5_sources_add_dataset(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error) {
  const char *from = sources->count ? sources->files[0].path : NULL;
  return add_dataset(&(walk){.sources = sources, .name = name, .container = from}, dataset, error);
}

/* `part` is a link to nowhere: says to what. */
static bool explain_link(hid_t file, const char *path, const char *part, ct_error **error) {
  H5L_info_t info;
  if (H5Lget_info(file, part, &info, H5P_DEFAULT) < 0 || info.type == H5L_TYPE_HARD) return true;
  char *value = ct_alloc_zero(info.u.val_size + 1, 1, "a link", error);
  bool good = value && H5Lget_val(file, part, value, info.u.val_size, H5P_DEFAULT) >= 0;
  const char *other = NULL, *object = value;
  if (good && info.type == H5L_TYPE_EXTERNAL)
    good = H5Lunpack_elink_val(value, info.u.val_size, NULL, &other, &object) >= 0;
  char *found = good && other ? find_file(path, other, "HDF5_EXT_PREFIX") : NULL;
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

bool ct_hdf5_check_link(hid_t file, const char *path, const char *name, ct_error **error) {
  char part[4 * CT_HDF5_TEXT];
  const size_t length = strlen(name);
  if (length == 0 || length >= sizeof part) return true;
  for (size_t i = 1; i <= length; i++) {
    if ((name[i] != '/' && name[i] != 0) || name[i - 1] == '/') continue;
    memcpy(part, name, i);
    part[i] = 0;
    if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return true;
    if (H5Oexists_by_name(file, part, H5P_DEFAULT) <= 0) return explain_link(file, path, part, error);
  }
  return true;
}
