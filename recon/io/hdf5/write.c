/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing HDF5: attributes, texts and arrays. */
#include "recon/io/hdf5/hdf5-private.h"

#include <string.h>

bool ct_hdf5_put_text_attribute(hid_t object, const char *name, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0 && H5Aclose(attribute) < 0) good = false;
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

bool ct_hdf5_put_number_attribute(hid_t object, const char *name, const double *values, size_t count) {
  const hsize_t size = count;
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
  const hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, values) >= 0;
  if (attribute >= 0 && H5Aclose(attribute) < 0) good = false;
  H5Sclose(space);
  return good;
}

/* Without times, so that equal contents make equal files. */
static hid_t dataset_properties(void) {
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(create, false);
  return create;
}

/* A dataset with the groups that lead to it; negative on failure. Closes `create`. */
static hid_t create_dataset(hid_t file, const char *name, hid_t type, hid_t space, hid_t create) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t id = H5Dcreate2(file, name, type, space, links, create, H5P_DEFAULT);
  H5Pclose(links);
  H5Pclose(create);
  return id;
}

bool ct_hdf5_put_text(hid_t file, const char *name, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t id = create_dataset(file, name, type, space, dataset_properties());
  bool good = id >= 0 && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (id >= 0 && H5Dclose(id) < 0) good = false;
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

bool ct_hdf5_put_numbers(hid_t file, const char *name, const double *values, size_t count, const char *units) {
  const hsize_t size = count;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  const hid_t id = create_dataset(file, name, H5T_NATIVE_DOUBLE, space, dataset_properties());
  bool good = id >= 0 && H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
              ct_hdf5_put_text_attribute(id, "units", units);
  if (id >= 0 && H5Dclose(id) < 0) good = false;
  H5Sclose(space);
  return good;
}

hid_t ct_hdf5_put_array(hid_t file, const char *name, hid_t type, const int dims[3], bool compress) {
  const hsize_t size[3] = {(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2]};
  const hid_t space = H5Screate_simple(3, size, NULL), create = dataset_properties();
  H5Pset_fill_time(create, H5D_FILL_TIME_NEVER);
  if (compress) {
    /* One frame per row of chunks: written and read frame by frame; 256 KiB keeps seeking and inflating cheap. */
    hsize_t chunk[3] = {1, size[1], size[2]};
    while (chunk[1] > 1 && chunk[1] * chunk[2] > 65536) chunk[1] = (chunk[1] + 1) / 2;
    while (chunk[2] > 65536) chunk[2] = (chunk[2] + 1) / 2;
    H5Pset_chunk(create, 3, chunk);
    H5Pset_shuffle(create);
    /* Not as H5Pset_deflate sets it: where zlib gets no memory, the chunk would be stored as it is. */
    H5Pset_filter(create, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 1, &(unsigned){4});
  }
  const hid_t id = create_dataset(file, name, type, space, create);
  H5Sclose(space);
  return id;
}

bool ct_hdf5_put_frame(hid_t array, hid_t type, int frame, int rows, int columns, const void *data) {
  const hsize_t start[3] = {(hsize_t)frame, 0, 0}, count[3] = {1, (hsize_t)rows, (hsize_t)columns};
  const hid_t space = H5Dget_space(array), memory = H5Screate_simple(3, count, NULL);
  const bool good = space >= 0 && memory >= 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                    H5Dwrite(array, type, memory, space, H5P_DEFAULT, data) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  return good;
}
