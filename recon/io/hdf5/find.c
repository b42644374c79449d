/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the scan in an HDF5 file: Data Exchange (/exchange/data), NXtomo below any entry, or a dataset that is named.
 */
#include "recon/base/path.h"
#include "recon/io/hdf5/sources-private.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CHILDREN = 4096 };

/* That its values can be read is seen when it is opened. */
static bool is_stack(const ct_hdf5_file *file, const char *name) {
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  return ct_hdf5_shape(file, name, &rank, dims) && rank >= 2;
}

/* ENTRY/instrument/GROUP with data, GROUP mostly "detector". */
static bool find_detector(const ct_hdf5_file *file, const char *entry, ct_hdf5_place *place) {
  char instrument[4 * CT_HDF5_TEXT], name[CT_HDF5_TEXT];
  ct_hdf5_place found = {.kind = CT_HDF5_NXTOMO};
  if (!ct_hdf5_join(instrument, entry, "instrument") || !ct_hdf5_exists(file, instrument)) return false;
  snprintf(found.entry, sizeof found.entry, "%s", entry);
  bool is = ct_hdf5_join(found.group, instrument, "detector") && ct_hdf5_join(found.data, found.group, "data") &&
            is_stack(file, found.data);
  /* A detector of another name is recognised by its image keys. */
  ct_hdf5_children children = is ? (ct_hdf5_children){0} : ct_hdf5_children_of(file, instrument, MAX_CHILDREN);
  while (!is && ct_hdf5_next_child(&children, name)) {
    char key[4 * CT_HDF5_TEXT];
    is = name[0] && ct_hdf5_join(found.group, instrument, name) && ct_hdf5_join(key, found.group, "image_key") &&
         ct_hdf5_exists(file, key) && ct_hdf5_join(found.data, found.group, "data") && is_stack(file, found.data);
  }
  ct_hdf5_children_clear(&children);
  if (is) *place = found;
  return is;
}

static bool find_exchange(const ct_hdf5_file *file, const char *base, ct_hdf5_place *place) {
  ct_hdf5_place found = {.kind = CT_HDF5_EXCHANGE};
  snprintf(found.entry, sizeof found.entry, "%s", strcmp(base, "/") == 0 ? "" : base);
  if (!ct_hdf5_join(found.group, base, "exchange") || !ct_hdf5_join(found.data, found.group, "data") ||
      !ct_hdf5_is_dataset(file, found.data))
    return false;
  *place = found;
  return true;
}

/* What lies directly at `base`: Data Exchange, NXtomo, NXtomo in the sub-entry that Diamond's files have. */
static bool find_at(const ct_hdf5_file *file, const char *base, ct_hdf5_place *place) {
  char sub[4 * CT_HDF5_TEXT];
  return find_exchange(file, base, place) || find_detector(file, base, place) ||
         (ct_hdf5_join(sub, base, "tomo_entry") && ct_hdf5_exists(file, sub) &&
          (find_detector(file, sub, place) || ct_hdf5_find_nexus(file, sub, place))) ||
         ct_hdf5_find_nexus(file, base, place);
}

/* While a group is open its file is, too: behind an external link each name would open it anew. */
static bool find_held(const ct_hdf5_file *file, const char *base, ct_hdf5_place *place) {
  const hid_t group = H5Gopen2(file->id, base, file->access);
  const bool found = group >= 0 && find_at(file, base, place);
  if (group >= 0) H5Gclose(group);
  return found;
}

/* A dataset or group that the user named. */
static bool find_named(const ct_hdf5_file *file, const char *path, const char *dataset, ct_hdf5_place *place,
                       ct_error **error) {
  char name[4 * CT_HDF5_TEXT];
  const bool named = ct_hdf5_join(name, "/", dataset[0] == '/' ? dataset + 1 : dataset);
  if (named && !ct_hdf5_check_link(file, path, name, error)) return false;
  if (!named || !ct_hdf5_exists(file, name))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s holds no group or dataset %s.", path, dataset);
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '/') name[--length] = 0;
  if (!ct_hdf5_is_dataset(file, name))
    return find_at(file, name, place) ||
           ct_error_set(error, CT_ERROR_FORMAT, "%s: the group %s holds no scan, neither Data Exchange nor NXtomo.",
                        path, name);
  /* Data of a known layout have their angles beside them. */
  static const char *const tails[] = {"/exchange/data", "/instrument/detector/data"};
  for (int i = 0; i < 2; i++) {
    const size_t tail = strlen(tails[i]);
    if (length < tail || strcmp(name + length - tail, tails[i]) != 0) continue;
    char base[4 * CT_HDF5_TEXT];
    snprintf(base, sizeof base, "%.*s", (int)(length - tail), name);
    if (i == 0 ? find_exchange(file, base[0] ? base : "/", place) : find_detector(file, base[0] ? base : "/", place))
      return true;
  }
  *place = (ct_hdf5_place){.kind = CT_HDF5_PLAIN};
  snprintf(place->data, sizeof place->data, "%s", name);
  place->matlab = ct_path_has_extension(path, "mat");
  if (place->matlab) place->title = "MATLAB 7.3";
  ct_hdf5_find_surroundings(file, place);
  ct_hdf5_place by_vectors;
  if (!place->matlab && !place->angles[0] && ct_hdf5_find_by_vectors(file, name, &by_vectors)) *place = by_vectors;
  return true;
}

