/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan descriptions as JSON: finding and parsing them, opening the files that they name. */
#include "recon/io/description/description-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/raw/raw-private.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_LIMIT = 1 << 28 };

static const char *const keys[] = {
    "comment",       "files",      "dataset",        "layout",   "flats",    "darks",     "beam",
    "sod_mm",        "sdd_mm",     "pixel_mm",       "centre_u", "centre_v", "tilt_deg",  "feed_mm",
    "table_step_mm", "start_z_mm", "angles_deg",     "matrices", "values",   "flip_rows", "flip_columns",
    "based_on",      "geometry",   "detector_shape", "links",    NULL};

static bool parse(ct_description *description, const char *text, ct_error **error) {
  description->root = ct_json_parse(text, description->path, error);
  if (!description->root) return false;
  if (!json_is_object(description->root))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: a scan description must be a JSON object.", description->path);
  if (json_object_get(description->root, "gantry_plan"))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is a plan, which tells how a scan is reconstructed, and no scan.",
                        description->path);
  return ct_json_check_keys(description->root, description->path, keys, error);
}

static ct_description *read_new(const char *source, const char *folder, ct_error **error) {
  ct_description *description = ct_alloc_zero(1, sizeof *description, "the scan description", error);
  if (!description) return NULL;
  bool good;
  if (source[strspn(source, " \t\r\n")] == '{') {
    good = (description->path = ct_strdup("The scan description", error)) &&
           (description->folder = ct_strdup(folder ? folder : ".", error)) && parse(description, source, error);
  } else {
    char *text = NULL;
    good = (description->path = ct_strdup(source, error)) && (description->folder = ct_path_folder(source, error)) &&
           (text = ct_read_text(source, TEXT_LIMIT, NULL, error)) && parse(description, text, error);
    ct_free(text);
  }
  if (good) return description;
  ct_description_free(description);
  return NULL;
}

/* A description that changes another: the other's keys and folder, with its own keys before them. */
static bool take_base(ct_description *description, ct_error **error) {
  const json_t *value = json_object_get(description->root, "based_on");
  if (!value) return true;
  if (!json_is_string(value))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"based_on\" must name another description.", description->path);
  char *path = ct_path_join_utf8(description->folder, json_string_value(value), error);
  ct_description *base = path ? read_new(path, NULL, error) : NULL;
  ct_free(path);
  if (!base) return false;
  ct_description_distrust(base);
  bool good = !json_object_get(base->root, "based_on") ||
              ct_error_set(error, CT_ERROR_FORMAT, "%s is based on another description itself.", base->path);
  json_object_del(description->root, "based_on");
  good = good && (json_object_update(base->root, description->root) == 0 ||
                  ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a scan description."));
  ct_description old = *description;
  *description = *base;
  description->based = true;
  *base = old;
  ct_description_free(base);
  return good;
}

ct_description *ct_description_new(const char *source, const char *folder, ct_error **error) {
  ct_description *description = read_new(source, folder, error);
  if (!description || take_base(description, error)) return description;
  ct_description_free(description);
  return NULL;
}

void ct_description_free(ct_description *description) {
  if (!description) return;
  json_decref(description->root);
  ct_free(description->path);
  ct_free(description->folder);
  ct_free(description);
}

/* FOLDER/scan.json of the folder that a path lies in. */
static char *in_same_folder(const char *path) {
  char *folder = ct_path_folder(path, NULL);
  char *candidate = folder ? ct_path_join(folder, "scan.json", NULL) : NULL;
  ct_free(folder);
  return candidate;
}

char *ct_description_find(const char *path, bool is_folder, bool in_series) {
  char *candidate = NULL;
  if (is_folder) {
    candidate = ct_path_join(path, "scan.json", NULL);
  } else if (access(path, F_OK) != 0 && ct_path_is_pattern(path)) {
    candidate = in_same_folder(path);
  } else {
    const size_t extension = strlen(ct_path_extension(path)), length = strlen(path);
    candidate = ct_strprintf("%.*s.scan.json", (int)(extension ? length - extension - 1 : length), path);
    /* One image of a series stands for its folder. */
    if (candidate && access(candidate, F_OK) != 0 && in_series) {
      ct_free(candidate);
      candidate = in_same_folder(path);
    }
  }
  if (candidate && access(candidate, F_OK) == 0) return candidate;
  ct_free(candidate);
  return NULL;
}

