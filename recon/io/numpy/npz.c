/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NumPy's .npz: a ZIP archive of .npy files, stored or deflated (numpy.savez, savez_compressed). What is read of the
 * archive is its directory (PKWARE's APPNOTE 6.3.10, sections 4.3.7 to 4.3.16, ZIP64 included); members that a library
 * for archives would decrypt or decode otherwise are none that NumPy writes. */
#include "recon/io/numpy/numpy-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/inflate-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { END_BYTES = 22, LOCATOR_BYTES = 20, END64_BYTES = 56, ENTRY_BYTES = 46, LOCAL_BYTES = 30, MOST_COMMENT = 65535 };
enum { MOST_DIRECTORY = 1 << 24, MOST_MEMBERS = 4096, STORED = 0, DEFLATED = 8 };

typedef struct {
  const char *path;
  int descriptor;
  uint64_t bytes;
} archive;

static uint64_t number_at(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

static bool damaged(const archive *a, const char *what, ct_error **error) {
  return ct_error_set(error, CT_ERROR_FORMAT, "%s is cut off or damaged: %s of the ZIP archive", a->path, what);
}

static bool read_at(const archive *a, void *out, size_t bytes, uint64_t offset, ct_error **error) {
  if (offset > a->bytes || bytes > a->bytes - offset) return damaged(a, "an entry leads beyond the end", error);
  return ct_read_exactly(a->descriptor, a->path, out, bytes, (off_t)offset, error);
}

/* Where the directory is, and how many entries it has. */
static bool find_directory(const archive *a, uint64_t *offset, uint64_t *bytes, uint64_t *count, ct_error **error) {
  const size_t tail = a->bytes < END_BYTES + MOST_COMMENT ? (size_t)a->bytes : END_BYTES + MOST_COMMENT;
  unsigned char *end = ct_alloc(tail ? tail : 1, 1, "the end of an archive", error), far[END64_BYTES];
  if (!end) return false;
  bool good = read_at(a, end, tail, a->bytes - tail, error);
  size_t at = tail < END_BYTES ? 0 : tail - END_BYTES + 1;
  while (good && at > 0 && memcmp(end + at - 1, "PK\5\6", 4) != 0) at--;
  if (good && at == 0) good = damaged(a, "there is no end of the directory", error);
  if (good) {
    const unsigned char *e = end + at - 1;
    *count = number_at(e + 10, 2);
    *bytes = number_at(e + 12, 4);
    *offset = number_at(e + 16, 4);
    const bool wide = *count == 0xFFFF || *bytes == 0xFFFFFFFF || *offset == 0xFFFFFFFF;
    if (wide && at - 1 >= LOCATOR_BYTES && memcmp(e - LOCATOR_BYTES, "PK\6\7", 4) == 0) {
      good = read_at(a, far, sizeof far, number_at(e - LOCATOR_BYTES + 8, 8), error);
      if (good && memcmp(far, "PK\6\6", 4) != 0) good = damaged(a, "the end of the directory", error);
      *count = good ? number_at(far + 32, 8) : 0;
      *bytes = good ? number_at(far + 40, 8) : 0;
      *offset = good ? number_at(far + 48, 8) : 0;
    }
  }
  ct_free(end);
  return good;
}

/* Sizes and the place of a member that do not fit into 32 bits stand in a field of their own. */
static void widen(const unsigned char *extra, size_t length, uint64_t *const values[3]) {
  for (size_t at = 0; at + 4 <= length;) {
    const size_t size = (size_t)number_at(extra + at + 2, 2);
    if (size > length - at - 4) return;
    if (number_at(extra + at, 2) == 1) {
      size_t used = 0;
      for (int i = 0; i < 3; i++)
        if (*values[i] == 0xFFFFFFFF && used + 8 <= size) {
          *values[i] = number_at(extra + at + 4 + used, 8);
          used += 8;
        }
    }
    at += 4 + size;
  }
}

/* One entry of the directory; *used: its bytes. Members that are no .npy get no name. */
static bool read_entry(const archive *a, const unsigned char *at, size_t left, ct_npz_member *m, size_t *used,
                       ct_error **error) {
  if (left < ENTRY_BYTES || memcmp(at, "PK\1\2", 4) != 0) return damaged(a, "the directory", error);
  const size_t name = (size_t)number_at(at + 28, 2), extra = (size_t)number_at(at + 30, 2);
  *used = ENTRY_BYTES + name + extra + (size_t)number_at(at + 32, 2);
  if (*used > left) return damaged(a, "the directory", error);
  *m = (ct_npz_member){
      .packed = number_at(at + 20, 4), .bytes = number_at(at + 24, 4), .crc = (uint32_t)number_at(at + 16, 4)};
  m->offset = number_at(at + 42, 4);
  widen(at + ENTRY_BYTES + name, extra, (uint64_t *const[]){&m->bytes, &m->packed, &m->offset});
  if (name < 5 || name - 4 >= sizeof m->name || memcmp(at + ENTRY_BYTES + name - 4, ".npy", 4) != 0) return true;
  memcpy(m->name, at + ENTRY_BYTES, name - 4);
  const uint64_t method = number_at(at + 10, 2);
  m->deflated = method == DEFLATED;
  if (number_at(at + 8, 2) & 1 || (method != STORED && method != DEFLATED))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: %s is encrypted or packed as NumPy does not pack it", a->path,
                        m->name);
  return true;
}

/* The samples stand behind a header of their own, whose length the directory does not tell. */
static bool find_data(const archive *a, ct_npz_member *m, ct_error **error) {
  unsigned char local[LOCAL_BYTES];
  if (!read_at(a, local, sizeof local, m->offset, error)) return false;
  if (memcmp(local, "PK\3\4", 4) != 0) return damaged(a, "the header of a member", error);
  m->offset += LOCAL_BYTES + number_at(local + 26, 2) + number_at(local + 28, 2);
  const bool fits = m->offset <= a->bytes && m->packed <= a->bytes - m->offset;
  const bool can_be = m->deflated ? m->packed > 0 && m->bytes / CT_DEFLATE_RATIO <= m->packed : m->bytes == m->packed;
  return (fits && can_be) || damaged(a, "the size of a member", error);
}

static bool list_members(const archive *a, ct_npz *npz, ct_error **error) {
  uint64_t offset, bytes, count;
  if (!find_directory(a, &offset, &bytes, &count, error)) return false;
  if (bytes > MOST_DIRECTORY || bytes > a->bytes || count > MOST_MEMBERS)
    return damaged(a, "the size of the directory", error);
  unsigned char *directory = ct_alloc((size_t)bytes + 1, 1, "a directory", error);
  npz->members = ct_alloc((size_t)count + 1, sizeof *npz->members, "a list of arrays", error);
  bool good = directory && npz->members && read_at(a, directory, (size_t)bytes, offset, error);
  size_t at = 0, used = 0;
  for (uint64_t i = 0; good && i < count; i++, at += used) {
    ct_npz_member *m = &npz->members[npz->count];
    good = read_entry(a, directory + at, (size_t)bytes - at, m, &used, error);
    if (!good || !m->name[0]) continue;
    good = find_data(a, m, error);
    npz->count += good;
  }
  ct_free(directory);
  return good;
}

bool ct_npz_open(const char *path, ct_npz *npz, ct_error **error) {
  *npz = (ct_npz){0};
  archive a = {.path = path, .descriptor = ct_open_to_read(path, error)};
  if (a.descriptor < 0) return false;
  const bool good = ct_file_size(path, &a.bytes, error) && list_members(&a, npz, error);
  close(a.descriptor);
  if (!good) ct_npz_clear(npz);
  return good;
}

void ct_npz_clear(ct_npz *npz) {
  ct_free(npz->members);
  *npz = (ct_npz){0};
}

const ct_npz_member *ct_npz_find(const ct_npz *npz, const char *name) {
  name += strspn(name, "/");
  for (size_t i = 0; i < npz->count; i++)
    if (strcmp(npz->members[i].name, name) == 0) return &npz->members[i];
  return NULL;
}
