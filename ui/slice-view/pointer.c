/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mouse, the touchpad and the finger in a slice view. A press becomes a drag only beyond the desktop's drag
 * threshold and then claims its events, so that clicks and drags exclude each other. */
#include "ui/slice-view/view-private.h"

#include <math.h>

/* Logical pixels. */
static const double grip = 9, surface_pixels_per_step = 24, window_pixels = 250;

static ctgl_point world_at(GantrySliceView *self, double x, double y) {
  return gantry_slice_view_to_world(self, x, y);
}

static gboolean has_picture(GantrySliceView *self) {
  ctgl_image_frame frame;
  return self->camera.width > 0 && gantry_slice_view_frame(self, &frame);
}

/* What a press at (x, y) would take hold of. */

static double distance_to_line(double x, double y, ctgl_point a, ctgl_point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t = square > 0 ? CLAMP(((x - a.x) * dx + (y - a.y) * dy) / square, 0, 1) : 0;
  return hypot(x - a.x - t * dx, y - a.y - t * dy);
}

static GantryDrag handle_at(GantrySliceView *self, double x, double y) {
  ctgl_point from, to;
  guint mark, handle;
  if (gantry_slice_view_mark_at(self, x, y, &mark, &handle)) return GANTRY_DRAG_MARK;
  if (gantry_display_get_profile(self->display, &from, &to) == self->kind) {
    const ctgl_point a = gantry_slice_view_to_widget(self, from), b = gantry_slice_view_to_widget(self, to);
    /* The last end first, so that a line of no length can be opened. */
    if (hypot(x - b.x, y - b.y) <= grip) return GANTRY_DRAG_PROFILE_TO;
    if (hypot(x - a.x, y - a.y) <= grip) return GANTRY_DRAG_PROFILE_FROM;
    if (distance_to_line(x, y, a, b) <= grip / 2) return GANTRY_DRAG_PROFILE_LINE;
  }
  if (gantry_slice_view_mode(self) == CTGL_SHOW_SWIPE) {
    const double edge = gantry_display_get_swipe(self->display) * self->camera.width / self->ratio;
    if (fabs(x - edge) <= grip) return GANTRY_DRAG_SWIPE;
  }
  if (gantry_slice_view_rectangle_edges(self, x, y)) return GANTRY_DRAG_RECTANGLE;
  return gantry_slice_view_trace_at(self, x, y);
}

static void update_cursor(GantrySliceView *self, double x, double y) {
  const char *name = NULL;
  if (self->tool != GANTRY_TOOL_NONE)
    name = "crosshair";
  else
    switch (handle_at(self, x, y)) {
    case GANTRY_DRAG_PROFILE_FROM:
    case GANTRY_DRAG_PROFILE_TO:
      name = "crosshair";
      break;
    case GANTRY_DRAG_PROFILE_LINE:
    case GANTRY_DRAG_TRACE:
    case GANTRY_DRAG_MARK:
      name = "move";
      break;
    case GANTRY_DRAG_TRACE_TURN:
      name = "grab";
      break;
    case GANTRY_DRAG_SWIPE:
      name = "col-resize";
      break;
    case GANTRY_DRAG_RECTANGLE:
      name = gantry_slice_view_rectangle_cursor(gantry_slice_view_rectangle_edges(self, x, y));
      break;
    default:
      break;
    }
  gtk_widget_set_cursor_from_name(self->area, name);
}

/* Primary button: clicks. */

static void click_pressed(GtkGestureClick *click, int presses, double x, double y, GantrySliceView *self) {
  gtk_widget_grab_focus(self->area);
  if (presses == 1) gantry_display_get_cross(self->display, self->cross_before_click);
  /* The second click of two ends a free region. */
  if (presses == 2 && self->tool == GANTRY_TOOL_MARK) gantry_slice_view_place_mark(self, world_at(self, x, y));
  if (presses != 2 || self->tool != GANTRY_TOOL_NONE) return;
  const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(click));
  gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
  if (state & GDK_CONTROL_MASK) {
    gantry_slice_view_fit(self);
    gantry_slice_view_emit_auto_window(self);
    return;
  }
  /* The first click of the two was not meant for the crosshair. */
  gantry_display_set_cross(self->display, self->cross_before_click);
  gantry_slice_view_emit_maximise(self);
}

