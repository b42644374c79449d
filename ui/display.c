/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the views of a window share: grey window, colour map, mode, crosshair, profile line. Setting the present
 * value changes nothing and emits nothing, so that views and histogram can follow each other without a loop. */
#include "ui/display.h"

#include <math.h>
#include <string.h>

struct _GantryDisplay {
  GObject parent;
  double low, high, projection_low, projection_high, swipe, fade, least;
  double ranges[CTGL_SCALE_SIMILARITY + 1];
  int tile;
  const ctgl_colour_map *map, *diverging;
  gboolean smooth, show_crosshair, in_pixels, locked, logarithmic;
  ctgl_mode mode;
  GantryLoupe loupe;
  double cross[3];
  GantryViewKind profile_kind; /* GANTRY_VIEWS: none */
  ctgl_point profile_from, profile_to;
  int profile_lines;
  gboolean oblique, flat;
  GantryPose pose;
  gboolean has_ray, has_read_ray;
  GantryRay ray, read_ray;
  GantryMarks *marks;
  gboolean has_values;
  GantryValues values, told;
};

G_DEFINE_FINAL_TYPE(GantryDisplay, gantry_display, G_TYPE_OBJECT)

enum {
  CHANGED,
  VALUES_CHANGED,
  MODE_CHANGED,
  CROSS_MOVED,
  PROFILE_CHANGED,
  OBLIQUE_CHANGED,
  RAY_CHANGED,
  TOOLS_DROPPED,
  SIGNALS
};
static guint signals[SIGNALS];

static void gantry_display_finalize(GObject *object) {
  GantryDisplay *self = GANTRY_DISPLAY(object);
  g_signal_handlers_disconnect_by_data(self->marks, self);
  g_object_unref(self->marks);
  G_OBJECT_CLASS(gantry_display_parent_class)->finalize(object);
}

static void gantry_display_class_init(GantryDisplayClass *class) {
  G_OBJECT_CLASS(class)->finalize = gantry_display_finalize;
  static const char *const names[SIGNALS] = {"changed",         "values-changed",  "mode-changed", "cross-moved",
                                             "profile-changed", "oblique-changed", "ray-changed",  "tools-dropped"};
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new(names[i], GANTRY_TYPE_DISPLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void marks_changed(GantryDisplay *self) {
  g_signal_emit(self, signals[CHANGED], 0);
}

static void gantry_display_init(GantryDisplay *self) {
  static const char *const of_marks[] = {"changed", "chosen", "measured"};
  self->marks = gantry_marks_new();
  for (gsize i = 0; i < G_N_ELEMENTS(of_marks); i++)
    g_signal_connect_swapped(self->marks, of_marks[i], G_CALLBACK(marks_changed), self);
  self->high = self->projection_high = 1;
  for (gsize i = 0; i < G_N_ELEMENTS(self->ranges); i++) self->ranges[i] = 1;
  self->swipe = self->fade = 0.5;
  self->tile = 48;
  self->map = ctgl_colour_map_find("grey");
  self->diverging = ctgl_colour_map_find("blue-white-red");
  self->show_crosshair = TRUE;
  self->profile_kind = GANTRY_VIEWS;
  self->profile_lines = 1;
  self->pose = GANTRY_POSE_DEFAULT;
}

GantryDisplay *gantry_display_new(void) {
  return g_object_new(GANTRY_TYPE_DISPLAY, NULL);
}

static void emit(GantryDisplay *self, int specific) {
  g_object_ref(self);
  if (specific != CHANGED) g_signal_emit(self, signals[specific], 0);
  g_signal_emit(self, signals[CHANGED], 0);
  g_object_unref(self);
}

void gantry_display_drop_tools(GantryDisplay *self) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  g_signal_emit(self, signals[TOOLS_DROPPED], 0);
}

/* Bitwise, so that NaN equals itself. */
static gboolean store(double *held, double value) {
  if (memcmp(held, &value, sizeof value) == 0) return FALSE;
  *held = value;
  return TRUE;
}

static void set_range(GantryDisplay *self, double *low, double *high, double new_low, double new_high) {
  if (!isfinite(new_low) || !isfinite(new_high)) return;
  const gboolean low_changed = store(low, MIN(new_low, new_high)), high_changed = store(high, MAX(new_low, new_high));
  if (low_changed || high_changed) emit(self, CHANGED);
}

void gantry_display_set_window(GantryDisplay *self, double low, double high) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  set_range(self, &self->low, &self->high, low, high);
}

void gantry_display_get_window(GantryDisplay *self, double *low, double *high) {
  *low = self->low;
  *high = self->high;
}

void gantry_display_set_projection_window(GantryDisplay *self, double low, double high) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  set_range(self, &self->projection_low, &self->projection_high, low, high);
}

void gantry_display_get_projection_window(GantryDisplay *self, double *low, double *high) {
  *low = self->projection_low;
  *high = self->projection_high;
}

