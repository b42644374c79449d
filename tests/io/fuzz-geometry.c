/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The readers of scanners' geometry files, for the targets of tests/fuzz: here, because their table is private to
 * recon/io. */
#include "recon/io/beside/beside-private.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

bool fuzz_geometry_row(size_t index, const char **id, const char **extensions) {
  size_t count;
  const ct_geometry_reader *const *readers = ct_geometry_readers(&count);
  if (index >= count) return false;
  *id = readers[index]->id;
  *extensions = readers[index]->extensions;
  return true;
}

bool fuzz_geometry_read(const char *id, const char *path, ct_error **error) {
  size_t count;
  bool good = false;
  const ct_geometry_reader *const *readers = ct_geometry_readers(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(id, readers[i]->id) == 0) {
      ct_told told;
      ct_told_init(&told);
      good = readers[i]->read(path, &told, error);
      ct_told_clear(&told);
    }
  return good;
}