typedef struct {
  const ct_hdf5_file *file;
  char *list;
  size_t size;
  char *first;
  int found;
  int pictures; /* arrays of two axes, and the first of them */
  char picture[4 * CT_HDF5_TEXT];
  char dangling[4 * CT_HDF5_TEXT]; /* the first link that points nowhere, one of a scan's data before others */
} search;

static void note_dangling(search *s, const char *path) {
  static const char tail[] = "/data";
  const size_t length = strlen(path), end = sizeof tail - 1;
  const bool data = length > end && strcmp(path + length - end, tail) == 0;
  s->file->sources->glances = true;
  const bool leads = ct_hdf5_check_link(s->file, "", path, NULL);
  s->file->sources->glances = false;
  if (leads || (s->dangling[0] && !data)) return;
  memcpy(s->dangling, path, length + 1);
}

static void take_link(void *data, const char *path) {
  note_dangling(data, path);
}

static void take_array(void *data, const char *path, int rank, const hsize_t *d) {
  search *s = data;
  if (rank == 2 && d[0] > 1 && d[1] > 1) {
    if (s->pictures++ == 0) memcpy(s->picture, path, strlen(path) + 1);
  } else if (rank == 3) {
    if (s->found++ == 0 && s->first) memcpy(s->first, path, strlen(path) + 1);
    const size_t length = s->list ? strlen(s->list) : 0;
    if (s->list && s->found <= 8)
      snprintf(s->list + length, s->size - length, "%s%s (%llu x %llu x %llu)", length ? ", " : "", path,
               (unsigned long long)d[0], (unsigned long long)d[1], (unsigned long long)d[2]);
  }
}

static void list_all(search *s) {
  ct_hdf5_visit(s->file, &(ct_hdf5_visitor){s, take_array, take_link});
}

int ct_hdf5_list_arrays(const ct_hdf5_file *file, const char *path, char *list, size_t size,
                        char first[4 * CT_HDF5_TEXT], ct_error **error) {
  search s = {.file = file, .list = list, .size = size, .first = first};
  if (list) list[0] = 0;
  list_all(&s);
  return s.found || !s.dangling[0] || ct_hdf5_check_link(file, path, s.dangling, error) ? s.found : -1;
}

/* One more scan of the file beside that of `place`, if one was found: flats and darks belong to it, and of scans
 * without image keys the longest is the one that is meant. */
static bool take_place(const ct_hdf5_file *file, const ct_hdf5_place *other, bool found, ct_hdf5_place *place,
                       int *others) {
  if (!found) {
    *place = *other;
    return true;
  }
  if (strcmp(other->data, place->data) == 0) return true;
  if (ct_hdf5_take_reference(file, other, place)) return true;
  ct_hdf5_place longer = *other;
  if (other->frames > place->frames && place->kind == CT_HDF5_PLAIN) {
    memcpy(longer.references, place->references, sizeof longer.references);
    if (!ct_hdf5_take_reference(file, place, &longer)) (*others)++;
    *place = longer;
    return true;
  }
  (*others)++;
  return true;
}

