/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Their style is that of ui/slice-view/view.c. */
#include "ui/view-label.h"

void gantry_view_label_describe(GtkWidget *label, const char *meaning) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, meaning, -1);
}

GtkWidget *gantry_view_label_new(GtkAlign across, GtkAlign along, const char *meaning) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_halign(label, across);
  gtk_widget_set_valign(label, along);
  gtk_widget_set_margin_start(label, GANTRY_LABEL_MARGIN);
  gtk_widget_set_margin_end(label, GANTRY_LABEL_MARGIN);
  gtk_widget_set_margin_top(label, GANTRY_LABEL_MARGIN);
  gtk_widget_set_margin_bottom(label, GANTRY_LABEL_MARGIN);
  gtk_widget_set_can_target(label, FALSE);
  gtk_widget_add_css_class(label, "gantry-view-label");
  gantry_view_label_describe(label, meaning);
  return label;
}

GtkWidget *gantry_view_heading_new(GtkOverlay *overlay) {
  GtkWidget *heading = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class(heading, "gantry-view-label");
  gtk_widget_set_can_target(heading, FALSE);
  gtk_widget_set_halign(heading, GTK_ALIGN_START);
  gtk_widget_set_valign(heading, GTK_ALIGN_START);
  gtk_widget_set_margin_start(heading, GANTRY_LABEL_MARGIN);
  gtk_widget_set_margin_top(heading, GANTRY_LABEL_MARGIN);
  gtk_overlay_add_overlay(overlay, heading);
  return heading;
}

GtkWidget *gantry_view_empty_new(GtkOverlay *overlay) {
  GtkWidget *empty = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(empty), TRUE);
  gtk_label_set_justify(GTK_LABEL(empty), GTK_JUSTIFY_CENTER);
  gtk_widget_set_can_target(empty, FALSE);
  gtk_widget_set_halign(empty, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(empty, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(empty, "gantry-view-empty");
  gtk_overlay_add_overlay(overlay, empty);
  return empty;
}
