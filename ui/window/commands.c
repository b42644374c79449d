/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's own commands that belong to no single object of it. */
#include "ui/window/parts.h"
#include "ui/window/window-private.h"

static void auto_window(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  gantry_scales_fit(self->scales);
  gantry_scales_fit_difference(self->scales);
  gantry_refresh_queue(self->refresh);
}

static void fit(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryWindow *self = user;
  for (int k = 0; k < GANTRY_VIEWS; k++) gantry_slice_view_fit(gantry_quad_get_view(self->quad, (GantryViewKind)k));
}

static void maximise(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryQuad *quad = ((GantryWindow *)user)->quad;
  const gboolean none = gantry_quad_get_maximised(quad) == GANTRY_VIEWS;
  gantry_quad_maximise(quad, none ? gantry_quad_get_focused(quad) : GANTRY_VIEWS);
}

static void reset_oblique(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_planes_reset_oblique(((GantryWindow *)user)->planes);
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
static void add_property_action(GantryWindow *self, const char *name, const char *part, const char *property) {
  g_autoptr(GPropertyAction) action = g_property_action_new(name, gantry_window_part(self, part), property);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(action));
}

void gantry_window_add_actions(GantryWindow *self) {
  static const GActionEntry entries[] = {
      {.name = "reset-oblique", .activate = reset_oblique},
      {.name = "fullscreen", .state = "false", .change_state = change_fullscreen},
      {.name = "auto-window", .activate = auto_window},
      {.name = "fit", .activate = fit},
      {.name = "maximise", .activate = maximise},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self), entries, G_N_ELEMENTS(entries), self);
  add_property_action(self, "show-panel", "flap", "reveal-flap");
  add_property_action(self, "show-plots", "plots", "visible");
  g_signal_connect(self, "notify::fullscreened", G_CALLBACK(fullscreened), NULL);
}
