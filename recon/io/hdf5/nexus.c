/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans in NeXus files that are no NXtomo: an NXdata group one of whose axes is the rotation (Savu's and DIAD's files),
 * areaDetector's ENTRY/data/data, and ENTRY/measurement of bliss (ESRF). Sources: NeXus manual, "NXdata";
 * areaDetector's documentation of NDFileHDF5; bliss' and nxtomomill's documentation. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/sources-private.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CHILDREN = 1024, DEEPEST = 4 };

bool ct_hdf5_shape(const ct_hdf5_file *file, const char *name, int *rank, hsize_t dims[CT_HDF5_MAX_RANK]) {
  if (!ct_hdf5_is_dataset(file, name)) return false;
  const hid_t id = H5Dopen2(file->id, name, file->access);
  const bool may = id >= 0 && ct_hdf5_sources_may_measure(file->sources, id, name, NULL);
  const hid_t space = may ? H5Dget_space(id) : -1, type = id >= 0 ? H5Dget_type(id) : -1;
  const H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  *rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  const bool good = (class == H5T_INTEGER || class == H5T_FLOAT) && *rank >= 0 && *rank <= CT_HDF5_MAX_RANK &&
                    (*rank == 0 || H5Sget_simple_extent_dims(space, dims, NULL) >= 0);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (id >= 0) H5Dclose(id);
  return good;
}

/* Axes of more than one entry. */
static int long_axes(int rank, const hsize_t dims[CT_HDF5_MAX_RANK]) {
  int count = 0;
  for (int i = 0; i < rank; i++) count += dims[i] > 1;
  return count;
}

static bool has_class(const ct_hdf5_file *file, const char *group, const char *class) {
  char found[CT_HDF5_TEXT];
  const bool may = ct_hdf5_exists(file, group) && !ct_hdf5_is_dataset(file, group);
  const hid_t id = may ? H5Oopen(file->id, group, file->access) : -1;
  if (id < 0) return false;
  ct_hdf5_text_attribute(id, "NX_class", found);
  H5Oclose(id);
  return strcmp(found, class) == 0;
}

static bool means_rotation(const char *name) {
  static const char *const words[] = {"rotation", "theta", "angle", "omega"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(name, words[i])) return true;
  return false;
}

/* Numbers in a dataset of one long axis; 0: it is none. */
static hsize_t length_of(const ct_hdf5_file *file, const char *name) {
  hsize_t dims[CT_HDF5_MAX_RANK], length = 1;
  int rank;
  if (!ct_hdf5_shape(file, name, &rank, dims) || long_axes(rank, dims) > 1) return 0;
  for (int i = 0; i < rank; i++) length *= dims[i];
  return length;
}

/* The axis of an NXdata group that is the rotation, from 0; -1: none is. Its dataset into `angles`. */
static int rotation_axis(const ct_hdf5_file *file, const char *group, char angles[4 * CT_HDF5_TEXT]) {
  const hid_t id = H5Oopen(file->id, group, file->access);
  int found = -1;
  for (int i = 0; id >= 0 && i < CT_HDF5_MAX_RANK && found < 0; i++) {
    char name[CT_HDF5_TEXT];
    ct_hdf5_listed_attribute(id, "axes", (size_t)i, name);
    if (!name[0]) break;
    if (means_rotation(name) && ct_hdf5_join(angles, group, name) && ct_hdf5_is_dataset(file, angles)) found = i;
  }
  if (id >= 0) H5Oclose(id);
  return found;
}

bool ct_hdf5_find_angles(const ct_hdf5_file *file, const char *entry, size_t frames, size_t views,
                         char angles[4 * CT_HDF5_TEXT]) {
  char name[CT_HDF5_TEXT], group[4 * CT_HDF5_TEXT];
  ct_hdf5_children children = ct_hdf5_children_of(file, entry[0] ? entry : "/", MOST_CHILDREN);
  bool found = false;
  while (!found && ct_hdf5_next_child(&children, name)) {
    if (!name[0] || !ct_hdf5_join(group, entry, name) || !has_class(file, group, "NXdata") ||
        rotation_axis(file, group, angles) != 0)
      continue;
    const hsize_t length = length_of(file, angles);
    found = length == frames || length == views;
  }
  ct_hdf5_children_clear(&children);
  return found;
}

/* An NXdata group: its signal where the rotation is one of the axes, or where an areaDetector wrote it. */
static bool find_in_data(const ct_hdf5_file *file, const char *entry, const char *group, ct_hdf5_place *place) {
  char signal[CT_HDF5_TEXT], beside[4 * CT_HDF5_TEXT];
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  if (!has_class(file, group, "NXdata")) return false;
  const hid_t id = H5Oopen(file->id, group, file->access);
  if (id < 0) return false;
  ct_hdf5_text_attribute(id, "signal", signal);
  H5Oclose(id);
  if (!ct_hdf5_join(place->data, group, signal[0] ? signal : "data") ||
      !ct_hdf5_shape(file, place->data, &rank, dims) || rank < 2)
    return false;
  const int axis = rotation_axis(file, group, place->angles);
  place->frames = dims[0];
  if (axis >= 0 && axis < rank && length_of(file, place->angles) == dims[axis]) {
    place->frame_axis = axis + 1;
    place->frames = dims[axis];
    place->title = "NeXus HDF5";
    return true;
  }
  place->angles[0] = 0;
  place->title = "areaDetector HDF5";
  return rank >= 3 && ((ct_hdf5_join(beside, entry, "instrument/detector") && ct_hdf5_exists(file, beside)) ||
                       (ct_hdf5_join(beside, entry, "instrument/NDAttributes") && ct_hdf5_exists(file, beside)));
}

