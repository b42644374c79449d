/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing NRRD headers: "field: value" and "key:=value" lines up to a blank line (samples follow) or the end of a
 * detached header. Every number is checked before it is used. */
#include "recon/io/nrrd/nrrd-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/header-private.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { AXES = 16 };

typedef struct raw_header {
  const char *path;
  ct_nrrd *header; /* what is known at once */
  int64_t dimension, sizes[AXES], line_skip, byte_skip;
  int size_count;
  bool has_type, has_encoding, has_endian, ended;
  double spacings[AXES], axis_mins[AXES], directions[AXES][3], origin[3];
  int spacing_count, mins_count, direction_count, origin_count;
  double old_min, old_max, unit;
  bool in_pixels;
  char *data_file, *data_list; /* data_list: the names behind "data file: LIST" */
  size_t data_start;
} raw_header;

static const struct {
  const char *names; /* between bars */
  ct_sample_type type;
} sample_types[] = {
    {"|signed char|int8|int8_t|", CT_SAMPLE_INT8},
    {"|uchar|unsigned char|uint8|uint8_t|", CT_SAMPLE_UINT8},
    {"|short|short int|signed short|signed short int|int16|int16_t|", CT_SAMPLE_INT16},
    {"|ushort|unsigned short|unsigned short int|uint16|uint16_t|", CT_SAMPLE_UINT16},
    {"|int|signed int|int32|int32_t|", CT_SAMPLE_INT32},
    {"|uint|unsigned int|uint32|uint32_t|", CT_SAMPLE_UINT32},
    {"|longlong|long long|long long int|signed long long|signed long long int|int64|int64_t|", CT_SAMPLE_INT64},
    {"|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|", CT_SAMPLE_UINT64},
    {"|float|", CT_SAMPLE_FLOAT32},
    {"|double|", CT_SAMPLE_FLOAT64},
};

static bool bad_value(const raw_header *raw, const char *field, const char *value, ct_error **error) {
  return ct_error_set(error, CT_ERROR_FORMAT, "%s: the NRRD header says \"%s: %.60s\", which makes no sense", raw->path,
                      field, value);
}

static bool parse_type(raw_header *raw, ct_nrrd *header, const char *value, ct_error **error) {
  char name[64];
  if (snprintf(name, sizeof name, "|%s|", value) < (int)sizeof name)
    for (size_t i = 0; i < sizeof sample_types / sizeof *sample_types; i++)
      if (strcasestr(sample_types[i].names, name)) {
        header->layout.type = sample_types[i].type;
        raw->has_type = true;
        return true;
      }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds samples of type %.40s, which cannot be read", raw->path,
                      value);
}

/* "(1,0,0) (0,1,0) none": at most `capacity` vectors of three; "none" gives zeros. */
static bool parse_vectors(const raw_header *raw, const char *field, const char *value, double (*vectors)[3],
                          int capacity, int *count, ct_error **error) {
  *count = 0;
  for (const char *c = value + strspn(value, " \t"); *c; c += strspn(c, " \t")) {
    if (*count == capacity) return bad_value(raw, field, value, error);
    double *v = vectors[(*count)++];
    v[0] = v[1] = v[2] = 0;
    if (strncmp(c, "none", 4) == 0) {
      c += 4;
      continue;
    }
    const size_t length = strcspn(c, ")");
    char inside[256];
    if (*c != '(' || c[length] != ')' || length >= sizeof inside) return bad_value(raw, field, value, error);
    memcpy(inside, c + 1, length - 1);
    inside[length - 1] = 0;
    const int numbers = ct_text_numbers(inside, v, 3);
    for (int i = 0; i < numbers; i++)
      if (!isfinite(v[i])) return bad_value(raw, field, value, error);
    if (numbers < 2) return bad_value(raw, field, value, error);
    c += length + 1;
  }
  return *count > 0 || bad_value(raw, field, value, error);
}

static bool parse_encoding(raw_header *raw, ct_nrrd *header, const char *value, ct_error **error) {
  raw->has_encoding = true;
  if (strcasecmp(value, "raw") == 0) return true;
  header->layout.deflated = strcasecmp(value, "gzip") == 0 || strcasecmp(value, "gz") == 0;
  return header->layout.deflated ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is encoded as %.40s; only raw and gzip are read", raw->path,
                      value);
}

