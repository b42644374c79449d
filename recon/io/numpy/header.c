/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of .npy: 6 bytes "\x93NUMPY", version 1 to 3, the length of the text (2 bytes, from version 2 on 4), and a
 * Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (24, 3, 32), }. NumPy reads the array and no byte
 * behind it, where a volume of Gantry's has its grid and plan. */
#include "recon/io/numpy/numpy-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/inflate-private.h"
#include "recon/io/shared/json-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TEXT = 1 << 16, MOST_AXES = 8, MOST_TRAILER = 1 << 28 };

typedef struct {
  const char *path;
  int descriptor;
  uint64_t bytes;
  const ct_npz_member *member; /* of an archive; NULL: the file is the array */
} npy_file;

static bool read_at(const npy_file *file, void *out, size_t bytes, uint64_t offset, ct_error **error) {
  const ct_npz_member *m = file->member;
  if (!m || !m->deflated)
    return ct_read_exactly(file->descriptor, file->path, out, bytes, (off_t)(offset + (m ? m->offset : 0)), error);
  ct_inflate *stream = ct_inflate_open_bare(file->path, (int64_t)m->offset, m->packed, (size_t)offset, m->crc, error);
  const bool good = stream && ct_inflate_read(stream, out, bytes, error);
  ct_inflate_close(stream);
  return good;
}

static bool bad_header(const npy_file *file, const char *what, ct_error **error) {
  return ct_error_set(error, CT_ERROR_FORMAT, "%s has a damaged header: %s", file->path, what);
}

/* The dictionary's text, new (ct_free), and where the array begins. */
static char *read_text(const npy_file *file, uint64_t *begin, ct_error **error) {
  unsigned char head[12];
  if (file->bytes < sizeof head) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s is too short for a NumPy file", file->path);
    return NULL;
  }
  if (!read_at(file, head, sizeof head, 0, error)) return NULL;
  const bool wide = head[6] > 1;
  uint64_t length = head[8] | (uint64_t)head[9] << 8;
  if (wide) length |= (uint64_t)head[10] << 16 | (uint64_t)head[11] << 24;
  *begin = (wide ? 12 : 10) + length;
  if (memcmp(head, CT_NUMPY_MAGIC, 6) != 0 || head[6] < 1 || head[6] > 3) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is no NumPy file of version 1 to 3", file->path);
    return NULL;
  }
  if (length > MOST_TEXT || *begin > file->bytes) {
    bad_header(file, "its length cannot be", error);
    return NULL;
  }
  char *text = ct_alloc(length + 1, 1, "a header", error);
  if (text && !read_at(file, text, length, *begin - length, error)) {
    ct_free(text);
    return NULL;
  }
  if (text) text[length] = 0;
  return text;
}

/* What stands behind 'KEY':, NULL where the key is missing. */
static const char *value_of(const char *text, const char *key) {
  const size_t length = strlen(key);
  for (const char *at = text; (at = strstr(at, key)); at += length) {
    if (at == text || (at[-1] != '\'' && at[-1] != '"') || (at[length] != '\'' && at[length] != '"')) continue;
    at += length + 1;
    at += strspn(at, " \t");
    if (*at == ':') return at + 1 + strspn(at + 1, " \t");
    return NULL;
  }
  return NULL;
}

/* '<f4', '|u1', '>i2', ... */
static bool take_type(const npy_file *file, const char *value, ct_array_layout *layout, ct_error **error) {
  static const struct {
    char kind, size;
    ct_sample_type type;
  } types[] = {{'u', '1', CT_SAMPLE_UINT8},   {'b', '1', CT_SAMPLE_UINT8},   {'i', '1', CT_SAMPLE_INT8},
               {'u', '2', CT_SAMPLE_UINT16},  {'i', '2', CT_SAMPLE_INT16},   {'u', '4', CT_SAMPLE_UINT32},
               {'i', '4', CT_SAMPLE_INT32},   {'u', '8', CT_SAMPLE_UINT64},  {'i', '8', CT_SAMPLE_INT64},
               {'f', '2', CT_SAMPLE_FLOAT16}, {'f', '4', CT_SAMPLE_FLOAT32}, {'f', '8', CT_SAMPLE_FLOAT64}};
  const char quote = value ? value[0] : 0;
  if ((quote != '\'' && quote != '"') || strnlen(value, 5) < 5 || value[4] != quote)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s holds no array of plain numbers (%.40s); integers and reals of up to 8 bytes are read",
                        file->path, value ? value : "no type is told");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strchr("<>=|", value[1]) && value[2] == types[i].kind && value[3] == types[i].size) {
      layout->type = types[i].type;
      layout->big_endian = value[1] == '>' || (value[1] == '=' && ct_machine_is_big_endian());
      return true;
    }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "%s holds samples of type %.5s; integers and reals of up to 8 bytes are read", file->path, value);
}

