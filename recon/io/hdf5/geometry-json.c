/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan knows, as JSON inside the file that holds its frames: geometry in mm and radians at 17 digits, so that
 * every double reads back exactly. */
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/io/shared/json-private.h"
#include "recon/io/hdf5/hdf5-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  unsigned bit;
  const char *name;
} known_names[] = {{CT_KNOWN_ANGLES, "angles"},
                   {CT_KNOWN_PITCH, "pitch"},
                   {CT_KNOWN_DISTANCES, "distances"},
                   {CT_KNOWN_BEAM, "beam"},
                   {CT_KNOWN_CENTRE, "centre"}};

enum { VERSION = 1 };

/* Of detectors; one whose shape nobody told has none. */
static const char *const shapes[] = {[CT_SHAPE_FLAT] = "flat", [CT_SHAPE_CURVED] = "curved"};

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static json_t *list_of(const double *numbers, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < count; i++)
    if (json_array_append_new(list, json_real(numbers[i])) != 0) {
      json_decref(list);
      list = NULL;
    }
  return list;
}

char *ct_geometry_to_json(const ct_scan_facts *facts, ct_error **error) {
  const ct_geometry *g = &facts->geometry;
  const size_t views = (size_t)g->views;
  json_t *root =
      json_pack("{s:i, s:s, s:i, s:i, s:i, s:[f,f], s:f, s:f, s:f, s:f, s:f, s:s}", "version", VERSION, "beam",
                ct_beam_id(g->beam), "columns", g->nu, "rows", g->nv, "views", g->views, "pixel_mm", g->du, g->dv,
                "sod_mm", g->sod, "sdd_mm", g->sdd, "centre_u", g->centre_u, "centre_v", g->centre_v, "tilt_rad",
                g->tilt, "values", ct_choice_id(ct_values_choices, (int)facts->values));
  json_t *known = root ? json_array() : NULL;
  bool good = known && json_object_set_new(root, "known", known) == 0;
  if (good && facts->shape != CT_SHAPE_UNKNOWN)
    good = json_object_set_new(root, "detector_shape", json_string(shapes[facts->shape])) == 0;
  if (good && g->feed != 0)
    good = json_object_set_new(root, "feed_mm", json_real(g->feed)) == 0 &&
           json_object_set_new(root, "height_mm", json_real(g->height)) == 0;
  if (good && g->stops) good = json_object_set_new(root, "turns_from_rad", json_real(g->begin)) == 0;
  for (size_t i = 0; good && i < COUNT_OF(known_names); i++)
    if (facts->known & known_names[i].bit) good = json_array_append_new(known, json_string(known_names[i].name)) == 0;
  if (good && g->cube > 0) good = json_object_set_new(root, "cube_mm", json_real(g->cube)) == 0;
  const ct_named_scale *scale = &facts->scale;
  if (good && scale->unit[0])
    good = json_object_set_new(root, CT_VALUE_SCALE_KEY,
                               json_pack("[f,f,s]", scale->scale.factor, scale->scale.offset, scale->unit)) == 0;
  if (good && g->angles) good = json_object_set_new(root, "angles_rad", list_of(g->angles, views)) == 0;
  if (good && ct_geometry_takes(g, CT_TAKES_MATRICES))
    good = json_object_set_new(root, "matrices", list_of(g->matrices, 12 * views)) == 0;
  if (good && facts->flat_positions)
    good = json_object_set_new(root, "flat_positions", list_of(facts->flat_positions, (size_t)facts->flats)) == 0;
  if (good && facts->dark_positions)
    good = json_object_set_new(root, "dark_positions", list_of(facts->dark_positions, (size_t)facts->darks)) == 0;
  char *text = good ? ct_json_text(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(root);
  char *own = text ? ct_strdup(text, error) : NULL;
  if (!text)
    ct_error_set(error, CT_ERROR_DATA, "The geometry cannot be written: memory is short or a number is not finite.");
  free(text);
  return own;
}

static bool number_of(const json_t *root, const char *where, const char *key, double *number, ct_error **error) {
  return ct_json_number(json_object_get(root, key), where, key, number, error);
}

/* What a later program tells besides may change what the rest means. */
static bool check_version(const json_t *root, const char *where, ct_error **error) {
  const json_t *version = json_object_get(root, "version");
  return !version || (json_is_integer(version) && json_integer_value(version) == VERSION) ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is of another version than %d: this program is too old for it.",
                      where, VERSION);
}

static bool take_counts(const json_t *root, const char *where, const ct_geometry *g, ct_error **error) {
  const char *keys[] = {"columns", "rows", "views"};
  const int counts[] = {g->nu, g->nv, g->views};
  for (int i = 0; i < 3; i++) {
    const json_t *value = json_object_get(root, keys[i]);
    if (!json_is_integer(value) || json_integer_value(value) != counts[i])
      return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be %d, as the projections have it.", where, keys[i],
                          counts[i]);
  }
  return true;
}

