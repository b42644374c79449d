/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as JSON: {"gantry_plan": 1, "input": {...}, "parameters": {"filter.window": "hann", ...}}, and of a result
 * "length_unit": "px" where the pitch is not known, "resolved": {what automatic parameters came to}, "centre": {"how":
 * "...", "confidence": 0.93} and "warnings":
 * [{"kind": "centre", "text": "..."}] besides. Reals carry 17 digits, so that they are read back bit by bit; null is
 * automatic. */
#include "recon/base/json-text.h"
#include "recon/base/path.h"
#include "recon/solve/plan.h"
#include "recon/solve/record.h"

#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/text.h"
#include "recon/base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20 };

static json_t *value_to_json(const ct_plan *plan, const ct_param *param) {
  char text[CT_PLAN_TEXT];
  const double value = ct_param_get_number(plan, param);
  switch (param->type) {
  case CT_PARAM_CHOICE:
  case CT_PARAM_TEXT:
    ct_plan_get_text(plan, param, text, sizeof text);
    return json_string(text);
  case CT_PARAM_BOOL:
    return json_boolean(value != 0);
  case CT_PARAM_INT:
    return isnan(value) ? json_null() : json_integer((json_int_t)value);
  case CT_PARAM_REAL:
    break;
  }
  return isnan(value) ? json_null() : json_real(value);
}

char *ct_plan_to_json(const ct_plan *plan, const ct_identity *identity, ct_error **error) {
  return ct_record_to_json(&(ct_record){.plan = plan, .identity = identity}, error);
}

static json_t *warnings_to_json(const ct_warnings *warnings) {
  json_t *list = json_array();
  for (int i = 0; i < warnings->count; i++)
    json_array_append_new(list, json_pack("{s:s, s:s}", "kind",
                                          ct_choice_id(ct_warning_choices, (int)warnings->items[i].kind), "text",
                                          warnings->items[i].text));
  return list;
}

/* The parameters whose automatic values are known. */
static json_t *resolved_to_json(const ct_plan *plan, const ct_plan *resolved) {
  json_t *values = json_object();
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    if (!ct_param_equal(plan, resolved, params + i))
      json_object_set_new(values, params[i].key, value_to_json(resolved, params + i));
  return values;
}

static json_t *centre_to_json(const ct_record *record) {
  const double confidence = record->centre_confidence;
  return json_pack("{s:s, s:o}", "how", record->centre_how, "confidence",
                   isnan(confidence) ? json_null() : json_real(confidence));
}

static json_t *identity_to_json(const ct_identity *identity) {
  char checksum[24], *path = identity->path ? ct_path_to_utf8(identity->path, NULL) : NULL;
  snprintf(checksum, sizeof checksum, "%016" PRIx64, identity->checksum);
  json_t *input = identity->path && !path ? NULL
                                          : json_pack("{s:s*, s:I, s:s}", "path", path, "bytes",
                                                      (json_int_t)identity->bytes, "checksum", checksum);
  ct_free(path);
  return input;
}

char *ct_record_to_json(const ct_record *record, ct_error **error) {
  const ct_plan *plan = record->plan;
  const ct_identity *identity = record->identity;
  json_t *root = json_object(), *values = json_object();
  int failed = json_object_set_new(root, "gantry_plan", json_integer(1));
  if (identity) failed |= json_object_set_new(root, "input", identity_to_json(identity));
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    failed |= json_object_set_new(values, params[i].key, value_to_json(plan, params + i));
  failed |= json_object_set_new(root, "parameters", values);
  if (record->in_pixels) failed |= json_object_set_new(root, CT_UNITS_KEY, json_string(ct_units_of(true).length));
  if (record->scale && record->scale->unit[0])
    failed |= json_object_set_new(
        root, CT_VALUE_SCALE_KEY,
        json_pack("[f,f,s]", record->scale->scale.factor, record->scale->scale.offset, record->scale->unit));
  if (record->resolved) failed |= json_object_set_new(root, "resolved", resolved_to_json(plan, record->resolved));
  if (record->centre_how && *record->centre_how) failed |= json_object_set_new(root, "centre", centre_to_json(record));
  if (record->warnings) failed |= json_object_set_new(root, "warnings", warnings_to_json(record->warnings));
  char *text = failed ? NULL : ct_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  json_decref(root);
  if (!text) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to write the plan down.");
  return text;
}

