/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice view: its widgets, properties and signals. */
#include "ui/slice-view/view-private.h"

#include <math.h>
#include <stdlib.h>

G_DEFINE_FINAL_TYPE(GantrySliceView, gantry_slice_view, GTK_TYPE_WIDGET)

enum { SLICE_WANTED, MAXIMISE_TOGGLED, AUTO_WINDOW_WANTED, RECTANGLE_DRAWN, SIGNALS };
static guint signals[SIGNALS];

static const char style[] =
    ".gantry-canvas { background: #000; }"
    ".gantry-canvas:focus-visible { outline: 2px solid @accent_color; outline-offset: -4px; }"
    ".gantry-view-label { color: #fff; background: rgba(0, 0, 0, 0.7); border-radius: 4px; padding: 1px 6px;"
    "  font-size: 0.85em; font-feature-settings: 'tnum'; }"
    ".gantry-view-label.side { font-weight: bold; }"
    ".gantry-view-label label.plane { font-weight: bold; }"
    ".gantry-view-label label.axial { color: #ff8577; }"
    ".gantry-view-label label.coronal { color: #74db83; }"
    ".gantry-view-label label.sagittal { color: #82b8ff; }"
    ".gantry-view-label label.oblique { color: #ffc95c; }"
    ".gantry-view-empty { color: rgba(255, 255, 255, 0.75); padding: 12px; }"
    ".gantry-view-row { padding: 0 2px 0 0; }"
    ".gantry-view-row scale { padding-top: 4px; padding-bottom: 4px; }"
    ".gantry-view-row spinbutton { min-height: 0; font-size: 0.85em; font-feature-settings: 'tnum'; }"
    ".gantry-view-row spinbutton > text { min-height: 24px; padding: 0 0 0 8px; }"
    ".gantry-view-row spinbutton > button { min-height: 24px; min-width: 22px; padding: 0; }"
    /* Two numbers with their names in half of the views. */
    ".gantry-view-row.oblique-bar spinbutton > text { padding: 0 0 0 5px; }"
    ".gantry-view-row.oblique-bar spinbutton > button { min-width: 17px; }";

gboolean gantry_slice_view_is_plane(GantrySliceView *self) {
  return self->kind != GANTRY_VIEW_PROJECTION;
}

void gantry_slice_view_axes(GantryViewKind kind, int axes[3]) {
  static const int table[GANTRY_VIEWS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {0, 1, 2}, {0, 1, 2}};
  for (int i = 0; i < 3; i++) axes[i] = table[kind][i];
}

ctgl_mode gantry_slice_view_mode(GantrySliceView *self) {
  if (!gantry_slice_view_is_plane(self)) return CTGL_SHOW_A;
  const ctgl_mode chosen = gantry_display_get_mode(self->display);
  if (self->fixed == CTGL_MODES) return chosen;
  return self->fixed == CTGL_SHOW_DIFFERENCE && ctgl_mode_tells_difference(chosen) ? chosen : self->fixed;
}

ctgl_mode gantry_slice_view_get_mode(GantrySliceView *self) {
  return gantry_slice_view_mode(self);
}

gboolean gantry_slice_view_get_cross_place(GantrySliceView *self, ctgl_point *place) {
  if (!gantry_slice_view_is_plane(self)) return FALSE;
  *place = gantry_slice_view_get_cross(self);
  return TRUE;
}

double gantry_slice_view_range(GantrySliceView *self) {
  const ctgl_scale scale = ctgl_mode_get(gantry_slice_view_mode(self))->scale;
  return scale == CTGL_SCALE_GREY ? 1 : gantry_display_get_range(self->display, scale);
}

GantryImage *gantry_slice_view_shown(GantrySliceView *self, ctgl_point world) {
  const ctgl_mode mode = gantry_slice_view_mode(self);
  const ctgl_point screen = ctgl_world_to_screen(&self->camera, world);
  gboolean b = mode == CTGL_SHOW_B;
  if (mode == CTGL_SHOW_SWIPE) b = screen.x >= gantry_display_get_swipe(self->display) * self->camera.width;
  if (mode == CTGL_SHOW_CHECKERBOARD) {
    const double tile = round(gantry_display_get_tile(self->display) * self->ratio);
    b = fmod(fabs(floor(screen.x / tile) + floor(screen.y / tile)), 2) > 0.5;
  }
  return self->images[b ? CTGL_SLOT_B : CTGL_SLOT_A];
}