char *ct_description_find_images(const ct_description *description, ct_error **error) {
  static const char ending[] = ".scan.json";
  const char *name = ct_path_name(description->path);
  const size_t length = strlen(name), end = sizeof ending - 1;
  if (strcmp(name, ending + 1) == 0) return ct_strdup(description->folder, error);
  char *found = NULL;
  if (length > end && strcmp(name + length - end, ending) == 0) {
    ct_file_list list = {0};
    char *pattern = ct_strprintf("%.*s.*", (int)(strlen(description->path) - end), description->path);
    if (pattern) ct_file_list_pattern(&list, pattern, NULL);
    for (size_t i = 0; i < list.count && !found; i++)
      if (!ct_path_has_extension(list.paths[i], CT_DESCRIPTION_EXTENSION)) found = ct_strdup(list.paths[i], NULL);
    ct_file_list_clear(&list);
    ct_free(pattern);
  }
  if (!found)
    ct_error_set(error, CT_ERROR_FORMAT,
                 "%s: a scan description that is opened by itself must name its \"files\", or lie beside them: as "
                 "scan.json in their folder, or as NAME.scan.json beside NAME.",
                 description->path);
  return found;
}

bool ct_description_names_files(const ct_description *description) {
  return json_object_get(description->root, "files");
}

bool ct_description_has_raw_layout(const ct_description *description) {
  return json_is_object(json_object_get(description->root, "files"));
}

void ct_description_distrust(ct_description *description) {
  json_object_del(description->root, "links");
}

bool ct_description_take_options(ct_description *description, const ct_description *other, ct_error **error) {
  static const char *const options[] = {"layout", "dataset", "links"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    json_t *value = json_object_get(other->root, options[i]);
    if (value && json_object_set(description->root, options[i], value) != 0)
      return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a scan description.");
  }
  return true;
}

ct_open_options ct_description_get_options(const ct_description *description) {
  const json_t *root = description->root;
  const char *layout = json_string_value(json_object_get(root, "layout"));
  const ct_choice *choice = layout ? ct_choice_find_id(ct_layout_choices, layout) : NULL;
  return (ct_open_options){.dataset = json_string_value(json_object_get(root, "dataset")),
                           .layout = choice ? (ct_layout)choice->value : CT_LAYOUT_UNKNOWN,
                           .anywhere = ct_description_leads_anywhere(description),
                           .ignore_angles = json_object_get(root, "angles_deg") || json_object_get(root, "matrices")};
}

bool ct_description_get_geometry(const ct_description *description, char **file, bool *none, ct_error **error) {
  const json_t *value = json_object_get(description->root, "geometry");
  *file = NULL;
  *none = json_is_false(value);
  if (!value || *none) return true;
  if (!json_is_string(value) || json_string_length(value) == 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"geometry\" must be the path of a geometry file, or false.",
                        description->path);
  return (*file = ct_path_join_utf8(description->folder, json_string_value(value), error)) != NULL;
}

/* What the keys of the description tell, for people. */
static void remark(const ct_description *description, ct_remarks *remarks) {
  char list[400] = "";
  const char *name = strcmp(description->path, "The scan description") == 0 ? NULL : ct_path_name(description->path);
  for (int i = 0; keys[i]; i++)
    if (strcmp(keys[i], "comment") != 0 && json_object_get(description->root, keys[i]))
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] ? ", " : "", keys[i]);
  if (list[0]) ct_remarks_add(remarks, CT_REMARK_READ, name ? name : "the scan description", "%s", list);
}

/* A description, and how the files that it names are opened. */
typedef struct {
  const ct_description *description;
  ct_scan_opener open;
} source;