static bool take_field(raw_header *raw, ct_nrrd *header, const char *field, const char *value, ct_error **error) {
  if (strcasecmp(field, "dimension") == 0)
    return ct_text_integers(value, &raw->dimension, 1) == 1 || bad_value(raw, field, value, error);
  if (strcasecmp(field, "sizes") == 0)
    return (raw->size_count = ct_text_integers(value, raw->sizes, AXES)) > 0 || bad_value(raw, field, value, error);
  if (strcasecmp(field, "type") == 0) return parse_type(raw, header, value, error);
  if (strcasecmp(field, "encoding") == 0) return parse_encoding(raw, header, value, error);
  if (strcasecmp(field, "endian") == 0) {
    raw->has_endian = true;
    header->layout.big_endian = strcasecmp(value, "big") == 0;
    return header->layout.big_endian || strcasecmp(value, "little") == 0 || bad_value(raw, field, value, error);
  }
  if (strcasecmp(field, "spacings") == 0)
    return (raw->spacing_count = ct_text_numbers(value, raw->spacings, AXES)) > 0 ||
           bad_value(raw, field, value, error);
  if (strcasecmp(field, "axis mins") == 0 || strcasecmp(field, "axismins") == 0)
    return (raw->mins_count = ct_text_numbers(value, raw->axis_mins, AXES)) > 0 || bad_value(raw, field, value, error);
  if (strcasecmp(field, "space directions") == 0)
    return parse_vectors(raw, field, value, raw->directions, AXES, &raw->direction_count, error);
  if (strcasecmp(field, "space origin") == 0)
    return parse_vectors(raw, field, value, &raw->origin, 1, &raw->origin_count, error);
  if (strcasecmp(field, "space units") == 0 || strcasecmp(field, "units") == 0) {
    const char *from = strchr(value, '"'), *to = from ? strchr(from + 1, '"') : NULL;
    const double mm = to ? ct_unit_to_mm(from + 1, (size_t)(to - from - 1)) : 0;
    if (mm > 0) raw->unit = mm;
    if (to && to - from == 3 && !strncmp(from + 1, "px", 2)) raw->in_pixels = true;
    return true;
  }
  if (strcasecmp(field, "sample units") == 0 || strcasecmp(field, "sampleunits") == 0) {
    const size_t quoted = *value == '"', length = strcspn(value + quoted, quoted ? "\"" : "");
    snprintf(header->unit, sizeof header->unit, "%.*s", (int)(length < 80 ? length : 79), value + quoted);
    return true;
  }
  if (strcasecmp(field, "old min") == 0 || strcasecmp(field, "oldmin") == 0)
    return ct_text_numbers(value, &raw->old_min, 1) == 1 || bad_value(raw, field, value, error);
  if (strcasecmp(field, "old max") == 0 || strcasecmp(field, "oldmax") == 0)
    return ct_text_numbers(value, &raw->old_max, 1) == 1 || bad_value(raw, field, value, error);
  if (strcasecmp(field, "line skip") == 0 || strcasecmp(field, "lineskip") == 0)
    return (ct_text_integers(value, &raw->line_skip, 1) == 1 && raw->line_skip >= 0) ||
           bad_value(raw, field, value, error);
  if (strcasecmp(field, "byte skip") == 0 || strcasecmp(field, "byteskip") == 0)
    return (ct_text_integers(value, &raw->byte_skip, 1) == 1 && raw->byte_skip >= -1 &&
            raw->byte_skip < (int64_t)1 << 60) ||
           bad_value(raw, field, value, error);
  if (strcasecmp(field, "data file") == 0 || strcasecmp(field, "datafile") == 0) {
    ct_free(raw->data_file);
    raw->data_file = *value ? ct_strdup(value, error) : NULL;
    return raw->data_file || bad_value(raw, field, value, error);
  }
  return true;
}

/* Values of keys escape newlines and backslashes. */
static bool take_key(ct_nrrd *header, const char *key, char *value, ct_error **error) {
  if (strcmp(key, CT_NRRD_CONTENT_KEY) == 0) header->is_volume = strcmp(value, "volume") == 0;
  if (strcmp(key, CT_NRRD_PLAN_KEY) != 0) return true;
  char *to = value;
  for (const char *from = value; *from; from++) {
    const bool escape = from[0] == '\\' && (from[1] == 'n' || from[1] == '\\');
    *to++ = escape && from[1] == 'n' ? '\n' : *from;
    if (escape) from++;
  }
  *to = 0;
  ct_free(header->plan);
  return (header->plan = ct_strdup(value, error)) != NULL;
}

