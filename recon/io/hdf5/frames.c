/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames inside HDF5 arrays: which axis is what, and row bands of one frame by hyperslabs, converted to float32 by the
 * library. */
#include "recon/io/hdf5/hdf5-private.h"

#include "recon/base/memory.h"

#include <limits.h>
#include <string.h>

enum { MAX_FRAMES = 20000000 };

/* A frame may cross many chunks, each of which holds parts of many frames. When the cache cannot hold all that one
 * frame touches, every frame inflates everything anew. */
static bool enlarge_cache(ct_hdf5_frames *frames, hid_t file, const char *name) {
  ct_hdf5_array *array = &frames->array;
  const hid_t create = H5Dget_create_plist(array->id);
  hsize_t chunk[CT_HDF5_MAX_RANK];
  const bool chunked = create >= 0 && H5Pget_layout(create) == H5D_CHUNKED &&
                       H5Pget_chunk(create, CT_HDF5_MAX_RANK, chunk) == array->rank;
  if (create >= 0) H5Pclose(create);
  frames->together = chunked && frames->frame_axis >= 0 ? (int)chunk[frames->frame_axis] : 1;
  if (!chunked || frames->frame_axis < 0 || chunk[frames->frame_axis] < 2) return true;
  const hid_t type = H5Dget_type(array->id);
  double bytes = (double)H5Tget_size(type), chunks = 1;
  H5Tclose(type);
  for (int i = 0; i < array->rank; i++) {
    if (chunk[i] == 0) return true;
    bytes *= (double)chunk[i];
    if (i != frames->frame_axis) chunks *= (double)((array->dims[i] + chunk[i] - 1) / chunk[i]);
  }
  const double need = bytes * chunks * 1.02, ceiling = (double)ct_memory_available() / 8;
  if (need <= 1 << 20 || need > ceiling) return true;
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  /* 100 slots per chunk keep hash collisions rare, as the library's documentation advises. */
  H5Pset_chunk_cache(access, (size_t)(chunks * 100) + 1, (size_t)need, H5D_CHUNK_CACHE_W0_DEFAULT);
  /* An open dataset keeps the cache that it was first opened with. */
  H5Dclose(array->id);
  array->id = H5Dopen2(file, name, access);
  H5Pclose(access);
  return array->id >= 0;
}

bool ct_hdf5_frames_init(ct_hdf5_frames *frames, const char *path, const char *name, size_t views_hint,
                         ct_error **error) {
  const ct_hdf5_array *a = &frames->array;
  char axes[CT_HDF5_TEXT];
  ct_hdf5_text_attribute(a->id, "axes", axes);
  frames->frame_axis = 0;
  frames->row_axis = 1;
  if (a->rank == 3) {
    /* Data Exchange names its axes; "y:theta:x" is the order of sinograms. */
    const char *theta = strstr(axes, "theta"), *y = strstr(axes, "y:");
    if (theta && y && y < theta) {
      frames->frame_axis = 1;
      frames->row_axis = 0;
    }
  } else if (a->rank == 2 && (views_hint == 0 || views_hint == (size_t)a->dims[0])) {
    frames->row_axis = views_hint ? -1 : 0;
    frames->frame_axis = views_hint ? 0 : -1;
  } else {
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: %s has %d dimensions; projections need three: views, rows, columns.", path, name, a->rank);
  }
  const hsize_t count = frames->frame_axis < 0 ? 1 : a->dims[frames->frame_axis];
  const hsize_t rows = frames->row_axis < 0 ? 1 : a->dims[frames->row_axis], columns = a->dims[a->rank - 1];
  if (count > MAX_FRAMES || rows > INT_MAX || columns > INT_MAX || (double)rows * (double)columns > 0x1p40)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s claims %llu frames of %llu x %llu pixels, which cannot be.",
                        path, name, (unsigned long long)count, (unsigned long long)columns, (unsigned long long)rows);
  frames->count = (int)count;
  frames->nv = (int)rows;
  frames->nu = (int)columns;
  const hid_t file = H5Iget_file_id(a->id);
  const bool good = file >= 0 && enlarge_cache(frames, file, name);
  if (file >= 0) H5Fclose(file);
  return good || ct_error_set(error, CT_ERROR_FORMAT, "%s: the dataset %s cannot be opened.", path, name);
}

bool ct_hdf5_frames_read(const ct_hdf5_frames *frames, const char *path, int index, int row0, int rows, float *out,
                         ct_error **error) {
  const ct_hdf5_array *a = &frames->array;
  hsize_t start[CT_HDF5_MAX_RANK] = {0}, count[CT_HDF5_MAX_RANK] = {0};
  const hsize_t size[2] = {(hsize_t)rows, (hsize_t)frames->nu};
  if (frames->frame_axis >= 0) {
    start[frames->frame_axis] = (hsize_t)index;
    count[frames->frame_axis] = 1;
  }
  if (frames->row_axis >= 0) {
    start[frames->row_axis] = (hsize_t)row0;
    count[frames->row_axis] = (hsize_t)rows;
  }
  count[a->rank - 1] = (hsize_t)frames->nu;
  const hid_t space = H5Dget_space(a->id), memory = H5Screate_simple(2, size, NULL);
  const bool good = space >= 0 && memory >= 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                    H5Dread(a->id, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, out) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  return good || ct_error_set(error, CT_ERROR_FORMAT,
                              "%s: frame %d cannot be read: the file is cut off or damaged there.", path, index);
}
