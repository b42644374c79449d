/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of an EDF block: keys without regard to case; motors as two lists, motor_mne of names and motor_pos of
 * positions; pixel sizes PSize_1 and PSize_2 in metres, pixel_size or optic_used in micrometres. */
#include "recon/io/edf/edf-private.h"

#include "recon/base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEP = 512, MOST_TEXT = 1 << 20 };

/* "{ ... }" and what fills it up; new text (ct_free), its length with the filling in *length. */
static char *read_text(int descriptor, const char *path, uint64_t begin, uint64_t file_bytes, size_t *length,
                       ct_error **error) {
  const uint64_t left = file_bytes - begin;
  for (size_t size = 16 * STEP; size <= MOST_TEXT; size *= 4) {
    const size_t bytes = left < size ? (size_t)left : size;
    char *text = ct_alloc(bytes + 1, 1, "a header", error);
    if (!text || !ct_read_exactly(descriptor, path, text, bytes, (off_t)begin, error)) {
      ct_free(text);
      return NULL;
    }
    text[bytes] = 0;
    const char *close = memchr(text, '}', bytes);
    if (close) {
      *length = ((size_t)(close - text) + 1 + STEP - 1) / STEP * STEP;
      text[close - text] = 0;
      if (strlen(text) == (size_t)(close - text)) return text;
    }
    ct_free(text);
    if (close || bytes == left) break;
  }
  ct_error_set(error, CT_ERROR_FORMAT, "%s has no EDF header: the text from \"{\" to \"}\" is missing or damaged",
               path);
  return NULL;
}

/* The value of a key, "key = value ;", into `value`; false where it is missing. */
static bool find(const char *text, const char *key, char *value, size_t size) {
  const size_t length = strlen(key);
  for (const char *at = strpbrk(text, "{;\n"); at; at = strpbrk(at, ";\n")) {
    at += strspn(at, "{; \t\r\n");
    if (strncasecmp(at, key, length) != 0) continue;
    const char *equals = at + length + strspn(at + length, " \t");
    if (*equals != '=') continue;
    equals += 1 + strspn(equals + 1, " \t");
    size_t end = strcspn(equals, ";\n");
    while (end > 0 && strchr(" \t\r", equals[end - 1])) end--;
    if (end >= size) end = size - 1;
    memcpy(value, equals, end);
    value[end] = 0;
    return true;
  }
  return false;
}

static bool find_number(const char *text, const char *key, double *number) {
  char value[64], *end;
  if (!find(text, key, value, sizeof value)) return false;
  *number = ct_text_to_double(value, &end);
  return end != value && isfinite(*number);
}

/* The longs of this format are 32-bit. */
static bool take_type(const char *path, const char *text, ct_edf_block *block, ct_error **error) {
  static const struct {
    const char *name;
    ct_sample_type type;
  } types[] = {
      {"UnsignedByte", CT_SAMPLE_UINT8},  {"SignedByte", CT_SAMPLE_INT8},        {"UnsignedShort", CT_SAMPLE_UINT16},
      {"SignedShort", CT_SAMPLE_INT16},   {"UnsignedInteger", CT_SAMPLE_UINT32}, {"SignedInteger", CT_SAMPLE_INT32},
      {"UnsignedLong", CT_SAMPLE_UINT32}, {"SignedLong", CT_SAMPLE_INT32},       {"Unsigned64", CT_SAMPLE_UINT64},
      {"Signed64", CT_SAMPLE_INT64},      {"FloatValue", CT_SAMPLE_FLOAT32},     {"Float", CT_SAMPLE_FLOAT32},
      {"FloatIEEE32", CT_SAMPLE_FLOAT32}, {"DoubleValue", CT_SAMPLE_FLOAT64},    {"Double", CT_SAMPLE_FLOAT64},
      {"FloatIEEE64", CT_SAMPLE_FLOAT64}};
  char value[64] = "", order[64] = "";
  if (find(text, "Compression", value, sizeof value) && strcasecmp(value, "None") != 0 && *value)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is compressed (%s), which is not read", path, value);
  *value = 0;
  find(text, "DataType", value, sizeof value);
  find(text, "ByteOrder", order, sizeof order);
  block->big_endian = strcasecmp(order, "HighByteFirst") == 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcasecmp(value, types[i].name) == 0) {
      block->facts.type = types[i].type;
      return true;
    }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds samples of type \"%s\", which is not read", path, value);
}

