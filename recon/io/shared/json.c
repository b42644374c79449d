/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON with strict keys and numbers. */
#include "recon/base/json-text.h"
#include "recon/base/units.h"
#include "recon/io/shared/json-private.h"

#include <math.h>
#include <string.h>

json_t *ct_json_parse(const char *text, const char *where, ct_error **error) {
  json_error_t fault;
  json_t *root = ct_json_read(text, JSON_REJECT_DUPLICATES, &fault, NULL);
  if (!root && json_error_code(&fault) == json_error_out_of_memory)
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to read %s.", where);
  else if (!root)
    ct_error_set(error, CT_ERROR_FORMAT, "%s, line %d, column %d: no valid JSON: %s.", where, fault.line, fault.column,
                 fault.text);
  return root;
}

bool ct_json_check_keys(const json_t *object, const char *where, const char *const *allowed, ct_error **error) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value) {
    bool known = false;
    for (const char *const *k = allowed; *k && !known; k++) known = strcmp(*k, key) == 0;
    if (!known) return ct_error_set(error, CT_ERROR_FORMAT, "%s: the key \"%.60s\" is not known.", where, key);
  }
  return true;
}

bool ct_json_number(const json_t *value, const char *where, const char *key, double *number, ct_error **error) {
  if (!json_is_number(value) || !isfinite(json_number_value(value)))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be a number.", where, key);
  *number = json_number_value(value);
  return true;
}

bool ct_json_numbers(const json_t *value, const char *where, const char *key, size_t count, double *numbers,
                     ct_error **error) {
  if (!json_is_array(value) || json_array_size(value) != count)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be a list of %zu numbers.", where, key, count);
  for (size_t i = 0; i < count; i++)
    if (!ct_json_number(json_array_get(value, i), where, key, &numbers[i], error)) return false;
  return true;
}

bool ct_json_is_in_pixels(const json_t *root) {
  const char *unit = json_string_value(json_object_get(root, "unit"));
  return unit && !strcmp(unit, ct_units_of(true).value);
}
