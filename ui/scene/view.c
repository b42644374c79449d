/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene's widget: its parts, what it is told, and its signals. */
#include "ui/scene/view-private.h"

#include "ui/tips.h"

#include <math.h>

G_DEFINE_FINAL_TYPE(GantrySceneView, gantry_scene_view, GTK_TYPE_WIDGET)

enum { VIEW_WANTED, MAXIMISE_TOGGLED, POINTED, SOLID_CHANGED, SIGNALS };
static guint signals[SIGNALS];

void gantry_scene_view_emit_maximise(GantrySceneView *self) {
  g_signal_emit(self, signals[MAXIMISE_TOGGLED], 0);
}

void gantry_scene_view_emit_pointed(GantrySceneView *self, gboolean inside, const double uv[2]) {
  g_signal_emit(self, signals[POINTED], 0, inside, uv[0], uv[1]);
}

void gantry_scene_view_emit_solid(GantrySceneView *self) {
  g_signal_emit(self, signals[SOLID_CHANGED], 0);
}

static void view_changed(GantrySceneView *self) {
  if (!self->telling) g_signal_emit(self, signals[VIEW_WANTED], 0, (int)round(gtk_adjustment_get_value(self->view)));
  gantry_scene_view_change(self);
}

void gantry_scene_view_step(GantrySceneView *self, int steps) {
  if (self->count > 0) gtk_adjustment_set_value(self->view, round(gtk_adjustment_get_value(self->view)) + steps);
}

/* What it is told */

void gantry_scene_view_set_geometry(GantrySceneView *self, const ct_geometry *geometry, GantryBins bins) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  ct_geometry_clear(&self->geometry);
  self->has_geometry = geometry && ct_geometry_copy(&self->geometry, geometry, NULL);
  self->bins = bins;
  gantry_scene_view_change(self);
}

void gantry_scene_view_set_grid(GantrySceneView *self, const ct_grid *grid) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  self->has_grid = grid != NULL;
  if (grid) self->grid = *grid;
  gantry_scene_view_change(self);
}

void gantry_scene_view_set_image(GantrySceneView *self, GantryViewKind kind, GantryImage *image) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  if (self->images[kind] == image) return;
  g_clear_pointer(&self->images[kind], gantry_image_unref);
  if (image) self->images[kind] = gantry_image_ref(image);
  self->stale[kind] = TRUE;
  if (kind == GANTRY_VIEW_PROJECTION)
    gantry_scene_view_change(self);
  else
    gantry_scene_view_redraw(self);
}

int gantry_scene_view_get_shown(GantrySceneView *self) {
  const GantryImage *image = self->images[GANTRY_VIEW_PROJECTION];
  /* That of a view that the geometry does not have is none of it. */
  return image && self->has_geometry && image->index < self->geometry.views ? image->index : -1;
}

void gantry_scene_view_set_range(GantrySceneView *self, int count, int index) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  self->count = MAX(count, 0);
  self->telling = TRUE;
  gtk_adjustment_configure(self->view, CLAMP(index, 0, MAX(count - 1, 0)), 0, MAX(count - 1, 0), 1, 10, 0);
  self->telling = FALSE;
  gtk_widget_set_sensitive(self->row, count > 1);
  gantry_scene_view_change(self);
}

void gantry_scene_view_put_before(GantrySceneView *self, GtkWidget *widget) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  gtk_widget_set_valign(widget, GTK_ALIGN_CENTER);
  gtk_box_prepend(GTK_BOX(self->bar), widget);
}

void gantry_scene_view_set_empty_text(GantrySceneView *self, const char *text) {
  g_free(self->empty_text);
  self->empty_text = g_strdup(text);
  gantry_scene_view_update_labels(self);
}

/* Making */

static void name(GtkWidget *widget, const char *words, const char *tip) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gantry_tips_set(widget, tip);
}