static bool take_order(const npy_file *file, const char *value, ct_array_layout *layout, ct_error **error) {
  layout->z_first = value && strncmp(value, "True", 4) == 0;
  if (layout->z_first || (value && strncmp(value, "False", 5) == 0)) return true;
  return bad_header(file, "'fortran_order' is missing", error);
}

/* (24, 3, 32): the slowest axis first; axes of one entry are dropped where there are more than three. */
static bool take_shape(const npy_file *file, const char *value, ct_numpy *header, ct_error **error) {
  int64_t dims[MOST_AXES], counts[3] = {1, 1, 1};
  int axes = 0, kept = 0;
  const char *at = value && *value == '(' ? value + 1 : NULL;
  while (at && *(at += strspn(at, " \t")) != ')') {
    char *end;
    errno = 0;
    if (*at < '0' || *at > '9' || axes == MOST_AXES) return bad_header(file, "'shape' makes no sense", error);
    dims[axes++] = strtoll(at, &end, 10);
    if (errno || (*end != ',' && *end != ')' && *end != 'L')) return bad_header(file, "'shape' makes no sense", error);
    at = end + (*end == 'L');
    at += *at == ',';
  }
  if (!at || axes < (file->member ? 1 : 2))
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s holds an array of %d axes; projections have three: views, rows, columns", file->path, axes);
  int spare = axes - 3;
  for (int i = 0; i < axes; i++) {
    if (spare > 0 && dims[i] == 1) {
      spare--;
      continue;
    }
    if (kept == 3) return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s has more than three axes", file->path);
    counts[kept++] = dims[i];
  }
  header->axes = kept;
  const int64_t fastest_first[3] = {counts[kept - 1], kept > 1 ? counts[kept - 2] : 1, kept == 3 ? counts[0] : 1};
  return ct_array_layout_set_counts(&header->layout, fastest_first, 3, error);
}

/* {"spacing_mm": [..], "origin_mm": [..], "scale": .., "offset": .., "unit": .., "plan": ..} */
static bool parse_trailer(const npy_file *file, const char *text, ct_numpy *header, ct_error **error) {
  double spacing[3], origin[3];
  json_t *root = ct_json_parse(text, file->path, error);
  const json_t *scale = json_object_get(root, "scale"), *offset = json_object_get(root, "offset");
  const char *plan = json_string_value(json_object_get(root, "plan"));
  ct_array_layout *layout = &header->layout;
  bool good = root &&
              ct_json_numbers(json_object_get(root, "spacing_mm"), file->path, "spacing_mm", 3, spacing, error) &&
              ct_json_numbers(json_object_get(root, "origin_mm"), file->path, "origin_mm", 3, origin, error) &&
              (!scale || ct_json_number(scale, file->path, "scale", &layout->slope, error)) &&
              (!offset || ct_json_number(offset, file->path, "offset", &layout->intercept, error)) &&
              (!plan || (header->plan = ct_strdup(plan, error)));
  if (good) {
    layout->scaled = scale && offset;
    header->is_volume = true;
    header->in_pixels = ct_json_is_in_pixels(root);
    header->grid = (ct_grid){layout->nx, layout->ny, layout->nz, spacing[0], spacing[1],
                             spacing[2], origin[0],  origin[1],  origin[2]};
  }
  json_decref(root);
  return good;
}