static bool value_from_json(ct_plan *plan, const ct_param *param, const json_t *json, ct_error **error) {
  if (json_is_string(json)) return ct_plan_set_text(plan, param->key, json_string_value(json), error);
  if (param->type == CT_PARAM_TEXT || (param->type == CT_PARAM_CHOICE && !json_is_null(json)))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s must be a text in quotes.", param->key);
  if (json_is_null(json))
    return ct_param_set_number(plan, param, NAN, NULL) ||
           ct_error_set(error, CT_ERROR_ARGUMENT, "%s cannot be null: it is never automatic.", param->key);
  if (json_is_boolean(json) && param->type == CT_PARAM_BOOL)
    return ct_param_set_number(plan, param, json_is_true(json), error);
  if (json_is_number(json)) return ct_param_set_number(plan, param, json_number_value(json), error);
  return ct_error_set(error, CT_ERROR_FORMAT, "%s must be a single value.", param->key);
}

static bool identity_from_json(ct_identity *identity, json_t *input, ct_error **error) {
  const char *path = NULL, *checksum = NULL;
  json_int_t bytes = 0;
  /* An unknown path is left out; it was null once. */
  if (json_is_null(json_object_get(input, "path"))) json_object_del(input, "path");
  if (json_unpack(input, "{s?s, s?I, s?s}", "path", &path, "bytes", &bytes, "checksum", &checksum) != 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "The plan's \"input\" must hold path, bytes and checksum.");
  ct_identity_clear(identity);
  if (path && !(identity->path = ct_path_from_utf8(path, error))) return false;
  identity->bytes = (uint64_t)bytes;
  identity->checksum = checksum ? strtoull(checksum, NULL, 16) : 0;
  return true;
}

static bool is_text(const char *begin, const char *end, const char *text) {
  return (size_t)(end - begin) == strlen(text) && memcmp(begin, text, (size_t)(end - begin)) == 0;
}

/* Line of a parameter's key in the text of a plan, from 1; 0: it is spelt in another way there. */
static int line_of_key(const char *text, const char *key) {
  int line = 1, depth = 0;
  bool inside = false; /* the root's "parameters" */
  for (const char *c = text; *c; c++) {
    line += *c == '\n';
    depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
    if (*c != '"') continue;
    const char *begin = ++c;
    while (*c && *c != '"') c += *c == '\\' && c[1] ? 2 : 1;
    if (!*c) break;
    if (c[1 + strspn(c + 1, " \t\r\n")] != ':') continue;
    if (depth == 1) inside = is_text(begin, c, "parameters");
    if (depth == 2 && inside && is_text(begin, c, key)) return line;
  }
  return 0;
}

static bool parameter_from_json(ct_plan *plan, const char *text, const char *key, const json_t *value,
                                ct_error **error) {
  const ct_param *param = ct_param_find(key);
  if (param ? value_from_json(plan, param, value, error)
            : ct_error_set(error, CT_ERROR_FORMAT, "The plan names the unknown parameter \"%s\".", key))
    return true;
  const int line = line_of_key(text, key);
  if (line) ct_error_prefix(error, "line %d", line);
  return false;
}

static bool from_root(ct_plan *plan, ct_identity *identity, const char *text, json_t *root, ct_error **error) {
  const json_t *version = json_object_get(root, "gantry_plan");
  if (version && !json_is_integer(version))
    return ct_error_set(error, CT_ERROR_FORMAT, "The plan's version, \"gantry_plan\", must be a whole number.");
  if (!json_is_object(root) || !version)
    return ct_error_set(error, CT_ERROR_FORMAT, "This is no plan: it has no \"gantry_plan\" version.");
  if (json_integer_value(version) != 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The plan has version %lld, this program reads version 1.",
                        (long long)json_integer_value(version));
  const char *key;
  json_t *value, *values = json_object_get(root, "parameters");
  if (!json_is_object(values)) return ct_error_set(error, CT_ERROR_FORMAT, "The plan has no \"parameters\".");
  json_object_foreach(values, key, value) if (!parameter_from_json(plan, text, key, value, error)) return false;
  /* Plans from before the automatic choice name the border also where flats made it do nothing. */
  if (!json_object_get(values, "scan.values") && plan->prep.i0 == CT_I0_BORDER) plan->prep.i0 = CT_I0_AUTO;
  json_t *input = json_object_get(root, "input");
  return !identity || !input || identity_from_json(identity, input, error);
}

