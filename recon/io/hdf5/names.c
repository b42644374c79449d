/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts, each once, found by their hash: open addressing in a table that is at least twice as large as the list. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/sources-private.h"

#include <inttypes.h>
#include <stdio.h>
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

bool ct_hdf5_is_new_group(const ct_hdf5_file *file, const char *group, ct_hdf5_names *seen) {
  char text[64 + 32] = "";
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  if (H5Oget_info_by_name3(file->id, group, &info, H5O_INFO_BASIC, file->access) < 0) return false;
  size_t length = (size_t)snprintf(text, sizeof text, "%lu ", info.fileno);
  for (size_t i = 0; i < sizeof info.token; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%02x", ((unsigned char *)&info.token)[i]);
#else
  H5O_info_t info;
  if (H5Oget_info_by_name2(file->id, group, &info, H5O_INFO_BASIC, file->access) < 0) return false;
  snprintf(text, sizeof text, "%lu %" PRIu64, info.fileno, (uint64_t)info.addr);
#endif
  const size_t before = seen->count;
  return info.type == H5O_TYPE_GROUP && ct_hdf5_names_add(seen, text, NULL) == before;
}