/* A scale's own entry: absolute differences have none. */
static double *range_of(GantryDisplay *self, ctgl_scale scale) {
  return &self->ranges[scale == CTGL_SCALE_ABSOLUTE ? CTGL_SCALE_DIFFERENCE : scale];
}

void gantry_display_set_range(GantryDisplay *self, ctgl_scale scale, double range) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self) && scale != CTGL_SCALE_GREY);
  if (range > 0 && isfinite(range) && store(range_of(self, scale), range)) emit(self, CHANGED);
}

double gantry_display_get_range(GantryDisplay *self, ctgl_scale scale) {
  return *range_of(self, scale);
}

static void set_flag(GantryDisplay *self, gboolean *flag, gboolean value) {
  if (*flag == !!value) return;
  *flag = !!value;
  emit(self, CHANGED);
}

void gantry_display_set_locked(GantryDisplay *self, gboolean locked) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  set_flag(self, &self->locked, locked);
}

gboolean gantry_display_get_locked(GantryDisplay *self) {
  return self->locked;
}

void gantry_display_set_logarithmic(GantryDisplay *self, gboolean logarithmic) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  set_flag(self, &self->logarithmic, logarithmic);
}

gboolean gantry_display_get_logarithmic(GantryDisplay *self) {
  return self->logarithmic;
}

void gantry_display_set_diverging_map(GantryDisplay *self, const char *id) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  const ctgl_colour_map *map = ctgl_colour_map_find(id);
  if (!map || !map->diverging || map == self->diverging) return;
  self->diverging = map;
  emit(self, CHANGED);
}

const char *gantry_display_get_diverging_map(GantryDisplay *self) {
  return self->diverging->id;
}

void gantry_display_set_least(GantryDisplay *self, double least) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (least >= 0 && isfinite(least) && store(&self->least, least)) emit(self, CHANGED);
}

double gantry_display_get_least(GantryDisplay *self) {
  return self->least;
}

void gantry_display_set_colour_map(GantryDisplay *self, const char *id) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  const ctgl_colour_map *map = ctgl_colour_map_find(id);
  if (!map || map == self->map) return;
  self->map = map;
  emit(self, CHANGED);
}

const char *gantry_display_get_colour_map(GantryDisplay *self) {
  return self->map->id;
}

void gantry_display_set_units(GantryDisplay *self, ct_units units) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (self->in_pixels == ct_units_are_pixels(units)) return;
  self->in_pixels = ct_units_are_pixels(units);
  emit(self, CHANGED);
}

ct_units gantry_display_get_units(GantryDisplay *self) {
  return ct_units_of(self->in_pixels);
}

void gantry_display_set_told(GantryDisplay *self, const GantryValues *told) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  self->told = told ? *told : (GantryValues){{1, 0}, ""};
  gantry_display_set_values(self, gantry_display_get_told(self));
}

const GantryValues *gantry_display_get_told(GantryDisplay *self) {
  return *self->told.unit ? &self->told : NULL;
}

void gantry_display_set_values(GantryDisplay *self, const GantryValues *values) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (!values && !self->has_values) return;
  self->has_values = values != NULL;
  if (values) self->values = *values;
  emit(self, VALUES_CHANGED);
}

const GantryValues *gantry_display_get_values(GantryDisplay *self) {
  return self->has_values ? &self->values : NULL;
}

double gantry_display_value(GantryDisplay *self, double value) {
  return self->has_values ? self->values.scale.factor * value + self->values.scale.offset : value;
}

double gantry_display_difference(GantryDisplay *self, double difference) {
  return self->has_values ? self->values.scale.factor * difference : difference;
}

const char *gantry_display_value_unit(GantryDisplay *self) {
  return self->has_values ? self->values.unit : gantry_display_get_units(self).value;
}

GantryMarks *gantry_display_get_marks(GantryDisplay *self) {
  return self->marks;
}

void gantry_display_set_smooth(GantryDisplay *self, gboolean smooth) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  set_flag(self, &self->smooth, smooth);
}

gboolean gantry_display_get_smooth(GantryDisplay *self) {
  return self->smooth;
}

void gantry_display_set_mode(GantryDisplay *self, ctgl_mode mode) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (self->mode == mode) return;
  self->mode = mode;
  emit(self, MODE_CHANGED);
}

ctgl_mode gantry_display_get_mode(GantryDisplay *self) {
  return self->mode;
}

void gantry_display_set_swipe(GantryDisplay *self, double swipe) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (isfinite(swipe) && store(&self->swipe, CLAMP(swipe, 0, 1))) emit(self, CHANGED);
}

double gantry_display_get_swipe(GantryDisplay *self) {
  return self->swipe;
}

void gantry_display_set_fade(GantryDisplay *self, double fade) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (isfinite(fade) && store(&self->fade, CLAMP(fade, 0, 1))) emit(self, CHANGED);
}