static bool take_line(raw_header *raw, ct_nrrd *header, char *line, int number, ct_error **error) {
  if (number == 1)
    return (strncmp(line, "NRRD000", 7) == 0 && strchr("12345", line[7]) && line[7]) ||
           ct_error_set(error, CT_ERROR_FORMAT, "%s is not an NRRD file of a known version", raw->path);
  if (*line == '#') return true;
  char *colon = strchr(line, ':');
  if (!colon || (colon[1] != ' ' && colon[1] != '='))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: line %d of its NRRD header is not \"field: value\"", raw->path,
                        number);
  *colon = 0;
  if (colon[1] == '=') return take_key(header, line, colon + 2, error);
  char *value = colon + 2;
  value += strspn(value, " \t");
  for (size_t n = strlen(value); n > 0 && isspace((unsigned char)value[n - 1]);) value[--n] = 0;
  return take_field(raw, header, line, value, error);
}

static void clear(raw_header *raw) {
  ct_free(raw->data_file);
  ct_free(raw->data_list);
}

/* Lines up to a blank one. */
static bool parse(void *state, ct_header_text *text, bool *more, ct_error **error) {
  raw_header *raw = state;
  ct_nrrd *header = raw->header;
  clear(raw);
  ct_free(header->plan);
  *header = (ct_nrrd){.layout.path = header->layout.path};
  *raw = (raw_header){.path = text->path, .header = header, .old_min = NAN, .old_max = NAN, .unit = 1};
  for (char *line; ct_header_next(text, &line, error);) {
    if (!line) {
      *more = !text->whole;
      return true;
    }
    if (!*line) {
      raw->ended = true;
      raw->data_start = text->at;
      return true;
    }
    if (!take_line(raw, header, line, text->number, error)) return false;
    if (raw->data_file && ct_header_is_list(raw->data_file))
      return ct_header_take_list(text, &raw->data_list, more, error);
  }
  return false;
}

/* Voxel size and place: straight axes only, for a ct_grid knows no others. */
static bool find_grid(const raw_header *raw, ct_nrrd *header, ct_error **error) {
  ct_grid *grid = &header->grid;
  double size[3] = {1, 1, 1}, first[3];
  const int axes = raw->size_count < 3 ? raw->size_count : 3;
  for (int i = 0; i < axes; i++) {
    if (raw->direction_count > i) {
      for (int j = 0; j < 3; j++)
        if (j != i && fabs(raw->directions[i][j]) > 1e-6 * fabs(raw->directions[i][i]))
          return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                              "%s has turned axes (space directions); only straight ones are read", raw->path);
      size[i] = raw->directions[i][i];
    } else if (raw->spacing_count > i && isfinite(raw->spacings[i])) {
      size[i] = raw->spacings[i];
    }
    if (!(size[i] > 0))
      return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "%s has a voxel size of %g along axis %d; only positive ones are read", raw->path, size[i],
                          i + 1);
  }
  header->has_spacing =
      !raw->in_pixels && (raw->direction_count >= 2 ||
                          (raw->spacing_count >= 2 && isfinite(raw->spacings[0]) && isfinite(raw->spacings[1])));
  const int64_t counts[3] = {grid->nx, grid->ny, grid->nz};
  for (int i = 0; i < 3; i++) {
    size[i] *= raw->unit;
    first[i] = -0.5 * (double)(counts[i] - 1) * size[i];
    if (raw->origin_count)
      first[i] = raw->origin[i] * raw->unit;
    else if (raw->mins_count > i && isfinite(raw->axis_mins[i]))
      first[i] = raw->axis_mins[i] * raw->unit;
  }
  *grid = (ct_grid){grid->nx, grid->ny, grid->nz, size[0], size[1], size[2], first[0], first[1], first[2]};
  return true;
}

