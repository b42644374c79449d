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

typedef struct walk walk;
struct walk {
  ct_hdf5_sources *sources;
  const char *name;                 /* of the dataset that is read */
  const char *container;            /* the file that it is in, and that names others */
  const ct_hdf5_container *folders; /* its, where it is made from others */
  int depth;
  ct_hdf5_names *seen; /* what was looked into so far: a file and a dataset each */
  const walk *above;   /* what led here, and which of them this one is; NULL: the dataset that is read */
  size_t index;
};

enum { FEW_NAMED = 3 };

static bool add_dataset(const walk *w, hid_t dataset, ct_error **error);

static bool note_missing(ct_hdf5_names *missing, const char *file, ct_error **error) {
  return ct_hdf5_names_add(missing, file, error) != SIZE_MAX;
}

static bool tell_missing(const walk *w, const char *file, ct_error **error) {
  return ct_error_set(error, CT_ERROR_IO,
                      "%s: the values of %s are in %s, which is not there. Put that file beside it, and open it again.",
                      w->container, w->name, file);
}

static bool tell_all_missing(const walk *w, const ct_hdf5_names *missing, ct_error **error) {
  char list[4 * CT_HDF5_TEXT] = "";
  if (missing->count == 1) return tell_missing(w, missing->texts[0], error);
  for (size_t i = 0; i < missing->count && i < FEW_NAMED; i++) {
    const size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%.250s", length ? ", " : "", missing->texts[i]);
  }
  return ct_error_set(
      error, CT_ERROR_IO,
      "%s: the values of %s are in %zu files which are not there: %s%s. Put them beside it, and open it again.",
      w->container, w->name, missing->count, list, missing->count > FEW_NAMED ? ", ..." : "");
}

static bool may_read(const walk *w, const char *path, ct_error **error) {
  return ct_hdf5_may_read(w->sources, w->container, w->name, path, error);
}

/* The index of a dataset among those that were looked into; SIZE_MAX with an error. */
static size_t note_seen(const walk *w, const char *path, const char *name, bool *known, ct_error **error) {
  char *both = ct_strprintf("%zu %s%s", strlen(path), path, name);
  const size_t before = w->seen->count, index = both ? ct_hdf5_names_add(w->seen, both, error) : SIZE_MAX;
  if (!both) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to open %s.", path);
  ct_free(both);
  *known = index < before;
  return index;
}

static bool leads_back(const walk *w, size_t index) {
  for (; w->above; w = w->above)
    if (w->index == index) return true;
  return false;
}

/* The dataset `name` of another file. Each is looked into once: datasets that are made of two others by turns, and
 * those again, would take 200^8 steps of a small file. */
static bool add_other(const walk *w, const char *path, const char *name, ct_error **error) {
  ct_hdf5_array array;
  bool known = false;
  const size_t index = note_seen(w, path, name, &known, error);
  if (index == SIZE_MAX) return false;
  if (w->depth >= MOST_DEEP || (known && leads_back(w, index)))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s is made from datasets that are made from each other.",
                        w->container, w->name);
  if (known) return true;
  if (w->depth == 0 && w->sources->steps) ct_trial_step(w->sources->steps);
  ct_hdf5_file *file = ct_hdf5_open_part(path, w->sources, error);
  if (!file) return false;
  const walk next = {.sources = w->sources,
                     .name = w->name,
                     .container = path,
                     .depth = w->depth + 1,
                     .seen = w->seen,
                     .above = w,
                     .index = index};
  ct_error *fault = NULL;
  bool good = ct_hdf5_array_open(&array, file, path, name, &fault);
  if (good) {
    good = add_dataset(&next, array.id, error);
    ct_hdf5_array_close(&array);
  } else {
    if (ct_hdf5_check_link(file, path, name, error)) ct_error_set(error, fault->code, "%s", fault->message);
    ct_error_prefix(error, "%s, %s", w->container, w->name);
  }
  ct_error_clear(&fault);
  ct_hdf5_close_part(file);
  return good;
}

/* What is done with a file and dataset of a mapping that is there. */
typedef bool (*use_mapped)(const walk *w, const char *path, const char *dataset, void *data, ct_error **error);

/* One file and dataset of a mapping; *found: the file is there. */
static bool each_file(const walk *w, const char *file, const char *dataset, bool *found, use_mapped use, void *data,
                      ct_error **error) {
  *found = true;
  if (strcmp(file, ".") == 0) return use(w, w->container, dataset, data, error); /* this file itself */
  char *path = ct_hdf5_find_beside(w->folders, file, "HDF5_VDS_PREFIX");
  *found = path != NULL;
  const bool good = path && ct_hdf5_may_read_beside(w->sources, w->folders, w->name, path, error) &&
                    use(w, path, dataset, data, error);
  ct_free(path);
  return good;
}

