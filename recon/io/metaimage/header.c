/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing MetaImage headers: https://itk.org/Wiki/ITK/MetaIO/Documentation. Every number is checked before it is used.
 */
#include "recon/io/metaimage/metaimage-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/header-private.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { DIMENSIONS = 10 };

/* What the lines say, before it is made sense of. */
typedef struct raw_header {
  const char *path;
  ct_metaimage *header; /* what is known at once */
  int64_t dims, channels, header_size, compressed_size;
  int64_t size[DIMENSIONS];
  int size_count;
  bool has_type, msb, compressed, ascii;
  double spacing[DIMENSIONS], offset[DIMENSIONS], matrix[DIMENSIONS * DIMENSIONS];
  int spacing_count, offset_count, matrix_count;
  char *data_file, *plan;
  char *data_list; /* the names behind "ElementDataFile = LIST" */
  size_t plan_length, plan_capacity;
  size_t data_start; /* byte behind the ElementDataFile line */
} raw_header;

static const struct {
  const char *name;
  ct_sample_type type;
} element_types[] = {
    {"MET_CHAR", CT_SAMPLE_INT8},       {"MET_ASCII_CHAR", CT_SAMPLE_INT8},   {"MET_UCHAR", CT_SAMPLE_UINT8},
    {"MET_SHORT", CT_SAMPLE_INT16},     {"MET_USHORT", CT_SAMPLE_UINT16},     {"MET_INT", CT_SAMPLE_INT32},
    {"MET_UINT", CT_SAMPLE_UINT32},     {"MET_LONG", CT_SAMPLE_INT32},        {"MET_ULONG", CT_SAMPLE_UINT32},
    {"MET_LONG_LONG", CT_SAMPLE_INT64}, {"MET_ULONG_LONG", CT_SAMPLE_UINT64}, {"MET_FLOAT", CT_SAMPLE_FLOAT32},
    {"MET_DOUBLE", CT_SAMPLE_FLOAT64},
};

static bool bad_value(const raw_header *raw, const char *key, const char *value, ct_error **error) {
  return ct_error_set(error, CT_ERROR_FORMAT, "%s: the MetaImage header says \"%s = %.60s\", which makes no sense",
                      raw->path, key, value);
}

static bool parse_bool(const raw_header *raw, const char *key, const char *value, bool *to, ct_error **error) {
  const bool yes = strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0;
  if (!yes && strcasecmp(value, "false") != 0 && strcmp(value, "0") != 0) return bad_value(raw, key, value, error);
  *to = yes;
  return true;
}

static bool parse_integer(const raw_header *raw, const char *key, const char *value, int64_t *to, ct_error **error) {
  return ct_text_integers(value, to, 1) == 1 || bad_value(raw, key, value, error);
}

