/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pointer and the keyboard do in a plot: reading, clicking, zoom, pan, and the menu. */
#include "ui/plot/plot-private.h"

#include <math.h>

#define CLICK 4.0   /* a drag that went less far was a click, pixels */
#define NARROW 10.0 /* a box less wide or high leaves that axis alone */
#define NEAR 6.0    /* the mark is taken from so far, pixels */
#define NOTCH 1.25  /* of the wheel */
#define STEP 1.5    /* of the keyboard */
#define SHIFT 0.1   /* of the keyboard, a share of the frame */

/* The panel at a height of the widget, the nearest one where it is between them. */
static GantryPanel panel_at(const GantryPlotFrame *frame, double y) {
  return frame->panels > 1 && y > frame->panel[1].top - 8 ? GANTRY_PANEL_LOWER : GANTRY_PANEL_UPPER;
}

static double share_x(const GantryPlotFrame *frame, double x) {
  return CLAMP((x - frame->left) / frame->width, 0, 1);
}

static double share_y(const GantryPlotFrame *frame, GantryPanel panel, double y) {
  return CLAMP(1 - (y - frame->panel[panel].top) / frame->panel[panel].height, 0, 1);
}

/* Whether a press at that abscissa of the widget takes the mark. */
static gboolean takes_mark(GantryPlot *self, const GantryPlotFrame *frame, double x) {
  const double place = gantry_axis_place(&frame->x, self->data.mark);
  return !frame->empty && isfinite(self->data.mark) && place >= 0 && place <= 1 &&
         fabs(frame->left + place * frame->width - x) <= NEAR &&
         g_signal_has_handler_pending(self, g_signal_lookup("mark-dragged", GANTRY_TYPE_PLOT), 0, FALSE);
}

/* Reading */

static void motion(GtkEventControllerMotion *controller, double x, double y, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  self->pointer[0] = x, self->pointer[1] = y;
  gantry_plot_find_frame(self, &frame);
  gtk_widget_set_cursor_from_name(GTK_WIDGET(self),
                                  self->drags_mark || takes_mark(self, &frame, x) ? "ew-resize" : NULL);
  const double place = (x - frame.left) / frame.width;
  gantry_plot_set_cursor(
      self, frame.empty || place < -0.02 || place > 1.02 ? NAN : gantry_axis_value(&frame.x, CLAMP(place, 0, 1)));
}

static void leave(GtkEventControllerMotion *controller, gpointer user) {
  gantry_plot_set_cursor(user, NAN);
}

/* The left button: a click, the mark, or a box to zoom to. */

static void drag_begin(GtkGestureDrag *gesture, double x, double y, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  gantry_plot_find_frame(self, &frame);
  self->begin_panel = panel_at(&frame, y);
  self->drags_mark = takes_mark(self, &frame, x);
  gtk_widget_grab_focus(GTK_WIDGET(self));
}

static void find_box(const GantryPlotFrame *frame, GantryPanel panel, const double begin[2], const double end[2],
                     GantryPlotBox *box) {
  *box = (GantryPlotBox){{0, 1}, {0, 1}};
  if (fabs(end[0] - begin[0]) >= NARROW) {
    const double a = share_x(frame, begin[0]), b = share_x(frame, end[0]);
    box->x[0] = fmin(a, b), box->x[1] = fmax(a, b);
  }
  if (fabs(end[1] - begin[1]) >= NARROW) {
    const double a = share_y(frame, panel, begin[1]), b = share_y(frame, panel, end[1]);
    box->y[0] = fmin(a, b), box->y[1] = fmax(a, b);
  }
}

