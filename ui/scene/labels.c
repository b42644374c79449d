/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The labels over the scene: title and view, what the colours mean and where the ray meets the detector, length of the
 * scale bar. They lie along the edges; only the text of an empty scene takes the middle. */
#include "ui/scene/view-private.h"

#include <math.h>

#include "ui/number-text.h"
#include "ui/view-label.h"

/* Logical pixels: narrower views have no room for the meanings of colours. */
enum { NARROW_FOR_MEANINGS = 640 };

static GtkWidget *add_label(GtkOverlay *overlay, GtkAlign across, GtkAlign along, const char *meaning) {
  GtkWidget *label = gantry_view_label_new(across, along, meaning);
  gtk_overlay_add_overlay(overlay, label);
  return label;
}

void gantry_scene_view_make_labels(GantrySceneView *self, GtkOverlay *overlay) {
  GtkWidget *heading = gantry_view_heading_new(overlay);
  self->title = gtk_label_new("Scene");
  gtk_widget_add_css_class(self->title, "plane");
  self->position = gtk_label_new(NULL);
  gtk_box_append(GTK_BOX(heading), self->title);
  gtk_box_append(GTK_BOX(heading), self->position);

  self->caption = add_label(overlay, GTK_ALIGN_START, GTK_ALIGN_END, "Scene: where the ray meets the detector");
  /* Its numbers are what the scene is looked at for: on two lines rather than cut. */
  gtk_label_set_ellipsize(GTK_LABEL(self->caption), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap(GTK_LABEL(self->caption), TRUE);
  self->bar_length = add_label(overlay, GTK_ALIGN_END, GTK_ALIGN_END, "Scene scale bar");
  /* Above the bar that the renderer draws 12 px from the corner. */
  gtk_widget_set_margin_bottom(self->bar_length, 22);
  gtk_widget_set_margin_end(self->bar_length, 10);

  self->empty = gantry_view_empty_new(overlay);
}

/* In pixels of the whole detector, as the projection's own picture counts them. */
static char *pixel_text(GantrySceneView *self, const ctgl_scene_ray *ray) {
  const double u = gantry_bins_column(&self->bins, ray->u), v = gantry_bins_row(&self->bins, ray->v);
  g_autofree char *column = gantry_fixed_text(u, 1), *row = gantry_fixed_text(v, 1);
  return g_strdup_printf("u %s  v %s%s", column, row, ray->seen ? "" : ", beside the detector");
}

/* "━ shadow zone at ✛ 8.5°, cone 33.4°" and "━ all views see z −29 to 29 mm", where there is a cone, in fewer words in
 * a small view. Off the axis the
 * zone opens differently to each side. */
static char *cone_text(GantrySceneView *self, const ctgl_scene *scene, gboolean wide) {
  if (!scene->is_cone) return g_strdup("");
  const double degrees = 180 / G_PI;
  const gboolean pixels = ct_units_are_pixels(gantry_display_get_units(self->display));
  const char *unit;
  const double by = ct_length_factor(scene->covered_edge[1], pixels ? "px" : "mm", &unit);
  g_autofree char *least = gantry_fixed_text(scene->shadow[0] * degrees, 1),
                  *most = gantry_fixed_text(scene->shadow[1] * degrees, 1),
                  *opening = gantry_fixed_text((scene->cone[1] - scene->cone[0]) * degrees, 1),
                  *low = gantry_quantity_text(by * scene->covered_edge[0], 3, NULL),
                  *high = gantry_quantity_text(by * scene->covered_edge[1], 3, unit);
  const gboolean same = !strcmp(least, most);
  return g_strdup_printf("<span foreground='#ff7a5c'>━</span> %s %s%s%s°, cone %s°\n"
                         "<span foreground='#7acc73'>━</span> %s z %s to %s\n",
                         wide ? "shadow zone at ✛" : "shadow", least, same ? "" : "–", same ? "" : most, opening,
                         wide ? "all views see" : "all see", low, high);
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
  g_autofree char *cone = cone_text(self, scene, wide),
                  *text = g_strdup_printf(
                      "%s%s<span foreground='#ffeda0'>━</span> ray through ✛: %s", cone,
                      wide ? "<span foreground='#ffd14d'>●</span> source  <span foreground='#5cd1db'>━</span> field of "
                             "view  "
                           : "",
                      pixel);
  gtk_label_set_markup(GTK_LABEL(self->caption), text);
}

static void update_scale_bar(GantrySceneView *self) {
  const double length = ctgl_orbit_bar_length(&self->camera);
  const gboolean pixels = ct_units_are_pixels(gantry_display_get_units(self->display));
  g_autofree char *text = gantry_length_text(length, 3, pixels ? "px" : "mm");
  gtk_label_set_text(GTK_LABEL(self->bar_length), text);
  gtk_widget_set_margin_end(self->caption,
                            GANTRY_LABEL_MARGIN + (int)ceil(length * self->camera.zoom / self->ratio) + 16);
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
  if (!filled) return;
  update_caption(self, scene);
  update_scale_bar(self);
}