static bool read_trailer(const npy_file *file, uint64_t end, ct_numpy *header, ct_error **error) {
  static const char mark[] = CT_NUMPY_TRAILER;
  const size_t length = sizeof mark - 1;
  char found[sizeof mark];
  if (end > file->bytes || file->bytes - end <= length || file->bytes - end > MOST_TRAILER) return true;
  if (!read_at(file, found, length, end, error)) return false;
  if (memcmp(found, mark, length) != 0) return true;
  const size_t bytes = (size_t)(file->bytes - end) - length;
  char *text = ct_alloc(bytes + 1, 1, "what a volume carries", error);
  bool good = text && read_at(file, text, bytes, end + length, error);
  if (good) text[bytes] = 0;
  good = good && parse_trailer(file, text, header, error);
  ct_free(text);
  return good;
}

static bool parse(const npy_file *file, ct_numpy *header, ct_error **error) {
  uint64_t begin, samples;
  ct_array_layout *layout = &header->layout;
  char *text = read_text(file, &begin, error);
  bool good = text && take_type(file, value_of(text, "descr"), layout, error) &&
              take_order(file, value_of(text, "fortran_order"), layout, error) &&
              take_shape(file, value_of(text, "shape"), header, error);
  ct_free(text);
  if (!good) return false;
  header->grid = ct_grid_centred(layout->nx, layout->ny, layout->nz, 1, NULL);
  header->in_pixels = true;
  if (__builtin_mul_overflow((uint64_t)layout->nx * (uint64_t)layout->ny, (uint64_t)layout->nz, &samples) ||
      __builtin_mul_overflow(samples, ct_sample_size(layout->type), &samples))
    samples = UINT64_MAX;
  if (samples <= file->bytes && !read_trailer(file, begin + samples, header, error)) return false;
  const ct_npz_member *m = file->member;
  layout->deflated = layout->bare = m && m->deflated;
  layout->skipped = layout->bare ? (size_t)begin : 0;
  layout->crc = layout->bare ? m->crc : 0;
  if (m && !m->deflated && (begin > m->bytes || samples > m->bytes - begin))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: %s does not hold what its header promises", file->path,
                        m->name);
  const uint64_t place = layout->bare ? m->offset : begin + (m ? m->offset : 0);
  return ct_array_layout_add(layout, file->path, (int64_t)place, layout->bare ? m->packed : 0, layout->nz, error);
}

bool ct_numpy_read_doubles(const char *path, const ct_npz_member *member, const ct_numpy *header, double *out,
                           ct_error **error) {
  const ct_array_layout *layout = &header->layout;
  const size_t size = ct_sample_size(layout->type), count = (size_t)layout->nx * (size_t)layout->ny;
  npy_file file = {.path = path, .descriptor = ct_open_to_read(path, error), .member = member};
  if (file.descriptor < 0) return false;
  unsigned char *bytes = ct_alloc(count, size, "the numbers of an array", error);
  const uint64_t begin =
      layout->bare ? layout->skipped : (uint64_t)layout->parts[0].offset - (member ? member->offset : 0);
  const bool good = bytes && read_at(&file, bytes, count * size, begin, error);
  const bool swap = layout->big_endian != ct_machine_is_big_endian();
  for (size_t i = 0; good && i < count; i++) {
    float single;
    unsigned char *at = bytes + i * size;
    for (size_t b = 0; layout->type == CT_SAMPLE_FLOAT64 && swap && b < 4; b++) {
      const unsigned char kept = at[b];
      at[b] = at[7 - b];
      at[7 - b] = kept;
    }
    if (layout->type == CT_SAMPLE_FLOAT64)
      memcpy(&out[i], at, sizeof out[i]);
    else
      ct_samples_to_float(at, layout->type, layout->big_endian, 1, &single), out[i] = single;
  }
  ct_free(bytes);
  close(file.descriptor);
  return good;
}

bool ct_numpy_read_member(const char *path, const ct_npz_member *member, ct_numpy *header, ct_error **error) {
  *header = (ct_numpy){0};
  npy_file file = {.path = path, .descriptor = ct_open_to_read(path, error), .member = member};
  if (file.descriptor < 0) return false;
  bool good = ct_file_size(path, &file.bytes, error);
  if (member) file.bytes = member->bytes;
  good = good && (header->layout.path = ct_strdup(path, error)) && parse(&file, header, error);
  close(file.descriptor);
  if (!good) ct_numpy_clear(header);
  return good;
}

void ct_numpy_clear(ct_numpy *header) {
  ct_array_layout_clear(&header->layout);
  ct_free(header->plan);
  *header = (ct_numpy){0};
}
