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

static void forget_dataset(ct_hdf5_sources *sources) {
  if (sources->creation > 0) H5Pclose(sources->creation);
  if (sources->dataset > 0) H5Dclose(sources->dataset);
  sources->creation = sources->dataset = 0;
}

void ct_hdf5_sources_clear(ct_hdf5_sources *sources) {
  forget_dataset(sources);
  for (int i = 0; i < 2; i++)
    if (sources->access[i] > 0) H5Pclose(sources->access[i]);
  ct_hdf5_names_clear(&sources->paths);
  ct_free(sources->files);
  ct_hdf5_sources_forget(sources);
  *sources = (ct_hdf5_sources){0};
}

void ct_hdf5_sources_forget(ct_hdf5_sources *sources) {
  ct_error_clear(&sources->refused);
  ct_free(sources->refused_path);
  sources->refused_path = NULL;
}

static bool make_room(ct_hdf5_sources *sources, ct_error **error) {
  const size_t larger = sources->capacity ? 2 * sources->capacity : 4;
  ct_hdf5_source *files = ct_alloc(larger, sizeof *files, "a list of files", error);
  if (!files) return false;
  if (sources->count) memcpy(files, sources->files, sources->count * sizeof *files);
  ct_free(sources->files);
  sources->files = files;
  sources->capacity = larger;
  return true;
}

const ct_source *ct_hdf5_sources_add(ct_hdf5_sources *sources, const char *path, ct_error **error) {
  if (sources->count == sources->capacity && !make_room(sources, error)) return NULL;
  const size_t index = ct_hdf5_names_add(&sources->paths, path, error);
  if (index == SIZE_MAX) return NULL;
  ct_hdf5_source *file = &sources->files[index];
  if (index < sources->count) return ct_source_check(&file->state, path, error) ? &file->state : NULL;
  *file = (ct_hdf5_source){.path = sources->paths.texts[index]};
  sources->count++;
  return ct_source_take(&file->state, path, error) ? &file->state : NULL;
}

/* Whether a dataset is the one that is kept. */
static bool is_kept(const ct_hdf5_sources *sources, hid_t dataset) {
  char names[2][4 * CT_HDF5_TEXT] = {"", ""}, files[2][4 * CT_HDF5_TEXT] = {"", ""};
  const hid_t ids[2] = {sources->dataset, dataset};
  for (int i = 0; i < 2; i++)
    if (ids[i] <= 0 || H5Iget_name(ids[i], names[i], sizeof names[i]) <= 0 ||
        H5Fget_name(ids[i], files[i], sizeof files[i]) <= 0)
      return false;
  return strcmp(names[0], names[1]) == 0 && strcmp(files[0], files[1]) == 0;
}

hid_t ct_hdf5_creation(ct_hdf5_sources *sources, hid_t dataset) {
  if (is_kept(sources, dataset)) return H5Iinc_ref(sources->creation) > 0 ? sources->creation : -1;
  const hid_t create = H5Dget_create_plist(dataset);
  if (create < 0 || H5Pget_layout(create) != H5D_VIRTUAL) return create;
  forget_dataset(sources);
  if (H5Iinc_ref(dataset) > 0) sources->dataset = dataset;
  if (sources->dataset > 0 && H5Iinc_ref(create) > 0) sources->creation = create;
  if (sources->creation <= 0) forget_dataset(sources);
  return create;
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

ct_hdf5_container ct_hdf5_container_of(const char *path) {
  char *real = realpath(path, NULL);
  const ct_hdf5_container container = {path, ct_path_folder(path, NULL), real ? ct_path_folder(real, NULL) : NULL};
  free(real);
  return container;
}

void ct_hdf5_container_clear(ct_hdf5_container *container) {
  ct_free(container->folder);
  ct_free(container->real_folder);
  *container = (ct_hdf5_container){0};
}

char *ct_hdf5_find_beside(const ct_hdf5_container *container, const char *name, const char *prefix_variable) {
  char *found = name[0] == '/' ? ct_hdf5_file_in(NULL, name) : NULL;
  const char *relative = name[0] == '/' ? ct_path_name(name) : name, *prefix = getenv(prefix_variable);
  if (!found && prefix) found = ct_hdf5_file_in(prefix, relative);
  if (!found) found = ct_hdf5_file_in(container->folder, relative);
  if (!found) found = ct_hdf5_file_in(NULL, relative);
  if (!found) found = ct_hdf5_file_in(container->real_folder, relative);
  return found;
}

char *ct_hdf5_find_file(const char *container, const char *name, const char *prefix_variable) {
  ct_hdf5_container own = ct_hdf5_container_of(container);
  char *found = ct_hdf5_find_beside(&own, name, prefix_variable);
  ct_hdf5_container_clear(&own);
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
static bool is_beside(const char *path, const ct_hdf5_container *container) {
  const char *folder = container->real_folder;
  char *file = realpath(path, NULL);
  const size_t length = folder ? strlen(folder) : 0;
  const bool beside = file && folder && strncmp(file, folder, length) == 0 && (file[length] == '/' || length == 1);
  free(file);
  return beside;
}

bool ct_hdf5_may_read_beside(ct_hdf5_sources *sources, const ct_hdf5_container *container, const char *name,
                             const char *path, ct_error **error) {
  if (sources->anywhere || is_beside(path, container)) return true;
  if (sources->glances) return false;
  ct_error_set(&sources->refused, CT_ERROR_ELSEWHERE,
               "%s: the values of %s are in %s, outside its folder, where nothing is read unasked.", container->path,
               name, path);
  if (!sources->refused_path) sources->refused_path = ct_strdup(path, NULL);
  return ct_error_set(error, CT_ERROR_ELSEWHERE, "%s", sources->refused->message);
}

bool ct_hdf5_may_read(ct_hdf5_sources *sources, const char *container, const char *name, const char *path,
                      ct_error **error) {
  ct_hdf5_container own = ct_hdf5_container_of(container);
  const bool may = ct_hdf5_may_read_beside(sources, &own, name, path, error);
  ct_hdf5_container_clear(&own);
  return may;
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

/* Made once, for a file may be made of thousands of others: one more reference to it. */
static hid_t shared_access(hid_t *kept, hid_t (*make)(ct_hdf5_sources *sources), ct_hdf5_sources *sources) {
  if (*kept <= 0) *kept = make(sources);
  return *kept > 0 && H5Iinc_ref(*kept) > 0 ? *kept : -1;
}

static hid_t make_reading(ct_hdf5_sources *sources) {
  (void)sources;
  return ct_hdf5_reading_access();
}

hid_t ct_hdf5_files_access(ct_hdf5_sources *sources) {
  return shared_access(&sources->access[0], make_reading, sources);
}

static hid_t make_guarded(ct_hdf5_sources *sources) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS), files = ct_hdf5_files_access(sources);
  /* The library opens no file twice in different ways. */
  const bool good = access >= 0 && files >= 0 && H5Pset_elink_cb(access, may_follow, sources) >= 0 &&
                    H5Pset_elink_fapl(access, files) >= 0;
  if (files >= 0) H5Pclose(files);
  if (good) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}

hid_t ct_hdf5_guarded_access(ct_hdf5_sources *sources) {
  return shared_access(&sources->access[1], make_guarded, sources);
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
  const hid_t create = ct_hdf5_creation(sources, dataset);
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
