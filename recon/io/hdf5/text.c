/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts in HDF5 files. Those of variable length lie in a "global heap collection", which the library (1.10.8) reads
 * without a look at its bounds: a damaged reference crashes it. So only the reference is had from the library, as raw
 * bytes by way of a conversion of our own, and the heap is read here (HDF5 File Format Specification 3.0, III.E). */
#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/hdf5/sources-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A reference in a file with addresses of 8 bytes: length (4), address of the collection (8), index in it (4). */
enum { REFERENCE = 16, COLLECTION_HEADER = 16, OBJECT_HEAD = 16, MAX_COLLECTION = 1 << 28, MOST_TEXTS = 32 };

static uint64_t little_endian(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}

/* Variable-length text to opaque bytes: both take 16 bytes, and the reference stays as it stands in the file. */
static herr_t keep_reference(hid_t from, hid_t to, H5T_cdata_t *data, size_t count, size_t stride,
                             size_t background_stride, void *buffer, void *background, hid_t transfer) {
  if (data->command == H5T_CONV_INIT) data->need_bkg = H5T_BKG_NO;
  return data->command == H5T_CONV_INIT && (H5Tget_size(to) != REFERENCE || H5Tget_class(to) != H5T_OPAQUE) ? -1 : 0;
}

static bool read_at(FILE *file, uint64_t at, void *data, size_t bytes) {
  return at <= INT64_MAX && fseeko(file, (off_t)at, SEEK_SET) == 0 && fread(data, 1, bytes, file) == bytes;
}

/* The object `index` of the collection at an address; its first `length` bytes as a text (ct_free), NULL when anything
 * is wrong. */
static char *read_heap(FILE *file, uint64_t at, uint32_t index, uint32_t length) {
  unsigned char header[COLLECTION_HEADER];
  if (!read_at(file, at, header, sizeof header) || memcmp(header, "GCOL", 4) != 0) return NULL;
  const uint64_t size = little_endian(header + 8, 8);
  if (size > MAX_COLLECTION) return NULL;
  for (uint64_t place = COLLECTION_HEADER; place + OBJECT_HEAD <= size;) {
    if (!read_at(file, at + place, header, sizeof header)) return NULL;
    const uint64_t number = little_endian(header, 2), bytes = little_endian(header + 8, 8);
    if (number == 0 || bytes > size - place - OBJECT_HEAD) return NULL; /* free space ends the collection */
    if (number == index) {
      if (bytes < length) return NULL;
      char *text = ct_alloc((size_t)length + 1, 1, "a text", NULL);
      if (text && !read_at(file, at + place + OBJECT_HEAD, text, length)) {
        ct_free(text);
        return NULL;
      }
      if (text) text[length] = 0;
      return text;
    }
    place += OBJECT_HEAD + (bytes + 7) / 8 * 8;
  }
  return NULL;
}

/* Where heap addresses start, or false for files with addresses of another width. */
static bool file_facts(hid_t file, uint64_t *base) {
  const hid_t create = H5Fget_create_plist(file);
  size_t address = 0, length = 0;
  hsize_t block = 0;
  const bool good =
      create >= 0 && H5Pget_sizes(create, &address, &length) >= 0 && H5Pget_userblock(create, &block) >= 0;
  if (create >= 0) H5Pclose(create);
  *base = block;
  return good && address == 8 && length == 8;
}

static herr_t read_raw(hid_t object, bool attribute, hid_t memory, void *data) {
  return attribute ? H5Aread(object, memory, data) : H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
}

/* Text `index` of not more than MOST_TEXTS. */
static char *read_variable(hid_t object, bool attribute, hid_t type, size_t index) {
  unsigned char references[MOST_TEXTS * REFERENCE] = {0}, *reference = references + index * REFERENCE;
  char path[4096];
  uint64_t base = 0;
  char *text = NULL;
  const hid_t file = H5Iget_file_id(object), opaque = H5Tcreate(H5T_OPAQUE, REFERENCE);
  const ssize_t length = file >= 0 ? H5Fget_name(file, path, sizeof path) : -1;
  if (opaque >= 0 && length > 0 && length < (ssize_t)sizeof path && file_facts(file, &base) &&
      H5Tregister(H5T_PERS_SOFT, "gantry text reference", type, opaque, keep_reference) >= 0) {
    const bool read = read_raw(object, attribute, opaque, references) >= 0;
    H5Tunregister(H5T_PERS_SOFT, "gantry text reference", type, opaque, keep_reference);
    FILE *stream = read ? ct_stream_to_read(path, NULL) : NULL;
    if (stream) {
      text = read_heap(stream, base + little_endian(reference + 4, 8), (uint32_t)little_endian(reference + 12, 4),
                       (uint32_t)little_endian(reference, 4));
      fclose(stream);
    }
  }
  if (opaque >= 0) H5Tclose(opaque);
  if (file >= 0) H5Fclose(file);
  return text;
}

