/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of geometry files, and which of its rows recognises a file. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/io-private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROW(name) &ct_geometry_reader_##name,
static const ct_geometry_reader *const readers[] = {CT_GEOMETRY_READERS(ROW)};
#undef ROW
enum { COUNT = sizeof readers / sizeof *readers, HEAD = 4096 };

const ct_geometry_reader *const *ct_geometry_readers(size_t *count) {
  *count = COUNT;
  return readers;
}

void ct_beside_extensions(char *text, size_t size) {
  for (size_t i = 0; i < COUNT; i++) {
    const size_t length = strlen(text);
    if (!readers[i]->common) snprintf(text + length, size - length, " %s", readers[i]->extensions);
  }
}

/* `path`: FILE, or FILE::DATASET. */
static const ct_geometry_reader *recognise(const char *path, const char *file) {
  char head[HEAD + 1];
  bool named = false;
  for (size_t i = 0; i < COUNT; i++) named = named || ct_path_has_extension(file, readers[i]->extensions);
  if (!named) return NULL;
  const int descriptor = ct_open_to_read(file, NULL);
  if (descriptor < 0) return NULL;
  const ssize_t length = read(descriptor, head, HEAD);
  close(descriptor);
  if (length <= 0) return NULL;
  head[length] = 0;
  const ct_geometry_reader *best = NULL;
  int confidence = 0;
  for (size_t i = 0; i < COUNT; i++) {
    if (!ct_path_has_extension(file, readers[i]->extensions)) continue;
    const int own = readers[i]->probe(path, head);
    if (own > confidence) best = readers[i], confidence = own;
  }
  return best;
}

const ct_geometry_reader *ct_beside_recognise(const char *path) {
  char *file, *dataset;
  if (!ct_path_split_dataset(path, &file, &dataset)) return recognise(path, path);
  const ct_geometry_reader *reader = recognise(path, file);
  ct_free(file);
  ct_free(dataset);
  return reader;
}

char *ct_beside_inside(const char *path, const ct_geometry_reader **reader) {
  for (size_t i = 0; i < COUNT; i++) {
    char *found =
        readers[i]->inside && ct_path_has_extension(path, readers[i]->extensions) ? readers[i]->inside(path) : NULL;
    *reader = readers[i];
    if (found) return found;
  }
  return NULL;
}