/* The files of one mapping, which may count its blocks; one that is not there is noted. */
static bool each_block(const walk *w, const char *names[2], ct_hdf5_names *missing, use_mapped use, void *data,
                       ct_error **error) {
  bool found = false, good = true;
  char *first = ct_hdf5_block_name(names[0], 0), *first_dataset = ct_hdf5_block_name(names[1], 0);
  if (!first) {
    good = each_file(w, names[0], first_dataset ? first_dataset : names[1], &found, use, data, error);
    if (!found) good = note_missing(missing, names[0], error);
  }
  for (int block = 0; good && first && block < CT_HDF5_MOST_BLOCKS; block++) {
    char *name = ct_hdf5_block_name(names[0], block), *inner = ct_hdf5_block_name(names[1], block);
    found = false;
    good = name && each_file(w, name, inner ? inner : names[1], &found, use, data, error);
    ct_free(name);
    ct_free(inner);
    if (found) continue;
    good = block > 0 || note_missing(missing, first, error);
    break;
  }
  ct_free(first);
  ct_free(first_dataset);
  return good;
}

/* All files of a virtual dataset, each with its datasets. */
static bool each_mapping(const walk *w, hid_t create, use_mapped use, void *data, ct_error **error) {
  size_t count = 0;
  ct_hdf5_names missing = {0};
  bool good = H5Pget_virtual_count(create, &count) >= 0;
  char *last_file = NULL, *last_dataset = NULL;
  for (size_t i = 0; good && i < count; i++) {
    char *file = ct_hdf5_mapping_text(H5Pget_virtual_filename, create, i, error),
         *dataset = ct_hdf5_mapping_text(H5Pget_virtual_dsetname, create, i, error);
    good = file && dataset;
    if (good && !(last_file && strcmp(file, last_file) == 0 && strcmp(dataset, last_dataset) == 0))
      good = each_block(w, (const char *[2]){file, dataset}, &missing, use, data, error);
    ct_free(last_file);
    ct_free(last_dataset);
    last_file = file;
    last_dataset = dataset;
  }
  ct_free(last_file);
  ct_free(last_dataset);
  const bool told = good && missing.count && !tell_all_missing(w, &missing, error);
  ct_hdf5_names_clear(&missing);
  if (told) return false;
  return good ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s: what %s is made from cannot be told.", w->container, w->name);
}

/* The file as it is now, into a digest. */
static bool note_state(const walk *w, const char *path, const char *dataset, void *data, ct_error **error) {
  uint64_t *digest = data;
  const ct_source *state = ct_hdf5_sources_add(w->sources, path, error);
  if (!state) return false;
  const uint64_t numbers[] = {state->bytes, state->device, state->inode, (uint64_t)state->seconds,
                              (uint64_t)state->nanoseconds};
  *digest = ct_hdf5_hash(*digest, path, strlen(path) + 1);
  *digest = ct_hdf5_hash(*digest, dataset, strlen(dataset) + 1);
  *digest = ct_hdf5_hash(*digest, numbers, sizeof numbers);
  return true;
}

static bool look_into(const walk *w, const char *path, const char *dataset, void *data, ct_error **error) {
  (void)data;
  return add_other(w, path, dataset, error);
}

/* Of thousands of files each is looked at first, which names all that are missing, and then opened, unless a trial has
 * found them sound as they are. */
static bool add_mappings(const walk *w, hid_t create, ct_error **error) {
  uint64_t digest = CT_HDF5_HASH;
  ct_hdf5_sources *sources = w->sources;
  ct_hdf5_container folders = ct_hdf5_container_of(w->container);
  walk own = *w;
  own.folders = &folders;
  bool good = each_mapping(&own, create, note_state, &digest, error);
  ct_hdf5_proof *proof = w->depth == 0 ? sources->proof : NULL;
  const int most = (int)(sizeof proof->digests / sizeof *proof->digests), index = w->depth ? most : sources->proved++;
  if (w->depth) sources->leads_on = true;
  const bool proved = proof && !sources->proves && index < proof->count && proof->digests[index] == digest;
  if (good && !proved) {
    if (w->depth == 0) sources->leads_on = false;
    good = each_mapping(&own, create, look_into, NULL, error);
    if (good && proof && sources->proves && index < most) {
      proof->digests[index] = sources->leads_on ? 0 : digest;
      proof->count = index + 1;
    }
  }
  ct_hdf5_container_clear(&folders);
  return good;
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
    bool good = (path || tell_missing(w, name, error)) && may_read(w, path, error);
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
  const hid_t create = ct_hdf5_creation(w->sources, dataset);
  if (create < 0) return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s cannot be read.", w->container, w->name);
  const int stored = H5Pget_external_count(create);
  bool good = true;
  if (stored > 0) w->sources->leads_on = true;
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
  walk own = *w;
  own.container = container;
  own.folders = NULL;
  const bool same = strcmp(container, w->container) == 0;
  if (!same) w->sources->leads_on = true;
  const bool good = (same || may_read(w, container, error)) && ct_hdf5_sources_add(w->sources, container, error) &&
                    add_storage_of(&own, dataset, error);
  ct_free(container);
  return good;
}

bool ct_hdf5_sources_add_dataset(ct_hdf5_sources *sources, hid_t dataset, const char *name, ct_error **error) {
  ct_hdf5_names seen = {0};
  const walk first = {.sources = sources, .name = name, .container = sources->files[0].path, .seen = &seen};
  const bool good = add_dataset(&first, dataset, error);
  ct_hdf5_names_clear(&seen);
  return good;
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
