/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format "raw": plain samples and a JSON header beside them. NAME.raw.json tells the layout of NAME.raw, where it
 * lies in space (spacing_mm and origin_mm, x first) and the plan; docs/scan-description.md lists the keys. */
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/io/shared/array-private.h"
#include "recon/io/shared/json-private.h"
#include "recon/io/raw/raw-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_LIMIT = 1 << 28 };

/* NAME.raw.json for NAME.raw (NAME.json might be a plan), and itself for NAME.raw.json. New text. */
static char *header_path(const char *path, ct_error **error) {
  char *header = ct_strprintf("%s%s", path, ct_path_has_extension(path, "json") ? "" : ".json");
  if (!header) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a path.");
  return header;
}

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder || header_size == 0) return 0;
  if (ct_path_has_extension(path, "json")) return 20;
  char *beside = header_path(path, NULL);
  const bool described = beside && access(beside, F_OK) == 0;
  ct_free(beside);
  return ct_path_has_extension(path, "raw") ? (described ? 40 : 5) : described ? 3 : 0;
}

/* The header of a volume has dims beside its samples; descriptions of scans have not. */
static ct_content content(const char *path, const char *dataset) {
  (void)dataset;
  char *header = header_path(path, NULL), *text = NULL;
  json_t *root =
      header && (text = ct_read_text(header, HEADER_LIMIT, NULL, NULL)) ? ct_json_parse(text, header, NULL) : NULL;
  /* Opening it tells of one that cannot be read. */
  const bool described = header && access(header, F_OK) == 0 && !ct_path_has_extension(path, "json"),
             is_header = json_object_get(root, "dims") != NULL;
  json_decref(root);
  ct_free(text);
  ct_free(header);
  return described || is_header ? CT_CONTENT_VOLUME : CT_CONTENT_SCAN;
}

static bool read_scan_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                            ct_error **error) {
  return ct_raw_reader_read(state, index, row0, rows, out, error);
}

static bool check_scan(void *state, ct_error **error) {
  return ct_raw_reader_check(state, error);
}

static void free_scan(void *state) {
  ct_raw_reader_clear(state);
  ct_free(state);
}

ct_scan *ct_raw_scan_new(ct_raw_layout *layout, const char *path, ct_error **error) {
  ct_raw_reader *reader = ct_alloc_zero(1, sizeof *reader, "the scan", error);
  ct_scan_facts facts = {.path = path, .format = "raw samples", .bytes = layout->file_bytes};
  facts.integers = ct_sample_is_integer(layout->type) && layout->scale == 1 && layout->offset == 0;
  if (!reader || !ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, layout->nx, layout->ny, layout->frames, error)) {
    ct_raw_layout_clear(layout);
    ct_free(reader);
    return NULL;
  }
  char note[256];
  snprintf(note, sizeof note, "%s", ct_assume_angles(&facts.geometry));
  if (layout->spare_bytes)
    snprintf(note + strlen(note), sizeof note - strlen(note), " %llu bytes behind the last frame are not used.",
             (unsigned long long)layout->spare_bytes);
  facts.note = note;
  ct_raw_reader_init(reader, layout);
  ct_remarks remarks = {0};
  ct_raw_find_doubts(reader, &remarks);
  facts.remarks = &remarks;
  ct_scan *scan = ct_scan_new(&facts, (ct_scan_source){reader, read_scan_frame, free_scan, check_scan}, error);
  ct_remarks_clear(&remarks);
  ct_geometry_clear(&facts.geometry);
  return scan;
}

/* Opened without a description: there is nothing to tell columns from rows. */
static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  (void)options;
  const size_t extension = strlen(ct_path_extension(path)), length = strlen(path);
  ct_error_set(
      error, CT_ERROR_FORMAT,
      "%s holds raw samples, whose layout must be told: write the \"files\" entry of %.*s.scan.json beside it.", path,
      (int)(extension ? length - extension - 1 : length), path);
  return NULL;
}

static const char *const volume_keys[] = {
    "comment", "raw",    "type",       "dims",      "byte_order", "header_bytes", "frame_header_bytes",
    "scale",   "offset", "spacing_mm", "origin_mm", "unit",       "plan",         NULL};

/* Grid and layout of a volume's header. */
static bool parse_header(const json_t *root, const char *where, const char *folder, const char *path,
                         ct_raw_layout *layout, ct_grid *grid, ct_error **error) {
  if (!json_is_object(root))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the header of a raw volume must be a JSON object.", where);
  double spacing[3] = {1, 1, 1}, origin[3];
  const json_t *s = json_object_get(root, "spacing_mm"), *o = json_object_get(root, "origin_mm");
  if (!ct_json_check_keys(root, where, volume_keys, error) ||
      (s && !ct_json_numbers(s, where, "spacing_mm", 3, spacing, error)) ||
      (o && !ct_json_numbers(o, where, "origin_mm", 3, origin, error)) ||
      !ct_raw_layout_parse(layout, root, where, folder, path, error))
    return false;
  const int counts[3] = {layout->nx, layout->ny, layout->frames};
  for (int i = 0; !o && i < 3; i++) origin[i] = -0.5 * (counts[i] - 1) * spacing[i];
  *grid =
      (ct_grid){counts[0], counts[1], counts[2], spacing[0], spacing[1], spacing[2], origin[0], origin[1], origin[2]};
  if (ct_grid_check(grid, error)) return true;
  ct_error_prefix(error, "%s", where);
  ct_raw_layout_clear(layout);
  return false;
}

