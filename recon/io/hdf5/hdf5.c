/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5: the lock, files, names and arrays. */
#include "recon/io/hdf5/sources-private.h"

#include "recon/base/memory.h"
#include "recon/base/spare.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/base/untold.h"
#include "recon/io/shared/io-private.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

/* The library has one global state of its own; this lock protects that state. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* At its end the program calls nothing of the library, which keeps half-read objects of damaged files and crashes when
 * it frees them (property lists with files of external links, 1.10.8). Every file is closed by whoever opened it.
 * Before main, since only the library's first call can choose. */
__attribute__((constructor)) static void leave_the_end_alone(void) {
  H5dont_atexit();
}

/* Since the lock was taken a file could not be read where it should have been. */
static bool read_failed;

/* The library's drivers tell that so. */
static herr_t note_read(unsigned n, const H5E_error2_t *fault, void *data) {
  (void)n;
  (void)data;
  if (fault->maj_num != H5E_IO || fault->min_num != H5E_READERROR) return 0;
  read_failed = true;
  ct_untold_note("An HDF5 file could not be read");
  return 0;
}

/* Called by the library where one of its functions has failed. Most of them ask for what may be there or not, and what
 * cannot be read would be taken for what is not there. */
static herr_t note_failure(hid_t stack, void *data) {
  return H5Ewalk2(stack, H5E_WALK_UPWARD, note_read, data);
}

void ct_hdf5_lock(void) {
  pthread_mutex_lock(&lock);
  read_failed = false;
  /* The first call starts the library. Where there is no memory for that, no file will be opened either. */
  if (ct_memory_is_spare("", NULL)) H5Eset_auto2(H5E_DEFAULT, note_failure, NULL);
}

void ct_hdf5_unlock(void) {
  pthread_mutex_unlock(&lock);
}

bool ct_hdf5_has_signature(const unsigned char *header, size_t size) {
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  /* It may stand behind a user block of 512, 1024, ... bytes. */
  for (size_t at = 0; at + sizeof signature <= size; at = at ? at * 2 : 512)
    if (memcmp(header + at, signature, sizeof signature) == 0) return true;
  return false;
}

bool ct_hdf5_is_file(const char *path) {
  uint64_t bytes;
  unsigned char header[4096];
  return ct_file_size(path, &bytes, NULL) &&
         ct_hdf5_has_signature(header, ct_read_beginning(path, header, sizeof header, NULL));
}

/* Negative with an error. */
static hid_t open_id(const char *path, ct_hdf5_sources *sources, ct_error **error) {
  uint64_t bytes;
  if (!ct_memory_is_spare("for the HDF5 library", error)) {
    ct_error_prefix(error, "%s", path);
    return -1;
  }
  unsigned char header[4096];
  ct_error *fault = NULL;
  const size_t size = ct_file_size(path, &bytes, &fault) ? ct_read_beginning(path, header, sizeof header, &fault) : 0;
  if (fault) {
    if (error)
      *error = fault;
    else
      ct_error_clear(&fault);
    return -1;
  }
  if (!ct_hdf5_has_signature(header, size)) {
    ct_error_set(error, CT_ERROR_FORMAT, bytes ? "%s is no HDF5 file: it does not begin like one." : "%s is empty.",
                 path);
    return -1;
  }
  const hid_t access = ct_hdf5_files_access(sources);
  hid_t id = H5Fopen(path, H5F_ACC_RDONLY, access);
  /* Reading from another scan, the library (1.10.8) opens the parts of a virtual dataset with locks as by default, and
   * while they are open it opens them in no other way. */
  if (id < 0) id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (access >= 0) H5Pclose(access);
  if (id < 0)
    ct_error_set(error, CT_ERROR_FORMAT, "%s is a cut-off or damaged HDF5 file (%llu bytes).", path,
                 (unsigned long long)bytes);
  return id;
}

ct_hdf5_file *ct_hdf5_open_part(const char *path, ct_hdf5_sources *sources, ct_error **error) {
  ct_hdf5_file *file = ct_alloc_zero(1, sizeof *file, "an HDF5 file", error);
  if (!file) return NULL;
  file->access = -1;
  file->sources = sources;
  file->id = ct_hdf5_sources_add(sources, path, error) ? open_id(path, sources, error) : -1;
  if (file->id >= 0) file->access = ct_hdf5_guarded_access(sources);
  if (file->access >= 0) return file;
  if (file->id >= 0) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to open %s.", path);
  ct_hdf5_close_part(file);
  return NULL;
}

void ct_hdf5_close_part(ct_hdf5_file *file) {
  if (file->access >= 0) H5Pclose(file->access);
  if (file->id >= 0) H5Fclose(file->id);
  ct_free(file);
}

