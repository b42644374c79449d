/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 files as other programs write them, for the tests. Faults of the library abort: they are faults of the test. */
#ifndef CT_TESTS_IO_HDF5_MAKE_H
#define CT_TESTS_IO_HDF5_MAKE_H

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

static inline void make_need(int good) {
  if (!good) abort();
}

static inline hid_t make_file(const char *path) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  make_need(file >= 0);
  return file;
}

static inline void make_dataset(hid_t file, const char *name, hid_t type, int rank, const hsize_t *dims, hid_t create,
                                hid_t memory, const void *data) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t space = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
  const hid_t id = H5Dcreate2(file, name, type, space, links, create, H5P_DEFAULT);
  make_need(id >= 0 && (!data || H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0));
  H5Dclose(id);
  H5Sclose(space);
  H5Pclose(links);
}

static inline void make_array(hid_t file, const char *name, hid_t type, int rank, const hsize_t *dims, hid_t memory,
                              const void *data) {
  make_dataset(file, name, type, rank, dims, H5P_DEFAULT, memory, data);
}

/* Three dimensions of floats, chunked, shuffled and deflated; data NULL: nothing is written. */
static inline void make_chunked_array(hid_t file, const char *name, hid_t type, const hsize_t *dims,
                                      const hsize_t *chunk, const float *data) {
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, 3, chunk);
  H5Pset_shuffle(create);
  H5Pset_deflate(create, 6);
  make_dataset(file, name, type, 3, dims, create, H5T_NATIVE_FLOAT, data);
  H5Pclose(create);
}

/* Texts of variable length, as h5py writes them. */
static inline hid_t make_text_type(void) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static inline void make_text(hid_t file, const char *name, const char *text) {
  const hid_t type = make_text_type();
  make_dataset(file, name, type, 0, NULL, H5P_DEFAULT, type, &text);
  H5Tclose(type);
}

static inline void make_text_attribute(hid_t file, const char *object, const char *name, const char *text) {
  const hid_t type = make_text_type(), space = H5Screate(H5S_SCALAR), at = H5Oopen(file, object, H5P_DEFAULT);
  const hid_t id = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  make_need(id >= 0 && H5Awrite(id, type, &text) >= 0);
  H5Aclose(id);
  H5Oclose(at);
  H5Sclose(space);
  H5Tclose(type);
}

static inline void make_number_attribute(hid_t file, const char *object, const char *name, double value) {
  const hid_t space = H5Screate(H5S_SCALAR), at = H5Oopen(file, object, H5P_DEFAULT);
  const hid_t id = H5Acreate2(at, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  make_need(id >= 0 && H5Awrite(id, H5T_NATIVE_DOUBLE, &value) >= 0);
  H5Aclose(id);
  H5Oclose(at);
  H5Sclose(space);
}

#endif
