/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions as JSON: {"gantry_session": 1, "title": "bell-pepper", "saved": "...", "scan": {"path": ...}, "plan": {...},
 * "results": [...], "view": {...}, "regions": [...]}. */
#include "app/session-file.h"
#include "app/json.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/io.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, LARGEST = 64 << 20, MOST_RESULTS = 10000 };

static void clear_result(gantry_session_result *result) {
  ct_free(result->path);
  ct_free(result->name);
  ct_free(result->title);
  ct_free(result->plan);
  ct_free(result->record);
}

void gantry_session_file_clear(gantry_session_file *file) {
  for (size_t i = 0; i < file->count; i++) clear_result(&file->results[i]);
  ct_free(file->results);
  for (size_t i = 0; i < file->note_count; i++) ct_free(file->notes[i]);
  free(file->notes);
  ct_free(file->title);
  ct_free(file->saved);
  ct_free(file->scan);
  ct_free(file->description);
  ct_free(file->plan);
  ct_free(file->reference);
  json_decref(file->view);
  json_decref(file->regions);
  *file = (gantry_session_file){0};
}

bool gantry_session_file_add_note(gantry_session_file *file, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  char **notes = realloc(file->notes, (file->note_count + 1) * sizeof *notes);
  if (!notes) return false;
  file->notes = notes;
  notes[file->note_count] = ct_strdup(text, NULL);
  return notes[file->note_count] && ++file->note_count;
}

/* Reading */

/* New text; NULL where the member is none. */
static char *dup_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && *text ? ct_strdup(text, NULL) : NULL;
}

static char *dup_path(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && *text ? ct_path_from_utf8(text, NULL) : NULL;
}

static double real_of(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static int int_of(const json_t *object, const char *key) {
  const double value = real_of(object, key);
  return value >= 0 && value < 2e9 ? (int)value : 0;
}

static uint64_t checksum_of(const json_t *object) {
  const char *text = json_string_value(json_object_get(object, "checksum"));
  return text ? strtoull(text, NULL, 16) : 0;
}

static char *dump(const json_t *value) {
  if (!json_is_object(value)) return NULL;
  char *text = ct_json_text(value, JSON_INDENT(2) | JSON_REAL_PRECISION(17)),
       *copy = text ? ct_strdup(text, NULL) : NULL;
  free(text);
  return copy;
}

/* Where the file is now: as seen from the session, else where it was; what the session says where it is in neither
 * place. NULL: no path is told. */
static char *find(const json_t *object, const char *folder, bool *there) {
  char *told = dup_path(object, "path"), *absolute = dup_path(object, "absolute"),
       *path = told ? ct_path_join(folder, told, NULL) : NULL;
  *there = path && ct_scan_is_there(path);
  if (!*there && absolute && *absolute == '/') {
    ct_free(path);
    path = absolute;
    absolute = NULL;
    *there = ct_scan_is_there(path);
  }
  ct_free(absolute);
  ct_free(told);
  return path;
}

/* As gantry_json_add_grid writes it; what could not be made is none. */
static bool read_grid(const json_t *json, ct_grid *grid) {
  double n[3], voxel[3], origin[3];
  for (size_t i = 0; i < 3; i++) {
    n[i] = json_number_value(json_array_get(json_object_get(json, "size"), i));
    voxel[i] = json_number_value(json_array_get(json_object_get(json, "voxel_mm"), i));
    origin[i] = json_number_value(json_array_get(json_object_get(json, "origin_mm"), i));
    if (!(n[i] >= 1 && n[i] <= 65536 && voxel[i] > 0)) return false;
  }
  *grid = (ct_grid){.nx = (int)n[0],
                    .ny = (int)n[1],
                    .nz = (int)n[2],
                    .dx = voxel[0],
                    .dy = voxel[1],
                    .dz = voxel[2],
                    .x0 = origin[0],
                    .y0 = origin[1],
                    .z0 = origin[2]};
  return true;
}

static gantry_place judge(const gantry_session_result *result) {
  uint64_t bytes, checksum;
  if (!result->bytes || !gantry_session_identify(result->path, &bytes, &checksum)) return GANTRY_PLACE_THERE;
  const bool same = bytes == result->bytes && (!result->checksum || checksum == result->checksum);
  return same ? GANTRY_PLACE_THERE : GANTRY_PLACE_CHANGED;
}

static void read_result(gantry_session_result *result, const json_t *json, const char *folder) {
  bool there;
  result->path = find(json, folder, &there);
  const double bytes = real_of(json, "bytes");
  result->bytes = bytes > 0 && bytes < 9e18 ? (uint64_t)bytes : 0;
  result->checksum = checksum_of(json);
  result->place = !result->path ? GANTRY_PLACE_NONE : there ? judge(result) : GANTRY_PLACE_MISSING;
  result->name = dup_text(json, "name");
  result->title = dup_text(json, "title");
  result->plan = dump(json_object_get(json, "plan"));
  result->record = dump(json_object_get(json, "record"));
  result->made = json_is_true(json_object_get(json, "made"));
  result->views = int_of(json, "views");
  result->views_all = int_of(json, "views_all");
  result->iterations = int_of(json, "iterations");
  result->seconds = real_of(json, "seconds");
  result->gups = real_of(json, "gups");
  result->is_a = json_is_true(json_object_get(json, "a"));
  result->is_b = json_is_true(json_object_get(json, "b"));
  result->pinned = json_is_true(json_object_get(json, "pinned"));
  result->ticked = json_is_true(json_object_get(json, "ticked"));
  result->phantom = read_grid(json_object_get(json, "phantom"), &result->grid);
}

static bool read_results(gantry_session_file *file, const json_t *list, const char *folder, ct_error **error) {
  const size_t count = json_array_size(list);
  if (list && !json_is_array(list)) return gantry_session_file_add_note(file, "Its list of results is none.");
  if (count > MOST_RESULTS) return gantry_session_file_add_note(file, "It tells of more results than can be.");
  if (!count) return true;
  file->results = ct_alloc_zero(count, sizeof *file->results, "the results of a session", error);
  for (size_t i = 0; file->results && i < count; i++) {
    const json_t *item = json_array_get(list, i);
    if (json_is_object(item))
      read_result(&file->results[file->count++], item, folder);
    else
      gantry_session_file_add_note(file, "Result %zu in it cannot be read.", i + 1);
  }
  return file->results;
}

static void read_scan(gantry_session_file *file, const json_t *scan, const char *folder) {
  bool there;
  if (!json_is_object(scan)) return;
  file->example = json_is_true(json_object_get(scan, "example"));
  file->scan = file->example ? NULL : find(scan, folder, &there);
  file->has_scan = file->example || file->scan;
  const char *description = json_string_value(json_object_get(scan, "description"));
  file->description = file->scan && description ? ct_strdup(description, NULL) : NULL;
  file->scan_place = file->example ? GANTRY_PLACE_THERE
                     : !file->scan ? GANTRY_PLACE_NONE
                     : there       ? GANTRY_PLACE_THERE
                                   : GANTRY_PLACE_MISSING;
}

static bool read_root(gantry_session_file *file, const json_t *root, const char *folder, ct_error **error) {
  const json_t *version = json_object_get(root, "gantry_session");
  if (version && !json_is_integer(version))
    return ct_error_set(error, CT_ERROR_FORMAT, "its version, \"gantry_session\", must be a whole number");
  if (!json_is_object(root) || !version)
    return ct_error_set(error, CT_ERROR_FORMAT, "this is no session: it has no \"gantry_session\" version");
  if (json_integer_value(version) != VERSION)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "the session has version %lld, this program reads version %d",
                        (long long)json_integer_value(version), VERSION);
  file->title = dup_text(root, "title");
  file->saved = dup_text(root, "saved");
  read_scan(file, json_object_get(root, "scan"), folder);
  file->plan = dump(json_object_get(root, "plan"));
  file->reference = dump(json_object_get(json_object_get(root, "reference"), "plan"));
  json_t *view = json_object_get(root, "view"), *regions = json_object_get(root, "regions");
  file->view = json_is_object(view) ? json_incref(view) : json_object();
  file->regions = json_is_array(regions) ? json_incref(regions) : json_array();
  return read_results(file, json_object_get(root, "results"), folder, error);
}

