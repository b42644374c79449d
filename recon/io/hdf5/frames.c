/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames inside HDF5 arrays: which axis is what, and row bands of one frame by hyperslabs, converted to float32 by the
 * library. */
#include "recon/io/hdf5/sources-private.h"

#include "recon/base/memory.h"

#include <limits.h>
#include <string.h>

enum { MAX_FRAMES = 20000000 };

/* A frame may cross many chunks, each of which holds parts of many frames. When the cache cannot hold all that one
 * frame touches, every frame inflates everything anew. */
bool ct_hdf5_frames_cache(ct_hdf5_frames *frames, const ct_hdf5_file *file, const char *name, bool by_rows) {
  ct_hdf5_array *array = &frames->array;
  const hid_t create = ct_hdf5_creation(file->sources, array->id);
  hsize_t chunk[CT_HDF5_MAX_RANK];
  const bool chunked = create >= 0 && H5Pget_layout(create) == H5D_CHUNKED &&
                       H5Pget_chunk(create, CT_HDF5_MAX_RANK, chunk) == array->rank;
  if (create >= 0) H5Pclose(create);
  frames->together = chunked && frames->frame_axis >= 0 ? (int)chunk[frames->frame_axis] : 1;
  frames->chunk_bytes = 0;
  if (!chunked || frames->frame_axis < 0) return true;
  const hid_t type = H5Dget_type(array->id);
  double bytes = (double)H5Tget_size(type), chunks = 1;
  H5Tclose(type);
  for (int i = 0; i < array->rank; i++) {
    if (chunk[i] == 0) return true;
    bytes *= (double)chunk[i];
    if (i != frames->frame_axis) chunks *= (double)((array->dims[i] + chunk[i] - 1) / chunk[i]);
  }
  const double need = bytes * chunks * 1.02, ceiling = (double)ct_memory_available() / 8;
  frames->chunk_bytes = need < 0x1p62 ? (uint64_t)need : (uint64_t)1 << 62;
  if ((frames->together < 2 && !by_rows) || need <= 1 << 20 || need > ceiling) return true;
  const hid_t access = H5Pcopy(file->access);
  /* 100 slots per chunk keep hash collisions rare, as the library's documentation advises. */
  H5Pset_chunk_cache(access, (size_t)(chunks * 100) + 1, (size_t)need, H5D_CHUNK_CACHE_W0_DEFAULT);
  /* An open dataset keeps the cache that it was first opened with. */
  H5Dclose(array->id);
  array->id = H5Dopen2(file->id, name, access);
  H5Pclose(access);
  return array->id >= 0;
}

/* The axes that count: all of up to three, else those of more than one entry. Their number, 0 where more are left. */
static int list_axes(const ct_hdf5_array *a, int axes[3]) {
  int count = 0, spare = a->rank - 3;
  for (int i = 0; i < a->rank; i++) {
    if (spare > 0 && a->dims[i] == 1) {
      spare--;
      continue;
    }
    if (count == 3) return 0;
    axes[count++] = i;
  }
  return count;
}

/* Three axes are views, rows, columns, unless somebody says otherwise: the file's "axes" (Data Exchange: "y:theta:x"),
 * the axis that the angles belong to, the user; or the number of angles fits the second axis alone. */
static ct_layout order_of_three(const ct_hdf5_array *a, const int axes[3], const ct_hdf5_order *order) {
  char names[CT_HDF5_TEXT];
  ct_hdf5_text_attribute(a->id, "axes", names);
  const char *theta = strstr(names, "theta"), *y = strstr(names, "y:");
  if (order->layout != CT_LAYOUT_UNKNOWN) return order->layout;
  if (order->frame_axis == axes[1] + 1 || (theta && y && y < theta)) return CT_LAYOUT_SINOGRAMS;
  const size_t hint = order->views_hint;
  /* MATLAB's first index is the last axis. */
  if (order->turned && order->frame_axis == 0)
    return hint > 0 && a->dims[axes[2]] == hint && a->dims[axes[0]] != hint ? CT_LAYOUT_SINOGRAMS
                                                                            : CT_LAYOUT_PROJECTIONS;
  const bool second = hint > 0 && a->dims[axes[1]] == hint && a->dims[axes[0]] != hint;
  return order->frame_axis == 0 && !theta && second ? CT_LAYOUT_SINOGRAMS : CT_LAYOUT_PROJECTIONS;
}

/* Two axes are one picture, or a sinogram where one of them has as many entries as there are angles. */
static ct_layout order_of_two(ct_hdf5_frames *frames, const int axes[2], const ct_hdf5_order *order) {
  const hsize_t *dims = frames->array.dims;
  const size_t hint = order->views_hint;
  const bool first = hint > 1 && dims[axes[0]] == hint, second = hint > 1 && dims[axes[1]] == hint;
  const bool sinogram =
      order->layout == CT_LAYOUT_UNKNOWN ? order->frame_axis || first || second : order->layout == CT_LAYOUT_SINOGRAMS;
  const int views = order->frame_axis ? order->frame_axis == axes[1] + 1 : first != second ? second : order->turned;
  frames->frame_axis = sinogram ? axes[views] : -1;
  frames->row_axis = sinogram ? -1 : axes[order->turned];
  frames->column_axis = sinogram ? axes[1 - views] : axes[1 - order->turned];
  return sinogram ? CT_LAYOUT_SINOGRAMS : order->layout;
}