/* Teem quantises into cells: sample i of N stands for old min + (i + 1/2) (old max - old min) / N. */
static void find_scale(const raw_header *raw, ct_nrrd *header) {
  const ct_sample_type type = header->layout.type;
  if (!isfinite(raw->old_min) || !isfinite(raw->old_max) || (type != CT_SAMPLE_UINT8 && type != CT_SAMPLE_UINT16))
    return;
  const double cells = type == CT_SAMPLE_UINT8 ? 256 : 65536;
  header->layout.scaled = true;
  header->layout.slope = (raw->old_max - raw->old_min) / cells;
  header->layout.intercept = raw->old_min + 0.5 * header->layout.slope;
}

static bool check_header(const raw_header *raw, ct_nrrd *header, ct_error **error) {
  const char *lacking = raw->dimension == 0    ? "dimension"
                        : raw->size_count == 0 ? "sizes"
                        : !raw->has_type       ? "type"
                        : !raw->has_encoding   ? "encoding"
                                               : NULL;
  if (lacking) return ct_error_set(error, CT_ERROR_FORMAT, "%s: the NRRD header lacks \"%s\"", raw->path, lacking);
  if (!raw->has_endian && ct_sample_size(header->layout.type) > 1)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the NRRD header lacks \"endian\"", raw->path);
  if (raw->size_count != raw->dimension)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"sizes\" holds %d numbers, \"dimension\" says %lld", raw->path,
                        raw->size_count, (long long)raw->dimension);
  if (!ct_array_layout_set_counts(&header->layout, raw->sizes, raw->size_count, error)) return false;
  header->grid = (ct_grid){.nx = header->layout.nx, .ny = header->layout.ny, .nz = header->layout.nz};
  if (header->layout.deflated && raw->byte_skip != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s skips bytes of compressed data (byte skip), which is not read",
                        raw->path);
  find_scale(raw, header);
  return find_grid(raw, header, error);
}

/* *offset moved behind `lines` ends of line. */
static bool skip_lines(const char *path, int64_t lines, int64_t *offset, ct_error **error) {
  FILE *file = ct_stream_to_read(path, error);
  if (!file) return false;
  bool good = fseeko(file, (off_t)*offset, SEEK_SET) == 0;
  while (good && lines > 0) {
    const int c = getc_unlocked(file);
    good = c != EOF;
    *offset += 1;
    lines -= c == '\n';
  }
  fclose(file);
  return good || ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: lines to be skipped are missing", path);
}

/* The offset behind the lines that are to be skipped. */
static bool find_offset(const raw_header *raw, const char *path, int64_t *offset, ct_error **error) {
  if (raw->line_skip && !skip_lines(path, raw->line_skip, offset, error)) return false;
  *offset = raw->byte_skip < 0 ? -1 : *offset + raw->byte_skip;
  return true;
}

static bool find_data(raw_header *raw, ct_nrrd *header, ct_error **error) {
  int64_t offset = 0;
  if (!raw->data_file) {
    if (!raw->ended)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s is cut off: its NRRD header has no end", raw->path);
    offset = (int64_t)raw->data_start;
    return find_offset(raw, raw->path, &offset, error) &&
           ct_array_layout_add(&header->layout, raw->path, offset, 0, header->layout.nz, error);
  }
  if (raw->line_skip && (raw->data_list || strchr(raw->data_file, '%')))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s skips lines of several data files, which is not read",
                        raw->path);
  char *folder = ct_path_folder(raw->path, error), *path = folder ? ct_path_join(folder, raw->data_file, error) : NULL;
  const bool good = path && find_offset(raw, path, &offset, error) &&
                    ct_array_layout_add_named(&header->layout, raw->data_file, raw->data_list, offset, 0, error);
  ct_free(path);
  ct_free(folder);
  return good;
}

bool ct_nrrd_read_header(const char *path, ct_nrrd *header, ct_error **error) {
  *header = (ct_nrrd){.layout.path = ct_strdup(path, error)};
  raw_header raw = {.header = header};
  const bool good = header->layout.path && ct_header_read(path, "NRRD file", parse, &raw, error) &&
                    check_header(&raw, header, error) && find_data(&raw, header, error);
  clear(&raw);
  if (!good) ct_nrrd_clear(header);
  return good;
}

void ct_nrrd_clear(ct_nrrd *header) {
  ct_array_layout_clear(&header->layout);
  ct_free(header->plan);
  header->plan = NULL;
}
