/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An arrangement of the window (ui/window/arrangement.h) as JSON and back: truth values, numbers, texts and lists of
 * numbers. */
#include "app/session/workspace-private.h"

#include <math.h>

static json_t *list_of(GVariant *value) {
  gsize count;
  const double *numbers = g_variant_get_fixed_array(value, &count, sizeof *numbers);
  json_t *list = json_array();
  for (gsize i = 0; i < count; i++)
    json_array_append_new(list, isfinite(numbers[i]) ? json_real(numbers[i]) : json_null());
  return list;
}

static json_t *value_of(GVariant *value) {
  if (g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN)) return json_boolean(g_variant_get_boolean(value));
  if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) return json_string(g_variant_get_string(value, NULL));
  if (g_variant_is_of_type(value, G_VARIANT_TYPE("ad"))) return list_of(value);
  if (!g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE) || !isfinite(g_variant_get_double(value))) return NULL;
  return json_real(g_variant_get_double(value));
}

json_t *gantry_view_to_json(GVariant *view) {
  GVariantIter members;
  const char *name;
  GVariant *value;
  json_t *json = json_object();
  g_variant_iter_init(&members, view);
  while (g_variant_iter_loop(&members, "{&sv}", &name, &value)) {
    json_t *member = value_of(value);
    if (member) json_object_set_new(json, name, member);
  }
  return json;
}

/* Floating; NULL: none of the types. */
static GVariant *variant_of(const json_t *json) {
  enum { MOST = 64 };
  double numbers[MOST];
  if (json_is_boolean(json)) return g_variant_new_boolean(json_is_true(json));
  if (json_is_string(json)) return g_variant_new_string(json_string_value(json));
  if (json_is_number(json)) return g_variant_new_double(json_number_value(json));
  const gsize count = json_array_size(json);
  if (!json_is_array(json) || count > MOST) return NULL;
  for (gsize i = 0; i < count; i++) {
    if (!json_is_number(json_array_get(json, i))) return NULL;
    numbers[i] = json_number_value(json_array_get(json, i));
  }
  return g_variant_new_fixed_array(G_VARIANT_TYPE_DOUBLE, numbers, count, sizeof *numbers);
}

GVariant *gantry_view_from_json(const json_t *json) {
  GVariantDict view;
  const char *name;
  json_t *value;
  g_variant_dict_init(&view, NULL);
  json_object_foreach((json_t *)json, name, value) {
    GVariant *member = variant_of(value);
    if (member) g_variant_dict_insert_value(&view, name, member);
  }
  return g_variant_ref_sink(g_variant_dict_end(&view));
}
