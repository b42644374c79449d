/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that the window answers itself, and the keys of all commands of the window. */
#include "ui/window/window-private.h"

static const char *const mode_ids[] = {"a", "b", "difference", "swipe"};

/* The actions that mirror the display take their state from it: see display_changed. */
static void change_mode(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  for (int i = 0; i < 4; i++) {
    if (!g_str_equal(g_variant_get_string(value, NULL), mode_ids[i])) continue;
    gantry_display_set_mode(self->display, (ctgl_mode)i);
    gtk_widget_set_visible(self->swipe, i == CTGL_SHOW_SWIPE);
    gantry_window_queue_refresh(self);
    g_simple_action_set_state(action, value);
  }
}

static void change_colour_map(GSimpleAction *action, GVariant *value, gpointer user) {
  const char *id = g_variant_get_string(value, NULL);
  if (ctgl_colour_map_find(id)) gantry_display_set_colour_map(GANTRY_WINDOW(user)->display, id);
}

static void change_smooth(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_smooth(GANTRY_WINDOW(user)->display, g_variant_get_boolean(value));
}

static void change_crosshair(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_show_crosshair(GANTRY_WINDOW(user)->display, g_variant_get_boolean(value));
}

static void change_fourth(GSimpleAction *action, GVariant *value, gpointer user) {
  g_simple_action_set_state(action, value);
  const char *fourth = g_variant_get_string(value, NULL);
  gantry_window_set_oblique(user, g_str_equal(fourth, "oblique"));
  if (!g_str_equal(fourth, "oblique")) gantry_window_set_sinogram(user, g_str_equal(fourth, "sinogram"));
  GANTRY_WINDOW(user)->sinogram_suits = FALSE;
}

static void reset_oblique(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_window_reset_oblique(user);
}

static void change_style(GSimpleAction *action, GVariant *value, gpointer user) {
  const char *style = g_variant_get_string(value, NULL);
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
                                     g_str_equal(style, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                     : g_str_equal(style, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                  : ADW_COLOR_SCHEME_DEFAULT);
  g_simple_action_set_state(action, value);
  if (GANTRY_WINDOW(user)->settings) g_settings_set_string(GANTRY_WINDOW(user)->settings, "style", style);
}

static void auto_window(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_window_auto_window(user);
  gantry_window_fit_difference(user);
}

static void profile(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  GantrySliceView *view = self->view[gantry_window_focused_view(self)];
  gtk_widget_set_visible(self->plots, TRUE);
  gtk_stack_set_visible_child_name(self->plot_pages, "profile");
  for (int i = 0; i < GANTRY_VIEWS; i++) gantry_slice_view_start_profile(self->view[i]);
  gtk_widget_grab_focus(GTK_WIDGET(view));
}

static void remove_profile(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_profile(GANTRY_WINDOW(user)->display, GANTRY_VIEWS, (ctgl_point){0, 0}, (ctgl_point){0, 0});
}

static void fit(GSimpleAction *action, GVariant *value, gpointer user) {
  for (int i = 0; i < GANTRY_VIEWS; i++) gantry_slice_view_fit(GANTRY_WINDOW(user)->view[i]);
}

static void maximise(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  gantry_window_maximise(self, self->maximised == GANTRY_VIEWS ? gantry_window_focused_view(self) : GANTRY_VIEWS);
}

static gboolean has_profile(GantryWindow *self) {
  g_autofree char *csv = gantry_plot_to_csv(self->profile);
  if (*csv) return TRUE;
  gantry_window_toast(self, GANTRY_ABOUT_FILE, "There is no profile yet: drag a line in a view first.", "Draw",
                      "win.profile");
  return FALSE;
}

static char *profile_table(gpointer plot) {
  return gantry_plot_to_csv(plot);
}

static void copy_profile(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  if (!has_profile(self)) return;
  g_autofree char *csv = gantry_plot_to_csv(self->profile);
  gantry_window_copy_table(self, "profile", csv);
}

static void save_profile(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  if (has_profile(self)) gantry_window_save_plot(self, "profile", self->profile, profile_table, self->profile);
}

/* No property action: it would hold the window for ever. */
static void change_fullscreen(GSimpleAction *action, GVariant *value, gpointer user) {
  if (g_variant_get_boolean(value))
    gtk_window_fullscreen(user);
  else
    gtk_window_unfullscreen(user);
}

static void fullscreened(GtkWindow *window) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(window), "fullscreen");
  if (action)
    g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_boolean(gtk_window_is_fullscreen(window)));
}

