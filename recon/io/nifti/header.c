/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 348 bytes in either byte order, then extensions, of which one (a comment, code 6) holds what Gantry knows beyond
 * them: spacing, origin and scale in double precision, and the plan, as JSON. x, y, z of the world are NIfTI's +x, +y,
 * +z: the voxels are not turned. */
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/io/nifti/nifti-private.h"
#include "recon/io/shared/json-private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 348, START = 352, MOST_EXTENSIONS = 64, MOST_TEXT = 1 << 24, COMMENT = 6, LONGEST = 32767 };
/* Offsets of the fields. */
enum {
  DIM = 40,
  DATATYPE = 70,
  BITPIX = 72,
  PIXDIM = 76,
  VOX_OFFSET = 108,
  SLOPE = 112,
  INTER = 116,
  UNITS = 123,
  DESCRIP = 148,
  QFORM = 252,
  SFORM = 254,
  QOFFSET = 268,
  SROW = 280,
  MAGIC = 344
};

typedef struct {
  const char *path;
  int descriptor;
  bool big;
  uint64_t bytes;
  unsigned char h[START];
} source;

bool ct_nifti_has_signature(const unsigned char *header, size_t size) {
  static const unsigned char little[4] = {0x5c, 1, 0, 0}, big[4] = {0, 0, 1, 0x5c};
  return size >= SIZE && (memcmp(header, little, 4) == 0 || memcmp(header, big, 4) == 0) &&
         memcmp(header + MAGIC, "n+1", 4) == 0;
}

static void take(const source *s, const unsigned char *at, void *value, size_t size) {
  unsigned char bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = s->big == ct_machine_is_big_endian() ? at[i] : at[size - 1 - i];
  memcpy(value, bytes, size);
}

static int short_at(const source *s, int at) {
  int16_t value;
  take(s, s->h + at, &value, sizeof value);
  return value;
}

static float float_at(const source *s, int at) {
  float value;
  take(s, s->h + at, &value, sizeof value);
  return value;
}

static int int_at(const source *s, const unsigned char *at) {
  int32_t value;
  take(s, at, &value, sizeof value);
  return value;
}

static const struct {
  int code;
  ct_sample_type type;
} types[] = {{2, CT_SAMPLE_UINT8},    {4, CT_SAMPLE_INT16},    {8, CT_SAMPLE_INT32},    {16, CT_SAMPLE_FLOAT32},
             {64, CT_SAMPLE_FLOAT64}, {256, CT_SAMPLE_INT8},   {512, CT_SAMPLE_UINT16}, {768, CT_SAMPLE_UINT32},
             {1024, CT_SAMPLE_INT64}, {1280, CT_SAMPLE_UINT64}};

static bool find_type(const source *s, ct_nifti *out, ct_error **error) {
  const int code = short_at(s, DATATYPE);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].code == code) {
      out->layout.type = types[i].type;
      out->layout.big_endian = s->big;
      return true;
    }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds samples of NIfTI's type %d; integers and reals are read.",
                      s->path, code);
}

static bool find_counts(const source *s, ct_nifti *out, ct_error **error) {
  int64_t counts[7];
  const int axes = short_at(s, DIM);
  if (axes < 1 || axes > 7)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: its header tells of %d axes.", s->path, axes);
  for (int i = 0; i < axes; i++) counts[i] = short_at(s, DIM + 2 * (i + 1));
  return ct_array_layout_set_counts(&out->layout, counts, axes, error);
}

/* The world of the first voxel; refuses axes that are turned or run backwards. */
static bool find_place(const source *s, double mm, ct_nifti *out, ct_error **error) {
  ct_grid *g = &out->grid;
  double first[3] = {-0.5 * (g->nx - 1) * g->dx, -0.5 * (g->ny - 1) * g->dy, -0.5 * (g->nz - 1) * g->dz};
  bool upright = true;
  if (short_at(s, SFORM) > 0) {
    for (int i = 0; i < 3; i++) {
      const float *row = (float[4]){float_at(s, SROW + 16 * i), float_at(s, SROW + 16 * i + 4),
                                    float_at(s, SROW + 16 * i + 8), float_at(s, SROW + 16 * i + 12)};
      for (int k = 0; k < 3; k++) upright = upright && (k == i ? row[k] > 0 : fabsf(row[k]) <= 1e-4f * fabsf(row[i]));
      first[i] = row[3] * mm;
    }
  } else if (short_at(s, QFORM) > 0) {
    for (int i = 0; i < 3; i++) {
      upright = upright && fabsf(float_at(s, QOFFSET - 12 + 4 * i)) < 1e-4f;
      first[i] = float_at(s, QOFFSET + 4 * i) * mm;
    }
    upright = upright && !(float_at(s, PIXDIM) < 0);
  }
  if (!upright)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s: its axes are turned or mirrored against the world, which is not read; save it with its "
                        "axes along +x, +y, +z (RAS).",
                        s->path);
  g->x0 = first[0];
  g->y0 = first[1];
  g->z0 = first[2];
  return true;
}