bool ct_hdf5_find_scan(const ct_hdf5_file *file, const char *path, const char *dataset, ct_hdf5_place *place,
                       ct_error **error) {
  if (dataset) return find_named(file, path, dataset, place, error);
  if (ct_hdf5_find_cil(file, place)) return true;
  ct_hdf5_place other;
  bool found = find_at(file, "/", place);
  char name[CT_HDF5_TEXT], base[4 * CT_HDF5_TEXT];
  /* The entry that the file itself calls its default comes first. */
  const hid_t root = found ? -1 : H5Gopen2(file->id, "/", H5P_DEFAULT);
  if (root >= 0) {
    ct_hdf5_text_attribute(root, "default", name);
    H5Gclose(root);
    found = name[0] && ct_hdf5_join(base, "/", name) && ct_hdf5_exists(file, base) && find_at(file, base, place);
  }
  int others = 0;
  ct_hdf5_names seen = {0};
  ct_hdf5_is_new_group(file, "/", &seen);
  ct_hdf5_children children = ct_hdf5_children_of(file, "/", MAX_CHILDREN);
  while (ct_hdf5_next_child(&children, name)) {
    if (!name[0] || !ct_hdf5_join(base, "/", name) || !ct_hdf5_exists(file, base) ||
        !ct_hdf5_is_new_group(file, base, &seen))
      continue;
    if (!find_held(file, base, &other)) continue;
    found = take_place(file, &other, found, place, &others);
  }
  ct_hdf5_names_clear(&seen);
  ct_hdf5_children_clear(&children);
  if (found) {
    place->others = others;
    return true;
  }
  const bool matlab = ct_path_has_extension(path, "mat");
  if (matlab ? ct_hdf5_find_matlab(file, place) : ct_hdf5_find_by_vectors(file, NULL, place)) return true;
  char list[1024] = "", only[4 * CT_HDF5_TEXT] = "";
  search s = {.file = file, .list = list, .size = sizeof list, .first = only};
  list_all(&s);
  if (s.dangling[0] && !ct_hdf5_check_link(file, path, s.dangling, error)) return false;
  if (matlab && s.found == 1 && s.pictures == 0) return find_named(file, path, only, place, error);
  if (s.found > 0)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s holds no scan in a known place; name one of its datasets to use it as projections: %s.",
                        path, list);
  /* One array of two axes alone is a sinogram or a projection. */
  if (s.pictures == 1) return find_named(file, path, s.picture, place, error);
  if (s.pictures > 1)
    return ct_error_set(
        error, CT_ERROR_FORMAT,
        "%s holds no scan in a known place, and several arrays of two dimensions. Say which: \"dataset\" in a scan "
        "description, or FILE::NAME as the path, tells it.",
        path);
  return ct_error_set(error, CT_ERROR_FORMAT, "%s holds no scan: neither /exchange/data nor an NXtomo entry.", path);
}

/* Whether something has that name, be it behind a link that may not be followed. */
static bool is_named(const ct_hdf5_file *file, const char *name) {
  char part[4 * CT_HDF5_TEXT];
  bool link;
  const bool missing = ct_hdf5_find_missing(file, name, part, &link);
  return !missing || (link && file->sources->refused && strcmp(part, name) == 0);
}

/* Whether the groups of a scan are at `base`, sound or not. */
static bool has_scan_groups(const ct_hdf5_file *file, const char *base) {
  static const char *const names[] = {"exchange", "instrument/detector/image_key", "instrument/detector/data"};
  char name[4 * CT_HDF5_TEXT];
  for (int i = 0; i < 3; i++)
    if (ct_hdf5_join(name, base, names[i]) && is_named(file, name)) return true;
  return false;
}

ct_content ct_hdf5_find_content(const ct_hdf5_file *file, const char *path, const char *dataset) {
  static const char volume[] = CT_HDF5_VOLUME_GROUP "/data";
  char name[CT_HDF5_TEXT], base[4 * CT_HDF5_TEXT];
  ct_hdf5_place place;
  if (dataset) {
    const char *from_root = dataset + strspn(dataset, "/");
    return strcmp(from_root, volume + 1) == 0 ? CT_CONTENT_VOLUME : CT_CONTENT_SCAN;
  }
  const ct_content cil = ct_hdf5_cil_content(file);
  if (cil != CT_CONTENT_EITHER) return cil;
  if (ct_hdf5_find_scan(file, path, NULL, &place, NULL))
    return place.by_vectors > 1 ? CT_CONTENT_EITHER : CT_CONTENT_SCAN; /* a cube may be the volume */
  if (has_scan_groups(file, "/")) return CT_CONTENT_SCAN;
  ct_hdf5_children children = ct_hdf5_children_of(file, "/", MAX_CHILDREN);
  bool scan = false;
  ct_hdf5_names seen = {0};
  ct_hdf5_is_new_group(file, "/", &seen);
  while (!scan && ct_hdf5_next_child(&children, name))
    scan = name[0] && ct_hdf5_join(base, "/", name) && ct_hdf5_exists(file, base) &&
           ct_hdf5_is_new_group(file, base, &seen) && has_scan_groups(file, base);
  ct_hdf5_names_clear(&seen);
  ct_hdf5_children_clear(&children);
  if (scan) return CT_CONTENT_SCAN;
  return is_named(file, volume) ? CT_CONTENT_VOLUME : CT_CONTENT_EITHER;
}