/* Boolean actions that are a property of a widget need no code of their own. */
static void add_property_action(GantryWindow *self, const char *name, gpointer object, const char *property) {
  g_autoptr(GPropertyAction) action = g_property_action_new(name, object, property);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(action));
}

static void set_state(GantryWindow *self, const char *name, GVariant *state) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), name);
  g_autoptr(GVariant) before = g_action_get_state(action), after = g_variant_ref_sink(state);
  if (!g_variant_equal(before, after)) g_simple_action_set_state(G_SIMPLE_ACTION(action), after);
}

/* The views change the display by their own keys and menus too. */
static void display_changed(GantryDisplay *display, GantryWindow *self) {
  const char *map = gantry_display_get_colour_map(display);
  const gboolean smooth = gantry_display_get_smooth(display);
  set_state(self, "colour-map", g_variant_new_string(map));
  set_state(self, "smooth", g_variant_new_boolean(smooth));
  set_state(self, "show-crosshair", g_variant_new_boolean(gantry_display_get_show_crosshair(display)));
  gtk_adjustment_set_value(self->swipe_adjustment, gantry_display_get_swipe(display));
  gantry_window_show_cross(self);
  if (!self->settings) return;
  g_autofree char *kept = g_settings_get_string(self->settings, "colour-map");
  if (!g_str_equal(kept, map)) g_settings_set_string(self->settings, "colour-map", map);
  if (g_settings_get_boolean(self->settings, "smooth") != smooth)
    g_settings_set_boolean(self->settings, "smooth", smooth);
}