/* Tools. */

void gantry_slice_view_set_tool(GantrySliceView *self, GantryTool tool) {
  self->tool = tool;
  self->tool_started = FALSE;
  if (tool != GANTRY_TOOL_MARK) gantry_slice_view_drop_mark(self);
  gtk_widget_set_cursor_from_name(self->area, tool == GANTRY_TOOL_NONE ? NULL : "crosshair");
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_place_tool(GantrySliceView *self, ctgl_point world) {
  if (self->tool == GANTRY_TOOL_MARK) {
    gantry_slice_view_place_mark(self, world);
    return;
  }
  if (!self->tool_started) {
    self->tool_started = TRUE;
    self->tool_from = world;
    gantry_slice_view_update_labels(self);
    gantry_slice_view_redraw(self);
    return;
  }
  const GantryTool tool = self->tool;
  int rectangle[4];
  if (tool == GANTRY_TOOL_RECTANGLE) gantry_slice_view_rectangle_between(self, self->tool_from, world, rectangle);
  gantry_display_drop_tools(self->display);
  if (tool == GANTRY_TOOL_RECTANGLE)
    gantry_slice_view_emit_rectangle(self, rectangle);
  else if (tool == GANTRY_TOOL_PROFILE)
    gantry_display_set_profile(self->display, self->kind, self->tool_from, world);
  else
    gantry_slice_view_window_from_region(self, self->tool_from, world);
}

/* Crosshair and slice. */

ctgl_point gantry_slice_view_get_cross(GantrySliceView *self) {
  if (self->kind == GANTRY_VIEW_OBLIQUE) return gantry_slice_view_oblique_cross(self);
  double cross[3];
  int axes[3];
  gantry_display_get_cross(self->display, cross);
  gantry_slice_view_axes(self->kind, axes);
  return (ctgl_point){cross[axes[0]], cross[axes[1]]};
}

void gantry_slice_view_set_cross(GantrySliceView *self, ctgl_point world) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_is_plane(self) || !gantry_slice_view_frame(self, &frame)) return;
  world.x = CLAMP(world.x, frame.origin_x, frame.origin_x + (frame.width - 1) * frame.spacing_x);
  world.y = CLAMP(world.y, frame.origin_y, frame.origin_y + (frame.height - 1) * frame.spacing_y);
  if (self->kind == GANTRY_VIEW_OBLIQUE) {
    gantry_slice_view_set_oblique_cross(self, world);
    return;
  }
  double cross[3];
  int axes[3];
  gantry_display_get_cross(self->display, cross);
  gantry_slice_view_axes(self->kind, axes);
  cross[axes[0]] = world.x;
  cross[axes[1]] = world.y;
  gantry_display_set_cross(self->display, cross);
}

void gantry_slice_view_step_slice(GantrySliceView *self, double steps) {
  if (self->count > 0) gtk_adjustment_set_value(self->slice, round(gtk_adjustment_get_value(self->slice)) + steps);
}

static void slice_changed(GantrySliceView *self) {
  if (!self->telling)
    g_signal_emit(gantry_slice_view_speaker(self), signals[SLICE_WANTED], 0,
                  (int)round(gtk_adjustment_get_value(self->slice)));
}

void gantry_slice_view_emit_maximise(GantrySliceView *self) {
  g_signal_emit(gantry_slice_view_speaker(self), signals[MAXIMISE_TOGGLED], 0);
}

void gantry_slice_view_emit_auto_window(GantrySliceView *self) {
  g_signal_emit(gantry_slice_view_speaker(self), signals[AUTO_WINDOW_WANTED], 0);
}

