/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files the values of an HDF5 file may be read from: its own, those of its folder, and others where somebody
 * allowed them; the list of those that are read. Names of other files are looked for in the library's order: as they
 * stand when absolute, below the prefix of the environment, beside the file that names them, in the working directory,
 * and beside what a symbolic link to that file points to (H5F_prefix_open_file). */
#include "recon/io/hdf5/sources-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/io-private.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };

void ct_hdf5_sources_clear(ct_hdf5_sources *sources) {
  for (size_t i = 0; i < sources->count; i++) ct_free(sources->files[i].path);
  ct_free(sources->files);
  ct_hdf5_sources_forget(sources);
  *sources = (ct_hdf5_sources){0};
}

void ct_hdf5_sources_forget(ct_hdf5_sources *sources) {
  ct_error_clear(&sources->refused);
  ct_free(sources->refused_path);
  sources->refused_path = NULL;
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
  return sources->refused_path && ct_path_is_same(sources->refused_path, file);
}

bool ct_hdf5_sources_check(const ct_hdf5_sources *sources, bool thorough, ct_error **error) {
  const size_t count = thorough || sources->count < FEW ? sources->count : FEW;
  for (size_t i = 0; i < count; i++)
    if (!ct_source_check(&sources->files[i].state, sources->files[i].path, error)) return false;
  return true;
}

char *ct_hdf5_file_in(const char *folder, const char *name) {
  char *path = folder && *folder ? ct_strprintf("%s/%s", folder, name) : ct_strdup(name, NULL);
  if (path && ct_path_exists(path) && !ct_path_is_folder(path)) return path;
  ct_free(path);
  return NULL;
}

char *ct_hdf5_find_file(const char *container, const char *name, const char *prefix_variable) {
  char *found = name[0] == '/' ? ct_hdf5_file_in(NULL, name) : NULL;
  const char *relative = name[0] == '/' ? ct_path_name(name) : name, *prefix = getenv(prefix_variable);
  char *folder = ct_path_folder(container, NULL), *real = realpath(container, NULL);
  char *real_folder = real ? ct_path_folder(real, NULL) : NULL;
  if (!found && prefix) found = ct_hdf5_file_in(prefix, relative);
  if (!found) found = ct_hdf5_file_in(folder, relative);
  if (!found) found = ct_hdf5_file_in(NULL, relative);
  if (!found) found = ct_hdf5_file_in(real_folder, relative);
  ct_free(folder);
  ct_free(real_folder);
  free(real);
  return found;
}

char *ct_hdf5_file_name(hid_t object, ct_error **error) {
  const ssize_t length = H5Fget_name(object, NULL, 0);
  char *name = length > 0 ? ct_alloc((size_t)length + 1, 1, "the name of a file", error) : NULL;
  if (name) H5Fget_name(object, name, (size_t)length + 1);
  return name;
}

char *ct_hdf5_mapping_text(ssize_t (*get)(hid_t, size_t, char *, size_t), hid_t create, size_t i, ct_error **error) {
  const ssize_t length = get(create, i, NULL, 0);
  char *text = length >= 0 ? ct_alloc((size_t)length + 1, 1, "the name of a file", error) : NULL;
  if (text) get(create, i, text, (size_t)length + 1);
  return text;
}

