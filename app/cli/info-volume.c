/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of a volume: grid, statistics, the plan that made it, and the warnings that go with it. */
#include "app/cli/info.h"
#include "app/json.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"
#include "recon/metric/metric.h"
#include "recon/solve/plan.h"
#include "recon/solve/record.h"

#include <math.h>
#include <string.h>

/* Short of memory is told; what is no plan of ours is passed over. */
static bool pass_over(ct_error **fault, ct_error **error) {
  const bool short_of_memory = *fault && (*fault)->code == CT_ERROR_MEMORY;
  if (short_of_memory) ct_error_set(error, CT_ERROR_MEMORY, "%s", (*fault)->message);
  ct_error_clear(fault);
  return !short_of_memory;
}

static bool read_warnings(const char *plan, ct_warnings *warnings, ct_error **error) {
  ct_error *fault = NULL;
  return ct_record_read_warnings(plan, warnings, &fault) || pass_over(&fault, error);
}

static json_t *warnings_list(const ct_warnings *warnings) {
  json_t *list = json_array();
  for (int i = 0; i < warnings->count; i++)
    json_array_append_new(list, json_pack("{s:s, s:s}", "kind",
                                          ct_choice_id(ct_warning_choices, (int)warnings->items[i].kind), "text",
                                          warnings->items[i].text));
  return list;
}

/* What both kinds have of a plan, which may be NULL. */
static bool add_plan(json_t *root, const char *plan, ct_error **error) {
  ct_warnings warnings = {0};
  json_t *parsed = NULL;
  if (plan && (!ct_json_try(plan, 0, &parsed, error) || !read_warnings(plan, &warnings, error))) {
    json_decref(parsed);
    return false;
  }
  json_object_set_new(root, "warnings", warnings_list(&warnings));
  json_object_set_new(root, "plan", parsed ? parsed : json_null());
  return true;
}

static void add_values(json_t *root, const ct_statistics *s) {
  json_object_set_new(root, "min", s ? gantry_json_real(s->min) : json_null());
  json_object_set_new(root, "max", s ? gantry_json_real(s->max) : json_null());
  json_object_set_new(root, "mean", s ? gantry_json_real(s->mean) : json_null());
  json_object_set_new(root, "deviation", s ? gantry_json_real(s->deviation) : json_null());
  json_object_set_new(root, "not_finite",
                      s ? json_integer((json_int_t)s->nans + (json_int_t)s->infinities) : json_null());
}

/* What the program wrote has its plan; other files tell at most a scale. */
static bool is_value_told(const ct_volume_reader *volume) {
  return ct_volume_reader_facts(volume)->plan || ct_volume_reader_scale(volume).unit[0];
}

static bool print_volume_json(const char *path, const ct_volume_reader *volume, const ct_statistics *s,
                              ct_error **error) {
  const ct_volume_facts *facts = ct_volume_reader_facts(volume);
  json_t *root = json_object();
  json_object_set_new(root, "kind", json_string("volume"));
  json_object_set_new(root, "path", gantry_json_text(path));
  gantry_json_add_grid(root, &facts->grid);
  const ct_units units = ct_volume_reader_units(volume);
  json_object_set_new(root, "length_unit", json_string(units.length));
  json_object_set_new(root, "value_unit", json_string(units.value));
  json_object_set_new(root, "value_unit_told", json_boolean(is_value_told(volume)));
  const ct_named_scale scale = ct_volume_reader_scale(volume);
  json_object_set_new(root, CT_VALUE_SCALE_KEY,
                      scale.unit[0] ? json_pack("[f,f,s]", scale.scale.factor, scale.scale.offset, scale.unit)
                                    : json_null());
  json_object_set_new(root, "values_read", json_boolean(s));
  add_values(root, s);
  if (add_plan(root, facts->plan, error)) return gantry_json_print(root, error);
  json_decref(root);
  return false;
}

static bool print_warnings(const char *json, ct_error **error) {
  ct_warnings warnings = {0};
  if (!read_warnings(json, &warnings, error)) return false;
  for (int i = 0; i < warnings.count; i++) cli_print_fact("warning", "%s", warnings.items[i].text);
  return true;
}

/* A length is in px where the pixel size was not known. */
static const char *unit_of(const ct_param *param, ct_units units) {
  return strcmp(param->unit, "mm") == 0 ? units.length : strcmp(param->unit, "1/mm") == 0 ? units.value : param->unit;
}

