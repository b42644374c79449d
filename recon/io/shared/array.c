/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading arrays [nz][ny][nx] out of plain or deflated files: checked against the files' sizes before anything is
 * allocated. */
#include "recon/io/shared/array-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/io/shared/inflate-private.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

struct ct_array {
  ct_array_layout layout;
  size_t row_bytes, plane_bytes;
  uint64_t file_bytes;
  int *first;    /* [part_count]: index of each part's first plane */
  int open_part; /* -1: none */
  int descriptor;
  unsigned char *packed; /* the samples after ct_array_unpack */
  unsigned char *row;    /* one row, for samples wider than a float */
  /* A deflated array that is read in order: the stream of the present part, and the row that it gives next, counted
   * through all planes. */
  ct_inflate *stream;
  int stream_part;
  uint64_t next_row;
};

static bool check_part(ct_array *array, ct_array_part *part, ct_error **error) {
  const uint64_t size = part->source.bytes;
  size_t bytes;
  array->file_bytes += size;
  if (!ct_size_multiply(array->plane_bytes, (size_t)part->planes, &bytes))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible size", array->layout.path);
  char wanted[32], found[32];
  ct_format_bytes((double)bytes, wanted, sizeof wanted);
  const uint64_t from = part->offset > 0 ? (uint64_t)part->offset : 0;
  const uint64_t there = size > from ? size - from : 0;
  ct_format_bytes((double)there, found, sizeof found);
  if (array->layout.deflated) {
    if (part->offset < 0)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: where compressed data begin cannot be told from their end",
                          array->layout.path);
    if (part->limit > there)
      return ct_error_set(error, CT_ERROR_FORMAT,
                          "%s ends early: its header promises more compressed data (%llu bytes) than it holds (%llu)",
                          part->path, (unsigned long long)part->limit, (unsigned long long)there);
    const uint64_t packed = part->limit ? part->limit : there;
    if (bytes / CT_DEFLATE_RATIO > packed)
      return ct_error_set(error, CT_ERROR_FORMAT,
                          "%s ends early: its header promises %s of samples, which %llu compressed bytes cannot hold",
                          part->path, wanted, (unsigned long long)packed);
    return true;
  }
  if (bytes > there)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: its header promises %s of samples, it holds %s (%llu bytes too few)",
                        part->path, wanted, found, (unsigned long long)(bytes - there));
  if (part->offset < 0) part->offset = (int64_t)(size - bytes);
  return true;
}

static bool check_layout(ct_array *array, ct_error **error) {
  const ct_array_layout *layout = &array->layout;
  size_t total;
  if (layout->nx < 1 || layout->ny < 1 || layout->nz < 1)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible size: %d x %d x %d", layout->path, layout->nx,
                        layout->ny, layout->nz);
  if (!ct_size_product(layout->nx, layout->ny, layout->nz, ct_sample_size(layout->type), &total) ||
      !ct_size_product(layout->nx, layout->ny, layout->nz, sizeof(float), &total))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible size: %d x %d x %d", layout->path, layout->nx,
                        layout->ny, layout->nz);
  array->row_bytes = (size_t)layout->nx * ct_sample_size(layout->type);
  array->plane_bytes = array->row_bytes * (size_t)layout->ny;
  int64_t planes = 0;
  array->first = ct_alloc(layout->part_count, sizeof *array->first, "a list of files", error);
  if (!array->first) return false;
  for (size_t i = 0; i < layout->part_count; i++) {
    array->first[i] = (int)planes;
    if (layout->parts[i].planes < 1 || (planes += layout->parts[i].planes) > layout->nz) break;
    if (!check_part(array, &array->layout.parts[i], error)) return false;
  }
  if (planes != layout->nz)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the data files it names do not make up its %d slices",
                        layout->path, layout->nz);
  return true;
}

ct_array *ct_array_open(ct_array_layout *layout, ct_error **error) {
  ct_array *array = ct_alloc_zero(1, sizeof *array, "a file", error);
  if (!array) {
    ct_array_layout_clear(layout);
    return NULL;
  }
  array->layout = *layout;
  *layout = (ct_array_layout){0};
  array->open_part = -1;
  bool good = check_layout(array, error);
  if (good) good = (array->row = ct_alloc(array->row_bytes, 1, "a row of samples", error)) != NULL;
  if (good) return array;
  ct_array_free(array);
  return NULL;
}

void ct_array_free(ct_array *array) {
  if (!array) return;
  if (array->open_part >= 0) close(array->descriptor);
  ct_inflate_close(array->stream);
  ct_array_layout_clear(&array->layout);
  ct_free(array->first);
  ct_free(array->packed);
  ct_free(array->row);
  ct_free(array);
}