static GtkWidget *make_look_button(void) {
  static const struct {
    const char *label, *action;
  } items[] = {{"_Front", "win.scene-look::front"},
               {"_Side", "win.scene-look::side"},
               {"_Top", "win.scene-look::top"},
               {"_Corner", "win.scene-look::corner"},
               {"_Volume", "win.scene-fit::volume"},
               {"Whole _Gantry", "win.scene-fit::gantry"},
               {"_Oblique Plane", "win.scene-oblique"},
               {"_None, Slices", "win.scene-volume::none"},
               {"_Maximum Intensity", "win.scene-volume::maximum"},
               {"_Average Intensity", "win.scene-volume::average"},
               {"S_urface", "win.scene-volume::surface"},
               {"_Translucent", "win.scene-volume::translucent"},
               {"Cut a Co_rner off at the Slices", "win.scene-corner"},
               {"Surface and C_lip Box…", "win.show-solid"}};
  static const int sections[] = {4, 2, 1, 5, 2};
  static const char *const titles[] = {"Look from", "Fit", NULL, "Volume", NULL};
  g_autoptr(GMenu) menu = g_menu_new();
  int item = 0;
  for (gsize n = 0; n < G_N_ELEMENTS(sections); n++) {
    g_autoptr(GMenu) section = g_menu_new();
    for (int i = 0; i < sections[n]; i++, item++) g_menu_append(section, items[item].label, items[item].action);
    g_menu_append_section(menu, titles[n], G_MENU_MODEL(section));
  }
  GtkWidget *button = gtk_menu_button_new();
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), "Look");
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  name(button, "Look at the scene",
       "Directions to look from, and what to show (keys 1 to 5 and 0 in the scene; drag: orbit)");
  return button;
}

static GtkWidget *make_row(GantrySceneView *self) {
  self->view = g_object_ref_sink(gtk_adjustment_new(0, 0, 0, 1, 10, 0));
  g_signal_connect_swapped(self->view, "value-changed", G_CALLBACK(view_changed), self);
  self->row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(self->row, "gantry-view-row");
  gtk_widget_add_css_class(self->row, "scene-bar");
  GtkWidget *play = gtk_toggle_button_new();
  gtk_button_set_icon_name(GTK_BUTTON(play), "media-playback-start-symbolic");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(play), "win.play-gantry");
  gtk_widget_add_css_class(play, "flat");
  gtk_widget_set_valign(play, GTK_ALIGN_CENTER);
  name(play, "Play the gantry", "Let the gantry go round through all views (Space in the scene)");
  GtkWidget *slider = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, self->view);
  gtk_scale_set_digits(GTK_SCALE(slider), 0);
  gtk_scale_set_draw_value(GTK_SCALE(slider), FALSE);
  gtk_widget_set_hexpand(slider, TRUE);
  name(slider, "View of the gantry, slider", "View at which the gantry stands (Page Up and Page Down in the scene)");
  GtkWidget *spin = gtk_spin_button_new(self->view, 1, 0);
  gtk_spin_button_set_numeric(GTK_SPIN_BUTTON(spin), TRUE);
  gtk_editable_set_width_chars(GTK_EDITABLE(spin), 4);
  gtk_widget_set_valign(spin, GTK_ALIGN_CENTER);
  name(spin, "View of the gantry", "View at which the gantry stands, counted from 0");
  GtkWidget *parts[] = {play, slider, spin, make_look_button()};
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) gtk_box_append(GTK_BOX(self->row), parts[i]);
  gtk_widget_set_sensitive(self->row, FALSE);
  return self->row;
}