/* Motors of the rotation have names like srot, hrsrot, rotm, diffrz. */
static bool find_in_measurement(const ct_hdf5_file *file, const char *group, ct_hdf5_place *place) {
  static const char *const words[] = {"rot", "diffrz", "hrrz"};
  char name[CT_HDF5_TEXT], path[4 * CT_HDF5_TEXT];
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  ct_hdf5_children children = ct_hdf5_children_of(file, group, MOST_CHILDREN);
  while (ct_hdf5_next_child(&children, name))
    if (name[0] && ct_hdf5_join(path, group, name) && ct_hdf5_shape(file, path, &rank, dims) && rank == 3 &&
        dims[0] > place->frames) {
      memcpy(place->data, path, sizeof path);
      place->frames = dims[0];
    }
  children.at = 0;
  while (place->frames && ct_hdf5_next_child(&children, name))
    for (size_t n = 0; n < sizeof words / sizeof *words && !place->angles[0]; n++)
      if (strcasestr(name, words[n]) && ct_hdf5_join(path, group, name) && length_of(file, path) == place->frames)
        memcpy(place->angles, path, sizeof path);
  ct_hdf5_children_clear(&children);
  place->title = "bliss HDF5";
  return place->frames;
}

bool ct_hdf5_find_nexus(const ct_hdf5_file *file, const char *entry, ct_hdf5_place *place) {
  char group[4 * CT_HDF5_TEXT], name[CT_HDF5_TEXT];
  ct_hdf5_place found = {.kind = CT_HDF5_PLAIN};
  snprintf(found.entry, sizeof found.entry, "%s", strcmp(entry, "/") == 0 ? "" : entry);
  bool is = ct_hdf5_join(group, entry, "measurement") && ct_hdf5_exists(file, group) &&
            !ct_hdf5_is_dataset(file, group) && find_in_measurement(file, group, &found);
  ct_hdf5_children children = is ? (ct_hdf5_children){0} : ct_hdf5_children_of(file, entry, MOST_CHILDREN);
  while (!is && ct_hdf5_next_child(&children, name))
    is = name[0] && ct_hdf5_join(group, entry, name) && find_in_data(file, entry, group, &found);
  ct_hdf5_children_clear(&children);
  if (!is) return false;
  snprintf(found.group, sizeof found.group, "%s", group);
  *place = found;
  return true;
}

/* What a dataset of one object reference refers to, in the same file: how MATLAB stores the content of a cell. */
static bool follow_reference(const ct_hdf5_file *file, char path[4 * CT_HDF5_TEXT]) {
  char found[4 * CT_HDF5_TEXT] = "", container[4 * CT_HDF5_TEXT] = "";
  hobj_ref_t reference = 0;
  const hid_t id = ct_hdf5_is_dataset(file, path) ? H5Dopen2(file->id, path, file->access) : -1;
  const hid_t type = id >= 0 ? H5Dget_type(id) : -1;
  const bool may =
      type >= 0 && H5Tequal(type, H5T_STD_REF_OBJ) > 0 && ct_hdf5_sources_may_measure(file->sources, id, path, NULL);
  const hid_t space = may ? H5Dget_space(id) : -1;
  const bool is = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                  H5Fget_name(id, container, sizeof container) > 0 &&
                  strcmp(container, file->sources->files[0].path) == 0 &&
                  ct_hdf5_sources_add_dataset(file->sources, id, path, NULL) &&
                  H5Dread(id, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, &reference) >= 0 &&
                  H5Rget_name(id, H5R_OBJECT, &reference, found, sizeof found) > 0;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (id >= 0) H5Dclose(id);
  if (is) memcpy(path, found, sizeof found);
  return is;
}

bool ct_hdf5_matlab_member(const ct_hdf5_file *file, const char *group, const char *name, char path[4 * CT_HDF5_TEXT]) {
  if (!ct_hdf5_join(path, group, name)) return false;
  for (int depth = 0; depth < DEEPEST && follow_reference(file, path); depth++) continue;
  return true;
}

