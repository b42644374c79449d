/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes compound files (OLE2, [MS-CFB]) of version 3 or 4: storages of one depth, streams in sectors of 512 or 4096
 * bytes, those below 4096 bytes in the small stream. The sectors of large streams are woven into each other, so that
 * their chains leap. */
#ifndef CT_TESTS_IO_COMPOUND_H
#define CT_TESTS_IO_COMPOUND_H

#include "tests/io/files.h"

#include <stdint.h>

enum { COMPOUND_STREAMS = 64, COMPOUND_CUTOFF = 4096, COMPOUND_SMALL = 64 };

typedef struct compound_stream {
  char storage[32], name[32]; /* "" : of the root */
  unsigned char *bytes;
  size_t size;
} compound_stream;

typedef struct compound {
  compound_stream streams[COMPOUND_STREAMS];
  int count;
} compound;

static inline void compound_add(compound *c, const char *storage, const char *name, const void *bytes, size_t size) {
  compound_stream *s = &c->streams[c->count++];
  snprintf(s->storage, sizeof s->storage, "%s", storage);
  snprintf(s->name, sizeof s->name, "%s", name);
  s->bytes = malloc(size + 1);
  s->size = size;
  if (!s->bytes || c->count > COMPOUND_STREAMS) abort();
  memcpy(s->bytes, bytes, size);
}

static inline void compound_add_int(compound *c, const char *name, int32_t value) {
  compound_add(c, "ImageInfo", name, &value, sizeof value);
}

static inline void compound_add_real(compound *c, const char *name, float value) {
  compound_add(c, "ImageInfo", name, &value, sizeof value);
}

typedef struct {
  unsigned char *bytes;
  uint32_t fat[4096];
  size_t size, sectors; /* of a sector; taken */
} compound_file;

static inline void compound_put(unsigned char *at, uint32_t word) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(word >> 8 * i);
}

/* Takes a sector, which follows `before` (0xFFFFFFFF: none) in its chain. */
static inline uint32_t compound_take(compound_file *f, uint32_t before) {
  const uint32_t sector = (uint32_t)f->sectors++;
  f->bytes = realloc(f->bytes, (f->sectors + 1) * f->size);
  if (!f->bytes || sector >= 4096) abort();
  memset(f->bytes + (sector + 1) * f->size, 0, f->size);
  if (before != 0xFFFFFFFF) f->fat[before] = sector;
  f->fat[sector] = 0xFFFFFFFE;
  return sector;
}

/* A chain of its own; returns its first sector. */
static inline uint32_t compound_chain(compound_file *f, const unsigned char *bytes, size_t size) {
  uint32_t first = 0xFFFFFFFE, now = 0xFFFFFFFF;
  for (size_t at = 0; at < size; at += f->size) {
    now = compound_take(f, now);
    if (at == 0) first = now;
    memcpy(f->bytes + ((size_t)now + 1) * f->size, bytes + at, size - at < f->size ? size - at : f->size);
  }
  return first;
}

static inline void compound_entry(unsigned char *at, const char *name, int type, uint32_t right, uint32_t child,
                                  uint32_t start, size_t size) {
  for (size_t i = 0; i <= strlen(name); i++) at[2 * i] = (unsigned char)name[i];
  at[64] = (unsigned char)(2 * strlen(name) + 2);
  at[66] = (unsigned char)type;
  at[67] = 1;
  compound_put(at + 68, 0xFFFFFFFF);
  compound_put(at + 72, right);
  compound_put(at + 76, child);
  compound_put(at + 116, start);
  compound_put(at + 120, (uint32_t)size);
}

