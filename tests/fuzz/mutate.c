/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damage: bits, bytes, numbers, words, stretches removed, repeated or exchanged. Numbers get values that break sums and
 * products: 0, 1, -1, ends of the types, the file's own size, a value from elsewhere in the file. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

const char *const fuzz_words[] = {"-1",       "0",       "1e308",      "nan",        "inf",    "99999999999999999999",
                                  "\n",       " = ",     "{",          "}",          "[",      "]",
                                  "\"",       ",",       "null",       "true",       "../",    "/dev/zero",
                                  "LOCAL",    "LIST",    "gzip",       "raw",        "little", "big",
                                  "float",    "uint16",  "MET_USHORT", "DimSize",    "sizes:", "data file:",
                                  "r.raw",    "%d 1 99", "HeaderSize", "<!ENTITY",   "&x;",    "<![CDATA[",
                                  "SIMPLE",   "BITPIX",  "NAXIS",      "angles_deg", "files",  "matrices",
                                  "\xff\xfe", "\xc3",    "%s%n",       "\x89HDF",    NULL};

/* splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t end) {
  return end ? (size_t)(next(state) % end) : 0;
}

static uint64_t load(const uint8_t *at, int bytes, int big) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)at[big ? bytes - 1 - i : i] << 8 * i;
  return value;
}

static void store(uint8_t *at, int bytes, int big, uint64_t value) {
  for (int i = 0; i < bytes; i++) at[big ? bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static uint64_t odd_number(uint64_t *state, const uint8_t *data, size_t size, uint64_t old, int bytes) {
  const int bits = 8 * bytes;
  switch (below(state, 9)) {
  case 0:
    return 0;
  case 1:
    return UINT64_MAX;
  case 2:
    return old + 1;
  case 3:
    return old - 1;
  case 4:
    return (uint64_t)1 << (bits - 1);
  case 5:
    return ((uint64_t)1 << (bits - 1)) - 1;
  case 6:
    return size - below(state, 3);
  case 7:
    return old << (1 + below(state, 16));
  default:
    return size > 8 ? load(data + below(state, size - 8), bytes, 0) : 1;
  }
}

static void change_number(uint64_t *state, uint8_t *data, size_t size, size_t at, int bytes, int big) {
  if (at > size || (size_t)bytes > size - at) return;
  store(data + at, bytes, big, odd_number(state, data, size, load(data + at, bytes, big), bytes));
}

/* A field of one entry of the first directory: tag, type, count or value. */
static int change_tiff(uint64_t *state, uint8_t *data, size_t size) {
  if (size < 16 || !((data[0] == 'I' && data[1] == 'I') || (data[0] == 'M' && data[1] == 'M'))) return 0;
  const int big = data[0] == 'M', wide = load(data + 2, 2, big) == 43;
  const uint64_t directory = load(data + (wide ? 8 : 4), wide ? 8 : 4, big);
  const int head = wide ? 8 : 2, entry = wide ? 20 : 12;
  if (directory > size - 8) return 0;
  const uint64_t entries = load(data + directory, head, big);
  if (entries == 0 || entries > 1000) return 0;
  const size_t at = (size_t)directory + (size_t)head + (size_t)entry * below(state, (size_t)entries);
  static const struct {
    int offset, bytes;
  } narrow_fields[] = {{0, 2}, {2, 2}, {4, 4}, {8, 4}, {8, 2}},
    wide_fields[] = {{0, 2}, {2, 2}, {4, 8}, {12, 8}, {12, 2}};
  const size_t field = below(state, 5);
  change_number(state, data, size, at + (size_t)(wide ? wide_fields : narrow_fields)[field].offset,
                (wide ? wide_fields : narrow_fields)[field].bytes, big);
  return 1;
}

/* HDF5 keeps addresses and lengths in eight bytes, small or all ones, mostly at multiples of eight. */
static int change_hdf5(uint64_t *state, uint8_t *data, size_t size) {
  if (size < 64 || memcmp(data, "\x89HDF\r\n\x1a\n", 8) != 0) return 0;
  for (int tries = 0; tries < 200; tries++) {
    const size_t at = 8 * below(state, size / 8);
    const uint64_t value = load(data + at, 8, 0);
    if (value && (value == UINT64_MAX || value < 4 * size)) {
      change_number(state, data, size, at, 8, 0);
      return 1;
    }
  }
  return 0;
}

static size_t insert(uint64_t *state, uint8_t *data, size_t size, size_t room, const void *bytes, size_t length) {
  if (length > room - size) return size;
  const size_t at = below(state, size + 1);
  memmove(data + at + length, data + at, size - at);
  memcpy(data + at, bytes, length);
  return size + length;
}

static size_t change_stretch(uint64_t *state, uint8_t *data, size_t size, size_t room) {
  const size_t at = below(state, size), length = 1 + below(state, size - at < 64 ? size - at : 64);
  uint8_t copy[64];
  memcpy(copy, data + at, length);
  switch (below(state, 3)) {
  case 0:
    return insert(state, data, size, room, copy, length);
  case 1:
    memmove(data + below(state, size - length + 1), data + at, length);
    return size;
  default:
    memmove(data + at, data + at + length, size - at - length);
    return size - length;
  }
}

static size_t change_once(uint64_t *state, uint8_t *data, size_t size, size_t room) {
  static const int widths[] = {1, 2, 4, 8};
  if (size == 0) return insert(state, data, size, room, "{", 1);
  switch (below(state, 9)) {
  case 0:
    data[below(state, size)] ^= (uint8_t)(1 << below(state, 8));
    return size;
  case 1:
    data[below(state, size)] = (uint8_t)next(state);
    return size;
  case 2:
    return below(state, size); /* cut off */
  case 3:
    return change_stretch(state, data, size, room);
  case 4: {
    size_t words = 0;
    while (fuzz_words[words]) words++;
    const char *word = fuzz_words[below(state, words)];
    return insert(state, data, size, room, word, strlen(word));
  }
  case 5: { /* a digit */
    const size_t from = below(state, size);
    for (size_t i = 0; i < size; i++) {
      uint8_t *at = data + (from + i) % size;
      if (*at >= '0' && *at <= '9') {
        *at = (uint8_t) "0189-.e "[below(state, 8)];
        break;
      }
    }
    return size;
  }
  default:
    if (change_tiff(state, data, size) || change_hdf5(state, data, size)) return size;
    change_number(state, data, size, below(state, size), widths[below(state, 4)], (int)below(state, 2));
    return size;
  }
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t room, uint64_t random) {
  const size_t times = 1 + below(&random, 4);
  for (size_t i = 0; i < times; i++) size = change_once(&random, data, size, room);
  return size;
}