static bool take_known(const json_t *root, const char *where, ct_scan_facts *facts, ct_error **error) {
  size_t index;
  json_t *entry;
  facts->known = 0;
  json_array_foreach(json_object_get(root, "known"), index, entry) {
    for (size_t i = 0; i < COUNT_OF(known_names); i++)
      if (json_is_string(entry) && strcmp(json_string_value(entry), known_names[i].name) == 0)
        facts->known |= known_names[i].bit;
  }
  const char *values = json_string_value(json_object_get(root, "values"));
  const ct_choice *choice = values ? ct_choice_find_id(ct_values_choices, values) : NULL;
  if (!choice) return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"values\" is missing or not known.", where);
  facts->values = (ct_values)choice->value;
  return true;
}

static bool take_shape(const json_t *root, const char *where, ct_scan_facts *facts, ct_error **error) {
  const json_t *told = json_object_get(root, "detector_shape");
  facts->shape = CT_SHAPE_UNKNOWN;
  if (!told) return true;
  for (size_t i = CT_SHAPE_FLAT; i < COUNT_OF(shapes); i++)
    if (json_is_string(told) && strcmp(json_string_value(told), shapes[i]) == 0) facts->shape = (ct_detector_shape)i;
  return facts->shape != CT_SHAPE_UNKNOWN ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s: \"detector_shape\" must be \"flat\" or \"curved\".", where);
}

static bool take_positions(const json_t *root, const char *where, const char *key, int count, double **positions,
                           ct_error **error) {
  const json_t *list = json_object_get(root, key);
  if (!list || count < 1) return true;
  *positions = ct_alloc((size_t)count, sizeof(double), "the positions of flats and darks", error);
  return *positions && ct_json_numbers(list, where, key, (size_t)count, *positions, error);
}

static bool take_geometry(const json_t *root, const char *where, ct_geometry *geometry, ct_error **error) {
  const char *id = json_string_value(json_object_get(root, "beam"));
  ct_geometry g = {0};
  double pitch[2];
  const ct_beam_kind *kind = id ? ct_beam_find(id) : NULL;
  if (!kind) return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"beam\" is missing or not known.", where);
  if (!ct_geometry_init(&g, kind->beam, geometry->nu, geometry->nv, geometry->views, error)) return false;
  const size_t views = (size_t)g.views;
  bool good = ct_json_numbers(json_object_get(root, "pixel_mm"), where, "pixel_mm", 2, pitch, error) &&
              number_of(root, where, "sod_mm", &g.sod, error) && number_of(root, where, "sdd_mm", &g.sdd, error) &&
              number_of(root, where, "centre_u", &g.centre_u, error) &&
              number_of(root, where, "centre_v", &g.centre_v, error) &&
              number_of(root, where, "tilt_rad", &g.tilt, error);
  /* Of spirals and, with the angle that turns begin at, of sequences. */
  if (good && json_object_get(root, "feed_mm"))
    good = number_of(root, where, "feed_mm", &g.feed, error) && number_of(root, where, "height_mm", &g.height, error);
  g.stops = g.feed != 0 && json_object_get(root, "turns_from_rad");
  if (good && g.stops) good = number_of(root, where, "turns_from_rad", &g.begin, error);
  if (good && json_object_get(root, "cube_mm")) good = number_of(root, where, "cube_mm", &g.cube, error);
  const json_t *angles = json_object_get(root, "angles_rad");
  const bool matrices = ct_geometry_takes(&g, CT_TAKES_MATRICES);
  if (good && matrices && !angles) {
    ct_free(g.angles);
    g.angles = NULL;
  } else if (good) {
    good = ct_json_numbers(angles, where, "angles_rad", views, g.angles, error);
  }
  if (good && matrices)
    good = ct_json_numbers(json_object_get(root, "matrices"), where, "matrices", 12 * views, g.matrices, error);
  if (good) {
    g.du = pitch[0];
    g.dv = pitch[1];
    good = ct_geometry_check(&g, error);
    if (!good) ct_error_prefix(error, "%s", where);
  }
  if (!good) {
    ct_geometry_clear(&g);
    return false;
  }
  ct_geometry_clear(geometry);
  *geometry = g;
  return true;
}

bool ct_geometry_from_json(const char *text, const char *path, ct_scan_facts *facts, double *positions[2],
                           ct_error **error) {
  char where[1024];
  snprintf(where, sizeof where, "%.900s, /gantry/geometry", path);
  json_t *root = ct_json_parse(text, where, error);
  const bool good = root && check_version(root, where, error) && take_counts(root, where, &facts->geometry, error) &&
                    take_geometry(root, where, &facts->geometry, error) && take_known(root, where, facts, error) &&
                    take_shape(root, where, facts, error) &&
                    take_positions(root, where, "flat_positions", facts->flats, &positions[0], error) &&
                    take_positions(root, where, "dark_positions", facts->darks, &positions[1], error);
  if (good) facts->scale = ct_named_scale_of_header(text);
  json_decref(root);
  return good;
}