static void drag_update(GtkGestureDrag *gesture, double dx, double dy, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  double x, y;
  gantry_plot_find_frame(self, &frame);
  if (frame.empty || !gtk_gesture_drag_get_start_point(gesture, &x, &y)) return;
  if (self->drags_mark) {
    g_signal_emit_by_name(self, "mark-dragged", gantry_axis_value(&frame.x, share_x(&frame, x + dx)));
    return;
  }
  self->data.has_box = fmax(fabs(dx), fabs(dy)) >= NARROW;
  self->data.box_panel = self->begin_panel;
  find_box(&frame, self->begin_panel, (const double[]){x, y}, (const double[]){x + dx, y + dy}, &self->data.box);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void drag_end(GtkGestureDrag *gesture, double dx, double dy, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  double x, y;
  const gboolean dragged_mark = self->drags_mark;
  gantry_plot_find_frame(self, &frame);
  self->data.has_box = self->drags_mark = FALSE;
  gtk_widget_queue_draw(GTK_WIDGET(self));
  if (dragged_mark && fmax(fabs(dx), fabs(dy)) >= CLICK) return;
  if (frame.empty || !gtk_gesture_drag_get_start_point(gesture, &x, &y)) return;
  const double place = (x - frame.left) / frame.width;
  if (fmax(fabs(dx), fabs(dy)) < CLICK) {
    if (place >= 0 && place <= 1) gantry_plot_emit_clicked(self, gantry_axis_value(&frame.x, place));
  } else if (fmax(fabs(dx), fabs(dy)) >= NARROW) {
    GantryPlotBox box;
    find_box(&frame, self->begin_panel, (const double[]){x, y}, (const double[]){x + dx, y + dy}, &box);
    /* What was dragged over alone: the other axis goes on following the curves. */
    if (fabs(dx) < NARROW) box.x[1] = box.x[0];
    if (fabs(dy) < NARROW) box.y[1] = box.y[0];
    gantry_plot_zoom_to(&self->data, &frame, self->begin_panel, &box);
    gantry_plot_shown_changed(self);
  }
}

static void drag_cancelled(GtkGesture *gesture, GdkEventSequence *sequence, GantryPlot *self) {
  self->data.has_box = self->drags_mark = FALSE;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void pressed(GtkGestureClick *gesture, int presses, double x, double y, gpointer user) {
  if (presses == 2) gtk_widget_activate_action(user, "plot.show-all", NULL);
}

/* The middle button pans. */

static void pan_begin(GtkGestureDrag *gesture, double x, double y, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  gantry_plot_find_frame(self, &frame);
  self->begin_panel = panel_at(&frame, y);
  self->begin[0] = self->begin[1] = 0;
}

static void pan_update(GtkGestureDrag *gesture, double dx, double dy, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  gantry_plot_find_frame(self, &frame);
  if (frame.empty) return;
  gantry_plot_pan(&self->data, &frame, self->begin_panel, (dx - self->begin[0]) / frame.width,
                  -(dy - self->begin[1]) / frame.panel[self->begin_panel].height);
  self->begin[0] = dx, self->begin[1] = dy;
  gantry_plot_shown_changed(self);
}

/* The wheel */

static gboolean scrolled(GtkEventControllerScroll *controller, double dx, double dy, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  const GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(controller));
  const double turned = dy != 0 ? dy : dx; /* with Shift the wheel turns sideways */
  if (gtk_widget_get_ancestor(GTK_WIDGET(self), GTK_TYPE_SCROLLED_WINDOW) && !gtk_widget_has_focus(GTK_WIDGET(self)))
    return FALSE;
  gantry_plot_find_frame(self, &frame);
  if (frame.empty) return FALSE;
  const double factor = pow(NOTCH, -turned);
  const GantryPanel panel = panel_at(&frame, self->pointer[1]);
  if (state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK))
    gantry_plot_zoom_y(&self->data, &frame, panel, share_y(&frame, panel, self->pointer[1]), factor);
  else
    gantry_plot_zoom_x(&self->data, &frame, share_x(&frame, self->pointer[0]), factor);
  gantry_plot_shown_changed(self);
  return TRUE;
}

/* The menu */