static void click_released(GtkGestureClick *click, int presses, double x, double y, GantrySliceView *self) {
  const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(click));
  if (presses != 1 || !has_picture(self)) return;
  if (self->tool != GANTRY_TOOL_NONE) {
    gantry_slice_view_place_tool(self, world_at(self, x, y));
    return;
  }
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) return;
  guint mark = 0, handle;
  const gboolean on_mark = gantry_slice_view_mark_at(self, x, y, &mark, &handle);
  gantry_marks_choose(gantry_display_get_marks(self->display), mark);
  if (on_mark) return;
  gantry_slice_view_set_cross(self, world_at(self, x, y));
  gantry_slice_view_emit_chosen(self, world_at(self, x, y));
}

static void menu_pressed(GtkGestureClick *click, int presses, double x, double y, GantrySliceView *self) {
  gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus(self->area);
  gantry_slice_view_popup(self, x, y);
}

static void long_pressed(GtkGestureLongPress *press, double x, double y, GantrySliceView *self) {
  gantry_slice_view_popup(self, x, y);
}

/* Primary button: drags. */

static void drag_begin(GtkGestureDrag *gesture, double x, double y, GantrySliceView *self) {
  self->drag = GANTRY_DRAG_NONE;
  self->dragging = FALSE;
  if (!has_picture(self)) return;
  const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));
  if (self->tool == GANTRY_TOOL_PROFILE)
    self->drag = GANTRY_DRAG_PROFILE_NEW;
  else if (self->tool == GANTRY_TOOL_RECTANGLE)
    self->drag = GANTRY_DRAG_RECTANGLE_NEW;
  else if (self->tool == GANTRY_TOOL_MARK)
    self->drag = GANTRY_DRAG_MARK_NEW;
  else if (self->tool == GANTRY_TOOL_REGION || (state & GDK_CONTROL_MASK))
    self->drag = GANTRY_DRAG_REGION;
  else if (!(state & GDK_SHIFT_MASK))
    self->drag = handle_at(self, x, y);
  else
    return;
  if (self->drag == GANTRY_DRAG_NONE) self->drag = GANTRY_DRAG_WINDOW;
  self->drag_world = world_at(self, x, y);
  gantry_slice_view_get_window(self, &self->drag_low, &self->drag_high);
  self->drag_range = gantry_slice_view_range(self);
  gantry_display_get_profile(self->display, &self->drag_from, &self->drag_to);
  gantry_slice_view_begin_trace(self);
  self->drag_edges = gantry_slice_view_rectangle_edges(self, x, y);
  guint mark, handle;
  if (self->drag == GANTRY_DRAG_MARK && gantry_slice_view_mark_at(self, x, y, &mark, &handle))
    gantry_slice_view_hold_mark(self, mark, handle);
  if (self->drag == GANTRY_DRAG_MARK_NEW) self->mark_before = self->mark_points->len;
}

static void drag_to(GantrySliceView *self, double x, double y, double dx, double dy) {
  const ctgl_point here = world_at(self, x + dx, y + dy), start = self->drag_world;
  const ctgl_point from = self->drag_from, to = self->drag_to;
  const ctgl_point moved_from = {from.x + here.x - start.x, from.y + here.y - start.y};
  const ctgl_point moved_to = {to.x + here.x - start.x, to.y + here.y - start.y};
  switch (self->drag) {
  case GANTRY_DRAG_WINDOW:
    gantry_slice_view_adjust_window(self, self->drag_low, self->drag_high, self->drag_range, dx / window_pixels,
                                    -dy / window_pixels);
    break;
  case GANTRY_DRAG_REGION:
    self->region = TRUE;
    self->region_from = start;
    self->region_to = here;
    gantry_slice_view_redraw(self);
    break;
  case GANTRY_DRAG_PROFILE_NEW:
    gantry_display_set_profile(self->display, self->kind, start, here);
    break;
  case GANTRY_DRAG_PROFILE_FROM:
    gantry_display_set_profile(self->display, self->kind, moved_from, to);
    break;
  case GANTRY_DRAG_PROFILE_TO:
    gantry_display_set_profile(self->display, self->kind, from, moved_to);
    break;
  case GANTRY_DRAG_PROFILE_LINE:
    gantry_display_set_profile(self->display, self->kind, moved_from, moved_to);
    break;
  case GANTRY_DRAG_SWIPE:
    gantry_display_set_swipe(self->display, (x + dx) * self->ratio / MAX(self->camera.width, 1));
    break;
  case GANTRY_DRAG_TRACE:
  case GANTRY_DRAG_TRACE_TURN:
    gantry_slice_view_drag_trace(self, here);
    break;
  case GANTRY_DRAG_RECTANGLE_NEW:
  case GANTRY_DRAG_RECTANGLE:
    gantry_slice_view_drag_rectangle(self, here);
    break;
  case GANTRY_DRAG_MARK_NEW:
    gantry_slice_view_draw_mark(self, start, here);
    break;
  case GANTRY_DRAG_MARK:
    gantry_slice_view_drag_mark(self, here);
    break;
  case GANTRY_DRAG_NONE:
  default:
    break;
  }
}