/* Paths in it are taken from where the session is, whatever the program's own folder becomes. */
static char *absolute_folder(const char *path, ct_error **error) {
  char *folder = ct_path_folder(path, error), *real = folder ? realpath(folder, NULL) : NULL;
  char *copy = real ? ct_strdup(real, error) : NULL;
  if (folder && !real) ct_error_set(error, CT_ERROR_IO, "The folder %s is not there", folder);
  ct_free(folder);
  free(real);
  return copy;
}

bool gantry_session_file_read(gantry_session_file *file, const char *path, ct_error **error) {
  json_error_t fault;
  *file = (gantry_session_file){0};
  char *text = ct_read_text(path, LARGEST, NULL, error);
  if (!text) return false;
  char *folder = absolute_folder(path, error);
  json_t *root = folder ? ct_json_read(text, JSON_REJECT_DUPLICATES, &fault, error) : NULL;
  if (folder && !root)
    ct_error_set(error, CT_ERROR_FORMAT,
                 "%s cannot be read as a session: line %d: %s. It is damaged or was cut off; nothing was changed", path,
                 fault.line, fault.text);
  const bool good = root && read_root(file, root, folder, error);
  if (root && !good) ct_error_prefix(error, "%s", path);
  if (!good) gantry_session_file_clear(file);
  json_decref(root);
  ct_free(folder);
  ct_free(text);
  return good;
}

bool gantry_session_file_is(const char *path) {
  char head[512];
  FILE *file = ct_stream_to_read(path, NULL);
  if (!file) return false;
  const size_t length = fread(head, 1, sizeof head - 1, file);
  fclose(file);
  head[length] = 0;
  const char *begin = strncmp(head, "\xef\xbb\xbf", 3) == 0 ? head + 3 : head;
  begin += strspn(begin, " \t\r\n");
  /* The version is written first; a file of the name is one as well, whatever became of it. */
  return (*begin == '{' && strstr(begin, "\"gantry_session\"")) || ct_path_has_extension(path, "gantry");
}

