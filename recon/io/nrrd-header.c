/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing NRRD headers: "field: value" and "key:=value" lines up to a blank line (samples follow) or the end of a
 * detached header. Every number is checked before it is used. */
#include "recon/io/nrrd-private.h"

#include "recon/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FIRST_CHUNK = 64 << 10, HEADER_LIMIT = 64 << 20, AXES = 16 };

typedef struct raw_header {
  const char *path;
  int64_t dimension, sizes[AXES], line_skip, byte_skip;
  int size_count;
  bool has_type, has_encoding, has_endian, ended;
  double spacings[AXES], axis_mins[AXES], directions[AXES][3], origin[3];
  int spacing_count, mins_count, direction_count, origin_count;
  double old_min, old_max, unit;
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

/* Lines up to a blank one. *more is set when `text` (which ends before the file does) has too few of them. */
static bool parse_lines(raw_header *raw, ct_nrrd *header, char *text, size_t length, bool whole, bool *more,
                        ct_error **error) {
  *more = false;
  int number = 0;
  for (size_t at = 0; at < length;) {
    char *line = text + at, *end = memchr(line, '\n', length - at);
    if (!end && !whole) break;
    if (!end) end = text + length; /* the buffer has one byte more */
    const size_t size = (size_t)(end - line);
    at += size + 1;
    number++;
    if (memchr(line, 0, size) || (number == 1 && strncmp(line, "NRRD", 4) != 0))
      return ct_error_set(error, CT_ERROR_FORMAT,
                          "%s is not an NRRD file: line %d of its header is not text of that kind", raw->path, number);
    *end = 0;
    if (end > line && end[-1] == '\r') end[-1] = 0;
    if (!*line) {
      raw->ended = true;
      raw->data_start = at < length ? at : length;
      return true;
    }
    if (!take_line(raw, header, line, number, error)) return false;
    if (raw->data_file && strncasecmp(raw->data_file, "LIST", 4) == 0 &&
        (!raw->data_file[4] || raw->data_file[4] == ' ')) {
      if (!whole) break;
      raw->data_list = ct_strdup(at < length ? text + at : "", error);
      return raw->data_list != NULL;
    }
  }
  *more = !whole;
  return true;
}

static bool read_lines(raw_header *raw, ct_nrrd *header, uint64_t bytes, ct_error **error) {
  const int descriptor = open(raw->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return ct_error_set_errno(error, errno, "Cannot open %s", raw->path);
  bool good = true, more = true;
  for (size_t chunk = FIRST_CHUNK; good && more; chunk *= 8) {
    const size_t size = bytes < chunk ? (size_t)bytes : chunk;
    char *text = ct_alloc(size + 1, 1, "a header", error);
    ct_free(raw->data_file);
    ct_free(raw->data_list);
    ct_free(header->plan);
    *header = (ct_nrrd){.layout.path = header->layout.path};
    *raw = (raw_header){.path = raw->path, .old_min = NAN, .old_max = NAN, .unit = 1};
    good = text && ct_read_exactly(descriptor, raw->path, text, size, 0, error);
    if (good) {
      text[size] = 0;
      good = parse_lines(raw, header, text, size, size == bytes || chunk >= HEADER_LIMIT, &more, error);
    }
    ct_free(text);
  }
  close(descriptor);
  return good;
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
  int counts[3] = {1, 1, 1};
  for (int i = 0; i < raw->size_count; i++) {
    if (raw->sizes[i] < 1 || raw->sizes[i] > INT_MAX)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible size: %lld along axis %d", raw->path,
                          (long long)raw->sizes[i], i + 1);
    if (i < 3)
      counts[i] = (int)raw->sizes[i];
    else if (raw->sizes[i] != 1)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s has more than three axes", raw->path);
  }
  header->layout.nx = header->grid.nx = counts[0];
  header->layout.ny = header->grid.ny = counts[1];
  header->layout.nz = header->grid.nz = counts[2];
  if (header->layout.deflated && raw->byte_skip != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s skips bytes of compressed data (byte skip), which is not read",
                        raw->path);
  find_scale(raw, header);
  return find_grid(raw, header, error);
}

/* *offset moved behind `lines` ends of line. */
static bool skip_lines(const char *path, int64_t lines, int64_t *offset, ct_error **error) {
  FILE *file = fopen(path, "rbe");
  if (!file) return ct_error_set_errno(error, errno, "Cannot open %s", path);
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

static bool find_data(raw_header *raw, ct_nrrd *header, ct_error **error) {
  if (!raw->data_file) {
    if (!raw->ended)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s is cut off: its NRRD header has no end", raw->path);
    int64_t offset = (int64_t)raw->data_start;
    if (raw->line_skip && !skip_lines(raw->path, raw->line_skip, &offset, error)) return false;
    offset = raw->byte_skip < 0 ? -1 : offset + raw->byte_skip;
    return ct_array_layout_add(&header->layout, raw->path, offset, 0, header->layout.nz, error);
  }
  char *folder = ct_path_folder(raw->path, error);
  if (!folder) return false;
  bool good;
  if (raw->line_skip && (raw->data_list || strchr(raw->data_file, '%')))
    good =
        ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s skips lines of several data files, which is not read", raw->path);
  else if (raw->data_list)
    good = ct_array_layout_add_list(&header->layout, folder, raw->data_list, raw->byte_skip, error);
  else if (strchr(raw->data_file, '%'))
    good = ct_array_layout_add_pattern(&header->layout, folder, raw->data_file, raw->byte_skip, error);
  else {
    char *path = ct_path_join(folder, raw->data_file, error);
    int64_t offset = 0;
    good = path && (!raw->line_skip || skip_lines(path, raw->line_skip, &offset, error)) &&
           ct_array_layout_add(&header->layout, path, raw->byte_skip < 0 ? -1 : offset + raw->byte_skip, 0,
                               header->layout.nz, error);
    ct_free(path);
  }
  ct_free(folder);
  return good;
}

bool ct_nrrd_read_header(const char *path, ct_nrrd *header, ct_error **error) {
  uint64_t bytes;
  *header = (ct_nrrd){0};
  if (!ct_file_size(path, &bytes, error)) return false;
  if (bytes == 0) return ct_error_set(error, CT_ERROR_FORMAT, "%s is empty", path);
  raw_header raw = {.path = path};
  header->layout.path = ct_strdup(path, error);
  const bool good = header->layout.path && read_lines(&raw, header, bytes, error) &&
                    check_header(&raw, header, error) && find_data(&raw, header, error);
  ct_free(raw.data_file);
  ct_free(raw.data_list);
  if (!good) ct_nrrd_clear(header);
  return good;
}

void ct_nrrd_clear(ct_nrrd *header) {
  ct_array_layout_clear(&header->layout);
  ct_free(header->plan);
  header->plan = NULL;
}