double gantry_display_get_fade(GantryDisplay *self) {
  return self->fade;
}

void gantry_display_set_tile(GantryDisplay *self, int side) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  side = CLAMP(side, GANTRY_LEAST_TILE, GANTRY_MOST_TILE);
  if (self->tile == side) return;
  self->tile = side;
  emit(self, CHANGED);
}

int gantry_display_get_tile(GantryDisplay *self) {
  return self->tile;
}

void gantry_display_set_loupe(GantryDisplay *self, GantryLoupe loupe) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (self->loupe == loupe) return;
  self->loupe = loupe;
  emit(self, CHANGED);
}

GantryLoupe gantry_display_get_loupe(GantryDisplay *self) {
  return self->loupe;
}

void gantry_display_set_show_crosshair(GantryDisplay *self, gboolean show) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  set_flag(self, &self->show_crosshair, show);
}

gboolean gantry_display_get_show_crosshair(GantryDisplay *self) {
  return self->show_crosshair;
}

void gantry_display_set_cross(GantryDisplay *self, const double point[3]) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  gboolean moved = FALSE;
  for (int axis = 0; axis < 3; axis++)
    if (isfinite(point[axis])) moved |= store(&self->cross[axis], point[axis]);
  if (moved) emit(self, CROSS_MOVED);
}

void gantry_display_get_cross(GantryDisplay *self, double point[3]) {
  for (int axis = 0; axis < 3; axis++) point[axis] = self->cross[axis];
}

void gantry_display_set_profile(GantryDisplay *self, GantryViewKind kind, ctgl_point from, ctgl_point to) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  const gboolean same_kind = self->profile_kind == kind;
  if (same_kind && kind == GANTRY_VIEWS) return;
  if (same_kind && memcmp(&self->profile_from, &from, sizeof from) == 0 &&
      memcmp(&self->profile_to, &to, sizeof to) == 0)
    return;
  self->profile_kind = kind;
  self->profile_from = from;
  self->profile_to = to;
  emit(self, PROFILE_CHANGED);
}

GantryViewKind gantry_display_get_profile(GantryDisplay *self, ctgl_point *from, ctgl_point *to) {
  if (from) *from = self->profile_from;
  if (to) *to = self->profile_to;
  return self->profile_kind;
}

void gantry_display_set_profile_lines(GantryDisplay *self, int lines) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  const int wanted = CLAMP(lines, 1, GANTRY_MOST_LINES);
  if (self->profile_lines == wanted) return;
  self->profile_lines = wanted;
  emit(self, PROFILE_CHANGED);
}

int gantry_display_get_profile_lines(GantryDisplay *self) {
  return self->profile_lines;
}

void gantry_display_set_oblique(GantryDisplay *self, gboolean shown, const GantryPose *pose) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  gboolean changed = self->oblique != !!shown;
  self->oblique = !!shown;
  if (isfinite(pose->rotation)) changed |= store(&self->pose.rotation, pose->rotation);
  if (isfinite(pose->tilt)) changed |= store(&self->pose.tilt, pose->tilt);
  if (changed) emit(self, OBLIQUE_CHANGED);
}

/* FALSE: it is that one already. */
static gboolean store_ray(const GantryRay *ray, gboolean *has, GantryRay *kept) {
  if (*has == (ray != NULL) && (!ray || (ray->view == kept->view && memcmp(ray->uv, kept->uv, sizeof ray->uv) == 0 &&
                                         memcmp(&ray->within, &kept->within, sizeof ray->within) == 0)))
    return FALSE;
  *has = ray != NULL;
  if (ray) *kept = *ray;
  return TRUE;
}

void gantry_display_set_ray(GantryDisplay *self, const GantryRay *ray) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (store_ray(ray, &self->has_ray, &self->ray)) emit(self, RAY_CHANGED);
}

void gantry_display_set_read_ray(GantryDisplay *self, const GantryRay *ray) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (store_ray(ray, &self->has_read_ray, &self->read_ray)) g_signal_emit(self, signals[CHANGED], 0);
}

const GantryRay *gantry_display_get_drawn_ray(GantryDisplay *self) {
  return self->has_ray ? &self->ray : self->has_read_ray ? &self->read_ray : NULL;
}

const GantryRay *gantry_display_get_ray(GantryDisplay *self) {
  return self->has_ray ? &self->ray : NULL;
}

void gantry_display_set_flat(GantryDisplay *self, gboolean flat) {
  g_return_if_fail(GANTRY_IS_DISPLAY(self));
  if (self->flat == !!flat) return;
  self->flat = !!flat;
  emit(self, OBLIQUE_CHANGED);
}

gboolean gantry_display_get_flat(GantryDisplay *self) {
  return self->flat;
}

gboolean gantry_display_get_oblique(GantryDisplay *self, GantryPose *pose) {
  *pose = self->pose;
  return self->oblique;
}