static void show_menu(GantryPlot *self, double x, double y) {
  GMenu *menu = g_menu_new(), *zoom = g_menu_new();
  g_menu_append(zoom, "Zoom _In", "plot.zoom-in");
  g_menu_append(zoom, "Zoom _Out", "plot.zoom-out");
  g_menu_append(zoom, "_Show All", "plot.show-all");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(zoom));
  if (self->commands) g_menu_append_section(menu, NULL, self->commands);
  if (!self->menu) {
    self->menu = gtk_popover_menu_new_from_model(G_MENU_MODEL(menu));
    gtk_popover_set_has_arrow(GTK_POPOVER(self->menu), FALSE);
    gtk_widget_set_halign(self->menu, GTK_ALIGN_START);
    gtk_widget_set_parent(self->menu, GTK_WIDGET(self));
  } else {
    gtk_popover_menu_set_menu_model(GTK_POPOVER_MENU(self->menu), G_MENU_MODEL(menu));
  }
  gtk_popover_set_pointing_to(GTK_POPOVER(self->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
  gtk_popover_popup(GTK_POPOVER(self->menu));
  g_object_unref(zoom);
  g_object_unref(menu);
}

static void menu_pressed(GtkGestureClick *gesture, int presses, double x, double y, gpointer user) {
  show_menu(user, x, y);
}

/* Keys */

/* At the place that is read, else in the middle. */
static double cursor_share(const GantryPlot *self, const GantryPlotFrame *frame) {
  const double share = gantry_axis_place(&frame->x, self->data.cursor);
  return share >= 0 && share <= 1 ? share : 0.5;
}

static void zoom_by_action(GtkWidget *widget, const char *name, GVariant *value) {
  GantryPlot *self = GANTRY_PLOT(widget);
  GantryPlotFrame frame;
  gantry_plot_find_frame(self, &frame);
  if (frame.empty) return;
  gantry_plot_zoom_x(&self->data, &frame, cursor_share(self, &frame),
                     g_str_equal(name, "plot.zoom-in") ? STEP : 1 / STEP);
  gantry_plot_shown_changed(self);
}

static void show_all(GtkWidget *widget, const char *name, GVariant *value) {
  gantry_plot_show_all(&GANTRY_PLOT(widget)->data);
  gantry_plot_shown_changed(GANTRY_PLOT(widget));
}

void gantry_plot_install_actions(GtkWidgetClass *class) {
  gtk_widget_class_install_action(class, "plot.zoom-in", NULL, zoom_by_action);
  gtk_widget_class_install_action(class, "plot.zoom-out", NULL, zoom_by_action);
  gtk_widget_class_install_action(class, "plot.show-all", NULL, show_all);
}

/* A step of the place that is read; what is zoomed to follows it. */
static void step_cursor(GantryPlot *self, GantryPlotFrame *frame, double direction, gboolean fast) {
  const double begin =
      isfinite(self->data.cursor) ? self->data.cursor : gantry_axis_value(&frame->x, 0.5 - direction / 200);
  double share = gantry_axis_place(&frame->x, begin) + direction / (fast ? 20 : 200);
  double value = gantry_axis_value(&frame->x, share);
  if (self->data.x_scale == GANTRY_SCALE_WHOLE)
    value = direction > 0 ? fmax(round(value), floor(begin) + 1) : fmin(round(value), ceil(begin) - 1);
  value = CLAMP(value, frame->whole[0], frame->whole[1]);
  share = gantry_axis_place(&frame->x, value);
  if (share < 0 || share > 1) {
    gantry_plot_pan(&self->data, frame, GANTRY_PANEL_UPPER, share < 0 ? -share : 1 - share, 0);
    gantry_plot_shown_changed(self);
  }
  gantry_plot_set_cursor(self, value);
}

/* With Ctrl: pans, and zooms y. */
static gboolean control_key(GantryPlot *self, const GantryPlotFrame *frame, guint key) {
  const GantryPanel panel = panel_at(frame, self->pointer[1]);
  switch (key) {
  case GDK_KEY_Left:
    gantry_plot_pan(&self->data, frame, panel, SHIFT, 0);
    break;
  case GDK_KEY_Right:
    gantry_plot_pan(&self->data, frame, panel, -SHIFT, 0);
    break;
  case GDK_KEY_Up:
    gantry_plot_pan(&self->data, frame, panel, 0, -SHIFT);
    break;
  case GDK_KEY_Down:
    gantry_plot_pan(&self->data, frame, panel, 0, SHIFT);
    break;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add:
    gantry_plot_zoom_y(&self->data, frame, panel, 0.5, STEP);
    break;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    gantry_plot_zoom_y(&self->data, frame, panel, 0.5, 1 / STEP);
    break;
  default:
    return FALSE;
  }
  gantry_plot_shown_changed(self);
  return TRUE;
}

static gboolean plain_key(GantryPlot *self, GantryPlotFrame *frame, guint key, gboolean shift) {
  switch (key) {
  case GDK_KEY_Left:
    step_cursor(self, frame, -1, shift);
    return TRUE;
  case GDK_KEY_Right:
    step_cursor(self, frame, 1, shift);
    return TRUE;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add:
    return gtk_widget_activate_action(GTK_WIDGET(self), "plot.zoom-in", NULL);
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    return gtk_widget_activate_action(GTK_WIDGET(self), "plot.zoom-out", NULL);
  case GDK_KEY_Home:
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
    return gtk_widget_activate_action(GTK_WIDGET(self), "plot.show-all", NULL);
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_space:
    gantry_plot_emit_clicked(self, gantry_axis_value(&frame->x, cursor_share(self, frame)));
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  gantry_plot_find_frame(self, &frame);
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && state & GDK_SHIFT_MASK)) {
    show_menu(self, frame.left + frame.width / 2, frame.panel[0].top);
    return TRUE;
  }
  if (frame.empty || state & GDK_ALT_MASK) return FALSE;
  return state & GDK_CONTROL_MASK ? control_key(self, &frame, key)
                                  : plain_key(self, &frame, key, (state & GDK_SHIFT_MASK) != 0);
}

