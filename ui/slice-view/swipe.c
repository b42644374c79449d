/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The letters at the swipe line, near the lower edge: which side shows which result. */
#include "ui/slice-view/view-private.h"

#include <math.h>

/* Logical pixels: from the line to a letter, what a letter takes beside it, and how far up from the lower edge it is:
 * beside the labels there, else above them. Views lower than LETTERED have no room between those and the line's grip.
 */
enum { GAP = 7, ROOM = 32, EDGE = 8, ABOVE_READINGS = 56, LETTERED = 180 };

static GtkWidget *add_letter(GtkOverlay *overlay, const char *letter, GtkAlign across, const char *meaning) {
  GtkWidget *label = gtk_label_new(letter);
  gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR); /* start is left, as in the picture */
  gtk_widget_set_halign(label, across);
  gtk_widget_set_valign(label, GTK_ALIGN_END);
  gtk_widget_set_margin_bottom(label, EDGE);
  gtk_widget_set_can_target(label, FALSE);
  gtk_widget_set_visible(label, FALSE);
  gtk_widget_add_css_class(label, "gantry-view-label");
  gtk_widget_add_css_class(label, "side");
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, meaning, -1);
  gtk_overlay_add_overlay(overlay, label);
  return label;
}

void gantry_slice_view_make_sides(GantrySliceView *self, GtkOverlay *overlay) {
  self->sides[CTGL_SLOT_A] = add_letter(overlay, "A", GTK_ALIGN_END, "Left of the swipe line: A, the result");
  self->sides[CTGL_SLOT_B] = add_letter(overlay, "B", GTK_ALIGN_START, "Right of the swipe line: B, the reference");
}

void gantry_slice_view_update_sides(GantrySliceView *self, gboolean filled) {
  const gboolean swiped =
      filled && self->camera.height / self->ratio >= LETTERED && gantry_slice_view_mode(self) == CTGL_SHOW_SWIPE;
  const double width = self->camera.width / self->ratio;
  const int edge = (int)round(gantry_display_get_swipe(self->display) * width), left = (int)width - edge;
  gtk_widget_set_visible(self->sides[CTGL_SLOT_A], swiped && edge >= ROOM);
  gtk_widget_set_visible(self->sides[CTGL_SLOT_B], swiped && left >= ROOM);
  int readings;
  gtk_widget_measure(self->readings, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &readings, NULL, NULL);
  const int bar = gtk_widget_get_margin_end(self->readout); /* what the scale bar takes */
  const gboolean free = edge - ROOM > readings && left - ROOM > bar;
  for (int side = 0; side < 2; side++) gtk_widget_set_margin_bottom(self->sides[side], free ? EDGE : ABOVE_READINGS);
  gtk_widget_set_margin_end(self->sides[CTGL_SLOT_A], MAX(left, 0) + GAP);
  gtk_widget_set_margin_start(self->sides[CTGL_SLOT_B], edge + GAP);
}
