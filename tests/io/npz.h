/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes NumPy's .npz: ZIP archives of .npy files, stored or deflated. */
#ifndef CT_TESTS_IO_NPZ_H
#define CT_TESTS_IO_NPZ_H

#include "tests/io/files.h"

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

typedef struct npz_array {
  const char *name, *type; /* "<f4" */
  bool fortran;
  int shape[3]; /* 0 ends it */
  const void *samples;
  size_t bytes;
} npz_array;

static inline size_t npz_put(unsigned char *at, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> 8 * i);
  return (size_t)bytes;
}

/* The header of an entry in the directory (46 bytes) or before its data (30 bytes), and its name. */
static inline size_t npz_head(unsigned char *at, bool directory, const char *name, uint32_t crc, uint32_t packed,
                              uint32_t bytes, bool deflated, uint32_t place) {
  unsigned char *p = at;
  p += npz_put(p, directory ? 0x02014b50 : 0x04034b50, 4);
  if (directory) p += npz_put(p, 20, 2);
  p += npz_put(p, 20, 2);
  p += npz_put(p, 0, 2);
  p += npz_put(p, deflated ? 8 : 0, 2);
  p += npz_put(p, 0, 4);
  p += npz_put(p, crc, 4);
  p += npz_put(p, packed, 4);
  p += npz_put(p, bytes, 4);
  p += npz_put(p, (uint32_t)strlen(name), 2);
  p += npz_put(p, 0, 2);
  if (directory) {
    p += npz_put(p, 0, 4);
    p += npz_put(p, 0, 2);
    p += npz_put(p, 0, 4);
    p += npz_put(p, place, 4);
  }
  memcpy(p, name, strlen(name));
  return (size_t)(p - at) + strlen(name);
}

static inline void write_npz(const char *path, const npz_array *arrays, int count, bool deflated) {
  static unsigned char file[1 << 17], directory[4096];
  unsigned char *at = file, *entry = directory;
  for (int i = 0; i < count; i++) {
    const npz_array *a = &arrays[i];
    static unsigned char npy[1 << 15], packed[1 << 16];
    char text[200], shape[64] = "", name[64];
    for (int k = 0; k < 3 && a->shape[k]; k++)
      snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%d, ", a->shape[k]);
    const int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", a->type,
                                a->fortran ? "True" : "False", shape);
    memcpy(npy, "\x93NUMPY\1\0", 8);
    npz_put(npy + 8, (uint32_t)length, 2);
    memcpy(npy + 10, text, (size_t)length);
    memcpy(npy + 10 + length, a->samples, a->bytes);
    const uint32_t bytes = (uint32_t)(10 + (size_t)length + a->bytes);
    const uint32_t crc = (uint32_t)crc32(0, npy, bytes), place = (uint32_t)(at - file);
    uint32_t size = bytes;
    if (deflated) {
      z_stream z = {.next_in = npy, .avail_in = bytes, .next_out = packed, .avail_out = sizeof packed};
      if (deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK || deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
      size = (uint32_t)z.total_out;
      deflateEnd(&z);
    }
    snprintf(name, sizeof name, "%s.npy", a->name);
    at += npz_head(at, false, name, crc, size, bytes, deflated, 0);
    memcpy(at, deflated ? packed : npy, size);
    at += size;
    entry += npz_head(entry, true, name, crc, size, bytes, deflated, place);
  }
  const uint32_t place = (uint32_t)(at - file), bytes = (uint32_t)(entry - directory);
  memcpy(at, directory, bytes);
  at += bytes;
  at += npz_put(at, 0x06054b50, 4);
  at += npz_put(at, 0, 4);
  at += npz_put(at, (uint32_t)count, 2);
  at += npz_put(at, (uint32_t)count, 2);
  at += npz_put(at, bytes, 4);
  at += npz_put(at, place, 4);
  at += npz_put(at, 0, 2);
  write_file(path, file, (size_t)(at - file));
}

#endif