static bool parse_numbers(const raw_header *raw, const char *key, const char *value, double *to, int capacity,
                          int *count, ct_error **error) {
  *count = ct_text_numbers(value, to, capacity);
  bool good = *count > 0;
  for (int i = 0; good && i < *count; i++) good = isfinite(to[i]);
  return good || bad_value(raw, key, value, error);
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One more piece of the plan, %XX decoded. */
static bool append_plan(raw_header *raw, const char *value, ct_error **error) {
  const size_t length = strlen(value);
  size_t n = raw->plan_length;
  if (n + length >= raw->plan_capacity) {
    const size_t capacity = 2 * (n + length + 1);
    char *longer = ct_alloc(capacity, 1, "the plan", error);
    if (!longer) return false;
    if (n) memcpy(longer, raw->plan, n);
    ct_free(raw->plan);
    raw->plan = longer;
    raw->plan_capacity = capacity;
  }
  for (size_t i = 0; i < length; i++) {
    const int high = value[i] == '%' && i + 2 < length + 1 ? hex_digit(value[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(value[i + 2]) : -1;
    const bool coded = low >= 0 && high * 16 + low > 0;
    raw->plan[n++] = coded ? (char)(high * 16 + low) : value[i];
    i += coded ? 2 : 0;
  }
  raw->plan[n] = 0;
  raw->plan_length = n;
  return true;
}

static bool take_line(raw_header *raw, ct_metaimage *header, const char *key, const char *value, ct_error **error) {
  int count;
  if (strcasecmp(key, "NDims") == 0) return parse_integer(raw, key, value, &raw->dims, error);
  if (strcasecmp(key, "DimSize") == 0) {
    raw->size_count = ct_text_integers(value, raw->size, DIMENSIONS);
    return raw->size_count > 0 || bad_value(raw, key, value, error);
  }
  if (strcasecmp(key, "ElementSpacing") == 0)
    return parse_numbers(raw, key, value, raw->spacing, DIMENSIONS, &raw->spacing_count, error);
  if (strcasecmp(key, "ElementSize") == 0) /* the same unless ElementSpacing is there too, which then wins */
    return raw->spacing_count > 0 ||
           parse_numbers(raw, key, value, raw->spacing, DIMENSIONS, &raw->spacing_count, error);
  if (strcasecmp(key, "Offset") == 0 || strcasecmp(key, "Position") == 0 || strcasecmp(key, "Origin") == 0)
    return parse_numbers(raw, key, value, raw->offset, DIMENSIONS, &raw->offset_count, error);
  if (strcasecmp(key, "TransformMatrix") == 0 || strcasecmp(key, "Rotation") == 0 ||
      strcasecmp(key, "Orientation") == 0)
    return parse_numbers(raw, key, value, raw->matrix, DIMENSIONS * DIMENSIONS, &raw->matrix_count, error);
  if (strcasecmp(key, "BinaryDataByteOrderMSB") == 0 || strcasecmp(key, "ElementByteOrderMSB") == 0)
    return parse_bool(raw, key, value, &raw->msb, error);
  if (strcasecmp(key, "CompressedData") == 0) return parse_bool(raw, key, value, &raw->compressed, error);
  if (strcasecmp(key, "CompressedDataSize") == 0) return parse_integer(raw, key, value, &raw->compressed_size, error);
  if (strcasecmp(key, "HeaderSize") == 0) return parse_integer(raw, key, value, &raw->header_size, error);
  if (strcasecmp(key, "ElementNumberOfChannels") == 0) return parse_integer(raw, key, value, &raw->channels, error);
  if (strcasecmp(key, "ElementToIntensityFunctionSlope") == 0)
    return parse_numbers(raw, key, value, &header->layout.slope, 1, &count, error);
  if (strcasecmp(key, "ElementToIntensityFunctionOffset") == 0)
    return parse_numbers(raw, key, value, &header->layout.intercept, 1, &count, error);
  if (strcasecmp(key, "BinaryData") == 0) {
    bool binary = true;
    if (!parse_bool(raw, key, value, &binary, error)) return false;
    raw->ascii = !binary;
    return true;
  }
  if (strcasecmp(key, "ObjectType") == 0 && strcasecmp(value, "Image") != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds a MetaIO object of type %.40s, not an image", raw->path,
                        value);
  if (strcasecmp(key, "ElementType") == 0) {
    for (size_t i = 0; i < sizeof element_types / sizeof *element_types; i++)
      if (strcasecmp(value, element_types[i].name) == 0) {
        header->layout.type = element_types[i].type;
        raw->has_type = true;
        return true;
      }
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds samples of type %.40s, which cannot be read", raw->path,
                        value);
  }
  if (strcasecmp(key, CT_METAIMAGE_CONTENT_KEY) == 0) {
    header->is_volume = strcasecmp(value, "Volume") == 0;
    return true;
  }
  if (strncasecmp(key, CT_METAIMAGE_PLAN_KEY, strlen(CT_METAIMAGE_PLAN_KEY)) == 0)
    return append_plan(raw, value, error);
  if (strcasecmp(key, "ElementDataFile") == 0) {
    if (!*value) return bad_value(raw, key, value, error);
    raw->data_file = ct_strdup(value, error);
    return raw->data_file != NULL;
  }
  return true;
}

static void clear(raw_header *raw) {
  ct_free(raw->data_file);
  ct_free(raw->data_list);
  ct_free(raw->plan);
}

/* Lines up to ElementDataFile. */
static bool parse(void *state, ct_header_text *text, bool *more, ct_error **error) {
  raw_header *raw = state;
  ct_metaimage *header = raw->header;
  clear(raw);
  *header = (ct_metaimage){.layout = {.path = header->layout.path, .slope = 1}};
  *raw = (raw_header){.path = text->path, .header = header, .channels = 1};
  for (char *line; ct_header_next(text, &line, error);) {
    if (!line) {
      *more = !text->whole;
      return *more || ct_error_set(error, CT_ERROR_FORMAT,
                                   "%s is cut off or not a MetaImage: its header lacks ElementDataFile", raw->path);
    }
    for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]);) line[--n] = 0;
    while (isspace((unsigned char)*line)) line++;
    if (!*line) continue;
    char *separator = line + strcspn(line, "=:");
    if (!*separator)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s is not a MetaImage: line %d of its header is not \"key = value\"",
                          raw->path, text->number);
    char *value = separator + 1;
    while (separator > line && isspace((unsigned char)separator[-1])) separator--;
    *separator = 0;
    while (isspace((unsigned char)*value)) value++;
    if (!take_line(raw, header, line, value, error)) return false;
    if (!raw->data_file) continue;
    raw->data_start = text->at;
    return !ct_header_is_list(raw->data_file) || ct_header_take_list(text, &raw->data_list, more, error);
  }
  return false;
}