/* The plan's values that differ from the defaults, one to a line, and what automatic ones came to. */
static bool print_plan(const char *json, ct_error **error) {
  ct_plan plan, resolved;
  ct_identity identity = {0};
  char *how = NULL;
  ct_error *fault = NULL;
  size_t count;
  const ct_units units = ct_units_of_header(json);
  ct_plan_init(&plan);
  if (!ct_plan_from_json(&plan, &identity, json, &fault)) {
    if (fault && fault->code != CT_ERROR_MEMORY) cli_print_fact("plan", "cannot be read: %s", fault->message);
    return pass_over(&fault, error);
  }
  if (identity.path) cli_print_fact("made from", "%s", identity.path);
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    char text[CT_PLAN_TEXT];
    if (!ct_param_is_default(&plan, &params[i]) && ct_plan_get_text(&plan, &params[i], text, sizeof text))
      cli_print_fact("plan", "%s=%s%s%s", params[i].key, text, *params[i].unit ? " " : "", unit_of(&params[i], units));
  }
  if (ct_record_read_resolved(json, &plan, &resolved, &how, &fault)) {
    if (how) cli_print_fact("centre", "%s", how);
    for (size_t i = 0; i < count; i++) {
      char text[CT_PLAN_TEXT];
      if (!ct_param_equal(&plan, &resolved, &params[i]) && ct_plan_get_text(&resolved, &params[i], text, sizeof text))
        cli_print_fact("automatic", "%s=%s%s%s", params[i].key, text, *params[i].unit ? " " : "",
                       unit_of(&params[i], units));
    }
  }
  ct_free(how);
  ct_identity_clear(&identity);
  return pass_over(&fault, error);
}

static void print_values(const ct_statistics *s, ct_units units) {
  char a[64], b[64];
  cli_print_fact("values", "%s to %s", ct_format_number(s->min, 5, a, sizeof a),
                 ct_format_quantity(s->max, 5, units.value, b, sizeof b));
  cli_print_fact("mean", "%s, standard deviation %s", ct_format_quantity(s->mean, 5, units.value, a, sizeof a),
                 ct_format_quantity(s->deviation, 5, units.value, b, sizeof b));
  if (s->nans + s->infinities) cli_print_fact("not finite", "%zu voxels", s->nans + s->infinities);
}

static bool print_volume(const char *path, const ct_volume_reader *volume, const ct_statistics *s, ct_error **error) {
  const ct_volume_facts *facts = ct_volume_reader_facts(volume);
  const ct_grid *grid = &facts->grid;
  const ct_units units = ct_volume_reader_units(volume);
  char a[64], b[64], c[64], shown[CT_SHOWN];
  printf("%s: a volume\n", ct_shown(path, shown, sizeof shown));
  ct_format_bytes((double)ct_grid_voxels(grid) * sizeof(float), a, sizeof a);
  cli_print_fact("size", "%d x %d x %d voxels, %s", grid->nx, grid->ny, grid->nz, a);
  cli_print_fact("voxel", "%s x %s x %s", ct_format_length(grid->dx, 6, units.length, a, sizeof a),
                 ct_format_length(grid->dy, 6, units.length, b, sizeof b),
                 ct_format_length(grid->dz, 6, units.length, c, sizeof c));
  cli_print_fact("first voxel", "at x %s, y %s, z %s", ct_format_length(grid->x0, 6, units.length, a, sizeof a),
                 ct_format_length(grid->y0, 6, units.length, b, sizeof b),
                 ct_format_length(grid->z0, 6, units.length, c, sizeof c));
  const ct_named_scale scale = ct_volume_reader_scale(volume);
  if (scale.unit[0])
    cli_print_fact("scale", "%s = %s value %s %s", scale.unit, ct_format_number(scale.scale.factor, 7, a, sizeof a),
                   scale.scale.offset < 0 ? "-" : "+", ct_format_number(fabs(scale.scale.offset), 7, b, sizeof b));
  if (s)
    print_values(s, units);
  else
    cli_print_fact("values", "not read, for they are packed into %s: --values reads them",
                   ct_format_bytes((double)facts->file_bytes, a, sizeof a));
  if (facts->plan) return print_warnings(facts->plan, error) && print_plan(facts->plan, error);
  cli_print_fact("plan", "none in the file");
  if (!is_value_told(volume)) cli_print_fact("assumed", "values in %s: the file does not tell their unit", units.value);
  return true;
}

bool cli_info_of_volume(const char *path, const ct_volume_reader *volume, const ct_statistics *values, bool json,
                        ct_error **error) {
  if (json) return print_volume_json(path, volume, values, error);
  return print_volume(path, volume, values, error);
}

bool cli_info_of_picture(const char *path, const char *plan, bool json, ct_error **error) {
  if (json) {
    json_t *root = json_object();
    json_object_set_new(root, "kind", json_string("slice"));
    json_object_set_new(root, "path", gantry_json_text(path));
    if (add_plan(root, plan, error)) return gantry_json_print(root, error);
    json_decref(root);
    return false;
  }
  char shown[CT_SHOWN];
  printf("%s: a slice as a picture\n", ct_shown(path, shown, sizeof shown));
  return print_warnings(plan, error) && print_plan(plan, error);
}