ct_hdf5_file *ct_hdf5_open_file(const char *path, bool anywhere, ct_error **error) {
  ct_hdf5_sources *sources = ct_alloc_zero(1, sizeof *sources, "the files of an HDF5 file", error);
  if (!sources) return NULL;
  sources->anywhere = anywhere;
  ct_hdf5_file *file = ct_hdf5_open_part(path, sources, error);
  if (file) return file;
  ct_hdf5_sources_clear(sources);
  ct_free(sources);
  return NULL;
}

void ct_hdf5_close_file(ct_hdf5_file *file) {
  if (!file) return;
  ct_hdf5_sources *sources = file->sources;
  ct_hdf5_close_part(file);
  ct_hdf5_sources_clear(sources);
  ct_free(sources);
}

bool ct_hdf5_was_unreadable(const ct_hdf5_file *file, ct_error **error) {
  if (!file || !read_failed) return false;
  ct_error_clear(error);
  ct_error_set_errno(error, EIO, "Cannot read %s", file->sources->files[0].path);
  return true;
}

bool ct_hdf5_was_refused(const ct_hdf5_file *file, ct_error **error) {
  const ct_error *refused = file ? file->sources->refused : NULL;
  if (!refused) return ct_hdf5_was_unreadable(file, error);
  ct_error_clear(error);
  ct_error_set(error, refused->code, "%s", refused->message);
  return true;
}

bool ct_hdf5_join(char path[4 * CT_HDF5_TEXT], const char *group, const char *name) {
  const size_t length = strlen(group);
  const int n = snprintf(path, 4 * CT_HDF5_TEXT, "%s%s%s", group, length && group[length - 1] == '/' ? "" : "/", name);
  return n > 0 && n < 4 * CT_HDF5_TEXT;
}

bool ct_hdf5_find_missing(const ct_hdf5_file *file, const char *name, char part[4 * CT_HDF5_TEXT], bool *link) {
  const size_t length = strlen(name);
  bool exists = true;
  *link = false;
  if (length == 0 || length >= 4 * CT_HDF5_TEXT) return true;
  file->sources->wanted = name;
  /* H5Lexists fails, rather than says no, when a parent is missing. */
  for (size_t i = 1; exists && i <= length; i++) {
    if (name[i] != '/' && name[i] != 0) continue;
    if (name[i - 1] == '/') continue;
    memcpy(part, name, i);
    part[i] = 0;
    *link = H5Lexists(file->id, part, file->access) > 0;
    exists = *link && H5Oexists_by_name(file->id, part, file->access) > 0;
  }
  file->sources->wanted = NULL;
  return !exists;
}

bool ct_hdf5_exists(const ct_hdf5_file *file, const char *name) {
  char part[4 * CT_HDF5_TEXT];
  bool link;
  return !ct_hdf5_find_missing(file, name, part, &link);
}

bool ct_hdf5_is_dataset(const ct_hdf5_file *file, const char *name) {
  if (!ct_hdf5_exists(file, name)) return false;
    /* Without opening it, which of a virtual one takes long. */
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  return H5Oget_info_by_name3(file->id, name, &info, H5O_INFO_BASIC, file->access) >= 0 &&
         info.type == H5O_TYPE_DATASET;
#else
  H5O_info_t info;
  return H5Oget_info_by_name2(file->id, name, &info, H5O_INFO_BASIC, file->access) >= 0 &&
         info.type == H5O_TYPE_DATASET;
#endif
}

/* Called by the library for each link. */
static herr_t add_child(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)group;
  (void)info;
  ct_hdf5_children *c = data;
  size_t bytes = strlen(name) + 1;
  if (bytes > CT_HDF5_TEXT) { /* longer than any path that is looked for */
    name = "";
    bytes = 1;
  }
  if (c->bytes + bytes > c->room) {
    const size_t room = c->room ? 2 * c->room : 4096;
    char *names = ct_alloc(room, 1, "the names in a group", NULL);
    if (!names) return -1;
    if (c->bytes) memcpy(names, c->names, c->bytes);
    ct_free(c->names);
    c->names = names;
    c->room = room;
  }
  memcpy(c->names + c->bytes, name, bytes);
  c->bytes += bytes;
  return --c->left <= 0;
}

ct_hdf5_children ct_hdf5_children_of(const ct_hdf5_file *file, const char *group, int most) {
  ct_hdf5_children children = {.left = most};
  H5Literate_by_name(file->id, group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_child, &children, file->access);
  return children;
}

bool ct_hdf5_next_child(ct_hdf5_children *children, char name[CT_HDF5_TEXT]) {
  if (children->at >= children->bytes) return false;
  const size_t bytes = strlen(children->names + children->at) + 1;
  memcpy(name, children->names + children->at, bytes);
  children->at += bytes;
  return true;
}

void ct_hdf5_children_clear(ct_hdf5_children *children) {
  ct_free(children->names);
  *children = (ct_hdf5_children){0};
}

void ct_hdf5_array_close(ct_hdf5_array *array) {
  if (array->id > 0) H5Dclose(array->id);
  array->id = -1;
}

