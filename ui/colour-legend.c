/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ramp of the colour map between the two values at its ends: lying in a line with them, or standing beside them. */
#include "ui/colour-legend.h"

#include "ui/scale-text.h"
#include "ui/tips.h"

#include <math.h>

struct _GantryColourLegend {
  GtkWidget parent_instance;
  GantryDisplay *display;
  GtkOrientation orientation;
  GtkWidget *low, *ramp, *high;
};

G_DEFINE_TYPE(GantryColourLegend, gantry_colour_legend, GTK_TYPE_WIDGET)

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  GantryColourLegend *self = user;
  const ctgl_mode mode = gantry_display_get_mode(self->display);
  const char *id = ctgl_mode_is_symmetric(mode) ? gantry_display_get_diverging_map(self->display)
                                                : gantry_display_get_colour_map(self->display);
  const ctgl_colour_map *map = ctgl_colour_map_find(id);
  if (!map) return;
  const gboolean upright = self->orientation == GTK_ORIENTATION_VERTICAL;
  cairo_pattern_t *ramp = cairo_pattern_create_linear(0, upright ? height : 0, upright ? 0 : width, 0);
  for (int i = 0; i < 256; i += 15) {
    cairo_pattern_add_color_stop_rgb(ramp, i / 255.0, map->rgb[i][0] / 255.0, map->rgb[i][1] / 255.0,
                                     map->rgb[i][2] / 255.0);
  }
  cairo_rectangle(cr, 0.5, 0.5, width - 1, height - 1);
  cairo_set_source(cr, ramp);
  cairo_fill_preserve(cr);
  cairo_pattern_destroy(ramp);
  cairo_set_source_rgba(cr, 0.5, 0.5, 0.5, 0.6);
  cairo_set_line_width(cr, 1);
  cairo_stroke(cr);
}

static void update(GantryColourLegend *self) {
  const ctgl_mode mode = gantry_display_get_mode(self->display);
  double low, high;
  const char *unit;
  if (!gantry_scale_told(self->display, mode, &low, &high, &unit)) return;
  g_autofree char *first = gantry_scale_end_text(low, fabs(high - low), ""),
                  *last = gantry_scale_end_text(high, fabs(high - low), unit),
                  *bare = gantry_scale_end_text(high, fabs(high - low), "");
  g_autofree char *scale = gantry_scale_text(self->display, mode);
  g_autofree char *text = scale ? g_strdup_printf("Colours of %s: %s", ctgl_mode_get(mode)->label, scale)
                                : g_strdup_printf("Colours from %s to %s", first, last);
  gtk_label_set_text(GTK_LABEL(self->low), first);
  /* Where it stands there is no room for the unit, which the value beside it has. */
  gtk_label_set_text(GTK_LABEL(self->high), self->orientation == GTK_ORIENTATION_VERTICAL ? bare : last);
  gantry_tips_set(GTK_WIDGET(self), text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw(self->ramp);
}

static void gantry_colour_legend_dispose(GObject *object) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  g_clear_object(&GANTRY_COLOUR_LEGEND(object)->display);
  G_OBJECT_CLASS(gantry_colour_legend_parent_class)->dispose(object);
}

static void gantry_colour_legend_class_init(GantryColourLegendClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_colour_legend_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "colourlegend");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
}

static GtkWidget *make_end(void) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, "caption");
  gtk_widget_add_css_class(label, "numeric");
  gtk_widget_add_css_class(label, "dim-label");
  return label;
}

static void gantry_colour_legend_init(GantryColourLegend *self) {
  self->low = make_end();
  self->ramp = gtk_drawing_area_new();
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(self->ramp), draw, self, NULL);
  gtk_widget_set_valign(self->ramp, GTK_ALIGN_CENTER);
  self->high = make_end();
}

static void build(GantryColourLegend *self) {
  const gboolean upright = self->orientation == GTK_ORIENTATION_VERTICAL;
  GtkWidget *ends = upright ? gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) : NULL;
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(self->ramp), upright ? 10 : 52);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(self->ramp), upright ? 28 : 10);
  gtk_box_layout_set_spacing(GTK_BOX_LAYOUT(gtk_widget_get_layout_manager(GTK_WIDGET(self))), upright ? 4 : 6);
  if (upright) {
    gtk_box_append(GTK_BOX(ends), self->high);
    gtk_box_append(GTK_BOX(ends), self->low);
    gtk_widget_set_valign(ends, GTK_ALIGN_CENTER);
  } else {
    gtk_widget_set_parent(self->low, GTK_WIDGET(self));
  }
  gtk_widget_set_parent(self->ramp, GTK_WIDGET(self));
  gtk_widget_set_parent(upright ? ends : self->high, GTK_WIDGET(self));
}

GtkWidget *gantry_colour_legend_new(GantryDisplay *display, GtkOrientation orientation) {
  GantryColourLegend *self = g_object_new(GANTRY_TYPE_COLOUR_LEGEND, NULL);
  self->display = g_object_ref(display);
  self->orientation = orientation;
  build(self);
  g_signal_connect_object(display, "changed", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
  update(self);
  return GTK_WIDGET(self);
}
