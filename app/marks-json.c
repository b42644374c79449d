/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All of it is read before anything is changed. */
#include "app/marks-json.h"

#include <math.h>
#include <string.h>

#define SCALE "scale"
#define OBLIQUE "oblique"
static const double degree = G_PI / 180;

static json_t *mark_object(const GantryMark *mark) {
  json_t *object = json_object(), *points = json_array();
  for (guint i = 0; i < mark->count; i++) {
    json_t *point = json_array();
    for (int axis = 0; axis < 2; axis++) json_array_append_new(point, gantry_json_real(mark->points[i][axis]));
    json_array_append_new(points, point);
  }
  json_object_set_new(object, "kind", json_string(gantry_mark_kind_id(mark->kind)));
  json_object_set_new(object, "name", gantry_json_text(mark->name));
  json_object_set_new(object, "plane", json_string(gantry_mark_plane_id(mark)));
  json_object_set_new(object, "position", gantry_json_real(mark->position));
  if (mark->oblique) {
    json_object_set_new(object, "rotation", gantry_json_real(mark->pose.rotation / degree));
    json_object_set_new(object, "tilt", gantry_json_real(mark->pose.tilt / degree));
  }
  json_object_set_new(object, "points", points);
  if (mark->thickness > 0) json_object_set_new(object, "thickness", gantry_json_real(mark->thickness));
  return object;
}

json_t *gantry_marks_to_json(GantryDisplay *display) {
  GantryMarks *marks = gantry_display_get_marks(display);
  const GantryValues *values = gantry_display_get_values(display);
  json_t *list = json_array();
  for (guint i = 0; i < gantry_marks_count(marks); i++)
    json_array_append_new(list, mark_object(gantry_marks_get(marks, i)));
  if (!values) return list;
  json_t *told = json_object();
  json_object_set_new(told, "kind", json_string(SCALE));
  json_object_set_new(told, "factor", gantry_json_real(values->scale.factor));
  json_object_set_new(told, "offset", gantry_json_real(values->scale.offset));
  json_object_set_new(told, "unit", gantry_json_text(values->unit));
  json_array_append_new(list, told);
  return list;
}

/* Reading */

static gboolean read_number(const json_t *json, double *value) {
  *value = json_number_value(json);
  return json_is_number(json) && isfinite(*value);
}

static gboolean read_points(const json_t *json, GantryMark *mark) {
  const size_t count = json_array_size(json);
  if (!count || count > GANTRY_MOST_POINTS) return FALSE;
  mark->count = (guint)count;
  mark->points = g_malloc0_n(count, sizeof *mark->points);
  for (size_t i = 0; i < count; i++) {
    const json_t *point = json_array_get(json, i);
    if (json_array_size(point) != 2) return FALSE;
    for (int axis = 0; axis < 2; axis++)
      if (!read_number(json_array_get(point, (size_t)axis), &mark->points[i][axis])) return FALSE;
  }
  const guint wanted = gantry_mark_kind_points(mark->kind);
  return wanted ? mark->count == wanted : mark->count >= 3;
}

static gboolean read_plane(const json_t *json, GantryMark *mark) {
  const char *plane = json_string_value(json_object_get(json, "plane"));
  double rotation, tilt;
  mark->oblique = g_strcmp0(plane, OBLIQUE) == 0;
  if (mark->oblique) {
    if (!read_number(json_object_get(json, "rotation"), &rotation) ||
        !read_number(json_object_get(json, "tilt"), &tilt))
      return FALSE;
    mark->pose = (GantryPose){rotation * degree, tilt * degree};
    return TRUE;
  }
  for (int i = 0; i < 3; i++) {
    mark->plane = (ct_plane)i;
    if (g_strcmp0(ct_plane_id(mark->plane), plane) == 0) return TRUE;
  }
  return FALSE;
}

/* NULL: what was read, else the member that is at fault. */
static const char *read_mark(const json_t *json, GantryMark *mark) {
  const json_t *thickness = json_object_get(json, "thickness");
  mark->name = g_strdup(json_string_value(json_object_get(json, "name")));
  mark->kind = gantry_mark_kind_find(json_string_value(json_object_get(json, "kind")));
  if (mark->kind == GANTRY_MARK_KINDS) return "kind";
  if (!read_plane(json, mark)) return "plane";
  if (!read_number(json_object_get(json, "position"), &mark->position)) return "position";
  if (!read_points(json_object_get(json, "points"), mark)) return "points";
  if (thickness && (!read_number(thickness, &mark->thickness) || mark->thickness < 0)) return "thickness";
  return NULL;
}

static gboolean is_scale(const json_t *json) {
  return g_strcmp0(json_string_value(json_object_get(json, "kind")), SCALE) == 0;
}

static GPtrArray *read_marks(const json_t *list, ct_error **error) {
  g_autoptr(GPtrArray) marks = g_ptr_array_new_with_free_func((GDestroyNotify)gantry_mark_free);
  if (!json_is_array(list) || json_array_size(list) > GANTRY_MOST_MARKS + 1) {
    ct_error_set(error, CT_ERROR_DATA, "The marks are no list of at most %d.", GANTRY_MOST_MARKS);
    return NULL;
  }
  for (size_t i = 0; i < json_array_size(list); i++) {
    if (is_scale(json_array_get(list, i))) continue;
    GantryMark *mark = g_new0(GantryMark, 1);
    g_ptr_array_add(marks, mark);
    const char *fault = read_mark(json_array_get(list, i), mark);
    if (!fault) continue;
    ct_error_set(error, CT_ERROR_DATA, "Mark %zu of the file (%s): its \"%s\" is missing or cannot be right.", i + 1,
                 mark->name ? mark->name : "without a name", fault);
    return NULL;
  }
  return g_steal_pointer(&marks);
}

static gboolean read_values(const json_t *json, GantryValues *values, ct_error **error) {
  const char *unit = json_string_value(json_object_get(json, "unit"));
  if (!unit || !*unit || strlen(unit) >= sizeof values->unit ||
      !read_number(json_object_get(json, "factor"), &values->scale.factor) || values->scale.factor == 0 ||
      !read_number(json_object_get(json, "offset"), &values->scale.offset))
    return ct_error_set(error, CT_ERROR_DATA, "The scale of values is none with a factor, an offset and a short unit.");
  g_strlcpy(values->unit, unit, sizeof values->unit);
  return TRUE;
}

gboolean gantry_marks_from_json(GantryDisplay *display, const json_t *json, ct_error **error) {
  const json_t *told = NULL;
  GantryValues values = {0};
  g_autoptr(GPtrArray) read = read_marks(json, error);
  for (size_t i = 0; i < json_array_size(json); i++)
    if (is_scale(json_array_get(json, i))) told = json_array_get(json, i);
  if (!read || (told && !read_values(told, &values, error))) return FALSE;
  GantryMarks *marks = gantry_display_get_marks(display);
  gantry_marks_begin(marks);
  gantry_marks_clear(marks);
  for (guint i = 0; i < read->len; i++) gantry_marks_add(marks, read->pdata[i]);
  gantry_marks_end(marks);
  gantry_display_set_values(display, told ? &values : NULL);
  return TRUE;
}
