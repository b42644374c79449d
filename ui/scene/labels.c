/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The labels over the scene: title and view, what the colours mean and where the ray meets the detector, length of the
 * scale bar. They lie along the edges; only the text of an empty scene takes the middle. */
#include "ui/scene/view-private.h"

#include <math.h>

#include "ui/number-text.h"

static const char controls[] =
    "Drag: orbit. Middle drag or Shift+drag: pan. Wheel: zoom. Double-click: maximise. Ctrl+double-click: reset. 1 to "
    "4 "
    "look from the front, the side, the top and a corner, 5 shows the volume, 0 the whole gantry, Space plays.";

enum { MARGIN = 8 };
/* Logical pixels: narrower views have no room for the meanings of colours, or for title and switch in one line. */
enum { NARROW_FOR_MEANINGS = 640, NARROW_FOR_SWITCH = 460, BELOW_SWITCH = 40 };

static GtkWidget *add_label(GtkOverlay *overlay, GtkAlign across, GtkAlign along, const char *meaning) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_halign(label, across);
  gtk_widget_set_valign(label, along);
  gtk_widget_set_margin_start(label, MARGIN);
  gtk_widget_set_margin_end(label, MARGIN);
  gtk_widget_set_margin_bottom(label, MARGIN);
  gtk_widget_set_can_target(label, FALSE);
  gtk_widget_add_css_class(label, "gantry-view-label");
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, meaning, -1);
  gtk_overlay_add_overlay(overlay, label);
  return label;
}

void gantry_scene_view_make_labels(GantrySceneView *self, GtkOverlay *overlay) {
  GtkWidget *heading = self->heading = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class(heading, "gantry-view-label");
  gtk_widget_set_halign(heading, GTK_ALIGN_START);
  gtk_widget_set_valign(heading, GTK_ALIGN_START);
  gtk_widget_set_margin_start(heading, MARGIN);
  gtk_widget_set_margin_top(heading, MARGIN);
  gtk_widget_set_tooltip_text(heading, controls);
  self->title = gtk_label_new("Scene");
  gtk_widget_add_css_class(self->title, "plane");
  self->position = gtk_label_new(NULL);
  gtk_box_append(GTK_BOX(heading), self->title);
  gtk_box_append(GTK_BOX(heading), self->position);
  gtk_overlay_add_overlay(overlay, heading);

  self->caption = add_label(overlay, GTK_ALIGN_START, GTK_ALIGN_END, "Scene: where the ray meets the detector");
  self->bar_length = add_label(overlay, GTK_ALIGN_END, GTK_ALIGN_END, "Scene scale bar");
  /* Above the bar that the renderer draws 12 px from the corner. */
  gtk_widget_set_margin_bottom(self->bar_length, 22);
  gtk_widget_set_margin_end(self->bar_length, 10);

  self->empty = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(self->empty), TRUE);
  gtk_label_set_justify(GTK_LABEL(self->empty), GTK_JUSTIFY_CENTER);
  gtk_widget_set_can_target(self->empty, FALSE);
  gtk_widget_set_halign(self->empty, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(self->empty, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(self->empty, "gantry-view-empty");
  gtk_overlay_add_overlay(overlay, self->empty);
}

/* In pixels of the whole detector, as the projection's own picture counts them. */
static char *pixel_text(GantrySceneView *self, const ctgl_scene_ray *ray) {
  const double u = gantry_bins_column(&self->bins, ray->u), v = gantry_bins_row(&self->bins, ray->v);
  g_autofree char *column = gantry_fixed_text(u, 1), *row = gantry_fixed_text(v, 1);
  return g_strdup_printf("u %s  v %s%s", column, row, ray->seen ? "" : ", beside the detector");
}

static void update_caption(GantrySceneView *self, const ctgl_scene *scene) {
  g_autofree char *pixel = pixel_text(self, &scene->ray);
  const gboolean wide = self->camera.width / self->ratio >= NARROW_FOR_MEANINGS;
  g_autofree char *pointed = scene->is_pointing ? pixel_text(self, &scene->pointed) : NULL;
  if (self->how != CTGL_SOLID_NONE && !self->solid && !pointed) {
    gtk_label_set_text(GTK_LABEL(self->caption), "No volume yet: Reconstruct makes it");
    return;
  }
  if (pointed) {
    g_autofree char *words = g_strdup_printf("<span foreground='#f28cf2'>━</span> ray pointed at: %s", pointed);
    gtk_label_set_markup(GTK_LABEL(self->caption), words);
    return;
  }
  g_autofree char *text =
      g_strdup_printf("%s<span foreground='#ffeda0'>━</span> ray through ✛: %s",
                      wide ? "<span foreground='#ffd14d'>●</span> source  <span foreground='#5cd1db'>━</span> field of "
                             "view  "
                           : "",
                      pixel);
  gtk_label_set_markup(GTK_LABEL(self->caption), text);
}

static void update_scale_bar(GantrySceneView *self) {
  const double length = ctgl_orbit_bar_length(&self->camera);
  const gboolean pixels = ct_units_are_pixels(gantry_display_get_units(self->display));
  g_autofree char *text = gantry_length_text(length, pixels);
  gtk_label_set_text(GTK_LABEL(self->bar_length), text);
  gtk_widget_set_margin_end(self->caption, MARGIN + (int)ceil(length * self->camera.zoom / self->ratio) + 16);
}

static void update_position(GantrySceneView *self) {
  const int shown = gantry_scene_view_get_shown(self);
  const gboolean angle = self->geometry.angles != NULL && shown >= 0;
  g_autofree char *degrees = angle ? gantry_fixed_text(self->geometry.angles[shown] * 180 / G_PI, 1) : NULL;
  g_autofree char *text = angle        ? g_strdup_printf("θ = %s°", degrees)
                          : shown >= 0 ? g_strdup_printf("view %d", shown)
                                       : g_strdup("");
  gtk_label_set_text(GTK_LABEL(self->position), text);
}

void gantry_scene_view_update_labels(GantrySceneView *self) {
  /* Nobody sees them: the scene need not be made. */
  if (!self->box || !gtk_widget_get_mapped(self->area)) return;
  const ctgl_scene *scene = gantry_scene_view_get_scene(self);
  const gboolean filled = scene && !self->fault && self->camera.width > 0;
  gtk_label_set_text(GTK_LABEL(self->empty), self->fault ? self->fault : self->empty_text ? self->empty_text : "");
  gtk_widget_set_visible(self->empty, !filled);
  gtk_widget_set_visible(self->caption, filled);
  gtk_widget_set_visible(self->bar_length, filled);
  update_position(self);
  const gboolean narrow = self->camera.width / self->ratio < NARROW_FOR_SWITCH;
  gtk_widget_set_margin_top(self->heading, narrow ? BELOW_SWITCH : MARGIN);
  if (!filled) return;
  update_caption(self, scene);
  update_scale_bar(self);
}
