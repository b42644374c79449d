/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice view's actions (group "view") and its context menu. */
#include "ui/slice-view/view-private.h"

static void change_colour_map(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySliceView *self = data;
  gantry_display_set_colour_map(self->display, g_variant_get_string(value, NULL));
}

static void change_smooth(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySliceView *self = data;
  gantry_display_set_smooth(self->display, g_variant_get_boolean(value));
}

static void change_crosshair(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySliceView *self = data;
  gantry_display_set_show_crosshair(self->display, g_variant_get_boolean(value));
}

static void do_profile(GSimpleAction *action, GVariant *value, gpointer data) {
  gantry_slice_view_start_profile(data);
}

static void do_clear_profile(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySliceView *self = data;
  gantry_display_set_profile(self->display, GANTRY_VIEWS, (ctgl_point){0, 0}, (ctgl_point){0, 0});
}

static void do_region(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySliceView *self = data;
  gantry_slice_view_set_tool(self, GANTRY_TOOL_REGION);
  gtk_widget_grab_focus(self->area);
}

static void do_auto_window(GSimpleAction *action, GVariant *value, gpointer data) {
  gantry_slice_view_emit_auto_window(data);
}

static void do_fit(GSimpleAction *action, GVariant *value, gpointer data) {
  gantry_slice_view_fit(data);
}

static void do_maximise(GSimpleAction *action, GVariant *value, gpointer data) {
  gantry_slice_view_emit_maximise(data);
}

static const GActionEntry entries[] = {
    {.name = "colour-map", .parameter_type = "s", .state = "'grey'", .change_state = change_colour_map},
    {.name = "smooth", .state = "false", .change_state = change_smooth},
    {.name = "crosshair", .state = "true", .change_state = change_crosshair},
    {.name = "profile", .activate = do_profile},
    {.name = "clear-profile", .activate = do_clear_profile},
    {.name = "region", .activate = do_region},
    {.name = "auto-window", .activate = do_auto_window},
    {.name = "fit", .activate = do_fit},
    {.name = "maximise", .activate = do_maximise},
};

static void add_item(GMenu *menu, const char *title, const char *action, const char *key) {
  g_autoptr(GMenuItem) item = g_menu_item_new(title, action);
  if (key) g_menu_item_set_attribute(item, "accel", "s", key);
  g_menu_append_item(menu, item);
}

static void add_section(GMenu *menu, GMenu *section) {
  g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
  g_object_unref(section);
}

static GMenu *make_model(GantrySliceView *self) {
  GMenu *menu = g_menu_new(), *look = g_menu_new(), *window = g_menu_new(), *profile = g_menu_new(),
        *view = g_menu_new();
  g_autoptr(GMenu) maps = g_menu_new();
  size_t count = 0;
  const ctgl_colour_map *map = ctgl_colour_maps(&count);
  for (size_t i = 0; i < count; i++) {
    g_autofree char *action = g_strdup_printf("view.colour-map::%s", map[i].id);
    if (!map[i].diverging) g_menu_append(maps, map[i].title, action);
  }
  g_menu_append_submenu(look, "Colours", G_MENU_MODEL(maps));
  add_item(look, "Smooth Pixels", "view.smooth", "s");
  if (gantry_slice_view_is_plane(self)) add_item(look, "Crosshair", "view.crosshair", "x");
  add_item(window, "Fit Grey Window", "view.auto-window", "w");
  add_item(window, "Grey Window from a Region", "view.region", "r");
  add_item(profile, "Profile Line", "view.profile", "p");
  add_item(profile, "Remove Profile Line", "view.clear-profile", NULL);
  add_item(view, "Show Whole Slice", "view.fit", "0");
  add_item(view, "One View Alone", "view.maximise", "m");
  add_section(menu, look);
  add_section(menu, window);
  add_section(menu, profile);
  add_section(menu, view);
  return menu;
}

void gantry_slice_view_make_menu(GantrySliceView *self) {
  self->actions = g_simple_action_group_new();
  g_action_map_add_action_entries(G_ACTION_MAP(self->actions), entries, G_N_ELEMENTS(entries), self);
  gtk_widget_insert_action_group(GTK_WIDGET(self), "view", G_ACTION_GROUP(self->actions));
  g_autoptr(GMenu) model = make_model(self);
  self->menu = gtk_popover_menu_new_from_model(G_MENU_MODEL(model));
  gtk_popover_set_has_arrow(GTK_POPOVER(self->menu), FALSE);
  gtk_widget_set_halign(self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent(self->menu, GTK_WIDGET(self));
}

static void set_state(GantrySliceView *self, const char *name, GVariant *state) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->actions), name);
  g_simple_action_set_state(G_SIMPLE_ACTION(action), state);
}

void gantry_slice_view_update_actions(GantrySliceView *self) {
  if (!self->actions) return;
  set_state(self, "colour-map", g_variant_new_string(gantry_display_get_colour_map(self->display)));
  set_state(self, "smooth", g_variant_new_boolean(gantry_display_get_smooth(self->display)));
  set_state(self, "crosshair", g_variant_new_boolean(gantry_display_get_show_crosshair(self->display)));
  GAction *clear = g_action_map_lookup_action(G_ACTION_MAP(self->actions), "clear-profile");
  g_simple_action_set_enabled(G_SIMPLE_ACTION(clear),
                              gantry_display_get_profile(self->display, NULL, NULL) != GANTRY_VIEWS);
}

void gantry_slice_view_popup(GantrySliceView *self, double x, double y) {
  if (x < 0 || y < 0) {
    x = gtk_widget_get_width(self->area) / 2.0;
    y = gtk_widget_get_height(self->area) / 2.0;
  }
  double at_x = 0, at_y = 0;
  gtk_widget_translate_coordinates(self->area, GTK_WIDGET(self), x, y, &at_x, &at_y);
  const GdkRectangle place = {(int)at_x, (int)at_y, 1, 1};
  gtk_popover_set_pointing_to(GTK_POPOVER(self->menu), &place);
  gtk_popover_popup(GTK_POPOVER(self->menu));
}