/* Frees the streams. */
static inline void compound_write(compound *c, const char *path, int version) {
  static compound_file f;
  f = (compound_file){.size = version == 4 ? 4096 : 512};
  uint32_t starts[COMPOUND_STREAMS], now[COMPOUND_STREAMS], small_fat[1024] = {0}, smalls = 0;
  static unsigned char small[1024 * COMPOUND_SMALL], directory[128 * 128], table[16384];
  memset(directory, 0, sizeof directory);
  for (size_t at = 0, more = 1; more; at += f.size) { /* sector by sector of each in turn */
    more = 0;
    for (int i = 0; i < c->count; i++) {
      const compound_stream *s = &c->streams[i];
      if (s->size < COMPOUND_CUTOFF || at >= s->size) continue;
      now[i] = compound_take(&f, at ? now[i] : 0xFFFFFFFF);
      if (!at) starts[i] = now[i];
      memcpy(f.bytes + ((size_t)now[i] + 1) * f.size, s->bytes + at, s->size - at < f.size ? s->size - at : f.size);
      more = 1;
    }
  }
  for (int i = 0; i < c->count; i++) {
    const compound_stream *s = &c->streams[i];
    if (s->size >= COMPOUND_CUTOFF) continue;
    starts[i] = s->size ? smalls : 0xFFFFFFFE;
    memcpy(small + smalls * COMPOUND_SMALL, s->bytes, s->size);
    for (size_t at = 0; at < s->size; at += COMPOUND_SMALL, smalls++)
      small_fat[smalls] = at + COMPOUND_SMALL < s->size ? smalls + 1 : 0xFFFFFFFE;
  }
  for (uint32_t i = smalls; i < 1024; i++) small_fat[i] = 0xFFFFFFFF;
  const uint32_t root = compound_chain(&f, small, smalls * COMPOUND_SMALL);
  for (int i = 0; i < 1024; i++) compound_put(table + 4 * i, small_fat[i]);
  const uint32_t small_start = compound_chain(&f, table, sizeof small_fat);
  /* The root's children and each storage's are a chain to the right. */
  uint32_t entries = 1, storage = 0xFFFFFFFF, top = 0xFFFFFFFF;
  for (int i = 0; i < c->count; i++) {
    const compound_stream *s = &c->streams[i];
    bool known = false;
    for (int k = 0; k < i; k++) known |= strcmp(c->streams[k].storage, s->storage) == 0;
    if (known) continue;
    uint32_t child = 0xFFFFFFFF;
    for (int k = c->count - 1; k >= i; k--) {
      if (strcmp(c->streams[k].storage, s->storage) != 0) continue;
      compound_entry(directory + 128 * entries, c->streams[k].name, 2, child, 0xFFFFFFFF, starts[k],
                     c->streams[k].size);
      child = entries++;
    }
    storage = entries++;
    compound_entry(directory + 128 * storage, s->storage, 1, top, child, 0, 0);
    top = storage;
  }
  compound_entry(directory, "Root Entry", 5, 0xFFFFFFFF, top, root, smalls * COMPOUND_SMALL);
  const uint32_t directory_start = compound_chain(&f, directory, (entries + 31) / 32 * 32 * 128);
  const size_t words = f.size / 4, tables = (f.sectors + words) / words + 1;
  unsigned char header[512] = {0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1};
  memset(header + 76, 0xff, 4 * 109);
  for (size_t i = 0; i < tables; i++) {
    const uint32_t sector = compound_take(&f, 0xFFFFFFFF);
    f.fat[sector] = 0xFFFFFFFD;
    compound_put(header + 76 + 4 * i, sector);
  }
  for (size_t i = 0; i < tables * words; i++) {
    const size_t at = (f.sectors - tables + i / words + 1) * f.size + i % words * 4;
    compound_put(f.bytes + at, i < f.sectors ? f.fat[i] : 0xFFFFFFFF);
  }
  header[24] = 0x3e;
  header[26] = (unsigned char)version;
  header[28] = 0xfe;
  header[29] = 0xff;
  header[30] = version == 4 ? 12 : 9;
  header[32] = 6;
  if (version == 4) compound_put(header + 40, (entries + 31) / 32);
  compound_put(header + 44, (uint32_t)tables);
  compound_put(header + 48, directory_start);
  compound_put(header + 56, COMPOUND_CUTOFF);
  compound_put(header + 60, small_start);
  compound_put(header + 64, (uint32_t)((sizeof small_fat + f.size - 1) / f.size));
  compound_put(header + 68, 0xFFFFFFFE);
  memset(f.bytes, 0, f.size);
  memcpy(f.bytes, header, sizeof header);
  write_file(path, f.bytes, (f.sectors + 1) * f.size);
  free(f.bytes);
  for (int i = 0; i < c->count; i++) free(c->streams[i].bytes);
  c->count = 0;
}

/* A Zeiss scan of nu x nv pixels of type 5 (uint16): sample `view * 1000 + row * nu + column` of the stored rows. */
typedef struct zeiss_file {
  int nu, nv, views, version;
  bool volume, shifted;
} zeiss_file;

static inline void write_zeiss(const char *path, const zeiss_file *z) {
  static compound c;
  float angles[16], distances[2][16], shifts[2][16] = {{0}};
  const size_t pixels = (size_t)z->nu * (size_t)z->nv;
  uint16_t *picture = malloc(pixels * sizeof *picture);
  float *reference = malloc(pixels * sizeof *reference);
  if (!picture || !reference || z->views > 16) abort();
  c.count = 0;
  compound_add_int(&c, "ImageWidth", z->nu);
  compound_add_int(&c, "ImageHeight", z->nv);
  compound_add_int(&c, "DataType", 5);
  compound_add_int(&c, "ImagesTaken", z->views);
  compound_add_int(&c, "AcquisitionMode", z->volume ? 2 : 0);
  compound_add_real(&c, "PixelSize", 20);
  for (int i = 0; i < 16; i++) {
    angles[i] = 30.0f * (float)i;
    distances[0][i] = -50;
    distances[1][i] = 150;
  }
  if (z->shifted) {
    shifts[0][1] = 2;
    shifts[1][1] = -1.4f;
  }
  if (!z->volume) {
    compound_add_int(&c, "XrayGeometry", 1);
    compound_add(&c, "ImageInfo", "Angles", angles, (size_t)z->views * sizeof *angles);
    compound_add(&c, "ImageInfo", "StoRADistance", distances[0], (size_t)z->views * sizeof(float));
    compound_add(&c, "ImageInfo", "DtoRADistance", distances[1], (size_t)z->views * sizeof(float));
    compound_add(&c, "Alignment", "X-Shifts", shifts[0], (size_t)z->views * sizeof(float));
    compound_add(&c, "Alignment", "Y-Shifts", shifts[1], (size_t)z->views * sizeof(float));
    for (size_t i = 0; i < pixels; i++) reference[i] = 40000 + (float)i;
    compound_add(&c, "ReferenceData", "Image", reference, pixels * sizeof *reference);
  }
  for (int view = 0; view < z->views; view++) {
    char name[24];
    for (size_t i = 0; i < pixels; i++) picture[i] = (uint16_t)((size_t)view * 1000 + i);
    snprintf(name, sizeof name, "Image%d", view + 1);
    compound_add(&c, "ImageData1", name, picture, pixels * sizeof *picture);
  }
  free(picture);
  free(reference);
  compound_write(&c, path, z->version);
}

#endif