/* Raw samples are turned here; readers of files were told how to read them. */
static ct_scan *take_layout(ct_scan *scan, const ct_open_options *options, ct_error **error) {
  const ct_open_options unknown_angles = {.ignore_angles = true};
  if (scan && options->layout == CT_LAYOUT_SINOGRAMS) scan = ct_scan_of_sinograms(scan, &unknown_angles, false, error);
  if (scan && options->layout != CT_LAYOUT_UNKNOWN) ct_scan_take_layout(scan, options->layout);
  return scan;
}

/* A string (file, folder or pattern) or a raw layout. */
static ct_scan *open_files(const source *from, const json_t *value, const char *key, const char *path,
                           const ct_open_options *options, ct_error **error) {
  const ct_description *description = from->description;
  if (json_is_object(value)) {
    char where[256];
    snprintf(where, sizeof where, "%.200s, \"%s\"", description->path, key);
    ct_raw_layout layout;
    if (!ct_json_check_keys(value, where, ct_raw_layout_keys, error) ||
        !ct_raw_layout_parse(&layout, value, where, description->folder, path, error))
      return NULL;
    return take_layout(ct_raw_scan_new(&layout, path ? path : description->path, error), options, error);
  }
  if (!json_is_string(value) || json_string_length(value) == 0) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be a path, a pattern or the layout of a raw file.",
                 description->path, key);
    return NULL;
  }
  if (ct_path_has_extension(json_string_value(value), "json")) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must name images or HDF5 files, not another description.",
                 description->path, key);
    return NULL;
  }
  char *file = ct_path_join_utf8(description->folder, json_string_value(value), error);
  ct_scan *scan = file ? from->open(file, options, error) : NULL;
  ct_free(file);
  return scan;
}

ct_scan *ct_description_open_files(const ct_description *description, const char *path, ct_scan_opener open,
                                   ct_error **error) {
  const json_t *files = json_object_get(description->root, "files");
  const ct_open_options options = ct_description_get_options(description);
  return open_files(&(source){description, open}, files, "files", path, &options, error);
}

/* A scan put together from others, frames as stored in their files. */
typedef struct {
  ct_scan *scan;
  int frames;
  double position;
} frame_set;

typedef struct {
  ct_scan *base;
  frame_set *sets[2]; /* flats, darks; NULL: the base's own */
  int counts[2];
} composition;

static void free_composition(void *state) {
  composition *c = state;
  if (!c) return;
  ct_scan_free(c->base);
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < c->counts[kind]; i++) ct_scan_free(c->sets[kind][i].scan);
    ct_free(c->sets[kind]);
  }
  ct_free(c);
}

static bool read_composition(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                             ct_error **error) {
  const composition *c = state;
  const int k = kind == CT_FRAME_FLAT ? 0 : 1;
  if (kind == CT_FRAME_PROJECTION || !c->sets[k])
    return ct_scan_read_flipped(c->base, &(ct_frame_rows){.kind = kind, .index = index, .row0 = row0, .rows = rows},
                                out, error);
  for (int i = 0; i < c->counts[k]; i++) {
    const frame_set *set = &c->sets[k][i];
    if (index < set->frames)
      return ct_scan_read_flipped(
          set->scan, &(ct_frame_rows){.kind = CT_FRAME_PROJECTION, .index = index, .row0 = row0, .rows = rows}, out,
          error);
    index -= set->frames;
  }
  return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no such flat or dark frame.");
}

static bool check_composition(void *state, ct_error **error) {
  const composition *c = state;
  bool good = ct_scan_check(c->base, error);
  for (int kind = 0; kind < 2; kind++)
    for (int i = 0; good && i < c->counts[kind]; i++) good = ct_scan_check(c->sets[kind][i].scan, error);
  return good;
}

