/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keyboard in a slice view: everything that the pointer can do. */
#include "ui/slice-view/view-private.h"

#include "ui/view-keys.h"

static const double pan_step = 40, zoom_step = 1.25, window_step = 0.05, angle_step = 1;

static void move_cross(GantrySliceView *self, int right, int up) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame)) return;
  const ctgl_point cross = gantry_slice_view_get_cross(self);
  gantry_slice_view_set_cross(self, (ctgl_point){cross.x + right * frame.spacing_x, cross.y + up * frame.spacing_y});
}

static gboolean arrow(GantrySliceView *self, GdkModifierType state, int right, int up) {
  const GdkModifierType asked = state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK);
  if (asked == (GDK_ALT_MASK | GDK_SHIFT_MASK) && gantry_slice_view_nudge_mark(self, right, up, TRUE)) return TRUE;
  if (asked == (GDK_CONTROL_MASK | GDK_SHIFT_MASK) && gantry_slice_view_nudge_mark(self, right, up, FALSE)) return TRUE;
  if (self->kind == GANTRY_VIEW_OBLIQUE && (state & GDK_CONTROL_MASK) && (state & GDK_SHIFT_MASK)) {
    gantry_slice_view_steer_oblique(self, angle_step * right, angle_step * up);
    return TRUE;
  }
  if (state & GDK_CONTROL_MASK) {
    /* The view moves over the picture, as in a text. */
    gantry_slice_view_pan(self, -pan_step * right, pan_step * up);
    return TRUE;
  }
  if (state & GDK_ALT_MASK) {
    double low, high;
    gantry_slice_view_get_window(self, &low, &high);
    gantry_slice_view_adjust_window(self, low, high, gantry_slice_view_range(self), window_step * right,
                                    window_step * up);
    return TRUE;
  }
  if (!gantry_slice_view_is_plane(self)) return FALSE;
  const int pixels = state & GDK_SHIFT_MASK ? 10 : 1;
  self->tool_points = FALSE;
  move_cross(self, pixels * right, pixels * up);
  return TRUE;
}

static gboolean zoom_key(GantrySliceView *self, double factor) {
  gantry_slice_view_zoom(self, gtk_widget_get_width(self->area) / 2.0, gtk_widget_get_height(self->area) / 2.0, factor);
  return TRUE;
}

static gboolean step(GantrySliceView *self, GdkModifierType state, int steps) {
  gantry_slice_view_set_steered(self, self->kind == GANTRY_VIEW_OBLIQUE);
  gantry_slice_view_step_slice(self, steps * (state & GDK_SHIFT_MASK ? 10 : 1));
  return TRUE;
}

static gboolean activate(GantrySliceView *self, const char *action) {
  g_action_group_activate_action(G_ACTION_GROUP(self->actions), action, NULL);
  return TRUE;
}

/* Keys that mean the same with any modifier but those that they ask for themselves. */
static gboolean motion_key(GantrySliceView *self, guint key, GdkModifierType state, gboolean *handled) {
  const GantryMove move = gantry_move_of_key(key);
  *handled = move.kind != GANTRY_MOVE_NONE;
  switch (move.kind) {
  case GANTRY_MOVE_ARROW:
    return arrow(self, state, move.right, move.up);
  case GANTRY_MOVE_STEP:
    return step(self, state, move.sign);
  case GANTRY_MOVE_END:
    return step(self, 0, move.sign * self->count);
  case GANTRY_MOVE_ZOOM:
    return zoom_key(self, move.sign > 0 ? zoom_step : 1 / zoom_step);
  default:
    return FALSE;
  }
}

static gboolean tool_key(GantrySliceView *self, guint key) {
  if (self->tool == GANTRY_TOOL_NONE) return FALSE;
  ctgl_image_frame frame;
  switch (key) {
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_ISO_Enter:
    self->tool_points = FALSE;
    if (gantry_slice_view_is_plane(self) && gantry_slice_view_frame(self, &frame))
      gantry_slice_view_place_tool(self, gantry_slice_view_get_cross(self));
    return TRUE;
  case GDK_KEY_Escape:
    gantry_display_drop_tools(self->display);
    return TRUE;
  default:
    return FALSE;
  }
}