static char *read_fixed(hid_t object, bool attribute, hid_t type, size_t index, size_t count) {
  const size_t size = H5Tget_size(type);
  char *text = size < (size_t)1 << 30 ? ct_alloc(count, size + 1, "a text", NULL) : NULL;
  if (!text) return NULL;
  memset(text, 0, count * (size + 1)); /* not by ct_clear: a child process tries the file out */
  const hid_t memory = H5Tcopy(H5T_C_S1);
  H5Tset_cset(memory, H5Tget_cset(type));
  H5Tset_size(memory, size + 1);
  if (read_raw(object, attribute, memory, text) < 0) {
    ct_free(text);
    text = NULL;
  }
  if (text && index) memmove(text, text + index * (size + 1), size + 1);
  H5Tclose(memory);
  return text;
}

/* One of the strings of an attribute or dataset; lone: it must be the only one. */
static char *read_string(hid_t object, bool attribute, size_t index, bool lone) {
  const hid_t type = attribute ? H5Aget_type(object) : H5Dget_type(object);
  const hid_t space = attribute ? H5Aget_space(object) : H5Dget_space(object);
  char *text = NULL;
  const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  if (type >= 0 && H5Tget_class(type) == H5T_STRING && (hssize_t)index < count && count <= (lone ? 1 : MOST_TEXTS))
    text = H5Tis_variable_str(type) > 0 ? read_variable(object, attribute, type, index)
                                        : read_fixed(object, attribute, type, index, (size_t)count);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return text;
}

static void read_attribute(hid_t object, const char *attribute, size_t index, bool lone, char text[CT_HDF5_TEXT]) {
  text[0] = 0;
  if (H5Aexists(object, attribute) <= 0) return;
  const hid_t id = H5Aopen(object, attribute, H5P_DEFAULT);
  if (id < 0) return;
  char *got = read_string(id, true, index, lone);
  H5Aclose(id);
  if (got) snprintf(text, CT_HDF5_TEXT, "%s", got);
  ct_free(got);
}

void ct_hdf5_text_attribute(hid_t object, const char *attribute, char text[CT_HDF5_TEXT]) {
  read_attribute(object, attribute, 0, true, text);
}

void ct_hdf5_listed_attribute(hid_t object, const char *attribute, size_t index, char text[CT_HDF5_TEXT]) {
  read_attribute(object, attribute, index, false, text);
}

char *ct_hdf5_read_text(const ct_hdf5_file *file, const char *name, ct_error **error) {
  const hid_t id = H5Dopen2(file->id, name, file->access);
  const bool may = id >= 0 && ct_hdf5_sources_add_dataset(file->sources, id, name, error);
  char *text = may ? read_string(id, false, 0, true) : NULL;
  if (id >= 0) H5Dclose(id);
  if (!text)
    ct_error_set(error, CT_ERROR_FORMAT, "%s: the text %s cannot be read.", file->sources->files[0].path, name);
  return text;
}

bool ct_hdf5_number_attribute(hid_t object, const char *attribute, double *value) {
  if (H5Aexists(object, attribute) <= 0) return false;
  const hid_t id = H5Aopen(object, attribute, H5P_DEFAULT);
  if (id < 0) return false;
  const hid_t space = H5Aget_space(id), type = H5Aget_type(id);
  double number;
  const H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  const bool good = space >= 0 && (class == H5T_INTEGER || class == H5T_FLOAT) &&
                    H5Sget_simple_extent_npoints(space) == 1 && ct_hdf5_sound_type(type) &&
                    H5Aread(id, H5T_NATIVE_DOUBLE, &number) >= 0 && isfinite(number);
  if (good) *value = number;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(id);
  return good;
}