bool ct_plan_from_json(ct_plan *plan, ct_identity *identity, const char *json, ct_error **error) {
  json_error_t fault;
  json_t *root = ct_json_read(json, JSON_REJECT_DUPLICATES, &fault, error);
  if (!root)
    return ct_error_set(error, CT_ERROR_FORMAT, "The plan is not valid JSON: line %d: %s.", fault.line, fault.text);
  ct_plan parsed = *plan;
  const bool good = from_root(&parsed, identity, json, root, error);
  json_decref(root);
  if (good) *plan = parsed;
  return good;
}

bool ct_record_read_warnings(const char *json, ct_warnings *warnings, ct_error **error) {
  *warnings = (ct_warnings){0};
  json_error_t fault;
  json_t *root = ct_json_read(json, 0, &fault, error), *item;
  if (!root)
    return ct_error_set(error, CT_ERROR_FORMAT, "The header is not valid JSON: line %d: %s.", fault.line, fault.text);
  size_t i;
  json_array_foreach(json_object_get(root, "warnings"), i, item) {
    const char *id = json_string_value(json_object_get(item, "kind")),
               *text = json_string_value(json_object_get(item, "text"));
    const ct_choice *kind = id ? ct_choice_find_id(ct_warning_choices, id) : NULL;
    /* A kind that a later version knows is shown all the same. */
    if (text) ct_warnings_add(warnings, kind ? (ct_warning_kind)kind->value : CT_WARNING_METHOD, "%s", text);
  }
  json_decref(root);
  return true;
}

bool ct_record_read_resolved(const char *json, ct_plan *plan, ct_plan *resolved, char **centre_how, ct_error **error) {
  ct_plan_init(plan);
  *centre_how = NULL;
  if (!ct_plan_from_json(plan, NULL, json, error)) return false;
  *resolved = *plan;
  json_t *root, *value;
  if (!ct_json_try(json, 0, &root, error)) return false;
  const char *key;
  /* What a later version resolves is passed over. */
  json_object_foreach(json_object_get(root, "resolved"), key, value) {
    const ct_param *param = ct_param_find(key);
    if (param) value_from_json(resolved, param, value, NULL);
  }
  const char *how = json_string_value(json_object_get(json_object_get(root, "centre"), "how"));
  const bool good = !how || (*centre_how = ct_strdup(how, error));
  json_decref(root);
  return good;
}

bool ct_plan_save(const ct_plan *plan, const ct_identity *identity, const char *path, ct_error **error) {
  char *json = ct_plan_to_json(plan, identity, error);
  ct_output *output = json ? ct_output_begin(path, false, error) : NULL;
  FILE *file = output ? fopen(ct_output_get_path(output), "we") : NULL;
  if (output && !file) ct_error_set_errno(error, errno, "%s: the plan cannot be written", path);
  bool good =
      file && ct_output_write(file, path, json, strlen(json), error) && ct_output_write(file, path, "\n", 1, error);
  if (file && fclose(file) != 0 && good)
    good = ct_error_set_errno(error, errno, "%s: the plan cannot be written", path);
  ct_free(json);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}

/* Whether the text begins as a JSON object does: headers of volumes, and tables, may name a plan as well. */
static bool begins_as_object(const char *text) {
  return text[strspn(text, " \t\r\n")] == '{';
}

bool ct_plan_is_file(const char *path) {
  char *text = ct_read_text(path, LARGEST, NULL, NULL);
  json_t *root = text ? ct_json_read(text, 0, NULL, NULL) : NULL;
  bool plan;
  if (root)
    plan = json_object_get(root, "gantry_plan") ||
           (json_object_get(root, "parameters") && !json_object_get(root, "files"));
  else
    plan = text && begins_as_object(text) && strstr(text, "\"gantry_plan\"");
  json_decref(root);
  ct_free(text);
  return plan;
}

bool ct_plan_load(ct_plan *plan, ct_identity *identity, const char *path, ct_error **error) {
  char *text = ct_read_text(path, LARGEST, NULL, error);
  if (!text) return false;
  const bool good = ct_plan_from_json(plan, identity, text, error);
  if (!good) ct_error_prefix(error, "%s", path);
  ct_free(text);
  return good;
}