static bool take_counts(const char *path, const char *text, ct_edf_block *block, ct_error **error) {
  double columns = 0, rows = 0, depth = 1;
  find_number(text, "Dim_3", &depth);
  if (!find_number(text, "Dim_1", &columns) || !find_number(text, "Dim_2", &rows) || !(columns >= 1 && rows >= 1) ||
      columns > INT_MAX || rows > INT_MAX || columns != floor(columns) || rows != floor(rows))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states no sensible size (Dim_1 and Dim_2)", path);
  if (depth != 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds a block of three dimensions, which is not read", path);
  block->facts.width = (int)columns;
  block->facts.height = (int)rows;
  return true;
}

/* srot, hrsrot, rotm, omega, ...; the first motor of such a name. */
static bool is_rotation(const char *name, size_t length) {
  static const char *const words[] = {"rot", "omega", "theta", "diffrz", "hrrz"};
  char copy[32];
  if (length >= sizeof copy) return false;
  memcpy(copy, name, length);
  copy[length] = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(copy, words[i])) return true;
  return false;
}

static void take_angle(const char *text, ct_image_facts *facts) {
  const size_t room = strlen(text) + 1;
  char *names = ct_alloc(room, 1, "motors", NULL), *positions = ct_alloc(room, 1, "motors", NULL);
  if (names && positions && find(text, "motor_mne", names, room) && find(text, "motor_pos", positions, room)) {
    const char *name = names + strspn(names, " \t"), *position = positions + strspn(positions, " \t");
    while (*name && *position && !facts->has_angle) {
      const size_t length = strcspn(name, " \t");
      char *end;
      const double value = ct_text_to_double(position, &end);
      if (is_rotation(name, length) && end != position && isfinite(value)) {
        facts->has_angle = true;
        facts->angle = value;
      }
      name += length + strspn(name + length, " \t");
      const size_t skipped = strcspn(position, " \t");
      position += skipped + strspn(position + skipped, " \t");
    }
  }
  ct_free(names);
  ct_free(positions);
}

static void take_pitch(const char *text, ct_image_facts *facts) {
  double x = 0, y = 0;
  if (find_number(text, "PSize_1", &x) && find_number(text, "PSize_2", &y)) {
    x *= 1000;
    y *= 1000;
  } else if (find_number(text, "pixel_size", &x) || find_number(text, "optic_used", &x)) {
    y = x /= 1000;
  }
  /* From 1 nm to 100 mm: outside it is a placeholder. */
  if (!(x >= 1e-6 && x <= 100 && y >= 1e-6 && y <= 100)) return;
  facts->pitch_x = x;
  facts->pitch_y = y;
}

bool ct_edf_read_block(int descriptor, const char *path, uint64_t begin, uint64_t file_bytes, ct_edf_block *block,
                       ct_error **error) {
  size_t length = 0, bytes;
  *block = (ct_edf_block){.begin = begin, .facts = {.flip_rows = true}};
  char *text = read_text(descriptor, path, begin, file_bytes, &length, error);
  bool good = text && take_type(path, text, block, error) && take_counts(path, text, block, error);
  if (good) {
    take_angle(text, &block->facts);
    take_pitch(text, &block->facts);
  }
  ct_free(text);
  if (!good) return false;
  block->data = begin + length;
  if (!ct_size_product(block->facts.width, block->facts.height, 1, ct_sample_size(block->facts.type), &bytes) ||
      block->data > file_bytes || bytes > file_bytes - block->data)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: its header promises %d x %d samples of %s, more than its %llu bytes hold", path,
                        block->facts.width, block->facts.height, ct_sample_id(block->facts.type),
                        (unsigned long long)file_bytes);
  block->end = block->data + bytes;
  return true;
}
