/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw samples: the layout out of its JSON, checked against the files, and frames read by it. */
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/json-private.h"
#include "recon/io/raw/raw-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

const char *const ct_raw_layout_keys[] = {
    "comment", "raw", "type", "dims", "byte_order", "header_bytes", "frame_header_bytes", "scale", "offset", NULL};

static bool get_count(const json_t *object, const char *where, const char *key, uint64_t *count, ct_error **error) {
  const json_t *value = json_object_get(object, key);
  if (!value) return true;
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be a whole number of bytes, 0 or more.", where, key);
  *count = (uint64_t)json_integer_value(value);
  return true;
}

static bool parse_dims(ct_raw_layout *layout, const json_t *object, const char *where, ct_error **error) {
  const json_t *dims = json_object_get(object, "dims");
  const size_t rank = json_array_size(dims);
  int *const counts[] = {&layout->nx, &layout->ny, &layout->frames};
  bool good = rank == 2 || rank == 3;
  for (size_t i = 0; good && i < rank; i++) {
    const json_t *value = json_array_get(dims, i);
    good = json_is_integer(value) && json_integer_value(value) >= 1 && json_integer_value(value) <= INT_MAX;
    if (good) *counts[i] = (int)json_integer_value(value);
  }
  return good ||
         ct_error_set(error, CT_ERROR_FORMAT,
                      "%s: \"dims\" must be [columns, rows, frames], whole numbers from 1 on; frames may be left out.",
                      where);
}

static bool parse_samples(ct_raw_layout *layout, const json_t *object, const char *where, ct_error **error) {
  const char *type = json_string_value(json_object_get(object, "type"));
  const json_t *order = json_object_get(object, "byte_order"), *scale = json_object_get(object, "scale"),
               *offset = json_object_get(object, "offset");
  if (!type || !ct_sample_from_id(type, &layout->type))
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: \"type\" must be one of uint8, int8, uint16, int16, uint32, int32, uint64, "
                        "int64, float16, float32, float64.",
                        where);
  const char *word = order ? json_string_value(order) : "little";
  if (!word || (strcmp(word, "little") != 0 && strcmp(word, "big") != 0))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"byte_order\" must be \"little\" or \"big\".", where);
  layout->big_endian = strcmp(word, "big") == 0;
  return (!scale || ct_json_number(scale, where, "scale", &layout->scale, error)) &&
         (!offset || ct_json_number(offset, where, "offset", &layout->offset, error));
}

static bool find_files(ct_raw_layout *layout, const json_t *object, const char *where, const char *folder,
                       const char *path, ct_error **error) {
  const json_t *raw = json_object_get(object, "raw");
  if (!raw && !path)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"raw\" must name the file of the samples.", where);
  if (raw && (!json_is_string(raw) || json_string_length(raw) == 0))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"raw\" must be a file or a pattern of numbered files.", where);
  char *file = raw ? ct_path_join_utf8(folder, json_string_value(raw), error) : ct_strdup(path, error);
  bool good = file != NULL;
  if (good && access(file, F_OK) != 0 && ct_path_is_pattern(file)) {
    good = ct_file_list_pattern(&layout->files, file, error);
  } else if (good) {
    good = (layout->files.paths = ct_alloc_zero(1, sizeof(char *), "a list of files", error)) &&
           (layout->files.paths[0] = ct_strdup(file, error));
    layout->files.count = good;
  }
  ct_free(file);
  return good;
}

/* Bytes of one frame with its header; false on overflow. */
static bool frame_bytes(const ct_raw_layout *layout, uint64_t *bytes) {
  size_t samples;
  return ct_size_product(layout->nx, layout->ny, 1, ct_sample_size(layout->type), &samples) &&
         !__builtin_add_overflow((uint64_t)samples, layout->frame_header_bytes, bytes) && *bytes <= INT64_MAX;
}