/* The counts and the geometry, once all lines are known. */
static bool check_header(const raw_header *raw, ct_metaimage *header, ct_error **error) {
  const char *lacking = raw->dims == 0         ? "NDims"
                        : raw->size_count == 0 ? "DimSize"
                        : !raw->has_type       ? "ElementType"
                                               : NULL;
  if (lacking) return ct_error_set(error, CT_ERROR_FORMAT, "%s: the MetaImage header lacks %s", raw->path, lacking);
  if (raw->dims < 1 || raw->dims > DIMENSIONS || raw->size_count != raw->dims)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: DimSize holds %d numbers, NDims says %lld", raw->path,
                        raw->size_count, (long long)raw->dims);
  if (!ct_array_layout_set_counts(&header->layout, raw->size, raw->size_count, error)) return false;
  if (raw->channels != 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds %lld values per voxel; one is expected", raw->path,
                        (long long)raw->channels);
  if (raw->ascii)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s holds its samples as text (BinaryData = False); only binary data are read", raw->path);
  if (raw->header_size < -1 || raw->compressed_size < 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states a negative HeaderSize or CompressedDataSize", raw->path);
  header->layout.big_endian = raw->msb;
  header->layout.deflated = raw->compressed;
  header->layout.scaled = header->layout.slope != 1 || header->layout.intercept != 0;
  header->has_spacing = raw->spacing_count >= 2 || raw->spacing_count == raw->dims;
  header->has_offset = raw->offset_count == raw->dims;
  for (int i = 0; i < 3; i++) {
    header->spacing[i] = i < raw->spacing_count ? raw->spacing[i] : 1;
    header->offset[i] = header->has_offset && i < raw->offset_count ? raw->offset[i] : 0;
    if (!(header->spacing[i] > 0))
      return ct_error_set(error, CT_ERROR_FORMAT, "%s: ElementSpacing is not positive", raw->path);
  }
  for (int i = 0; i < raw->matrix_count; i++) {
    const bool diagonal = raw->dims * raw->dims == raw->matrix_count && i % (raw->dims + 1) == 0;
    if (fabs(raw->matrix[i] - (diagonal ? 1 : 0)) > 1e-6) header->turned = true;
  }
  return true;
}

static bool find_data(const raw_header *raw, ct_metaimage *header, ct_error **error) {
  const uint64_t limit = raw->compressed ? (uint64_t)raw->compressed_size : 0;
  if (strcasecmp(raw->data_file, "LOCAL") == 0)
    return ct_array_layout_add(&header->layout, raw->path,
                               raw->header_size ? raw->header_size : (int64_t)raw->data_start, limit, header->layout.nz,
                               error);
  return ct_array_layout_add_named(&header->layout, raw->data_file, raw->data_list, raw->header_size, limit, error);
}

bool ct_metaimage_read_header(const char *path, ct_metaimage *header, ct_error **error) {
  *header = (ct_metaimage){.layout.path = ct_strdup(path, error)};
  raw_header raw = {.header = header};
  const bool good = header->layout.path && ct_header_read(path, "MetaImage", parse, &raw, error) &&
                    check_header(&raw, header, error) && find_data(&raw, header, error);
  if (good) {
    header->plan = raw.plan;
    header->is_volume = header->is_volume || raw.plan;
    raw.plan = NULL;
  }
  clear(&raw);
  if (!good) ct_metaimage_clear(header);
  return good;
}

void ct_metaimage_clear(ct_metaimage *header) {
  ct_array_layout_clear(&header->layout);
  ct_free(header->plan);
  header->plan = NULL;
}
