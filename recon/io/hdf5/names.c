/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts, each once, found by their hash: open addressing in a table that is at least twice as large as the list. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/sources-private.h"

#include <string.h>

uint64_t ct_hdf5_hash(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ byte[i]) * 0x100000001b3u; /* FNV-1a */
  return hash;
}

/* Where a text stands in the table, or is to stand; there is a free slot. */
static size_t *slot_of(const ct_hdf5_names *names, const char *text) {
  const size_t slots = 2 * names->capacity;
  size_t at = (size_t)ct_hdf5_hash(CT_HDF5_HASH, text, strlen(text)) % slots;
  while (names->slots[at] && strcmp(names->texts[names->slots[at] - 1], text) != 0) at = (at + 1) % slots;
  return &names->slots[at];
}

static bool make_room(ct_hdf5_names *names, ct_error **error) {
  const size_t larger = names->capacity ? 2 * names->capacity : 4;
  char **texts = ct_alloc(larger, sizeof *texts, "a list of files", error);
  size_t *slots = texts ? ct_alloc_zero(2 * larger, sizeof *slots, "a list of files", error) : NULL;
  if (!slots) {
    ct_free(texts);
    return false;
  }
  if (names->count) memcpy(texts, names->texts, names->count * sizeof *texts);
  ct_free(names->texts);
  ct_free(names->slots);
  names->texts = texts;
  names->slots = slots;
  names->capacity = larger;
  for (size_t i = 0; i < names->count; i++) *slot_of(names, texts[i]) = i + 1;
  return true;
}

size_t ct_hdf5_names_add(ct_hdf5_names *names, const char *text, ct_error **error) {
  const size_t *slot = names->count ? slot_of(names, text) : NULL;
  if (slot && *slot) return *slot - 1;
  if (names->count == names->capacity && !make_room(names, error)) return SIZE_MAX;
  char *copy = ct_strdup(text, error);
  if (!copy) return SIZE_MAX;
  *slot_of(names, text) = names->count + 1;
  names->texts[names->count] = copy;
  return names->count++;
}

void ct_hdf5_names_clear(ct_hdf5_names *names) {
  for (size_t i = 0; i < names->count; i++) ct_free(names->texts[i]);
  ct_free(names->texts);
  ct_free(names->slots);
  *names = (ct_hdf5_names){0};
}
