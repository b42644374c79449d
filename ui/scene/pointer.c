/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mouse, the touchpad and the finger in the scene. A press becomes a drag only beyond the desktop's drag threshold
 * and then claims its events, so that clicks and drags exclude each other. */
#include "ui/scene/view-private.h"

#include <math.h>

/* Degrees per logical pixel. */
static const double degrees_per_pixel = 0.4, surface_pixels_per_step = 24;

static GdkModifierType state_of(gpointer controller) {
  return gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(controller));
}

static void click_pressed(GtkGestureClick *click, int presses, double x, double y, GantrySceneView *self) {
  gtk_widget_grab_focus(self->area);
  if (presses != 2) return;
  gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
  if (state_of(click) & GDK_CONTROL_MASK)
    gtk_widget_activate_action(self->area, "win.scene-fit", "s", "gantry");
  else
    gantry_scene_view_emit_maximise(self);
}

static void drag_begin(GtkGestureDrag *gesture, double x, double y, GantrySceneView *self) {
  const guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));
  self->panning = button == GDK_BUTTON_MIDDLE || (state_of(gesture) & GDK_SHIFT_MASK);
  self->dragging = FALSE;
  self->drag_x = self->drag_y = 0;
  gtk_widget_grab_focus(self->area);
}

static void drag_update(GtkGestureDrag *gesture, double dx, double dy, GantrySceneView *self) {
  double x = 0, y = 0;
  if (!gtk_gesture_drag_get_start_point(gesture, &x, &y)) return;
  if (!self->dragging) {
    if (!gtk_drag_check_threshold(self->area, (int)x, (int)y, (int)(x + dx), (int)(y + dy))) return;
    self->dragging = TRUE;
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    gtk_widget_set_cursor_from_name(self->area, "grabbing");
  }
  const double right = dx - self->drag_x, down = dy - self->drag_y;
  self->drag_x = dx;
  self->drag_y = dy;
  if (self->panning)
    gantry_scene_view_pan(self, right, down);
  else
    gantry_scene_view_turn(self, -right * degrees_per_pixel * G_PI / 180, down * degrees_per_pixel * G_PI / 180);
}

static void drag_end(GtkGestureDrag *gesture, double dx, double dy, GantrySceneView *self) {
  gtk_widget_set_cursor_from_name(self->area, NULL);
}

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, GantrySceneView *self) {
  const gboolean fine = gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_SURFACE;
  /* GTK turns a wheel sideways while Shift is held. */
  const double along = dy == 0 ? dx : dy, steps = fine ? along / surface_pixels_per_step : along;
  double x = gtk_widget_get_width(self->area) / 2.0, y = gtk_widget_get_height(self->area) / 2.0;
  GdkEvent *event = gtk_event_controller_get_current_event(GTK_EVENT_CONTROLLER(scroll));
  GtkNative *native = gtk_widget_get_native(self->area);
  double surface_x, surface_y, native_x, native_y;
  if (event && native && gdk_event_get_position(event, &surface_x, &surface_y)) {
    gtk_native_get_surface_transform(native, &native_x, &native_y);
    gtk_widget_translate_coordinates(GTK_WIDGET(native), self->area, surface_x - native_x, surface_y - native_y, &x,
                                     &y);
  }
  gantry_scene_view_zoom(self, x, y, exp(-0.14 * steps));
  return GDK_EVENT_STOP;
}

static void pinch_begin(GtkGesture *gesture, GdkEventSequence *sequence, GantrySceneView *self) {
  self->pinch_zoom = 1;
}

static void pinched(GtkGestureZoom *gesture, double scale, GantrySceneView *self) {
  double x = 0, y = 0;
  if (!(scale > 0) || !gtk_gesture_get_bounding_box_center(GTK_GESTURE(gesture), &x, &y)) return;
  gantry_scene_view_zoom(self, x, y, scale / self->pinch_zoom);
  self->pinch_zoom = scale;
}

/* A pixel of the detector, whatever is before it. */
static void moved(GtkEventControllerMotion *motion, double x, double y, GantrySceneView *self) {
  const GdkModifierType buttons = GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK;
  const ctgl_scene *scene = gantry_scene_view_get_scene(self);
  ctgl_segment sight;
  double uv[2] = {0};
  if (!scene || (state_of(motion) & buttons)) return;
  ctgl_orbit_sight(&self->camera, x * self->ratio, y * self->ratio, sight.from, sight.to);
  const gboolean inside = ctgl_detector_meets(&scene->detector, &sight, uv) && uv[0] >= -0.5 && uv[1] >= -0.5 &&
                          uv[0] <= self->geometry.nu - 0.5 && uv[1] <= self->geometry.nv - 0.5;
  gantry_scene_view_emit_pointed(self, inside, uv);
}

static void left(GtkEventControllerMotion *motion, GantrySceneView *self) {
  gantry_scene_view_emit_pointed(self, FALSE, (const double[2]){0});
}

static void add_drag(GantrySceneView *self, guint button) {
  GtkGesture *drag = gtk_gesture_drag_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), button);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(drag_end), self);
  gtk_widget_add_controller(self->area, GTK_EVENT_CONTROLLER(drag));
}

void gantry_scene_view_connect_pointer(GantrySceneView *self) {
  GtkGesture *click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_PRIMARY);
  g_signal_connect(click, "pressed", G_CALLBACK(click_pressed), self);
  gtk_widget_add_controller(self->area, GTK_EVENT_CONTROLLER(click));
  add_drag(self, GDK_BUTTON_PRIMARY);
  add_drag(self, GDK_BUTTON_MIDDLE);
  GtkGesture *pinch = gtk_gesture_zoom_new();
  g_signal_connect(pinch, "begin", G_CALLBACK(pinch_begin), self);
  g_signal_connect(pinch, "scale-changed", G_CALLBACK(pinched), self);
  gtk_widget_add_controller(self->area, GTK_EVENT_CONTROLLER(pinch));
  GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), self);
  gtk_widget_add_controller(self->area, scroll);
  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "motion", G_CALLBACK(moved), self);
  g_signal_connect(motion, "leave", G_CALLBACK(left), self);
  gtk_widget_add_controller(self->area, motion);
}