char *ct_hdf5_block_name(const char *pattern, int block) {
  const char *mark = strchr(pattern, '%');
  while (mark && mark[1] == '%') mark = strchr(mark + 2, '%');
  const char *end = mark ? mark + 1 + strspn(mark + 1, "0123456789") : NULL;
  if (!end || *end != 'b') return NULL;
  const long width = strtol(mark + 1, NULL, 10);
  if (width > 99) return NULL; /* no block's number is so long */
  return ct_strprintf("%.*s%0*d%s", (int)(mark - pattern), pattern, (int)width, block, end + 1);
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

bool ct_hdf5_may_read(ct_hdf5_sources *sources, const char *container, const char *name, const char *path,
                      ct_error **error) {
  if (sources->anywhere || is_beside(path, container)) return true;
  if (sources->glances) return false;
  ct_error_set(&sources->refused, CT_ERROR_ELSEWHERE,
               "%s: the values of %s are in %s, outside its folder, where nothing is read unasked.", container, name,
               path);
  if (!sources->refused_path) sources->refused_path = ct_strdup(path, NULL);
  return ct_error_set(error, CT_ERROR_ELSEWHERE, "%s", sources->refused->message);
}

/* Called by the library before it opens the file that an external link in `container` calls `name`. */
static herr_t may_follow(const char *container, const char *group, const char *name, const char *object,
                         unsigned *flags, hid_t access, void *data) {
  ct_hdf5_sources *sources = data;
  uint64_t bytes;
  char *path = ct_hdf5_find_file(container, name, "HDF5_EXT_PREFIX");
  const char *wanted = sources->wanted ? sources->wanted : group;
  /* Opening a pipe would wait for ever. */
  const bool may =
      !path || (ct_hdf5_may_read(sources, container, wanted, path, NULL) && ct_file_size(path, &bytes, NULL));
  ct_free(path);
  return may ? 0 : -1;
}

hid_t ct_hdf5_reading_access(void) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
  /* Reading needs no lock of the file system, which read-only and network mounts refuse. */
  H5Pset_file_locking(access, false, true);
#endif
  return access;
}

hid_t ct_hdf5_guarded_access(ct_hdf5_sources *sources) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS), files = ct_hdf5_reading_access();
  /* The library opens no file twice in different ways. */
  const bool good = access >= 0 && files >= 0 && H5Pset_elink_cb(access, may_follow, sources) >= 0 &&
                    H5Pset_elink_fapl(access, files) >= 0;
  if (files >= 0) H5Pclose(files);
  if (good) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}

/* Whether one mapping of a virtual dataset goes on without bounds in the dataset that it is made from. */
static bool is_unbounded(hid_t create, size_t i) {
  hsize_t start[H5S_MAX_RANK], stride[H5S_MAX_RANK], count[H5S_MAX_RANK], block[H5S_MAX_RANK];
  const hid_t space = H5Pget_virtual_vspace(create, i);
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  bool unbounded = false;
  if (rank > 0 && H5Sget_select_type(space) == H5S_SEL_HYPERSLABS && H5Sis_regular_hyperslab(space) > 0 &&
      H5Sget_regular_hyperslab(space, start, stride, count, block) >= 0)
    for (int k = 0; k < rank; k++) unbounded = unbounded || count[k] == H5S_UNLIMITED || block[k] == H5S_UNLIMITED;
  if (space >= 0) H5Sclose(space);
  return unbounded;
}

/* Whether the files of one such mapping, which may count its blocks, may be read. */
static bool may_read_blocks(ct_hdf5_sources *sources, const char *container, const char *name, hid_t create, size_t i,
                            ct_error **error) {
  char *file = ct_hdf5_mapping_text(H5Pget_virtual_filename, create, i, error);
  bool may = file != NULL, more = may && strcmp(file, ".") != 0;
  uint64_t bytes;
  for (int block = 0; more && block < CT_HDF5_MOST_BLOCKS; block++) {
    char *numbered = ct_hdf5_block_name(file, block);
    char *path = ct_hdf5_find_file(container, numbered ? numbered : file, "HDF5_VDS_PREFIX");
    may = !path || (ct_hdf5_may_read(sources, container, name, path, error) && ct_file_size(path, &bytes, error));
    more = may && path && numbered;
    ct_free(path);
    ct_free(numbered);
  }
  ct_free(file);
  return may;
}

bool ct_hdf5_sources_may_measure(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error) {
  const hid_t create = H5Dget_create_plist(dataset);
  size_t count = 0;
  bool may = true;
  char *container = NULL;
  if (create >= 0 && H5Pget_layout(create) == H5D_VIRTUAL && H5Pget_virtual_count(create, &count) >= 0)
    may = (container = ct_hdf5_file_name(dataset, error)) != NULL;
  for (size_t i = 0; may && container && i < count; i++)
    may = !is_unbounded(create, i) || may_read_blocks(sources, container, name, create, i, error);
  if (create >= 0) H5Pclose(create);
  ct_free(container);
  return may;
}