const ct_array_layout *ct_array_get_layout(const ct_array *array) {
  return &array->layout;
}

uint64_t ct_array_file_bytes(const ct_array *array) {
  return array->file_bytes;
}

uint64_t ct_array_unit_bytes(const ct_array *array) {
  return array->layout.z_first ? array->plane_bytes * (uint64_t)array->layout.nz : 0;
}

/* The part that holds a plane. */
static int find_part(const ct_array *array, int plane) {
  int low = 0, high = (int)array->layout.part_count - 1;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (array->first[middle] <= plane)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static bool select_part(ct_array *array, int part, ct_error **error) {
  if (!ct_source_check(&array->layout.parts[part].source, array->layout.parts[part].path, error)) return false;
  if (array->open_part == part) return true;
  if (array->open_part >= 0) close(array->descriptor);
  array->open_part = -1;
  array->descriptor = ct_open_to_read(array->layout.parts[part].path, error);
  if (array->descriptor < 0) return false;
  array->open_part = part;
  return true;
}

static ct_inflate *open_part(const ct_array_layout *layout, const ct_array_part *part, ct_error **error) {
  if (layout->bare)
    return ct_inflate_open_bare(part->path, part->offset, part->limit, layout->skipped, layout->crc, error);
  return ct_inflate_open(part->path, part->offset, part->limit, error);
}

static bool unpack_part(ct_array *array, int index, ct_error **error) {
  const ct_array_part *part = &array->layout.parts[index];
  unsigned char *to = array->packed + (size_t)array->first[index] * array->plane_bytes;
  const size_t bytes = (size_t)part->planes * array->plane_bytes;
  if (!array->layout.deflated)
    return select_part(array, index, error) &&
           ct_read_exactly(array->descriptor, part->path, to, bytes, (off_t)part->offset, error) &&
           ct_source_check(&part->source, part->path, error);
  ct_inflate *stream = open_part(&array->layout, part, error);
  const bool good = stream && ct_inflate_read(stream, to, bytes, error) && ct_inflate_finish(stream, error) &&
                    ct_source_check(&part->source, part->path, error);
  ct_inflate_close(stream);
  return good;
}

/* [x][y][z] to [z][y][x]. */
static bool turn_over(ct_array *array, ct_error **error) {
  const size_t nx = (size_t)array->layout.nx, ny = (size_t)array->layout.ny, nz = (size_t)array->layout.nz,
               size = ct_sample_size(array->layout.type);
  unsigned char *turned = ct_alloc(nz, array->plane_bytes, "the samples in the order of frames", error), *to = turned;
  if (!turned) return false;
  for (size_t k = 0; k < nz; k++)
    for (size_t j = 0; j < ny; j++)
      for (size_t i = 0; i < nx; i++, to += size) memcpy(to, array->packed + ((i * ny + j) * nz + k) * size, size);
  ct_free(array->packed);
  array->packed = turned;
  return true;
}

bool ct_array_unpack(ct_array *array, ct_error **error) {
  const ct_array_layout *layout = &array->layout;
  if (!(layout->deflated || layout->z_first) || array->packed) return true;
  array->packed = ct_alloc((size_t)layout->nz, array->plane_bytes, "the samples", error);
  bool good = array->packed != NULL;
  for (int i = 0; good && i < (int)layout->part_count; i++) good = unpack_part(array, i, error);
  if (good && layout->z_first) good = turn_over(array, error);
  if (!good) {
    ct_free(array->packed);
    array->packed = NULL;
  }
  return good;
}

static void convert(const ct_array_layout *layout, const void *samples, size_t count, float *out) {
  ct_samples_to_float(samples, layout->type, layout->big_endian, count, out);
  for (size_t i = 0; layout->scaled && i < count; i++)
    out[i] = (float)(layout->slope * (double)out[i] + layout->intercept);
}

/* Rows [row0, row0 + rows) of a plane; of one that is unpacked only after ct_array_unpack. */
static bool read_rows(ct_array *array, int plane, int row0, int rows, float *out, ct_error **error) {
  const ct_array_layout *layout = &array->layout;
  const size_t nx = (size_t)layout->nx;
  const size_t skipped = (size_t)row0 * array->row_bytes;
  if (array->packed) {
    convert(layout, array->packed + (size_t)plane * array->plane_bytes + skipped, (size_t)rows * nx, out);
    return true;
  }
  const int index = find_part(array, plane);
  const ct_array_part *part = &layout->parts[index];
  if (!select_part(array, index, error)) return false;
  const off_t offset =
      (off_t)((uint64_t)part->offset + (uint64_t)(plane - array->first[index]) * array->plane_bytes + skipped);
  const size_t size = ct_sample_size(layout->type);
  if (size <= sizeof(float)) {
    /* Samples no wider than a float are read behind the place where they will stand, and widened from the front. */
    const size_t count = (size_t)rows * nx;
    unsigned char *end = (unsigned char *)out + count * (sizeof(float) - size);
    if (!ct_read_exactly(array->descriptor, part->path, end, count * size, offset, error)) return false;
    convert(layout, end, count, out);
    return ct_source_check(&part->source, part->path, error);
  }
  for (int i = 0; i < rows; i++) {
    if (!ct_read_exactly(array->descriptor, part->path, array->row, array->row_bytes,
                         offset + (off_t)((size_t)i * array->row_bytes), error))
      return false;
    convert(layout, array->row, nx, out + (size_t)i * nx);
  }
  return ct_source_check(&part->source, part->path, error);
}

static bool check_parts(void *state, ct_error **error) {
  const ct_array *array = state;
  const ct_array_part *parts = array->layout.parts;
  /* An unpacked array was read whole when it was opened. */
  for (size_t i = 0; i < array->layout.part_count && !array->packed; i++)
    if (!ct_source_check(&parts[i].source, parts[i].path, error)) return false;
  return true;
}

static bool end_stream(ct_array *array, ct_error **error) {
  const ct_array_part *part = &array->layout.parts[array->stream_part];
  const bool good = ct_inflate_finish(array->stream, error) && ct_source_check(&part->source, part->path, error);
  ct_inflate_close(array->stream);
  array->stream = NULL;
  return good;
}

/* The next row of a deflated array into array->row. */
static bool inflate_row(ct_array *array, ct_error **error) {
  const uint64_t ny = (uint64_t)array->layout.ny;
  const int plane = (int)(array->next_row / ny);
  if (!array->stream) {
    array->stream_part = find_part(array, plane);
    const ct_array_part *part = &array->layout.parts[array->stream_part];
    if (!(array->stream = open_part(&array->layout, part, error))) return false;
  }
  if (!ct_inflate_read(array->stream, array->row, array->row_bytes, error)) return false;
  const int planes = array->layout.parts[array->stream_part].planes;
  array->next_row++;
  return array->next_row < (uint64_t)(array->first[array->stream_part] + planes) * ny || end_stream(array, error);
}

/* Parts that lie before the wanted row are not unpacked at all. */
static void skip_parts(ct_array *array, int plane) {
  const int part = find_part(array, plane);
  const uint64_t first = (uint64_t)array->first[part] * (uint64_t)array->layout.ny;
  if (array->next_row >= first) return;
  ct_inflate_close(array->stream);
  array->stream = NULL;
  array->next_row = first;
}

bool ct_array_read_slices(void *state, int k, int row0, int rows, float *out, ct_error **error) {
  ct_array *array = state;
  const ct_array_layout *layout = &array->layout;
  if (layout->z_first && !ct_array_unpack(array, error)) return false;
  if (!layout->deflated || array->packed) return read_rows(array, k, row0, rows, out, error);
  const uint64_t first = (uint64_t)k * (uint64_t)layout->ny + (uint64_t)row0;
  if (first < array->next_row)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s is compressed, and can be read in order alone", layout->path);
  skip_parts(array, k);
  while (array->next_row < first + (uint64_t)rows) {
    const bool wanted = array->next_row >= first;
    if (!inflate_row(array, error)) return false;
    if (wanted) convert(layout, array->row, (size_t)layout->nx, out);
    if (wanted) out += layout->nx;
  }
  return true;
}

bool ct_array_check_slices(void *state, ct_error **error) {
  return check_parts(state, error);
}

void ct_array_close_slices(void *state) {
  ct_array_free(state);
}

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  ct_array *array = state;
  const ct_array_layout *layout = &array->layout;
  if (kind != CT_FRAME_PROJECTION || index < 0 || index >= layout->nz || row0 < 0 || rows < 0 ||
      row0 > layout->ny - rows)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s has no such rows (%d to %d of frame %d)", layout->path, row0,
                        row0 + rows - 1, index);
  if (read_rows(array, index, row0, rows, out, error)) return true;
  ct_error_prefix(error, "Frame %d", index + 1);
  return false;
}

static void free_frames(void *state) {
  ct_array_free(state);
}

ct_scan *ct_array_scan(ct_array *array, const ct_scan_facts *facts, ct_error **error) {
  return ct_scan_new(facts, (ct_scan_source){array, read_frame, free_frames, check_parts}, error);
}