static bool choose_axes(ct_hdf5_frames *frames, const char *path, const char *name, const ct_hdf5_order *order,
                        ct_layout *layout, ct_error **error) {
  const ct_hdf5_array *a = &frames->array;
  int axes[3];
  const int count = list_axes(a, axes);
  if (count == 3) {
    *layout = order_of_three(a, axes, order);
    const bool sinograms = *layout == CT_LAYOUT_SINOGRAMS;
    /* In MATLAB's indices views, columns, rows, or rows, columns, views, all of which are in reverse here. */
    frames->frame_axis = axes[!sinograms ? 0 : order->turned ? 2 : 1];
    frames->row_axis = axes[sinograms ? 0 : order->turned ? 2 : 1];
    frames->column_axis = axes[order->turned ? 1 : 2];
    return true;
  }
  if (count != 2)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: %s has %d dimensions; projections need three: views, rows, columns.", path, name, a->rank);
  *layout = order_of_two(frames, axes, order);
  if (*layout != CT_LAYOUT_UNKNOWN || order->views_hint < 2) return true;
  return ct_error_set(error, CT_ERROR_FORMAT,
                      "%s: %s is a picture of %llu x %llu, and neither side is the number of angles, %zu; projections "
                      "need three dimensions: views, rows, columns.",
                      path, name, (unsigned long long)a->dims[axes[0]], (unsigned long long)a->dims[axes[1]],
                      order->views_hint);
}

bool ct_hdf5_frames_init(ct_hdf5_frames *frames, const ct_hdf5_file *file, const char *name, const ct_hdf5_order *order,
                         ct_layout *layout, ct_error **error) {
  const ct_hdf5_array *a = &frames->array;
  const char *path = file->sources->files[0].path;
  ct_layout found = CT_LAYOUT_UNKNOWN;
  if (!choose_axes(frames, path, name, order, &found, error)) return false;
  if (layout) *layout = found;
  const hsize_t count = frames->frame_axis < 0 ? 1 : a->dims[frames->frame_axis];
  const hsize_t rows = frames->row_axis < 0 ? 1 : a->dims[frames->row_axis], columns = a->dims[frames->column_axis];
  if (count > MAX_FRAMES || rows > INT_MAX || columns > INT_MAX || (double)rows * (double)columns > 0x1p40)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: %s claims %llu frames of %llu x %llu pixels, which cannot be.",
                        path, name, (unsigned long long)count, (unsigned long long)columns, (unsigned long long)rows);
  frames->count = (int)count;
  frames->nv = (int)rows;
  frames->nu = (int)columns;
  return ct_hdf5_frames_cache(frames, file, name, false) ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s: the dataset %s cannot be opened.", path, name);
}

/* [columns][rows] as read to [rows][columns]. */
static bool turn_back(float *values, size_t rows, size_t columns, ct_error **error) {
  float *copy = ct_alloc(rows * columns, sizeof *copy, "a frame", error);
  if (!copy) return false;
  memcpy(copy, values, rows * columns * sizeof *copy);
  for (size_t v = 0; v < rows; v++)
    for (size_t u = 0; u < columns; u++) values[v * columns + u] = copy[u * rows + v];
  ct_free(copy);
  return true;
}

bool ct_hdf5_frames_read(const ct_hdf5_frames *frames, const char *path, int index, int row0, int rows, float *out,
                         ct_error **error) {
  const ct_hdf5_array *a = &frames->array;
  hsize_t start[CT_HDF5_MAX_RANK] = {0}, count[CT_HDF5_MAX_RANK];
  const hsize_t size[2] = {(hsize_t)rows, (hsize_t)frames->nu};
  for (int i = 0; i < a->rank; i++) count[i] = 1;
  if (frames->frame_axis >= 0) start[frames->frame_axis] = (hsize_t)index;
  if (frames->row_axis >= 0) {
    start[frames->row_axis] = (hsize_t)row0;
    count[frames->row_axis] = (hsize_t)rows;
  }
  count[frames->column_axis] = (hsize_t)frames->nu;
  const hid_t space = H5Dget_space(a->id), memory = H5Screate_simple(2, size, NULL);
  const bool good = space >= 0 && memory >= 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                    H5Dread(a->id, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, out) >= 0;
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  if (good && frames->row_axis > frames->column_axis) return turn_back(out, (size_t)rows, (size_t)frames->nu, error);
  return good || ct_error_set(error, CT_ERROR_FORMAT,
                              "%s: frame %d cannot be read: the file is cut off or damaged there.", path, index);
}