void gantry_slice_view_emit_rectangle(GantrySliceView *self, const int rectangle[4]) {
  g_signal_emit(self, signals[RECTANGLE_DRAWN], 0, rectangle[0], rectangle[1], rectangle[2], rectangle[3]);
}

/* Public. */

/* What a leader is told its companions are told as well. */
#define TELL(call)                                                                                                     \
  for (int i = 0; i < GANTRY_COMPANIONS; i++)                                                                          \
    if (self->companions[i]) {                                                                                         \
      GantrySliceView *companion = self->companions[i];                                                                \
      call;                                                                                                            \
    }

GantryViewKind gantry_slice_view_get_kind(GantrySliceView *self) {
  return self->kind;
}

void gantry_slice_view_set_image(GantrySliceView *self, ctgl_slot slot, GantryImage *image) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (self->images[slot] == image) return;
  g_clear_pointer(&self->images[slot], gantry_image_unref);
  if (image)
    self->images[slot] = gantry_image_ref(image);
  else if (self->kind == GANTRY_VIEW_OBLIQUE)
    self->fitted = TRUE;
  self->stale[slot] = TRUE;
  TELL(gantry_slice_view_set_image(companion, slot, image))
  /* It was made of pictures that are no longer shown. */
  if (slot != CTGL_SLOT_MAP) gantry_slice_view_set_image(self, CTGL_SLOT_MAP, NULL);
  gantry_slice_view_update_camera(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

GantryImage *gantry_slice_view_get_image(GantrySliceView *self, ctgl_slot slot) {
  return self->images[slot];
}

void gantry_slice_view_set_range(GantrySliceView *self, int count, int index, double first, double last,
                                 const char *unit) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  self->count = MAX(count, 0);
  self->first = first;
  self->last = last;
  g_free(self->unit);
  self->unit = g_strdup(unit);
  self->telling = TRUE;
  gtk_adjustment_configure(self->slice, CLAMP(index, 0, MAX(count - 1, 0)), 0, MAX(count - 1, 0), 1, 10, 0);
  self->telling = FALSE;
  gtk_widget_set_sensitive(self->row, count > 1);
  TELL(gantry_slice_view_set_range(companion, count, index, first, last, unit))
  gantry_slice_view_update_range_words(self);
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_set_outdated(GantrySliceView *self, gboolean outdated) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (self->outdated == outdated) return;
  self->outdated = outdated;
  TELL(gantry_slice_view_set_outdated(companion, outdated))
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_set_fixed_mode(GantrySliceView *self, ctgl_mode mode) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  self->fixed = mode;
  gantry_slice_view_update_range_words(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_set_note(GantrySliceView *self, const char *note) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (g_strcmp0(self->note, note) == 0) return;
  g_free(self->note);
  self->note = g_strdup(note);
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_set_title(GantrySliceView *self, const char *title) {
  gtk_label_set_text(GTK_LABEL(self->title), title ? title : "");
  gantry_slice_view_update_range_words(self);
}

void gantry_slice_view_set_axes(GantrySliceView *self, const char *horizontal, const char *vertical) {
  g_autofree char *right = horizontal ? g_strdup_printf("%s →", horizontal) : NULL;
  g_autofree char *up = vertical ? g_strdup_printf("%s ↑", vertical) : NULL;
  gtk_label_set_text(GTK_LABEL(self->across), right ? right : "");
  gtk_label_set_text(GTK_LABEL(self->upward), up ? up : "");
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_set_empty_text(GantrySliceView *self, const char *text) {
  g_free(self->empty_text);
  self->empty_text = g_strdup(text);
  TELL(gantry_slice_view_set_empty_text(companion, text))
  gantry_slice_view_update_labels(self);
}

void gantry_slice_view_set_instead(GantrySliceView *self, const char *text) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  if (g_strcmp0(self->instead, text) == 0) return;
  g_free(self->instead);
  self->instead = g_strdup(text);
  TELL(gantry_slice_view_set_instead(companion, text))
  for (int slot = 0; slot < CTGL_SLOTS; slot++) self->stale[slot] = TRUE;
  gantry_slice_view_update_camera(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

void gantry_slice_view_put_beside(GantrySliceView *self, GtkWidget *widget, GtkPackType where) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  gtk_widget_set_valign(widget, GTK_ALIGN_CENTER);
  if (where == GTK_PACK_START)
    gtk_box_prepend(GTK_BOX(self->bar), widget);
  else
    gtk_box_append(GTK_BOX(self->bar), widget);
}

void gantry_slice_view_start_profile(GantrySliceView *self) {
  gantry_slice_view_set_tool(self, GANTRY_TOOL_PROFILE);
  gtk_widget_grab_focus(self->area);
}

void gantry_slice_view_fit(GantrySliceView *self) {
  self->fitted = TRUE;
  gantry_slice_view_update_camera(self);
  gantry_slice_view_share_camera(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

/* Making and ending. */

static void display_changed(GantrySliceView *self) {
  gantry_slice_view_update_actions(self);
  gantry_slice_view_update_labels(self);
  gantry_slice_view_redraw(self);
}

/* A tool that was armed in several views has been used in one of them, or given up. */
static void tools_dropped(GantrySliceView *self) {
  if (self->tool != GANTRY_TOOL_NONE) gantry_slice_view_set_tool(self, GANTRY_TOOL_NONE);
}

/* Once per display, kept with it. */
static void load_style(GtkWidget *widget) {
  static const char key[] = "gantry-slice-view-style";
  GdkDisplay *display = gtk_widget_get_display(widget);
  if (g_object_get_data(G_OBJECT(display), key)) return;
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, style, -1);
  gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_set_data_full(G_OBJECT(display), key, provider, g_object_unref);
}

static GtkWidget *make_row(GantrySliceView *self) {
  self->slice = g_object_ref_sink(gtk_adjustment_new(0, 0, 0, 1, 10, 0));
  g_signal_connect_swapped(self->slice, "value-changed", G_CALLBACK(slice_changed), self);
  self->row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(self->row, "gantry-view-row");
  self->slider = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, self->slice);
  gtk_scale_set_digits(GTK_SCALE(self->slider), 0);
  gtk_scale_set_draw_value(GTK_SCALE(self->slider), FALSE);
  gtk_widget_set_hexpand(self->slider, TRUE);
  gtk_widget_set_size_request(self->slider, 64, -1);
  self->spin = gtk_spin_button_new(self->slice, 1, 0);
  gtk_spin_button_set_numeric(GTK_SPIN_BUTTON(self->spin), TRUE);
  gtk_editable_set_width_chars(GTK_EDITABLE(self->spin), 4);
  gtk_widget_set_valign(self->spin, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(self->row), self->slider);
  gtk_box_append(GTK_BOX(self->row), self->spin);
  gtk_widget_set_sensitive(self->row, FALSE);
  return self->row;
}

/* The row of the slice, which is there for more than one, and what is put beside it. */
static GtkWidget *make_bar(GantrySliceView *self) {
  self->bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *row = make_row(self);
  gtk_widget_set_hexpand(row, TRUE);
  gtk_box_append(GTK_BOX(self->bar), row);
  return self->bar;
}

static void gantry_slice_view_init(GantrySliceView *self) {
  self->ratio = 1;
  self->fitted = TRUE;
  self->camera.zoom = 1;
  self->fixed = CTGL_MODES;
  load_style(GTK_WIDGET(self));
}

/* The kind is known only after init. */
static void build(GantrySliceView *self) {
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  self->area = g_object_new(GTK_TYPE_GL_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, "focusable", TRUE, "hexpand",
                            TRUE, "vexpand", TRUE, "width-request", 120, "height-request", 100, NULL);
  gtk_widget_add_css_class(self->area, "gantry-canvas");
  GtkWidget *overlay = gtk_overlay_new();
  gtk_widget_add_css_class(overlay, "gantry-canvas"); /* what a dimmed picture is seen against */
  gtk_overlay_set_child(GTK_OVERLAY(overlay), self->area);
  gtk_box_append(GTK_BOX(self->box), overlay);
  gtk_box_append(GTK_BOX(self->box), make_bar(self));
  gantry_slice_view_make_labels(self, GTK_OVERLAY(overlay));
  gantry_slice_view_make_menu(self);
  gantry_slice_view_connect_area(self);
  gantry_slice_view_connect_pointer(self);
  gantry_slice_view_connect_keys(self);
  static const char *const letters[GANTRY_VIEWS][2] = {{"x", "y"}, {"x", "z"}, {"y", "z"}, {"u", "v"}, {"s", "t"}};
  gantry_slice_view_set_axes(self, letters[self->kind][0], letters[self->kind][1]);
  gantry_slice_view_set_title(self, gantry_slice_view_kind_title(self->kind));
  gantry_slice_view_update_actions(self);
}

static void gantry_slice_view_dispose(GObject *object) {
  GantrySliceView *self = GANTRY_SLICE_VIEW(object);
  if (self->display) g_signal_handlers_disconnect_by_data(self->display, self);
  if (self->slice) g_signal_handlers_disconnect_by_data(self->slice, self);
  gantry_slice_view_follow(self, NULL);
  for (int i = 0; i < GANTRY_COMPANIONS; i++)
    if (self->companions[i]) gantry_slice_view_follow(self->companions[i], NULL);
  /* The popover goes first: it hangs on the area. */
  g_clear_pointer(&self->menu, gtk_widget_unparent);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  g_clear_object(&self->slice);
  g_clear_object(&self->actions);
  g_clear_object(&self->display);
  for (int slot = 0; slot < CTGL_SLOTS; slot++) g_clear_pointer(&self->images[slot], gantry_image_unref);
  G_OBJECT_CLASS(gantry_slice_view_parent_class)->dispose(object);
}

static void gantry_slice_view_finalize(GObject *object) {
  GantrySliceView *self = GANTRY_SLICE_VIEW(object);
  g_free(self->unit);
  g_free(self->empty_text);
  g_free(self->fault);
  g_free(self->instead);
  g_free(self->note);
  g_free(self->curve);
  g_free(self->twin_words);
  g_clear_pointer(&self->others, g_array_unref);
  g_clear_pointer(&self->mark_points, g_array_unref);
  g_clear_pointer(&self->held_from, gantry_mark_free);
  G_OBJECT_CLASS(gantry_slice_view_parent_class)->finalize(object);
}

static gboolean gantry_slice_view_grab_focus(GtkWidget *widget) {
  return gtk_widget_grab_focus(GANTRY_SLICE_VIEW(widget)->area);
}

static void gantry_slice_view_class_init(GantrySliceViewClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = gantry_slice_view_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_slice_view_finalize;
  widget_class->grab_focus = gantry_slice_view_grab_focus;
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(widget_class, "sliceview");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SLICE_WANTED] = g_signal_new("slice-wanted", GANTRY_TYPE_SLICE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_INT);
  signals[RECTANGLE_DRAWN] = g_signal_new("rectangle-drawn", GANTRY_TYPE_SLICE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 4, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT, G_TYPE_INT);
  signals[MAXIMISE_TOGGLED] =
      g_signal_new("maximise-toggled", GANTRY_TYPE_SLICE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new("pointed", GANTRY_TYPE_SLICE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
               G_TYPE_BOOLEAN, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  g_signal_new("pixel-chosen", GANTRY_TYPE_SLICE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
               G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[AUTO_WINDOW_WANTED] = g_signal_new("auto-window-wanted", GANTRY_TYPE_SLICE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 0);
}

GtkWidget *gantry_slice_view_new(GantryViewKind kind, GantryDisplay *display) {
  g_return_val_if_fail(kind >= 0 && kind < GANTRY_VIEWS && GANTRY_IS_DISPLAY(display), NULL);
  GantrySliceView *self = g_object_new(GANTRY_TYPE_SLICE_VIEW, NULL);
  self->kind = kind;
  self->display = g_object_ref(display);
  build(self);
  g_signal_connect_swapped(display, "changed", G_CALLBACK(display_changed), self);
  g_signal_connect_swapped(display, "tools-dropped", G_CALLBACK(tools_dropped), self);
  return GTK_WIDGET(self);
}
