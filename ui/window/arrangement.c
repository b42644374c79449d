/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members are rows of two tables: states of actions, and values that are got and set by a function. */
#include "ui/window/arrangement.h"

#include "ui/window/parts.h"
#include "ui/window/window-private.h"

#include <math.h>

static GVariant *numbers(const double *values, gsize count) {
  return g_variant_new_fixed_array(G_VARIANT_TYPE_DOUBLE, values, count, sizeof *values);
}

/* Exactly so many finite numbers. */
static gboolean take_numbers(GVariant *value, double *numbers, gsize count) {
  gsize found;
  if (!g_variant_is_of_type(value, G_VARIANT_TYPE("ad"))) return FALSE;
  const double *told = g_variant_get_fixed_array(value, &found, sizeof *told);
  for (gsize i = 0; i < found && i < count; i++)
    if (!isfinite(told[i])) return FALSE;
  if (found == count) memcpy(numbers, told, count * sizeof *numbers);
  return found == count;
}

static gboolean take_number(GVariant *value, double low, double high, double *number) {
  if (!g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE)) return FALSE;
  *number = g_variant_get_double(value);
  return *number >= low && *number <= high;
}

static const char *take_text(GVariant *value) {
  return g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) ? g_variant_get_string(value, NULL) : NULL;
}

/* Views by name */

static const char *const view_names[GANTRY_VIEWS] = {"axial", "coronal", "sagittal", "projection", "oblique"};

/* GANTRY_VIEWS: none of that name. */
static GantryViewKind find_view(const char *name) {
  int kind = 0;
  while (kind < GANTRY_VIEWS && g_strcmp0(name, view_names[kind]) != 0) kind++;
  return (GantryViewKind)kind;
}

/* Grey windows and scales */

static GVariant *get_window(GantryWindow *self) {
  double range[2];
  gantry_display_get_window(self->display, &range[0], &range[1]);
  return numbers(range, 2);
}

static void set_window(GantryWindow *self, GVariant *value) {
  double range[2];
  if (!take_numbers(value, range, 2)) return;
  gantry_scales_keep(self->scales);
  gantry_display_set_window(self->display, range[0], range[1]);
}

static GVariant *get_projection_window(GantryWindow *self) {
  double range[2];
  gantry_display_get_projection_window(self->display, &range[0], &range[1]);
  return numbers(range, 2);
}

static void set_projection_window(GantryWindow *self, GVariant *value) {
  double range[2];
  if (!take_numbers(value, range, 2)) return;
  gantry_scales_keep_projection(self->scales);
  gantry_display_set_projection_window(self->display, range[0], range[1]);
}

static const ctgl_scale scales[] = {CTGL_SCALE_DIFFERENCE, CTGL_SCALE_RELATIVE, CTGL_SCALE_SIMILARITY};

static GVariant *get_ranges(GantryWindow *self) {
  double ranges[G_N_ELEMENTS(scales)];
  for (gsize i = 0; i < G_N_ELEMENTS(scales); i++) ranges[i] = gantry_display_get_range(self->display, scales[i]);
  return numbers(ranges, G_N_ELEMENTS(scales));
}

static void set_ranges(GantryWindow *self, GVariant *value) {
  double ranges[G_N_ELEMENTS(scales)];
  if (!take_numbers(value, ranges, G_N_ELEMENTS(scales))) return;
  for (gsize i = 0; i < G_N_ELEMENTS(scales); i++)
    if (ranges[i] > 0) gantry_display_set_range(self->display, scales[i], ranges[i]);
}

/* Places */

static GVariant *get_cross(GantryWindow *self) {
  double cross[3];
  gantry_display_get_cross(self->display, cross);
  return numbers(cross, 3);
}

static void set_cross(GantryWindow *self, GVariant *value) {
  double cross[3];
  if (take_numbers(value, cross, 3)) gantry_display_set_cross(self->display, cross);
}

/* View, from, to: mm of its picture. */
static GVariant *get_profile(GantryWindow *self) {
  ctgl_point from = {0, 0}, to = {0, 0};
  const GantryViewKind kind = gantry_display_get_profile(self->display, &from, &to);
  const double values[5] = {kind, from.x, from.y, to.x, to.y};
  return kind == GANTRY_VIEWS ? NULL : numbers(values, 5);
}

static void set_profile(GantryWindow *self, GVariant *value) {
  double line[5];
  if (!take_numbers(value, line, 5) || !(line[0] >= 0 && line[0] < GANTRY_VIEWS)) return;
  gantry_display_set_profile(self->display, (GantryViewKind)line[0], (ctgl_point){line[1], line[2]},
                             (ctgl_point){line[3], line[4]});
}