void gantry_window_add_actions(GantryWindow *self) {
  static const GActionEntry entries[] = {
      {.name = "mode", .parameter_type = "s", .state = "'a'", .change_state = change_mode},
      {.name = "colour-map", .parameter_type = "s", .state = "'grey'", .change_state = change_colour_map},
      {.name = "smooth", .state = "false", .change_state = change_smooth},
      {.name = "show-crosshair", .state = "true", .change_state = change_crosshair},
      {.name = "fourth", .parameter_type = "s", .state = "'projection'", .change_state = change_fourth},
      {.name = "reset-oblique", .activate = reset_oblique},
      {.name = "style", .parameter_type = "s", .state = "'default'", .change_state = change_style},
      {.name = "fullscreen", .state = "false", .change_state = change_fullscreen},
      {.name = "auto-window", .activate = auto_window},
      {.name = "profile", .activate = profile},
      {.name = "remove-profile", .activate = remove_profile},
      {.name = "fit", .activate = fit},
      {.name = "maximise", .activate = maximise},
      {.name = "copy-profile", .activate = copy_profile},
      {.name = "save-profile", .activate = save_profile},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  display_changed(self->display, self);
  g_signal_connect(self->display, "changed", G_CALLBACK(display_changed), self);
  add_property_action(self, "show-panel", self->flap, "reveal-flap");
  add_property_action(self, "show-plots", self->plots, "visible");
  g_signal_connect(self, "notify::fullscreened", G_CALLBACK(fullscreened), NULL);
}

/* Plain letters belong to the views (slice-view.h), so that they do not take what is typed into fields. */
void gantry_window_set_accels(GtkApplication *application) {
  static const struct {
    const char *action, *keys[3];
  } accels[] = {
      {"win.open", {"<Control>o"}},
      {"win.open-folder", {"<Control><Shift>o"}},
      {"win.open-example", {"<Control><Shift>e"}},
      {"win.close-scan", {"<Control>w"}},
      {"win.save-volume", {"<Control>s"}},
      {"win.save-slice", {"<Control><Shift>s"}},
      {"win.load-plan", {"<Control><Alt>o"}},
      {"win.save-plan", {"<Control><Alt>s"}},
      {"win.reconstruct", {"<Control>r", "F5"}},
      {"win.reconstruct-to-file", {"<Control><Shift>r"}},
      {"win.pause", {"<Control>p"}},
      {"win.finish", {"<Control>Return"}},
      {"win.cancel", {"<Control>period"}},
      {"win.find-centre", {"<Control>f"}},
      {"win.sweep-centre", {"<Control><Shift>f"}},
      {"win.draw-rectangle", {"<Control><Alt>r"}},
      {"win.tune-device", {"<Control>t"}},
      {"win.undo", {"<Control>z"}},
      {"win.redo", {"<Control><Shift>z", "<Control>y"}},
      {"win.set-reference", {"<Control>b"}},
      {"win.open-reference", {"<Alt>b"}},
      {"win.clear-reference", {"<Control><Shift>b"}},
      {"win.auto-preview", {"<Alt>a"}},
      {"win.show-panel", {"F9"}},
      {"win.show-plots", {"F8"}},
      {"win.fullscreen", {"F11"}},
      {"win.maximise", {"<Control>m"}},
      {"win.auto-window", {"<Alt>w"}},
      {"win.smooth", {"<Alt>s"}},
      {"win.show-crosshair", {"<Alt>c"}},
      {"win.fit", {"<Control>0"}},
      {"win.profile", {"<Control>l"}},
      {"win.remove-profile", {"<Control><Shift>l"}},
      {"win.copy-profile", {"<Control><Shift>c"}},
      {"win.save-profile", {"<Control><Shift>p"}},
      {"win.continue", {"<Control><Shift>Return"}},
      {"win.compare-direct", {"<Control><Alt>b"}},
      {"win.show-convergence", {"<Control>k"}},
      {"win.clear-convergence", {"<Control><Shift>k"}},
      {"win.copy-convergence", {"<Control><Alt>c"}},
      {"win.save-convergence", {"<Control><Alt>p"}},
      {"win.mode::a", {"<Alt>1"}},
      {"win.mode::b", {"<Alt>2"}},
      {"win.mode::difference", {"<Alt>3"}},
      {"win.mode::swipe", {"<Alt>4"}},
      {"win.fourth::projection", {"<Alt>p"}},
      {"win.fourth::sinogram", {"<Alt>i"}},
      {"win.fourth::oblique", {"<Alt>o"}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(accels); i++) {
    gtk_application_set_accels_for_action(application, accels[i].action, accels[i].keys);
  }
}

void gantry_window_set_recent_accels(GantryWindow *self, const char *const *uris) {
  GtkApplication *application = gtk_window_get_application(GTK_WINDOW(self));
  if (!application) return;
  for (int i = 0; i < 5; i++) {
    g_autofree char *key = g_strdup_printf("<Control>%d", i + 1);
    g_auto(GStrv) before = gtk_application_get_actions_for_accel(application, key);
    for (int j = 0; before[j]; j++)
      gtk_application_set_accels_for_action(application, before[j], (const char *[]){NULL});
  }
  for (int i = 0; i < 5 && uris && uris[i]; i++) {
    g_autofree char *key = g_strdup_printf("<Control>%d", i + 1);
    g_autoptr(GVariant) target = g_variant_ref_sink(g_variant_new_string(uris[i]));
    g_autofree char *action = g_action_print_detailed_name("win.open-recent", target);
    gtk_application_set_accels_for_action(application, action, (const char *[]){key, NULL});
  }
}
