/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions take their state from the display: the views change that by their own keys and menus, too. */
#include "ui/window/display-actions.h"

#include <adwaita.h>

struct _GantryDisplayActions {
  GActionMap *map;
  GantryDisplay *display;
  GSettings *settings; /* NULL: none */
};

static void change_colour_map(GSimpleAction *action, GVariant *value, gpointer user) {
  const char *id = g_variant_get_string(value, NULL);
  if (ctgl_colour_map_find(id)) gantry_display_set_colour_map(((GantryDisplayActions *)user)->display, id);
}

static void change_diverging_map(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_diverging_map(((GantryDisplayActions *)user)->display, g_variant_get_string(value, NULL));
}

static const char *const loupes[GANTRY_LOUPES] = {"off", "pixels", "values"};

static void change_loupe(GSimpleAction *action, GVariant *value, gpointer user) {
  for (int i = 0; i < GANTRY_LOUPES; i++)
    if (g_str_equal(g_variant_get_string(value, NULL), loupes[i]))
      gantry_display_set_loupe(((GantryDisplayActions *)user)->display, (GantryLoupe)i);
}

static void next_loupe(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryDisplay *display = ((GantryDisplayActions *)user)->display;
  gantry_display_set_loupe(display, (GantryLoupe)((gantry_display_get_loupe(display) + 1) % GANTRY_LOUPES));
}

static void change_smooth(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_smooth(((GantryDisplayActions *)user)->display, g_variant_get_boolean(value));
}

static void change_crosshair(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_show_crosshair(((GantryDisplayActions *)user)->display, g_variant_get_boolean(value));
}

static void change_style(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryDisplayActions *self = user;
  const char *style = g_variant_get_string(value, NULL);
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
                                     g_str_equal(style, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                     : g_str_equal(style, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                  : ADW_COLOR_SCHEME_DEFAULT);
  g_simple_action_set_state(action, value);
  if (self->settings) g_settings_set_string(self->settings, "style", style);
}

static void set_state(GantryDisplayActions *self, const char *name, GVariant *state) {
  GAction *action = g_action_map_lookup_action(self->map, name);
  g_autoptr(GVariant) before = g_action_get_state(action), after = g_variant_ref_sink(state);
  if (!g_variant_equal(before, after)) g_simple_action_set_state(G_SIMPLE_ACTION(action), after);
}

static void display_changed(GantryDisplay *display, GantryDisplayActions *self) {
  const char *map = gantry_display_get_colour_map(display);
  const gboolean smooth = gantry_display_get_smooth(display);
  set_state(self, "colour-map", g_variant_new_string(map));
  const char *diverging = gantry_display_get_diverging_map(display);
  set_state(self, "diverging-map", g_variant_new_string(diverging));
  set_state(self, "loupe", g_variant_new_string(loupes[gantry_display_get_loupe(display)]));
  set_state(self, "smooth", g_variant_new_boolean(smooth));
  set_state(self, "show-crosshair", g_variant_new_boolean(gantry_display_get_show_crosshair(display)));
  if (!self->settings) return;
  g_autofree char *kept = g_settings_get_string(self->settings, "colour-map");
  if (!g_str_equal(kept, map)) g_settings_set_string(self->settings, "colour-map", map);
  g_autofree char *kept_diverging = g_settings_get_string(self->settings, "diverging-map");
  if (!g_str_equal(kept_diverging, diverging)) g_settings_set_string(self->settings, "diverging-map", diverging);
  if (g_settings_get_boolean(self->settings, "smooth") != smooth)
    g_settings_set_boolean(self->settings, "smooth", smooth);
}

GantryDisplayActions *gantry_display_actions_new(GActionMap *map, GantryDisplay *display) {
  static const GActionEntry entries[] = {
      {.name = "colour-map", .parameter_type = "s", .state = "'grey'", .change_state = change_colour_map},
      {.name = "diverging-map",
       .parameter_type = "s",
       .state = "'blue-white-red'",
       .change_state = change_diverging_map},
      {.name = "loupe", .parameter_type = "s", .state = "'off'", .change_state = change_loupe},
      {.name = "next-loupe", .activate = next_loupe},
      {.name = "smooth", .state = "false", .change_state = change_smooth},
      {.name = "show-crosshair", .state = "true", .change_state = change_crosshair},
      {.name = "style", .parameter_type = "s", .state = "'default'", .change_state = change_style},
  };
  GantryDisplayActions *self = g_new0(GantryDisplayActions, 1);
  self->map = map;
  self->display = g_object_ref(display);
  g_action_map_add_action_entries(map, entries, G_N_ELEMENTS(entries), self);
  display_changed(display, self);
  g_signal_connect(display, "changed", G_CALLBACK(display_changed), self);
  return self;
}

void gantry_display_actions_stop(GantryDisplayActions *self) {
  g_signal_handlers_disconnect_by_data(self->display, self);
  if (self->settings) g_signal_handlers_disconnect_by_data(self->settings, self);
  g_clear_object(&self->settings);
}

void gantry_display_actions_free(GantryDisplayActions *self) {
  gantry_display_actions_stop(self);
  g_object_unref(self->display);
  g_free(self);
}

/* Chosen in the preferences, or in another window. */
static void setting_changed(GSettings *settings, const char *key, GantryDisplayActions *self) {
  GAction *action = g_action_map_lookup_action(self->map, key);
  g_autoptr(GVariant) now = g_action_get_state(action), wanted = g_settings_get_value(settings, key);
  if (!g_variant_equal(now, wanted)) g_action_change_state(action, wanted);
}

void gantry_display_actions_bind(GantryDisplayActions *self, GSettings *settings) {
  self->settings = g_object_ref(settings);
  g_autofree char *map = g_settings_get_string(settings, "colour-map");
  g_autofree char *diverging = g_settings_get_string(settings, "diverging-map");
  g_autofree char *style = g_settings_get_string(settings, "style");
  GActionGroup *actions = G_ACTION_GROUP(self->map);
  g_action_group_change_action_state(actions, "colour-map", g_variant_new_string(map));
  g_action_group_change_action_state(actions, "diverging-map", g_variant_new_string(diverging));
  g_action_group_change_action_state(actions, "style", g_variant_new_string(style));
  g_action_group_change_action_state(actions, "smooth",
                                     g_variant_new_boolean(g_settings_get_boolean(settings, "smooth")));
  static const char *const signals[] = {"changed::colour-map", "changed::diverging-map", "changed::style",
                                        "changed::smooth"};
  for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect(settings, signals[i], G_CALLBACK(setting_changed), self);
}