/* The registered filters that beamlines use (The HDF Group, "Registered Filter Plugins"). */
static const char *filter_title(H5Z_filter_t id) {
  static const struct {
    H5Z_filter_t id;
    const char *title;
  } titles[] = {{4, "SZIP"},    {305, "LZO"},         {307, "bzip2"},        {32000, "LZF"},    {32001, "Blosc"},
                {32004, "LZ4"}, {32006, "SZ"},        {32008, "bitshuffle"}, {32013, "ZFP"},    {32015, "Zstandard"},
                {32017, "SZ"},  {32019, "FCIDECOMP"}, {32024, "SZ3"},        {32026, "Blosc2"}, {32018, "MAFISC"}};
  for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
    if (titles[i].id == id) return titles[i].title;
  return "a method unknown here";
}

/* Whether the library can undo what the chunks went through. */
static bool check_filters(hid_t create, const char *path, const char *name, ct_error **error) {
  bool good = true;
  const int count = H5Pget_layout(create) == H5D_CHUNKED ? H5Pget_nfilters(create) : 0;
  for (int i = 0; good && i < count; i++) {
    unsigned flags;
    size_t values = 0;
    const H5Z_filter_t id = H5Pget_filter2(create, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
    if (id >= 0 && H5Zfilter_avail(id) <= 0)
      good =
          ct_error_set(error, CT_ERROR_UNSUPPORTED,
                       "%s: %s is compressed by %s (HDF5 filter %d), which is not installed. Install that filter and "
                       "set HDF5_PLUGIN_PATH to its folder, or save the data again without it.",
                       path, name, filter_title(id), (int)id);
  }
  return good;
}

/* Negative with an error. The name is looked up before it is opened only where that fails: it costs as much. */
static hid_t open_dataset(const ct_hdf5_file *file, const char *path, const char *name, ct_error **error) {
  file->sources->wanted = name;
  const hid_t id = H5Dopen2(file->id, name, file->access);
  file->sources->wanted = NULL;
  if (id < 0 && !ct_hdf5_is_dataset(file, name))
    ct_error_set(error, CT_ERROR_FORMAT, "%s: there is no dataset %s.", path, name);
  if (id < 0 || ct_hdf5_sources_may_measure(file->sources, id, name, error)) return id;
  H5Dclose(id);
  return -1;
}

bool ct_hdf5_array_open(ct_hdf5_array *array, const ct_hdf5_file *file, const char *path, const char *name,
                        ct_error **error) {
  ct_error *fault = NULL;
  *array = (ct_hdf5_array){.id = open_dataset(file, path, name, &fault)};
  uint64_t chunk_bytes;
  char size[32];
  const hid_t type = array->id >= 0 ? H5Dget_type(array->id) : -1,
              space = array->id >= 0 ? H5Dget_space(array->id) : -1,
              create = array->id >= 0 ? ct_hdf5_creation(file->sources, array->id) : -1;
  bool good = false;
  if (fault) {
    ct_error_set(error, fault->code, "%s", fault->message);
    goto done;
  }
  if (type < 0 || space < 0 || create < 0) {
    ct_error_set(error, CT_ERROR_FORMAT,
                 "%s: the dataset %s cannot be opened: the file is damaged or needs a missing filter.", path, name);
    goto done;
  }
  if (!check_filters(create, path, name, error)) goto done;
  const H5T_class_t class = H5Tget_class(type);
  array->integers = class == H5T_INTEGER;
  array->rank = H5Sget_simple_extent_ndims(space);
  if (class != H5T_INTEGER && class != H5T_FLOAT) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: the dataset %s holds neither integers nor reals.", path, name);
    goto done;
  }
  if (array->rank > CT_HDF5_MAX_RANK || H5Sget_simple_extent_type(space) == H5S_NULL) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: the dataset %s has %d dimensions.", path, name, array->rank);
    goto done;
  }
  if (array->rank > 0) H5Sget_simple_extent_dims(space, array->dims, NULL);
  good = true;
  for (int i = 0; i < array->rank; i++) good = good && array->dims[i] > 0;
  if (!good)
    ct_error_set(error, CT_ERROR_FORMAT, "%s: the dataset %s is empty.", path, name);
  else if (!(good = ct_hdf5_chunks_fit(array, type, create, &chunk_bytes)))
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "%s: the dataset %s is compressed in chunks of %s, each of which has to be unpacked whole. Store it "
                 "with smaller ones, of one frame each: h5repack -l CHUNK=...",
                 path, name, ct_format_bytes((double)chunk_bytes, size, sizeof size));
  else if (!(good = ct_hdf5_sound_type(type) && ct_hdf5_sound_storage(array, type, space, create)))
    ct_error_set(error, CT_ERROR_FORMAT, "%s: the dataset %s is damaged, or its values were never written.", path,
                 name);
done:
  ct_error_clear(&fault);
  if (create >= 0) H5Pclose(create);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (!good) ct_hdf5_array_close(array);
  return good;
}