/* A header's plan, which the header keeps; NULL where it has none. */
static bool get_plan(const json_t *root, const char *where, const char **plan, ct_error **error) {
  const json_t *value = json_object_get(root, "plan");
  *plan = json_string_value(value);
  return *plan || !value || json_is_null(value) ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s: \"plan\" must be a text.", where);
}

/* The header of a volume, parsed, and its path, *where (ct_free). NULL with an error. */
static json_t *load_header(const char *path, char **where, ct_error **error) {
  json_t *root = NULL;
  char *text = NULL;
  *where = header_path(path, error);
  if (*where && access(*where, F_OK) != 0)
    ct_error_set(error, CT_ERROR_IO, "%s holds raw samples, but its header %s is missing.", path, *where);
  else if (*where && (text = ct_read_text(*where, HEADER_LIMIT, NULL, error)))
    root = ct_json_parse(text, *where, error);
  ct_free(text);
  return root;
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  char *where, *folder = NULL;
  const char *plan;
  json_t *root = load_header(path, &where, error);
  ct_raw_layout layout;
  ct_raw_reader *reader = NULL;
  const bool is_header = ct_path_has_extension(path, "json");
  if (root && get_plan(root, where, &plan, error) && (folder = ct_path_folder(where, error)) &&
      (!plan || (facts->plan = ct_strdup(plan, error))) &&
      parse_header(root, where, folder, is_header ? NULL : path, &layout, &facts->grid, error)) {
    facts->pitch_unknown = !json_object_get(root, "spacing_mm") || ct_json_is_in_pixels(root);
    facts->file_bytes = layout.file_bytes;
    reader = ct_alloc_zero(1, sizeof *reader, "a reader", error);
    if (reader)
      ct_raw_reader_init(reader, &layout);
    else
      ct_raw_layout_clear(&layout);
  }
  json_decref(root);
  ct_free(folder);
  ct_free(where);
  return reader;
}

static bool read_slice_rows(void *state, int k, int row0, int rows, float *out, ct_error **error) {
  return ct_raw_reader_read(state, k, row0, rows, out, error);
}

static bool check_slices(void *state, ct_error **error) {
  return ct_raw_reader_check(state, error);
}

static void close_slices(void *state) {
  ct_raw_reader_clear(state);
  ct_free(state);
}

static const ct_slice_reader reader = {open_slices, read_slice_rows, check_slices, close_slices};

static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  char *where;
  const char *held = NULL;
  json_t *root = load_header(path, &where, error);
  const bool good = root && get_plan(root, where, &held, error) && (!held || (*plan = ct_strdup(held, error)));
  json_decref(root);
  ct_free(where);
  return good;
}

/* The header of a volume, and the samples that it names. */
static bool reads(const char *path, const ct_open_options *options, const char *file) {
  (void)options;
  char *where, *folder = NULL;
  json_t *root = load_header(path, &where, NULL);
  ct_raw_layout layout;
  ct_grid grid;
  bool found = root && ct_path_is_same(where, file);
  if (!found && root && (folder = ct_path_folder(where, NULL)) &&
      parse_header(root, where, folder, ct_path_has_extension(path, "json") ? NULL : path, &layout, &grid, NULL)) {
    found = ct_file_list_holds(&layout.files, file);
    ct_raw_layout_clear(&layout);
  }
  json_decref(root);
  ct_free(folder);
  ct_free(where);
  return found;
}

static bool put_header(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                       long *size_place, ct_error **error) {
  (void)size_place; /* the header tells no size */
  const ct_grid *g = &header->grid;
  char *name = ct_path_to_utf8(data_file, error);
  if (!name) return false;
  json_t *root = json_pack("{s:s, s:s, s:[i,i,i], s:s, s:i, s:[f,f,f], s:[f,f,f], s:s}", "raw", name, "type",
                           header->integers ? "uint16" : "float32", "dims", g->nx, g->ny, g->nz, "byte_order",
                           ct_machine_is_big_endian() ? "big" : "little", "header_bytes", 0, "spacing_mm", g->dx, g->dy,
                           g->dz, "origin_mm", g->x0, g->y0, g->z0, "unit", header->units.value);
  ct_free(name);
  bool good = root != NULL;
  if (good && header->integers)
    good = json_object_set_new(root, "scale", json_real((header->high - header->low) / 65535)) == 0 &&
           json_object_set_new(root, "offset", json_real(header->low)) == 0;
  if (good && header->plan) good = json_object_set_new(root, "plan", json_string(header->plan)) == 0;
  char *text = good ? ct_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(root);
  if (!text)
    return ct_error_set(error, CT_ERROR_MEMORY,
                        "The header %s cannot be made: memory is short or the plan is no UTF-8.", path);
  good = ct_put_text(file, path, error, "%s\n", text);
  free(text);
  return good;
}

static const ct_array_form form = {.put_header = put_header};

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  char *beside = header_path(header->path, error);
  void *state = beside ? ct_array_writer_open(&form, header, beside, header->path, error) : NULL;
  ct_free(beside);
  return state;
}

static const ct_slice_writer writer = {
    .open = open_writer,
    .put = ct_array_writer_put,
    .close = ct_array_writer_close,
    .plain = true,
};

static const ct_companion companions[] = {{"raw", "raw.json"}, {NULL, NULL}};

const ct_format ct_format_raw = {
    .id = "raw",
    .title = "raw with header",
    .extensions = "raw",
    .notes = "layout from a scan description, or from the header NAME.raw.json of a volume",
    .companions = companions,
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reader = &reader,
    .read_plan = read_plan,
    .reads = reads,
    .writer = &writer,
};