/* One entry of "flats" or "darks": a path, a raw layout, or {"files": either, "before_view": number}. */
static bool open_set(const source *from, const json_t *value, const char *key, const ct_geometry *geometry,
                     frame_set *set, ct_error **error) {
  const ct_description *description = from->description;
  static const char *const set_keys[] = {"files", "before_view", NULL};
  const json_t *files = json_is_object(value) ? json_object_get(value, "files") : NULL;
  if (files) {
    const json_t *position = json_object_get(value, "before_view");
    if (!ct_json_check_keys(value, description->path, set_keys, error) ||
        (position && !ct_json_number(position, description->path, "before_view", &set->position, error)))
      return false;
  } else {
    files = value;
  }
  const ct_open_options options = {.ignore_angles = true, .anywhere = ct_description_leads_anywhere(description)};
  set->scan = open_files(from, files, key, NULL, &options, error);
  if (!set->scan) return false;
  const ct_geometry *g = &ct_scan_get_facts(set->scan)->geometry;
  set->frames = g->views;
  if (g->nu == geometry->nu && g->nv == geometry->nv) return true;
  return ct_error_set(error, CT_ERROR_DATA, "%s: the \"%s\" have %d x %d pixels, the projections %d x %d.",
                      description->path, key, g->nu, g->nv, geometry->nu, geometry->nv);
}

/* Opens all sets of a kind and lists the positions of their frames (ct_free). */
static bool open_sets(const source *from, int kind, composition *c, int *frames, double **positions, ct_error **error) {
  const ct_description *description = from->description;
  const char *key = kind == 0 ? "flats" : "darks";
  const json_t *value = json_object_get(description->root, key);
  if (!value) return true;
  const size_t count = json_is_array(value) ? json_array_size(value) : 1;
  if (count > 10000)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" lists too many sets.", description->path, key);
  c->sets[kind] = ct_alloc_zero(count + 1, sizeof(frame_set), "the flat and dark frames", error);
  if (!c->sets[kind]) return false;
  c->counts[kind] = (int)count;
  int64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    frame_set *set = &c->sets[kind][i];
    if (!open_set(from, json_is_array(value) ? json_array_get(value, i) : value, key,
                  &ct_scan_get_facts(c->base)->geometry, set, error))
      return false;
    total += set->frames;
  }
  if (total > 1 << 24)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" name too many frames.", description->path, key);
  *frames = (int)total;
  *positions = ct_alloc((size_t)total + 1, sizeof(double), "the flat and dark frames", error);
  if (!*positions) return false;
  for (int i = 0, n = 0; i < c->counts[kind]; i++)
    for (int j = 0; j < c->sets[kind][i].frames; j++) (*positions)[n++] = c->sets[kind][i].position;
  return true;
}

ct_scan *ct_description_apply(const ct_description *description, const char *path, ct_scan *scan, ct_scan_opener open,
                              ct_error **error) {
  const source from = {description, open};
  composition *c = ct_alloc_zero(1, sizeof *c, "the scan", error);
  if (!c) {
    ct_scan_free(scan);
    return NULL;
  }
  c->base = scan;
  const ct_scan_source frames = {c, read_composition, free_composition, check_composition};
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  ct_remarks remarks = {0};
  facts.geometry = (ct_geometry){0};
  facts.path = path;
  ct_remarks_append(&remarks, facts.remarks);
  remark(description, &remarks);
  facts.remarks = &remarks;
  double *positions[2] = {NULL, NULL};
  ct_scan *result = NULL;
  bool good = ct_geometry_copy(&facts.geometry, &ct_scan_get_facts(scan)->geometry, error) &&
              open_sets(&from, 0, c, &facts.flats, &positions[0], error) &&
              open_sets(&from, 1, c, &facts.darks, &positions[1], error);
  if (good) {
    if (positions[0]) facts.flat_positions = positions[0];
    if (positions[1]) facts.dark_positions = positions[1];
    good = ct_description_apply_facts(description, &facts, error);
  }
  if (good)
    result = ct_scan_new(&facts, frames, error);
  else
    free_composition(c);
  ct_free(positions[0]);
  ct_free(positions[1]);
  ct_remarks_clear(&remarks);
  ct_geometry_clear(&facts.geometry);
  return result;
}