static void drag_update(GtkGestureDrag *gesture, double dx, double dy, GantrySliceView *self) {
  double x = 0, y = 0;
  if (self->drag == GANTRY_DRAG_NONE || !gtk_gesture_drag_get_start_point(gesture, &x, &y)) return;
  if (!self->dragging) {
    if (!gtk_drag_check_threshold(self->area, (int)x, (int)y, (int)(x + dx), (int)(y + dy))) return;
    self->dragging = TRUE;
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  }
  drag_to(self, x, y, dx, dy);
}

static void drag_end(GtkGestureDrag *gesture, double dx, double dy, GantrySliceView *self) {
  const gboolean done = self->dragging;
  const GantryDrag drag = self->drag;
  self->dragging = FALSE;
  self->drag = GANTRY_DRAG_NONE;
  self->region = FALSE;
  gantry_slice_view_let_mark_go(self, done);
  if (!done) return;
  if (drag == GANTRY_DRAG_REGION) gantry_slice_view_window_from_region(self, self->region_from, self->region_to);
  if (drag == GANTRY_DRAG_MARK_NEW)
    gantry_slice_view_end_mark(self);
  else if (self->tool != GANTRY_TOOL_NONE)
    gantry_display_drop_tools(self->display);
  if (drag == GANTRY_DRAG_RECTANGLE || drag == GANTRY_DRAG_RECTANGLE_NEW)
    gantry_slice_view_emit_rectangle(self, self->drag_rectangle);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

/* Another gesture, or the window manager, took the events: what the drag changed is put back. */
static void drag_cancel(GtkGesture *gesture, GdkEventSequence *sequence, GantrySliceView *self) {
  if (self->dragging && self->drag == GANTRY_DRAG_WINDOW)
    gantry_slice_view_adjust_window(self, self->drag_low, self->drag_high, self->drag_range, 0, 0);
  if (self->drag == GANTRY_DRAG_MARK_NEW) gantry_slice_view_drop_mark(self);
  gantry_slice_view_let_mark_go(self, FALSE);
  self->dragging = FALSE;
  self->drag = GANTRY_DRAG_NONE;
  self->region = FALSE;
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

/* Middle button: pan. */

static void pan_begin(GtkGestureDrag *gesture, double x, double y, GantrySliceView *self) {
  gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->pan_centre = (ctgl_point){0, 0};
  gtk_widget_grab_focus(self->area);
  gtk_widget_set_cursor_from_name(self->area, "grabbing");
}

static void pan_update(GtkGestureDrag *gesture, double dx, double dy, GantrySliceView *self) {
  gantry_slice_view_pan(self, dx - self->pan_centre.x, dy - self->pan_centre.y);
  self->pan_centre = (ctgl_point){dx, dy};
}

static void pan_end(GtkGestureDrag *gesture, double dx, double dy, GantrySliceView *self) {
  gtk_widget_set_cursor_from_name(self->area, NULL);
}

/* Wheel and pinch. */

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, GantrySliceView *self) {
  const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(scroll));
  const gboolean fine = gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_SURFACE;
  /* GTK turns a wheel sideways while Shift is held. */
  const double along = (state & GDK_SHIFT_MASK) && dy == 0 ? dx : dy;
  const double steps = fine ? along / surface_pixels_per_step : along;
  if (state & GDK_CONTROL_MASK) {
    self->scrolled = 0;
    const double x = self->pointer_inside ? self->pointer_x : gtk_widget_get_width(self->area) / 2.0;
    const double y = self->pointer_inside ? self->pointer_y : gtk_widget_get_height(self->area) / 2.0;
    gantry_slice_view_zoom(self, x, y, exp(-0.18 * steps));
    return GDK_EVENT_STOP;
  }
  if (self->count < 2) return GDK_EVENT_PROPAGATE;
  /* Parts of a step add up; a turn back begins anew. */
  if (self->scrolled * steps < 0) self->scrolled = 0;
  self->scrolled += steps;
  const double whole = trunc(self->scrolled);
  self->scrolled -= whole;
  if (whole != 0) gantry_slice_view_step_slice(self, -whole * (state & GDK_SHIFT_MASK ? 10 : 1));
  return GDK_EVENT_STOP;
}