/* Controllers */

static GtkGesture *add_drag(GantryPlot *self, guint button, GCallback begin, GCallback update) {
  GtkGesture *drag = gtk_gesture_drag_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(drag), button);
  g_signal_connect(drag, "drag-begin", begin, self);
  g_signal_connect(drag, "drag-update", update, self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(drag));
  return drag;
}

static void add_click(GantryPlot *self, guint button, GCallback handler) {
  GtkGesture *click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), button);
  g_signal_connect(click, "pressed", handler, self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
}

void gantry_plot_add_controllers(GantryPlot *self) {
  GtkWidget *widget = GTK_WIDGET(self);
  GtkEventController *pointer = gtk_event_controller_motion_new();
  g_signal_connect(pointer, "motion", G_CALLBACK(motion), self);
  g_signal_connect(pointer, "leave", G_CALLBACK(leave), self);
  gtk_widget_add_controller(widget, pointer);
  GtkGesture *box = add_drag(self, GDK_BUTTON_PRIMARY, G_CALLBACK(drag_begin), G_CALLBACK(drag_update));
  g_signal_connect(box, "drag-end", G_CALLBACK(drag_end), self);
  g_signal_connect(box, "cancel", G_CALLBACK(drag_cancelled), self);
  add_drag(self, GDK_BUTTON_MIDDLE, G_CALLBACK(pan_begin), G_CALLBACK(pan_update));
  add_click(self, GDK_BUTTON_PRIMARY, G_CALLBACK(pressed));
  add_click(self, GDK_BUTTON_SECONDARY, G_CALLBACK(menu_pressed));
  GtkEventController *wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect(wheel, "scroll", G_CALLBACK(scrolled), self);
  gtk_widget_add_controller(widget, wheel);
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  gtk_widget_add_controller(widget, keys);
}