static void build(GantrySceneView *self) {
  gantry_scene_view_make_adjustments(self);
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  self->area = g_object_new(GTK_TYPE_GL_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, "focusable", TRUE, "hexpand",
                            TRUE, "vexpand", TRUE, "width-request", 120, "height-request", 100, NULL);
  gtk_widget_add_css_class(self->area, "gantry-canvas");
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(self->area), GTK_ACCESSIBLE_PROPERTY_LABEL, "Scene", GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      "Source, detector, rays, volume and slices in three dimensions. Arrows orbit, plus and "
      "minus zoom, 1 to 4 look from the front, the side, the top and a corner.",
      -1);
  GtkWidget *overlay = gtk_overlay_new();
  gtk_widget_add_css_class(overlay, "gantry-canvas");
  gtk_overlay_set_child(GTK_OVERLAY(overlay), self->area);
  gtk_box_append(GTK_BOX(self->box), overlay);
  self->bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *row = make_row(self);
  gtk_widget_set_hexpand(row, TRUE);
  gtk_box_append(GTK_BOX(self->bar), row);
  gtk_box_append(GTK_BOX(self->box), self->bar);
  gantry_scene_view_make_labels(self, GTK_OVERLAY(overlay));
  gantry_scene_view_connect_area(self);
  gantry_scene_view_connect_pointer(self);
  gantry_scene_view_connect_keys(self);
}

static void gantry_scene_view_init(GantrySceneView *self) {
  self->ratio = 1;
  self->changed = TRUE;
  self->fitted = TRUE;
  self->camera.zoom = 1;
  self->bins = (GantryBins){1, 1, 0};
  ctgl_orbit_look(&self->camera, CTGL_LOOK_CORNER);
}

static void gantry_scene_view_dispose(GObject *object) {
  GantrySceneView *self = GANTRY_SCENE_VIEW(object);
  if (self->display) g_signal_handlers_disconnect_by_data(self->display, self);
  g_clear_handle_id(&self->settling, g_source_remove);
  if (self->view) g_signal_handlers_disconnect_by_data(self->view, self);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  g_clear_object(&self->view);
  gantry_scene_view_drop_adjustments(self);
  g_clear_pointer(&self->solid, gantry_solid_unref);
  g_clear_object(&self->display);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&self->images[kind], gantry_image_unref);
  G_OBJECT_CLASS(gantry_scene_view_parent_class)->dispose(object);
}

static void gantry_scene_view_finalize(GObject *object) {
  GantrySceneView *self = GANTRY_SCENE_VIEW(object);
  ctgl_scene_clear(&self->scene);
  ct_geometry_clear(&self->geometry);
  g_free(self->empty_text);
  g_free(self->fault);
  G_OBJECT_CLASS(gantry_scene_view_parent_class)->finalize(object);
}

static gboolean gantry_scene_view_grab_focus(GtkWidget *widget) {
  return gtk_widget_grab_focus(GANTRY_SCENE_VIEW(widget)->area);
}

static void gantry_scene_view_class_init(GantrySceneViewClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = gantry_scene_view_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_scene_view_finalize;
  widget_class->grab_focus = gantry_scene_view_grab_focus;
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(widget_class, "sceneview");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[VIEW_WANTED] = g_signal_new("view-wanted", GANTRY_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_INT);
  signals[POINTED] = g_signal_new("pointed", GANTRY_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 3, G_TYPE_BOOLEAN, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[SOLID_CHANGED] =
      g_signal_new("solid-changed", GANTRY_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MAXIMISE_TOGGLED] =
      g_signal_new("maximise-toggled", GANTRY_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

GtkWidget *gantry_scene_view_new(GantryDisplay *display) {
  g_return_val_if_fail(GANTRY_IS_DISPLAY(display), NULL);
  GantrySceneView *self = g_object_new(GANTRY_TYPE_SCENE_VIEW, NULL);
  self->display = g_object_ref(display);
  build(self);
  g_signal_connect_swapped(display, "cross-moved", G_CALLBACK(gantry_scene_view_change), self);
  g_signal_connect_swapped(display, "ray-changed", G_CALLBACK(gantry_scene_view_change), self);
  g_signal_connect_swapped(display, "changed", G_CALLBACK(gantry_scene_view_redraw), self);
  return GTK_WIDGET(self);
}