static bool find_grid(const source *s, ct_nifti *out, ct_error **error) {
  static const double units[4] = {1, 1000, 1, 0.001};
  const int unit = s->h[UNITS] & 7;
  const double mm = unit < 4 ? units[unit] : 1;
  double step[3];
  out->has_spacing = unit >= 1 && unit <= 3;
  for (int i = 0; i < 3; i++) {
    step[i] = fabs((double)float_at(s, PIXDIM + 4 * (i + 1))) * mm;
    if (!(step[i] > 0) || !isfinite(step[i])) step[i] = i ? step[0] : 1;
  }
  out->grid = (ct_grid){out->layout.nx, out->layout.ny, out->layout.nz, step[0], step[1], step[2], 0, 0, 0};
  const float slope = float_at(s, SLOPE), inter = float_at(s, INTER);
  if (slope != 0 && isfinite(slope) && isfinite(inter) && (slope != 1 || inter != 0)) {
    out->layout.scaled = true;
    out->layout.slope = slope;
    out->layout.intercept = inter;
  }
  return find_place(s, mm, out, error);
}

static bool triple(const json_t *root, const char *path, const char *key, double *a, double *b, double *c) {
  double values[3];
  if (!ct_json_numbers(json_object_get(root, key), path, key, 3, values, NULL)) return false;
  *a = values[0];
  *b = values[1];
  *c = values[2];
  return true;
}

/* What Gantry wrote; *found is false where the text is another's. False where memory is short. */
static bool take_ours(const char *path, const char *text, ct_nifti *out, bool *found, ct_error **error) {
  json_t *root;
  if (!ct_json_try(text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &root, error)) return false;
  const char *software = json_string_value(json_object_get(root, "software")),
             *plan = json_string_value(json_object_get(root, "plan"));
  ct_grid *g = &out->grid;
  double low, high;
  const bool ours = software && strncmp(software, "Gantry", 6) == 0 &&
                    triple(root, path, "spacing_mm", &g->dx, &g->dy, &g->dz) &&
                    triple(root, path, "origin_mm", &g->x0, &g->y0, &g->z0);
  if (ours) out->has_spacing = !ct_json_is_in_pixels(root) || plan;
  if (ours && ct_json_number(json_object_get(root, "value_of_0"), path, "value_of_0", &low, NULL) &&
      ct_json_number(json_object_get(root, "value_of_65535"), path, "value_of_65535", &high, NULL)) {
    out->layout.scaled = true;
    out->layout.slope = (high - low) / 65535;
    out->layout.intercept = low;
  }
  const bool good = !ours || !plan || (out->plan = ct_strdup(plan, error));
  json_decref(root);
  *found = ours;
  return good;
}

static bool read_extensions(const source *s, uint64_t data, ct_nifti *out, ct_error **error) {
  uint64_t at = START;
  bool found = s->h[SIZE] == 0;
  for (int i = 0; i < MOST_EXTENSIONS && !found && data >= 16 && at <= data - 16; i++) {
    unsigned char head[8];
    if (!ct_read_exactly(s->descriptor, s->path, head, sizeof head, (off_t)at, error)) return false;
    const int size = int_at(s, head), code = int_at(s, head + 4);
    if (size < 16 || (uint64_t)size > data - at) return true; /* others' disorder; the samples stand where they do */
    if (code == COMMENT && size <= MOST_TEXT) {
      char *text = ct_alloc_zero((size_t)size - 7, 1, "a comment", error);
      if (!text) return false;
      const bool good = ct_read_exactly(s->descriptor, s->path, text, (size_t)size - 8, (off_t)at + 8, error) &&
                        take_ours(s->path, text, out, &found, error);
      ct_free(text);
      if (!good) return false;
    }
    at += (uint64_t)size;
  }
  return true;
}

static bool read_all(source *s, ct_nifti *out, ct_error **error) {
  if (s->bytes < START) return ct_error_set(error, CT_ERROR_FORMAT, "%s is cut off: it ends in its header.", s->path);
  if (!ct_read_exactly(s->descriptor, s->path, s->h, START, 0, error)) return false;
  if (!ct_nifti_has_signature(s->h, START))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is no NIfTI-1 file of one part (.nii).", s->path);
  s->big = s->h[0] == 0;
  const float offset = float_at(s, VOX_OFFSET);
  if (!(offset >= START) || offset > 0x1p40f)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: its samples cannot begin at byte %g.", s->path, (double)offset);
  return find_type(s, out, error) && find_counts(s, out, error) && find_grid(s, out, error) &&
         read_extensions(s, (uint64_t)offset, out, error) && ct_grid_check(&out->grid, error) &&
         ct_array_layout_add(&out->layout, s->path, (int64_t)offset, 0, out->layout.nz, error);
}

