/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keyboard in the scene: everything that the pointer can do. */
#include "ui/scene/view-private.h"

#include "ui/view-keys.h"

static const double pan_step = 40, zoom_step = 1.25, angle_step = 5 * G_PI / 180;

static gboolean arrow(GantrySceneView *self, GdkModifierType state, int right, int up) {
  if (state & GDK_ALT_MASK) return FALSE;
  const double angle = angle_step * (state & GDK_SHIFT_MASK ? 3 : 1);
  if (state & GDK_CONTROL_MASK)
    gantry_scene_view_pan(self, -pan_step * right, pan_step * up);
  else
    gantry_scene_view_turn(self, angle * right, angle * up);
  return TRUE;
}

static gboolean zoom_key(GantrySceneView *self, double factor) {
  gantry_scene_view_zoom(self, gtk_widget_get_width(self->area) / 2.0, gtk_widget_get_height(self->area) / 2.0, factor);
  return TRUE;
}

static gboolean step(GantrySceneView *self, int steps) {
  gantry_scene_view_step(self, steps);
  return TRUE;
}

static gboolean motion_key(GantrySceneView *self, guint key, GdkModifierType state) {
  const GantryMove move = gantry_move_of_key(key);
  switch (move.kind) {
  case GANTRY_MOVE_ARROW:
    return arrow(self, state, move.right, move.up);
  case GANTRY_MOVE_STEP:
    return step(self, move.sign * (state & GDK_SHIFT_MASK ? 10 : 1));
  case GANTRY_MOVE_END:
    return step(self, move.sign * self->count);
  case GANTRY_MOVE_ZOOM:
    return zoom_key(self, move.sign > 0 ? zoom_step : 1 / zoom_step);
  default:
    return FALSE;
  }
}

/* Keys of the window's commands. */
static gboolean window_key(GantrySceneView *self, guint key) {
  static const struct {
    guint key, keypad;
    const char *action, *target; /* NULL: none */
  } keys[] = {
      {GDK_KEY_1, GDK_KEY_KP_1, "win.scene-look", "front"},
      {GDK_KEY_2, GDK_KEY_KP_2, "win.scene-look", "side"},
      {GDK_KEY_3, GDK_KEY_KP_3, "win.scene-look", "top"},
      {GDK_KEY_4, GDK_KEY_KP_4, "win.scene-look", "corner"},
      {GDK_KEY_5, GDK_KEY_KP_5, "win.scene-fit", "volume"},
      {GDK_KEY_0, GDK_KEY_KP_0, "win.scene-fit", "gantry"},
      {GDK_KEY_space, GDK_KEY_KP_Space, "win.play-gantry", NULL},
      {GDK_KEY_w, GDK_KEY_W, "win.auto-window", NULL},
      {GDK_KEY_s, GDK_KEY_S, "win.smooth", NULL},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (keys[i].key == key || keys[i].keypad == key)
      return gtk_widget_activate_action(self->area, keys[i].action, keys[i].target ? "s" : NULL, keys[i].target);
  return FALSE;
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            GantrySceneView *self) {
  if (motion_key(self, key, state)) return TRUE;
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) return FALSE;
  if (gdk_keyval_to_lower(key) == GDK_KEY_m) {
    gantry_scene_view_emit_maximise(self);
    return TRUE;
  }
  return window_key(self, key);
}

void gantry_scene_view_connect_keys(GantrySceneView *self) {
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  gtk_widget_add_controller(self->area, keys);
}
