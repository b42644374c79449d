/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of what the HDF5 library (1.10.8) takes from a damaged file unchecked, and then reads or writes beyond its
 * buffers: element types with impossible fields, chunks that are larger than what they inflate to, extents beyond their
 * own maximum. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/hdf5-private.h"

#include <zlib.h>

bool ct_hdf5_sound_type(hid_t type) {
  const H5T_class_t class = H5Tget_class(type);
  const size_t size = H5Tget_size(type), bits = size * 8;
  if (!(size == 1 || size == 2 || size == 4 || size == 8 || size == 16)) return false;
  const size_t precision = H5Tget_precision(type);
  const int offset = H5Tget_offset(type);
  if (precision < 1 || offset < 0 || precision + (size_t)offset > bits) return false;
  if (class == H5T_INTEGER) return size <= 8;
  size_t sign, exponent, exponent_size, mantissa, mantissa_size;
  if (class != H5T_FLOAT || H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) < 0)
    return false;
  return sign < bits && exponent_size >= 1 && exponent_size <= 32 && exponent <= bits - exponent_size &&
         mantissa_size >= 1 && mantissa_size < bits && mantissa <= bits - mantissa_size &&
         H5Tget_ebias(type) < ((size_t)1 << exponent_size);
}

/* Bytes that a deflate stream inflates to, at most `limit` + 1. */
static size_t inflated_size(const unsigned char *data, size_t bytes, size_t limit) {
  unsigned char out[16384];
  z_stream stream = {.next_in = (unsigned char *)data, .avail_in = (uInt)bytes};
  size_t total = 0;
  int state = inflateInit(&stream);
  if (state != Z_OK) return 0;
  while (state == Z_OK && total <= limit) {
    stream.next_out = out;
    stream.avail_out = sizeof out;
    state = inflate(&stream, Z_NO_FLUSH);
    total += sizeof out - stream.avail_out;
  }
  inflateEnd(&stream);
  return total;
}

/* The first chunk, where there is one, must inflate to the size that all are said to have. */
static bool check_first_chunk(hid_t dataset, hid_t create, int rank, size_t chunk_bytes) {
  const hsize_t first[CT_HDF5_MAX_RANK] = {0};
  const int filters = H5Pget_nfilters(create);
  unsigned flags;
  size_t values = 0;
  hsize_t stored = 0;
  uint32_t mask = 0;
  if (filters < 1) return true;
  if (H5Pget_filter2(create, (unsigned)filters - 1, &flags, &values, NULL, 0, NULL, NULL) != H5Z_FILTER_DEFLATE)
    return true;
  if (filters == 2 && H5Pget_filter2(create, 0, &flags, &values, NULL, 0, NULL, NULL) != H5Z_FILTER_SHUFFLE)
    return true;
  if (filters > 2 || H5Dget_chunk_storage_size(dataset, first, &stored) < 0 || stored == 0) return true;
  if (stored > UINT32_MAX) return false;
  unsigned char *data = ct_alloc((size_t)stored, 1, "a chunk", NULL);
  bool good = data && H5Dread_chunk(dataset, H5P_DEFAULT, first, &mask, data) >= 0;
  if (good && mask == 0) good = inflated_size(data, (size_t)stored, chunk_bytes) == chunk_bytes;
  ct_free(data);
  return good;
}

static bool check_chunks(const ct_hdf5_array *array, hid_t create, const hsize_t *most, size_t element) {
  hsize_t chunk[CT_HDF5_MAX_RANK];
  if (H5Pget_chunk(create, CT_HDF5_MAX_RANK, chunk) != array->rank) return false;
  uint64_t bytes = element;
  for (int i = 0; i < array->rank; i++) {
    /* Along a fixed axis the library itself makes no chunk larger than the array. */
    if (chunk[i] < 1 || (most[i] != H5S_UNLIMITED && chunk[i] > most[i])) return false;
    if (__builtin_mul_overflow(bytes, (uint64_t)chunk[i], &bytes) || bytes > UINT32_MAX) return false;
  }
  return check_first_chunk(array->id, create, array->rank, (size_t)bytes);
}

/* A chunk is unpacked whole, several times over in memory, for each frame that is read of it. */
enum { MAX_CHUNK = 512 << 20 };

bool ct_hdf5_chunks_fit(const ct_hdf5_array *array, hid_t type, hid_t create, uint64_t *chunk_bytes) {
  hsize_t chunk[CT_HDF5_MAX_RANK];
  *chunk_bytes = H5Tget_size(type);
  if (H5Pget_layout(create) == H5D_CHUNKED && H5Pget_nfilters(create) > 0 &&
      H5Pget_chunk(create, CT_HDF5_MAX_RANK, chunk) == array->rank)
    for (int i = 0; i < array->rank; i++)
      if (__builtin_mul_overflow(*chunk_bytes, (uint64_t)chunk[i], chunk_bytes)) *chunk_bytes = UINT64_MAX;
  return *chunk_bytes <= MAX_CHUNK;
}

/* Largest ratio of an array to its compressed size that is accepted: blank frames compress very well. */
enum { MAX_RATIO = 100000, SMALL = 64 << 20 };

bool ct_hdf5_sound_storage(const ct_hdf5_array *array, hid_t type, hid_t space, hid_t create) {
  hsize_t dims[CT_HDF5_MAX_RANK], most[CT_HDF5_MAX_RANK];
  uint64_t bytes = H5Tget_size(type);
  const size_t element = (size_t)bytes;
  if (array->rank > 0 && H5Sget_simple_extent_dims(space, dims, most) < 0) return false;
  for (int i = 0; i < array->rank; i++)
    if ((most[i] != H5S_UNLIMITED && dims[i] > most[i]) || __builtin_mul_overflow(bytes, (uint64_t)dims[i], &bytes))
      return false;
  const uint64_t stored = H5Dget_storage_size(array->id);
  bool good = true;
  switch (H5Pget_layout(create)) {
  case H5D_CONTIGUOUS:
    good = stored >= bytes || H5Pget_external_count(create) > 0;
    break;
  case H5D_COMPACT:
    good = stored >= bytes;
    break;
  case H5D_CHUNKED:
    good = (bytes < SMALL || stored >= bytes / MAX_RATIO) && check_chunks(array, create, most, element);
    break;
  default:
    break;
  }
  return good;
}
