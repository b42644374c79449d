/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The volume in the scene: which, how, and where its surface is. */
#include "ui/scene/view-private.h"

#include <math.h>

#include "ui/number-text.h"

/* The threshold that a volume begins with, between its least and its largest value. */
static const double first_share = 0.35;

gboolean gantry_scene_view_shows_solid(GantrySceneView *self) {
  return self->solid && self->how != CTGL_SOLID_NONE;
}

static void update_threshold(GantrySceneView *self) {
  const char *unit = gantry_display_get_units(self->display).value;
  g_autofree char *text = gantry_quantity_text(gtk_adjustment_get_value(self->threshold), 3, unit);
  gtk_label_set_text(GTK_LABEL(self->threshold_value), text);
  gtk_widget_set_visible(self->threshold_row, self->solid && self->how == CTGL_SOLID_SURFACE);
}

static void threshold_changed(GantrySceneView *self) {
  update_threshold(self);
  gantry_scene_view_stir(self);
  gantry_scene_view_redraw(self);
}

static void show(GantrySceneView *self) {
  update_threshold(self);
  gantry_scene_view_update_labels(self);
  gantry_scene_view_redraw(self);
}

/* Another volume of about the same values keeps the threshold. */
void gantry_scene_view_set_solid(GantrySceneView *self, GantrySolid *solid) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  if (self->solid == solid) return;
  g_clear_pointer(&self->solid, gantry_solid_unref);
  self->solid_stale = TRUE;
  if (solid) {
    self->solid = gantry_solid_ref(solid);
    const double least = solid->least, most = solid->most, now = gtk_adjustment_get_value(self->threshold);
    const gboolean kept = gtk_adjustment_get_upper(self->threshold) > gtk_adjustment_get_lower(self->threshold) &&
                          now > least && now < most;
    gtk_adjustment_configure(self->threshold, kept ? now : least + first_share * (most - least), least, most,
                             (most - least) / 100, (most - least) / 10, 0);
  }
  show(self);
}

void gantry_scene_view_show_solid(GantrySceneView *self, ctgl_solid how) {
  g_return_if_fail(GANTRY_IS_SCENE_VIEW(self));
  self->how = how;
  show(self);
}

GtkWidget *gantry_scene_view_make_threshold(GantrySceneView *self) {
  self->threshold = g_object_ref_sink(gtk_adjustment_new(0, 0, 0, 0, 0, 0));
  self->threshold_row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_add_css_class(self->threshold_row, "gantry-view-row");
  gtk_widget_add_css_class(self->threshold_row, "scene-bar");
  GtkWidget *label = gtk_label_new("Surface"), *slider = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, self->threshold);
  gtk_widget_set_margin_start(label, 8);
  gtk_scale_set_draw_value(GTK_SCALE(slider), FALSE);
  gtk_widget_set_hexpand(slider, TRUE);
  gtk_widget_set_tooltip_text(slider, "Value at which the surface of the volume is drawn");
  gtk_accessible_update_property(GTK_ACCESSIBLE(slider), GTK_ACCESSIBLE_PROPERTY_LABEL, "Threshold of the surface", -1);
  self->threshold_value = gtk_label_new(NULL);
  gtk_label_set_width_chars(GTK_LABEL(self->threshold_value), 12);
  gtk_widget_set_margin_end(self->threshold_value, 8);
  GtkWidget *parts[] = {label, slider, self->threshold_value};
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) gtk_box_append(GTK_BOX(self->threshold_row), parts[i]);
  gtk_widget_set_visible(self->threshold_row, FALSE);
  g_signal_connect_swapped(self->threshold, "value-changed", G_CALLBACK(threshold_changed), self);
  return self->threshold_row;
}