bool ct_nifti_read_header(const char *path, ct_nifti *header, ct_error **error) {
  *header = (ct_nifti){.layout.path = ct_strdup(path, error)};
  source s = {.path = path, .descriptor = header->layout.path ? ct_open_to_read(path, error) : -1};
  bool good = s.descriptor >= 0 && ct_file_size(path, &s.bytes, error);
  good = good && read_all(&s, header, error);
  if (s.descriptor >= 0) close(s.descriptor);
  if (!good) ct_nifti_clear(header);
  return good;
}

void ct_nifti_clear(ct_nifti *header) {
  ct_array_layout_clear(&header->layout);
  ct_free(header->plan);
  header->plan = NULL;
}

/* Writing, in the machine's byte order. */

static void set_short(unsigned char *h, int at, int value) {
  const int16_t narrow = (int16_t)value;
  memcpy(h + at, &narrow, sizeof narrow);
}

static void set_float(unsigned char *h, int at, double value) {
  const float narrow = (float)value;
  memcpy(h + at, &narrow, sizeof narrow);
}

static json_t *numbers(double a, double b, double c) {
  return json_pack("[fff]", a, b, c);
}

static char *format_ours(const ct_volume_header *header, ct_error **error) {
  const ct_grid *g = &header->grid;
  json_t *root = json_object();
  bool good = root && json_object_set_new(root, "software", json_string("Gantry " GANTRY_VERSION)) == 0 &&
              json_object_set_new(root, "unit", json_string(header->units.value)) == 0 &&
              json_object_set_new(root, "spacing_mm", numbers(g->dx, g->dy, g->dz)) == 0 &&
              json_object_set_new(root, "origin_mm", numbers(g->x0, g->y0, g->z0)) == 0;
  if (good && header->integers)
    good = json_object_set_new(root, "value_of_0", json_real(header->low)) == 0 &&
           json_object_set_new(root, "value_of_65535", json_real(header->high)) == 0;
  if (good && header->plan) {
    json_t *plan = json_string(header->plan); /* NULL when it is not UTF-8 */
    good = plan && json_object_set_new(root, "plan", plan) == 0;
  }
  char *text = good ? ct_json_text(root, JSON_PRESERVE_ORDER | JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
  json_decref(root);
  if (!text)
    ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to describe the volume (or its plan is not UTF-8 text)");
  return text;
}

static void fill(unsigned char h[START], const ct_volume_header *header, size_t extension) {
  const ct_grid *g = &header->grid;
  const int32_t size = SIZE;
  const int counts[8] = {3, g->nx, g->ny, g->nz, 1, 1, 1, 1};
  const double steps[3] = {g->dx, g->dy, g->dz}, first[3] = {g->x0, g->y0, g->z0};
  memcpy(h, &size, sizeof size);
  for (int i = 0; i < 8; i++) set_short(h, DIM + 2 * i, counts[i]);
  set_short(h, DATATYPE, header->integers ? 512 : 16);
  set_short(h, BITPIX, header->integers ? 16 : 32);
  for (int i = 0; i < 8; i++) set_float(h, PIXDIM + 4 * i, i >= 1 && i <= 3 ? steps[i - 1] : 1);
  set_float(h, VOX_OFFSET, (double)(START + extension));
  set_float(h, SLOPE, header->integers ? (header->high - header->low) / 65535 : 1);
  set_float(h, INTER, header->integers ? header->low : 0);
  h[UNITS] = ct_units_are_pixels(header->units) ? 0 : 2;
  snprintf((char *)h + DESCRIP, 80, "Gantry %s, values in %s", GANTRY_VERSION, header->units.value);
  set_short(h, QFORM, 1);
  set_short(h, SFORM, 1);
  for (int i = 0; i < 3; i++) {
    set_float(h, QOFFSET + 4 * i, first[i]);
    set_float(h, SROW + 16 * i + 4 * i, steps[i]);
    set_float(h, SROW + 16 * i + 12, first[i]);
  }
  memcpy(h + MAGIC, "n+1", 4);
  h[SIZE] = 1;
}

bool ct_nifti_put_header(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                         long *size_place, ct_error **error) {
  (void)data_file;
  (void)size_place;
  const ct_grid *g = &header->grid;
  if (g->nx > LONGEST || g->ny > LONGEST || g->nz > LONGEST)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: NIfTI holds at most %d voxels a side, not %d x %d x %d.",
                        path, LONGEST, g->nx, g->ny, g->nz);
  char *text = format_ours(header, error);
  if (!text) return false;
  unsigned char h[START] = {0};
  const size_t length = strlen(text), extension = (length + 8 + 15) / 16 * 16;
  const int32_t head[2] = {(int32_t)extension, COMMENT};
  fill(h, header, extension);
  errno = 0;
  bool good = fwrite(h, 1, sizeof h, file) == sizeof h && fwrite(head, 1, sizeof head, file) == sizeof head &&
              fwrite(text, 1, length, file) == length;
  for (size_t i = length + 8; good && i < extension; i++) good = fputc(0, file) != EOF;
  free(text);
  return good || ct_error_set_errno(error, errno, "Cannot write %s", path);
}