static GVariant *get_profile_lines(GantryWindow *self) {
  return g_variant_new_double(gantry_display_get_profile_lines(self->display));
}

static void set_profile_lines(GantryWindow *self, GVariant *value) {
  double lines;
  if (take_number(value, 1, GANTRY_MOST_LINES, &lines)) gantry_display_set_profile_lines(self->display, (int)lines);
}

/* Degrees. */
static GVariant *get_oblique(GantryWindow *self) {
  GantryPose pose;
  gantry_display_get_oblique(self->display, &pose);
  const double angles[2] = {pose.rotation * 180 / G_PI, pose.tilt * 180 / G_PI};
  return numbers(angles, 2);
}

static void set_oblique(GantryWindow *self, GVariant *value) {
  double angles[2];
  GantryPose pose;
  if (!take_numbers(value, angles, 2) || fabs(angles[0]) > 180 || fabs(angles[1]) > 180) return;
  const gboolean shown = gantry_display_get_oblique(self->display, &pose);
  pose = (GantryPose){.rotation = angles[0] * G_PI / 180, .tilt = angles[1] * G_PI / 180};
  gantry_display_set_oblique(self->display, shown, &pose);
}

static GVariant *get_projection(GantryWindow *self) {
  return g_variant_new_double(gantry_fourth_get_projection(self->fourth));
}

static void set_projection(GantryWindow *self, GVariant *value) {
  double index;
  if (take_number(value, 0, 1e9, &index)) gantry_fourth_show_projection(self->fourth, (int)index);
}

static GVariant *get_row(GantryWindow *self) {
  return g_variant_new_double(gantry_fourth_get_row(self->fourth));
}

static void set_row(GantryWindow *self, GVariant *value) {
  double index;
  if (take_number(value, 0, 1e9, &index)) gantry_fourth_show_row(self->fourth, (int)index);
}

/* Comparing */

static GVariant *get_mix(GantryWindow *self) {
  const double values[3] = {gantry_display_get_swipe(self->display), gantry_display_get_fade(self->display),
                            gantry_display_get_tile(self->display)};
  return numbers(values, 3);
}

static void set_mix(GantryWindow *self, GVariant *value) {
  double mix[3];
  if (!take_numbers(value, mix, 3)) return;
  gantry_display_set_swipe(self->display, CLAMP(mix[0], 0, 1));
  gantry_display_set_fade(self->display, CLAMP(mix[1], 0, 1));
  gantry_display_set_tile(self->display, (int)CLAMP(mix[2], GANTRY_LEAST_TILE, GANTRY_MOST_TILE));
}

/* Layout */

static GVariant *get_maximised(GantryWindow *self) {
  const GantryViewKind kind = gantry_quad_get_maximised(self->quad);
  return kind == GANTRY_VIEWS ? NULL : g_variant_new_string(view_names[kind]);
}

static void set_maximised(GantryWindow *self, GVariant *value) {
  const GantryViewKind kind = find_view(take_text(value));
  if (kind != GANTRY_VIEWS) gantry_quad_maximise(self->quad, kind);
}

static GVariant *get_page(GantryWindow *self) {
  const char *id = gantry_plots_get_chosen(self->plots);
  return id ? g_variant_new_string(id) : NULL;
}

static void set_page(GantryWindow *self, GVariant *value) {
  if (take_text(value)) gantry_plots_choose(self->plots, take_text(value));
}

/* Of the height that there is for views and plots, where the user has moved the bar between them. */
static GVariant *get_share(GantryWindow *self) {
  const double share = gantry_plots_get_share(self->plots);
  return share > 0 ? g_variant_new_double(share) : NULL;
}

static void set_share(GantryWindow *self, GVariant *value) {
  double share;
  if (take_number(value, 0.02, 0.98, &share)) gantry_plots_set_share(self->plots, share);
}

static GVariant *get_scene(GantryWindow *self) {
  double camera[GANTRY_SCENE_CAMERA];
  gantry_scene_view_get_camera(gantry_quad_get_scene(self->quad), camera);
  return numbers(camera, GANTRY_SCENE_CAMERA);
}

static void set_scene(GantryWindow *self, GVariant *value) {
  double camera[GANTRY_SCENE_CAMERA];
  if (take_numbers(value, camera, GANTRY_SCENE_CAMERA))
    gantry_scene_view_set_camera(gantry_quad_get_scene(self->quad), camera);
}