/* A group of a file, or the file's root, whose fields have the names of a scan's. */
static bool find_fields(const ct_hdf5_file *file, const char *group, ct_hdf5_place *place) {
  static const char *const names[] = {"sinogram", "projections", "proj"};
  char path[4 * CT_HDF5_TEXT];
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  ct_hdf5_place found = {.kind = CT_HDF5_PLAIN, .title = "MATLAB 7.3", .matlab = true};
  for (size_t n = 0; n < sizeof names / sizeof *names && !found.data[0]; n++)
    if (ct_hdf5_matlab_member(file, group, names[n], path) && ct_hdf5_shape(file, path, &rank, dims) && rank >= 2)
      memcpy(found.data, path, sizeof path);
  if (!found.data[0]) return false;
  if (!ct_hdf5_matlab_member(file, group, "parameters", found.parameters) || !ct_hdf5_exists(file, found.parameters))
    snprintf(found.parameters, sizeof found.parameters, "%s", group);
  if (ct_hdf5_matlab_member(file, found.parameters, "angles", path) && length_of(file, path) > 1)
    memcpy(found.angles, path, sizeof path);
  *place = found;
  return true;
}

/* A sinogram m beside a sparse matrix, as FIPS has them: its columns, here the first index, are views. */
static bool find_fips(const ct_hdf5_file *file, ct_hdf5_place *place) {
  hsize_t dims[CT_HDF5_MAX_RANK];
  char name[CT_HDF5_TEXT];
  double rows;
  bool sparse = false;
  int rank;
  if (!ct_hdf5_shape(file, "/m", &rank, dims) || rank != 2) return false;
  ct_hdf5_children children = ct_hdf5_children_of(file, "/", MOST_CHILDREN);
  while (ct_hdf5_next_child(&children, name)) {
    const hid_t id = name[0] && !sparse && ct_hdf5_exists(file, name) ? H5Oopen(file->id, name, file->access) : -1;
    if (id < 0) continue;
    sparse = ct_hdf5_number_attribute(id, "MATLAB_sparse", &rows);
    H5Oclose(id);
  }
  ct_hdf5_children_clear(&children);
  if (sparse)
    *place = (ct_hdf5_place){CT_HDF5_PLAIN, .title = "MATLAB 7.3", .matlab = true, .data = "/m", .frame_axis = 1};
  return sparse;
}

bool ct_hdf5_find_matlab(const ct_hdf5_file *file, ct_hdf5_place *place) {
  char child[CT_HDF5_TEXT], group[4 * CT_HDF5_TEXT];
  if (find_fields(file, "/", place) || find_fips(file, place)) return true;
  ct_hdf5_children children = ct_hdf5_children_of(file, "/", MOST_CHILDREN);
  bool found = false;
  while (!found && ct_hdf5_next_child(&children, child))
    found = child[0] && child[0] != '#' && ct_hdf5_matlab_member(file, "/", child, group) &&
            ct_hdf5_exists(file, group) && !ct_hdf5_is_dataset(file, group) && find_fields(file, group, place);
  ct_hdf5_children_clear(&children);
  return found;
}

void ct_hdf5_find_surroundings(const ct_hdf5_file *file, ct_hdf5_place *place) {
  static const char *const names[] = {"theta", "angles", "rotation_angle"};
  char group[4 * CT_HDF5_TEXT], path[4 * CT_HDF5_TEXT];
  hsize_t dims[CT_HDF5_MAX_RANK];
  int rank;
  const char *slash = strrchr(place->data, '/');
  if (!slash || !ct_hdf5_shape(file, place->data, &rank, dims)) return;
  snprintf(group, sizeof group, "%.*s", slash == place->data ? 1 : (int)(slash - place->data), place->data);
  const int axis = has_class(file, group, "NXdata") ? rotation_axis(file, group, path) : -1;
  if (axis >= 0 && axis < rank && length_of(file, path) == dims[axis]) {
    place->frame_axis = axis + 1;
    memcpy(place->angles, path, sizeof path);
    return;
  }
  for (size_t n = 0; n < sizeof names / sizeof *names && !place->angles[0]; n++) {
    const hsize_t length = ct_hdf5_join(path, group, names[n]) ? length_of(file, path) : 0;
    for (int i = 0; i < rank && length > 1; i++)
      if (dims[i] == length) memcpy(place->angles, path, sizeof path);
  }
}

/* Whether the title of a bliss scan says that its frames are flats (0) or darks (1); -1: neither. */
static int reference_kind(const ct_hdf5_file *file, const char *entry) {
  char name[4 * CT_HDF5_TEXT];
  char *title =
      ct_hdf5_join(name, entry, "title") && ct_hdf5_is_dataset(file, name) ? ct_hdf5_read_text(file, name, NULL) : NULL;
  const int kind = !title                                                        ? -1
                   : strcasestr(title, "dark")                                   ? 1
                   : strcasestr(title, "reference") || strcasestr(title, "flat") ? 0
                                                                                 : -1;
  ct_free(title);
  return kind;
}

bool ct_hdf5_take_reference(const ct_hdf5_file *file, const ct_hdf5_place *other, ct_hdf5_place *place) {
  const int kind = other->title && strcmp(other->title, "bliss HDF5") == 0 ? reference_kind(file, other->entry) : -1;
  if (kind < 0 || place->references[kind][0]) return kind >= 0;
  memcpy(place->references[kind], other->data, sizeof other->data);
  return true;
}