/* Writing */

/* NULL where memory is short, which is said: a session that forgets its scan would be worse than none. */
static json_t *path_text(const char *path, ct_error **error) {
  char *text = ct_path_to_utf8(path, error);
  json_t *value = text ? json_string(text) : NULL;
  if (!value) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to write the session down.");
  ct_free(text);
  return value;
}

static void set_text(json_t *object, const char *key, const char *text) {
  json_t *value = text ? json_string(text) : NULL;
  if (value) json_object_set_new(object, key, value);
}

static void set_real(json_t *object, const char *key, double value) {
  if (isfinite(value)) json_object_set_new(object, key, json_real(value));
}

static bool set_json(json_t *object, const char *key, const char *text, ct_error **error) {
  json_t *value = NULL;
  if (text && !ct_json_try(text, 0, &value, error)) return false;
  if (value) json_object_set_new(object, key, value);
  return true;
}

static bool set_path(json_t *object, const char *path, const char *folder, ct_error **error) {
  char *relative = gantry_session_relative(folder, path);
  json_t *near = path_text(relative ? relative : path, error), *far = near ? path_text(path, error) : NULL;
  ct_free(relative);
  if (near) json_object_set_new(object, "path", near);
  if (far) json_object_set_new(object, "absolute", far);
  return far;
}

static bool add_result(json_t *list, gantry_session_result *result, const char *folder, ct_error **error) {
  json_t *object = json_object();
  char checksum[24];
  if (json_array_append_new(list, object) != 0)
    return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to write the session down.");
  if (result->path && !set_path(object, result->path, folder, error)) return false;
  if (result->path && !result->bytes) gantry_session_identify(result->path, &result->bytes, &result->checksum);
  if (result->bytes) {
    snprintf(checksum, sizeof checksum, "%016" PRIx64, result->checksum);
    json_object_set_new(object, "bytes", json_integer((json_int_t)result->bytes));
    json_object_set_new(object, "checksum", json_string(checksum));
  }
  set_text(object, "name", result->name);
  set_text(object, "title", result->title);
  json_object_set_new(object, "made", json_boolean(result->made));
  if (result->made) {
    json_object_set_new(object, "views", json_integer(result->views));
    json_object_set_new(object, "views_all", json_integer(result->views_all));
    json_object_set_new(object, "iterations", json_integer(result->iterations));
    set_real(object, "seconds", result->seconds);
    set_real(object, "gups", result->gups);
  }
  json_object_set_new(object, "a", json_boolean(result->is_a));
  json_object_set_new(object, "b", json_boolean(result->is_b));
  json_object_set_new(object, "pinned", json_boolean(result->pinned));
  json_object_set_new(object, "ticked", json_boolean(result->ticked));
  if (!set_json(object, "plan", result->plan, error) || !set_json(object, "record", result->record, error))
    return false;
  if (result->phantom) {
    json_t *phantom = json_object();
    gantry_json_add_grid(phantom, &result->grid);
    json_object_set_new(object, "phantom", phantom);
  }
  return true;
}

static json_t *scan_object(const gantry_session_file *file, const char *folder, ct_error **error) {
  json_t *scan = json_object();
  if (file->example) json_object_set_new(scan, "example", json_true());
  if (!file->example && !set_path(scan, file->scan, folder, error)) {
    json_decref(scan);
    return NULL;
  }
  set_text(scan, "description", file->description);
  return scan;
}

static bool fill_root(json_t *root, gantry_session_file *file, const char *folder, ct_error **error) {
  json_t *scan = file->has_scan ? scan_object(file, folder, error) : json_null(), *list = json_array();
  json_object_set_new(root, "gantry_session", json_integer(VERSION));
  json_object_set_new(root, "program", json_string(GANTRY_VERSION));
  set_text(root, "saved", file->saved);
  set_text(root, "title", file->title);
  json_object_set_new(root, "scan", scan);
  bool good = scan && set_json(root, "plan", file->plan, error);
  json_object_set_new(root, "results", list);
  for (size_t i = 0; i < file->count && good; i++) good = add_result(list, &file->results[i], folder, error);
  json_t *reference = file->reference ? json_object() : json_null();
  good = good && set_json(reference, "plan", file->reference, error);
  json_object_set_new(root, "reference", reference);
  json_object_set(root, "view", file->view);
  json_object_set(root, "regions", file->regions);
  return good;
}

bool gantry_session_file_write(gantry_session_file *file, const char *path, ct_error **error) {
  char *folder = absolute_folder(path, error);
  json_t *root = folder ? json_object() : NULL;
  const bool filled = root && fill_root(root, file, folder, error);
  char *text = filled ? ct_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  if (filled && !text) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to write the session down.");
  const bool good = text && ct_output_write_text(path, text, error);
  free(text);
  json_decref(root);
  ct_free(folder);
  return good;
}