static void pinch_begin(GtkGesture *gesture, GdkEventSequence *sequence, GantrySliceView *self) {
  self->pinch_zoom = 1;
}

static void pinched(GtkGestureZoom *gesture, double scale, GantrySliceView *self) {
  double x = 0, y = 0;
  if (!(scale > 0) || !gtk_gesture_get_bounding_box_center(GTK_GESTURE(gesture), &x, &y)) return;
  gantry_slice_view_zoom(self, x, y, scale / self->pinch_zoom);
  self->pinch_zoom = scale;
}

/* Motion. */

static void moved(GtkEventControllerMotion *motion, double x, double y, GantrySliceView *self) {
  const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(motion));
  const GdkModifierType buttons = GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK;
  /* Pictures that change under a pointer at rest move nothing. */
  const gboolean at_rest = self->pointer_inside && x == self->pointer_x && y == self->pointer_y;
  if (x != self->pointer_x || y != self->pointer_y) gantry_slice_view_set_steered(self, FALSE);
  self->pointer_inside = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  self->tool_points = TRUE;
  if (self->tool_started) gantry_slice_view_show_rectangle(self);
  if (self->tool == GANTRY_TOOL_MARK) gantry_slice_view_update_marks(self);
  if (has_picture(self) && !(state & buttons)) {
    if ((state & GDK_SHIFT_MASK) && !at_rest) gantry_slice_view_set_cross(self, world_at(self, x, y));
    update_cursor(self, x, y);
  }
  gantry_slice_view_emit_pointed(self);
  gantry_slice_view_update_readout(self);
}

static void left(GtkEventControllerMotion *motion, GantrySliceView *self) {
  self->pointer_inside = FALSE;
  self->scrolled = 0;
  gantry_slice_view_emit_pointed(self);
  gantry_slice_view_update_readout(self);
}

static gpointer add_gesture(GantrySliceView *self, GtkGesture *gesture, guint button) {
  if (button) gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(gesture), button);
  gtk_widget_add_controller(self->area, GTK_EVENT_CONTROLLER(gesture));
  return gesture;
}

void gantry_slice_view_connect_pointer(GantrySliceView *self) {
  gpointer click = add_gesture(self, gtk_gesture_click_new(), GDK_BUTTON_PRIMARY);
  g_signal_connect(click, "pressed", G_CALLBACK(click_pressed), self);
  g_signal_connect(click, "released", G_CALLBACK(click_released), self);
  gpointer drag = add_gesture(self, gtk_gesture_drag_new(), GDK_BUTTON_PRIMARY);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(drag_end), self);
  g_signal_connect(drag, "cancel", G_CALLBACK(drag_cancel), self);
  gpointer pan = add_gesture(self, gtk_gesture_drag_new(), GDK_BUTTON_MIDDLE);
  g_signal_connect(pan, "drag-begin", G_CALLBACK(pan_begin), self);
  g_signal_connect(pan, "drag-update", G_CALLBACK(pan_update), self);
  g_signal_connect(pan, "drag-end", G_CALLBACK(pan_end), self);
  gpointer menu = add_gesture(self, gtk_gesture_click_new(), GDK_BUTTON_SECONDARY);
  g_signal_connect(menu, "pressed", G_CALLBACK(menu_pressed), self);
  gpointer press = add_gesture(self, gtk_gesture_long_press_new(), 0);
  gtk_gesture_single_set_touch_only(press, TRUE);
  g_signal_connect(press, "pressed", G_CALLBACK(long_pressed), self);
  gpointer pinch = add_gesture(self, gtk_gesture_zoom_new(), 0);
  g_signal_connect(pinch, "begin", G_CALLBACK(pinch_begin), self);
  g_signal_connect(pinch, "scale-changed", G_CALLBACK(pinched), self);

  GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), self);
  gtk_widget_add_controller(self->area, scroll);
  GtkEventController *motion = gtk_event_controller_motion_new();
  g_signal_connect(motion, "enter", G_CALLBACK(moved), self);
  g_signal_connect(motion, "motion", G_CALLBACK(moved), self);
  g_signal_connect(motion, "leave", G_CALLBACK(left), self);
  gtk_widget_add_controller(self->area, motion);
}
