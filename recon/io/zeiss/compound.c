/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading compound files. Sectors form chains that the FAT holds; streams below 4096 bytes lie in sectors of 64 bytes
 * of a stream of their own, the root's, with a FAT of its own. Every chain is bounded by the number of sectors, so that
 * no damaged file leads in circles. */
#include "recon/io/zeiss/compound-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 512, ENTRY = 128, IN_HEADER = 109, SMALL = 64, CUTOFF = 4096 };
static const uint32_t last = 0xFFFFFFFA; /* numbers of sectors are below */
enum { STORAGE = 1, STREAM = 2, ROOT = 5 };

typedef struct {
  char name[64];
  int type, parent; /* -1: of none */
  uint32_t left, right, child, start;
  uint64_t bytes;
} entry;

struct ct_compound {
  char *path;
  int descriptor, shift; /* of a sector's bytes */
  uint64_t bytes;
  uint32_t *fat, *small_fat, *small_sectors; /* the last: of the root's stream, in order */
  size_t fat_count, small_count, small_sector_count;
  entry *entries;
  size_t entry_count;
};

static uint32_t word_at(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool damaged(const ct_compound *c, const char *what, ct_error **error) {
  return ct_error_set(error, CT_ERROR_FORMAT, "%s is cut off or damaged: %s", c->path, what);
}

static bool read_sector(const ct_compound *c, uint32_t sector, uint64_t offset, void *out, size_t bytes,
                        ct_error **error) {
  const uint64_t at = ((uint64_t)sector + 1) << c->shift;
  if (sector >= last || at + offset > c->bytes || bytes > c->bytes - at - offset)
    return damaged(c, "a sector lies beyond its end", error);
  return ct_read_exactly(c->descriptor, c->path, out, bytes, (off_t)(at + offset), error);
}

/* The numbers in a sector, appended to a table that has room for them. */
static bool take_words(const ct_compound *c, uint32_t sector, unsigned char *buffer, uint32_t *to, ct_error **error) {
  const size_t size = (size_t)1 << c->shift;
  if (!read_sector(c, sector, 0, buffer, size, error)) return false;
  for (size_t i = 0; i < size / 4; i++) to[i] = word_at(buffer + 4 * i);
  return true;
}

/* The sectors that hold the FAT: the first 109 in the header, the others in sectors of their own. */
static bool read_fat(ct_compound *c, const unsigned char *header, ct_error **error) {
  const size_t size = (size_t)1 << c->shift, words = size / 4, sectors = word_at(header + 44);
  /* Four bytes a sector of the file, and what a writer kept for more. */
  if (sectors < 1 || sectors > 2 * ((c->bytes >> c->shift) / words) + 16)
    return damaged(c, "the size of its table", error);
  uint32_t *list = ct_alloc(sectors + words, sizeof *list, "a table of sectors", error);
  unsigned char *buffer = ct_alloc(size, 1, "a sector", error);
  c->fat = ct_alloc(sectors * words, sizeof *c->fat, "a table of sectors", error);
  bool good = list && buffer && c->fat;
  size_t count = 0;
  for (; good && count < sectors && count < IN_HEADER; count++) list[count] = word_at(header + 76 + 4 * count);
  for (uint32_t next = word_at(header + 68); good && count < sectors; count += words - 1) {
    good = take_words(c, next, buffer, list + count, error);
    if (good) next = list[count + words - 1];
  }
  for (size_t i = 0; good && i < sectors; i++) good = take_words(c, list[i], buffer, c->fat + i * words, error);
  c->fat_count = good ? sectors * words : 0;
  ct_free(buffer);
  ct_free(list);
  return good;
}

/* The sectors of a chain (ct_free). */
static uint32_t *chain_of(const ct_compound *c, uint32_t start, size_t *count, ct_error **error) {
  size_t length = 0;
  for (uint32_t s = start; s < last; s = c->fat[s]) {
    if (s >= c->fat_count || length++ >= c->fat_count) {
      damaged(c, "its sectors do not follow each other", error);
      return NULL;
    }
  }
  uint32_t *chain = ct_alloc(length + 1, sizeof *chain, "a list of sectors", error);
  *count = 0;
  for (uint32_t s = start; chain && s < last; s = c->fat[s]) chain[(*count)++] = s;
  return chain;
}

static bool read_small_fat(ct_compound *c, const unsigned char *header, ct_error **error) {
  const size_t size = (size_t)1 << c->shift, words = size / 4;
  size_t sectors;
  uint32_t *chain = chain_of(c, word_at(header + 60), &sectors, error);
  unsigned char *buffer = ct_alloc(size, 1, "a sector", error);
  if (chain) c->small_fat = ct_alloc(sectors * words + 1, sizeof *c->small_fat, "a table of sectors", error);
  bool good = chain && buffer && c->small_fat;
  for (size_t i = 0; good && i < sectors; i++) good = take_words(c, chain[i], buffer, c->small_fat + i * words, error);
  c->small_count = good ? sectors * words : 0;
  ct_free(buffer);
  ct_free(chain);
  return good;
}

/* Names are UTF-16; those of other letters than ASCII are none that is looked for. */
static void take_entry(const ct_compound *c, const unsigned char *at, entry *e) {
  *e = (entry){.type = at[66], .parent = -1, .left = word_at(at + 68), .right = word_at(at + 72)};
  e->child = word_at(at + 76);
  e->start = word_at(at + 116);
  e->bytes = word_at(at + 120) | (c->shift > 9 ? (uint64_t)word_at(at + 124) << 32 : 0);
  for (int i = 0; i < 31 && (at[2 * i] || at[2 * i + 1]); i++)
    e->name[i] = at[2 * i + 1] || at[2 * i] > 126 ? '?' : (char)at[2 * i];
}

static bool read_entries(ct_compound *c, const unsigned char *header, ct_error **error) {
  const size_t size = (size_t)1 << c->shift;
  size_t sectors;
  uint32_t *chain = chain_of(c, word_at(header + 48), &sectors, error);
  unsigned char *buffer = ct_alloc(size, 1, "a sector", error);
  if (chain) c->entries = ct_alloc(sectors * (size / ENTRY) + 1, sizeof *c->entries, "a directory", error);
  bool good = chain && buffer && c->entries;
  for (size_t i = 0; good && i < sectors; i++) {
    good = read_sector(c, chain[i], 0, buffer, size, error);
    for (size_t k = 0; good && k < size / ENTRY; k++) take_entry(c, buffer + k * ENTRY, &c->entries[c->entry_count++]);
  }
  if (good && (c->entry_count == 0 || c->entries[0].type != ROOT)) good = damaged(c, "it has no root", error);
  ct_free(buffer);
  ct_free(chain);
  return good;
}

/* Tells each entry its storage; the entries of a storage are a tree of their own. Each is visited once. */
static bool find_parents(ct_compound *c, ct_error **error) {
  typedef struct {
    uint32_t entry;
    int parent;
  } step;
  step *stack = ct_alloc(3 * c->entry_count + 1, sizeof *stack, "a directory", error);
  if (!stack) return false;
  size_t depth = 0;
  stack[depth++] = (step){c->entries[0].child, 0};
  while (depth > 0) {
    const step s = stack[--depth];
    if (s.entry == 0 || s.entry >= c->entry_count || c->entries[s.entry].parent >= 0) continue;
    entry *e = &c->entries[s.entry];
    e->parent = s.parent;
    stack[depth++] = (step){e->left, s.parent};
    stack[depth++] = (step){e->right, s.parent};
    if (e->type == STORAGE) stack[depth++] = (step){e->child, (int)s.entry};
  }
  ct_free(stack);
  return true;
}

static bool open_all(ct_compound *c, ct_error **error) {
  unsigned char header[HEADER];
  if (!ct_file_size(c->path, &c->bytes, error)) return false;
  if (c->bytes < HEADER) return damaged(c, "not even its header is there", error);
  if (!ct_read_exactly(c->descriptor, c->path, header, sizeof header, 0, error)) return false;
  c->shift = header[30] | header[31] << 8;
  if (memcmp(header, CT_COMPOUND_MAGIC, 8) != 0 || (c->shift != 9 && c->shift != 12))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is no compound file of version 3 or 4", c->path);
  if (!read_fat(c, header, error) || !read_entries(c, header, error) || !read_small_fat(c, header, error) ||
      !find_parents(c, error))
    return false;
  c->small_sectors = chain_of(c, c->entries[0].bytes ? c->entries[0].start : last, &c->small_sector_count, error);
  return c->small_sectors;
}

ct_compound *ct_compound_open(const char *path, ct_error **error) {
  ct_compound *c = ct_alloc_zero(1, sizeof *c, "a file", error);
  if (!c) return NULL;
  c->descriptor = -1;
  bool good = (c->path = ct_strdup(path, error)) != NULL;
  good = good && (c->descriptor = ct_open_to_read(path, error)) >= 0;
  if (good && open_all(c, error)) return c;
  ct_compound_close(c);
  return NULL;
}

void ct_compound_close(ct_compound *c) {
  if (!c) return;
  if (c->descriptor >= 0) close(c->descriptor);
  ct_free(c->fat);
  ct_free(c->small_fat);
  ct_free(c->small_sectors);
  ct_free(c->entries);
  ct_free(c->path);
  ct_free(c);
}

static int child_of(const ct_compound *c, int parent, const char *name, size_t length, bool stream) {
  for (size_t i = 1; i < c->entry_count; i++) {
    const entry *e = &c->entries[i];
    if (e->parent == parent && e->type == (stream ? STREAM : STORAGE) && strlen(e->name) == length &&
        memcmp(e->name, name, length) == 0)
      return (int)i;
  }
  return -1;
}

int ct_compound_find(const ct_compound *c, const char *path, uint64_t *bytes) {
  int found = 0;
  while (found >= 0) {
    const size_t length = strcspn(path, "/");
    const bool is_last = path[length] == 0;
    found = child_of(c, found, path, length, is_last);
    if (is_last) break;
    path += length + 1;
  }
  *bytes = found >= 0 ? c->entries[found].bytes : 0;
  return found;
}

static bool read_small(const ct_compound *c, uint32_t start, uint64_t offset, unsigned char *out, size_t bytes,
                       ct_error **error) {
  const size_t in_sector = ((size_t)1 << c->shift) / SMALL;
  uint32_t s = start;
  for (uint64_t skip = offset / SMALL; skip > 0; skip--) s = s < c->small_count ? c->small_fat[s] : last;
  for (offset %= SMALL; bytes > 0; offset = 0) {
    const size_t piece = bytes < SMALL - offset ? bytes : SMALL - (size_t)offset;
    if (s >= c->small_count || s / in_sector >= c->small_sector_count)
      return damaged(c, "a small stream ends early", error);
    if (!read_sector(c, c->small_sectors[s / in_sector], (s % in_sector) * SMALL + offset, out, piece, error))
      return false;
    out += piece;
    bytes -= piece;
    s = c->small_fat[s];
  }
  return true;
}

/* Sectors that follow each other in the file, too, are read at once. */
static bool read_large(const ct_compound *c, uint32_t start, uint64_t offset, unsigned char *out, size_t bytes,
                       ct_error **error) {
  const size_t size = (size_t)1 << c->shift;
  uint32_t s = start;
  size_t walked = 0;
  for (uint64_t skip = offset >> c->shift; skip > 0; skip--) {
    if (s >= c->fat_count || walked++ > c->fat_count) return damaged(c, "a stream ends early", error);
    s = c->fat[s];
  }
  for (offset &= size - 1; bytes > 0; offset = 0) {
    const uint32_t first = s;
    size_t run = size - (size_t)offset;
    if (s >= c->fat_count) return damaged(c, "a stream ends early", error);
    for (s = c->fat[s]; run < bytes && s == first + (run + (size_t)offset) / size && s < c->fat_count; s = c->fat[s])
      run += size;
    const size_t piece = bytes < run ? bytes : run;
    if (!read_sector(c, first, offset, out, piece, error)) return false;
    out += piece;
    bytes -= piece;
  }
  return true;
}

bool ct_compound_read(const ct_compound *c, int stream, uint64_t offset, void *out, size_t bytes, ct_error **error) {
  const entry *e = &c->entries[stream];
  if (offset > e->bytes || bytes > e->bytes - offset) return damaged(c, "a stream is shorter than it should be", error);
  return e->bytes < CUTOFF ? read_small(c, e->start, offset, out, bytes, error)
                           : read_large(c, e->start, offset, out, bytes, error);
}