static const struct {
  const char *name;
  GVariant *(*get)(GantryWindow *self); /* NULL: as it comes */
  void (*set)(GantryWindow *self, GVariant *value);
  gboolean of_views;
} members[] = {
    {"plot-page", get_page, set_page, FALSE},
    {"plot-share", get_share, set_share, FALSE},
    {"grey-window", get_window, set_window, TRUE},
    {"projection-window", get_projection_window, set_projection_window, TRUE},
    {"difference-ranges", get_ranges, set_ranges, TRUE},
    {"crosshair", get_cross, set_cross, TRUE},
    {"oblique", get_oblique, set_oblique, TRUE},
    {"profile", get_profile, set_profile, TRUE},
    {"profile-lines", get_profile_lines, set_profile_lines, TRUE},
    {"projection", get_projection, set_projection, TRUE},
    {"sinogram-row", get_row, set_row, TRUE},
    {"mix", get_mix, set_mix, TRUE},
    {"maximised", get_maximised, set_maximised, TRUE},
    {"scene", get_scene, set_scene, TRUE},
};

/* Actions whose states are kept. Those after `mode` hang on B. */
static const struct {
  const char *name;
  gboolean of_views;
} states[] = {
    {"colour-map", FALSE},
    {"diverging-map", FALSE},
    {"smooth", FALSE},
    {"loupe", FALSE},
    {"show-crosshair", FALSE},
    {"show-panel", FALSE},
    {"show-plots", FALSE},
    {"show-shelf", FALSE},
    {"show-arc", FALSE},
    {"fourth", FALSE},
    {"projection-values", FALSE},
    {"layout", TRUE},
    {"scene-volume", FALSE},
    {"scene-oblique", FALSE},
    {"mode", TRUE},
    {"scale-logarithmic", TRUE},
    {"scale-locked", TRUE},
    {"side-by-side", TRUE},
};

/* Zoom of each slice view that the user has moved in: where its middle is, mm, and logical pixels per mm. */
static void add_cameras(GantryWindow *self, GVariantDict *into) {
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    double camera[3];
    if (!gantry_slice_view_get_camera(gantry_quad_get_view(self->quad, (GantryViewKind)k), camera)) continue;
    g_autofree char *name = g_strdup_printf("zoom-%s", view_names[k]);
    g_variant_dict_insert_value(into, name, numbers(camera, 3));
  }
}

static void set_cameras(GantryWindow *self, GVariantDict *from) {
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    double camera[3];
    g_autofree char *name = g_strdup_printf("zoom-%s", view_names[k]);
    g_autoptr(GVariant) value = g_variant_dict_lookup_value(from, name, NULL);
    if (value && take_numbers(value, camera, 3))
      gantry_slice_view_set_camera(gantry_quad_get_view(self->quad, (GantryViewKind)k), camera);
  }
}

GVariant *gantry_window_dup_arrangement(GantryWindow *self) {
  GVariantDict into;
  g_variant_dict_init(&into, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
    g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(self), states[i].name);
    if (state) g_variant_dict_insert_value(&into, states[i].name, state);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
    GVariant *value = members[i].get(self);
    if (value) g_variant_dict_insert_value(&into, members[i].name, value);
  }
  add_cameras(self, &into);
  return g_variant_dict_end(&into);
}

static void set_state(GantryWindow *self, const char *name, GVariant *value) {
  GActionGroup *group = G_ACTION_GROUP(self);
  const GVariantType *type = g_action_group_get_action_state_type(group, name);
  if (type && g_variant_is_of_type(value, type) && g_action_group_get_action_enabled(group, name))
    g_action_group_change_action_state(group, name, value);
}

static void apply(GantryWindow *self, GVariantDict *from, gboolean of_views) {
  for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
    g_autoptr(GVariant) value = g_variant_dict_lookup_value(from, states[i].name, NULL);
    if (value && states[i].of_views == of_views) set_state(self, states[i].name, value);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
    g_autoptr(GVariant) value = g_variant_dict_lookup_value(from, members[i].name, NULL);
    if (value && members[i].of_views == of_views) members[i].set(self, value);
  }
}

void gantry_window_arrange(GantryWindow *self, GVariant *arrangement) {
  GVariantDict from;
  g_variant_dict_init(&from, arrangement);
  apply(self, &from, FALSE);
  g_variant_dict_clear(&from);
}

void gantry_window_arrange_views(GantryWindow *self, GVariant *arrangement) {
  GVariantDict from;
  g_variant_dict_init(&from, arrangement);
  apply(self, &from, TRUE);
  set_cameras(self, &from);
  g_variant_dict_clear(&from);
}