/* Counts the frames that the files hold and compares with what the layout says. */
static bool count_frames(ct_raw_layout *layout, const char *where, ct_error **error) {
  uint64_t frame, first = 0;
  if (!frame_bytes(layout, &frame)) return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"dims\" are too large.", where);
  const bool counted = layout->frames == 0;
  layout->sources = ct_alloc_zero(layout->files.count, sizeof *layout->sources, "a list of files", error);
  if (!layout->sources) return false;
  for (size_t i = 0; i < layout->files.count; i++) {
    const char *path = layout->files.paths[i];
    if (!ct_source_take(&layout->sources[i], path, error)) return false;
    const uint64_t bytes = layout->sources[i].bytes;
    layout->file_bytes += bytes;
    if (i == 0) first = bytes;
    if (bytes != first)
      return ct_error_set(error, CT_ERROR_FORMAT,
                          "%s holds %llu bytes, %s holds %llu: files of one scan must be of one size.", path,
                          (unsigned long long)bytes, layout->files.paths[0], (unsigned long long)first);
  }
  const char *path = layout->files.paths[0];
  const uint64_t body = first > layout->header_bytes ? first - layout->header_bytes : 0, fit = body / frame;
  const uint64_t files = layout->files.count, wanted = counted ? fit : ((uint64_t)layout->frames + files - 1) / files;
  if (wanted == 0 || wanted > fit || (!counted && files > 1 && wanted * files != (uint64_t)layout->frames)) {
    uint64_t need;
    if (__builtin_mul_overflow(wanted ? wanted : 1, frame, &need) ||
        __builtin_add_overflow(need, layout->header_bytes, &need))
      need = UINT64_MAX;
    return ct_error_set(
        error, CT_ERROR_FORMAT,
        "%s holds %llu bytes, but %d x %d samples of %s in %llu frames and %llu bytes of header need %llu (%s).", path,
        (unsigned long long)first, layout->nx, layout->ny, ct_sample_id(layout->type),
        (unsigned long long)(wanted ? wanted : 1), (unsigned long long)layout->header_bytes, (unsigned long long)need,
        where);
  }
  layout->spare_bytes = body - wanted * frame;
  if (counted && layout->spare_bytes)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: %llu bytes are left over behind %llu frames of %d x %d samples of %s (%s).", path,
                        (unsigned long long)layout->spare_bytes, (unsigned long long)wanted, layout->nx, layout->ny,
                        ct_sample_id(layout->type), where);
  uint64_t all;
  if (__builtin_mul_overflow(wanted, files, &all) || all > INT_MAX)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: too many frames.", where);
  layout->frames = (int)all;
  layout->frames_per_file = (int)wanted;
  return true;
}

bool ct_raw_layout_parse(ct_raw_layout *layout, const json_t *object, const char *where, const char *folder,
                         const char *path, ct_error **error) {
  *layout = (ct_raw_layout){.scale = 1};
  if (get_count(object, where, "header_bytes", &layout->header_bytes, error) &&
      get_count(object, where, "frame_header_bytes", &layout->frame_header_bytes, error) &&
      parse_dims(layout, object, where, error) && parse_samples(layout, object, where, error) &&
      find_files(layout, object, where, folder, path, error) && count_frames(layout, where, error))
    return true;
  ct_raw_layout_clear(layout);
  return false;
}

void ct_raw_layout_clear(ct_raw_layout *layout) {
  ct_file_list_clear(&layout->files);
  ct_free(layout->sources);
  layout->sources = NULL;
}

void ct_raw_reader_init(ct_raw_reader *reader, ct_raw_layout *layout) {
  *reader = (ct_raw_reader){*layout, -1, -1};
  *layout = (ct_raw_layout){0};
}

void ct_raw_reader_clear(ct_raw_reader *reader) {
  if (reader->open_file >= 0) close(reader->descriptor);
  reader->open_file = -1;
  ct_raw_layout_clear(&reader->layout);
}

bool ct_raw_reader_read(ct_raw_reader *reader, int frame, int row0, int rows, float *out, ct_error **error) {
  const ct_raw_layout *layout = &reader->layout;
  const int file = frame / layout->frames_per_file, inside = frame % layout->frames_per_file;
  const char *path = layout->files.paths[file];
  if (!ct_source_check(&layout->sources[file], path, error)) return false;
  if (reader->open_file != file) {
    if (reader->open_file >= 0) close(reader->descriptor);
    reader->open_file = -1;
    reader->descriptor = ct_open_to_read(path, error);
    if (reader->descriptor < 0) return false;
    reader->open_file = file;
  }
  const size_t size = ct_sample_size(layout->type), count = (size_t)rows * (size_t)layout->nx;
  const size_t row_bytes = (size_t)layout->nx * size, image = row_bytes * (size_t)layout->ny;
  const off_t offset = (off_t)(layout->header_bytes + (uint64_t)inside * (image + layout->frame_header_bytes) +
                               layout->frame_header_bytes + (uint64_t)row0 * row_bytes);
  /* Samples no wider than a float are read to the end of `out` and widened in place from its beginning.
   */
  char *wide = size > sizeof *out ? ct_alloc(count, size, "a frame", error) : NULL;
  if (size > sizeof *out && !wide) return false;
  char *bytes = wide ? wide : (char *)(out + count) - count * size;
  const bool good = ct_read_exactly(reader->descriptor, path, bytes, count * size, offset, error) &&
                    ct_source_check(&layout->sources[file], path, error);
  if (good)
    ct_samples_to_float(bytes, layout->type, layout->big_endian, count, out);
  else
    ct_error_prefix(error, "Frame %d", frame);
  if (good && (layout->scale != 1 || layout->offset != 0))
    for (size_t i = 0; i < count; i++) out[i] = (float)(out[i] * layout->scale + layout->offset);
  ct_free(wide);
  return good;
}

bool ct_raw_reader_check(const ct_raw_reader *reader, ct_error **error) {
  const ct_raw_layout *layout = &reader->layout;
  for (size_t i = 0; i < layout->files.count; i++)
    if (!ct_source_check(&layout->sources[i], layout->files.paths[i], error)) return false;
  return true;
}