/* Keys of commands that are the window's, because they concern all views. */
static gboolean window_key(GantrySliceView *self, guint key) {
  static const struct {
    guint key;
    const char *action;
  } keys[] = {
      {GDK_KEY_f, "win.flip"},
      {GDK_KEY_F, "win.flip"},
      {GDK_KEY_comma, "win.mix-back"},
      {GDK_KEY_d, "win.side-by-side"},
      {GDK_KEY_D, "win.side-by-side"},
      {GDK_KEY_period, "win.mix-forth"},
      {GDK_KEY_z, "win.next-loupe"},
      {GDK_KEY_Z, "win.next-loupe"},
      {GDK_KEY_n, "win.worst-next"},
      {GDK_KEY_N, "win.worst-previous"},
      {GDK_KEY_bracketright, "win.mark-next"},
      {GDK_KEY_bracketleft, "win.mark-previous"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (keys[i].key == key) return gtk_widget_activate_action(self->area, keys[i].action, NULL);
  return FALSE;
}

/* Shift and a letter draw a mark; with Caps Lock plain letters stay what they are. */
static gboolean mark_key(GantrySliceView *self, guint key, GdkModifierType state) {
  static const struct {
    guint key;
    GantryMarkKind kind;
  } keys[] = {
      {GDK_KEY_r, GANTRY_MARK_RECTANGLE}, {GDK_KEY_e, GANTRY_MARK_ELLIPSE}, {GDK_KEY_g, GANTRY_MARK_POLYGON},
      {GDK_KEY_l, GANTRY_MARK_LINE},      {GDK_KEY_a, GANTRY_MARK_ANGLE},   {GDK_KEY_t, GANTRY_MARK_POINT},
  };
  if (self->kind == GANTRY_VIEW_PROJECTION) return FALSE;
  if (key == GDK_KEY_Delete || key == GDK_KEY_KP_Delete)
    return gtk_widget_activate_action(self->area, "win.remove-mark", NULL);
  if (gdk_keyval_to_lower(key) == GDK_KEY_h) return gantry_slice_view_next_handle(self);
  for (gsize i = 0; (state & GDK_SHIFT_MASK) && i < G_N_ELEMENTS(keys); i++)
    if (keys[i].key == gdk_keyval_to_lower(key)) {
      gantry_slice_view_start_mark(self, keys[i].kind);
      return TRUE;
    }
  return FALSE;
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            GantrySliceView *self) {
  gboolean handled = FALSE;
  const gboolean result = motion_key(self, key, state, &handled);
  if (handled) return result;
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK))) {
    gantry_slice_view_popup(self, -1, -1);
    return TRUE;
  }
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) return FALSE;
  if (key == GDK_KEY_Escape && gantry_slice_view_give_up_rectangle(self)) return TRUE;
  if (tool_key(self, key)) return TRUE;
  if (mark_key(self, key, state)) return TRUE;
  switch (gdk_keyval_to_lower(key)) {
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
    return activate(self, "fit");
  case GDK_KEY_m:
    return activate(self, "maximise");
  case GDK_KEY_w:
    return activate(self, "auto-window");
  case GDK_KEY_p:
    return activate(self, "profile");
  case GDK_KEY_r:
    return activate(self, "region");
  case GDK_KEY_s:
    return activate(self, "smooth");
  case GDK_KEY_x:
    return activate(self, "crosshair");
  default:
    return window_key(self, key);
  }
}

static void keyboard_left(GtkEventControllerFocus *controller, GantrySliceView *self) {
  gantry_slice_view_set_steered(self, FALSE);
}

void gantry_slice_view_connect_keys(GantrySliceView *self) {
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  gtk_widget_add_controller(self->area, keys);
  GtkEventController *focus = gtk_event_controller_focus_new();
  g_signal_connect(focus, "leave", G_CALLBACK(keyboard_left), self);
  gtk_widget_add_controller(self->area, focus);
}
