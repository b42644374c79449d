/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The letters at the swipe line, below its grip: which side shows which result. */
#include "ui/slice-view/view-private.h"

#include <math.h>

/* Logical pixels: from the line to a letter, what a letter takes beside it, and how far down from the middle it is,
 * which the grip takes. Views lower than LETTERED have no room between the grip and the labels at their lower edge. */
enum { GAP = 7, ROOM = 32, BELOW_GRIP = 68, LETTERED = 180 };

static GtkWidget *add_letter(GtkOverlay *overlay, const char *letter, GtkAlign across, const char *meaning) {
  GtkWidget *label = gtk_label_new(letter);
  gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR); /* start is left, as in the picture */
  gtk_widget_set_halign(label, across);
  gtk_widget_set_valign(label, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top(label, BELOW_GRIP);
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
  gtk_widget_set_margin_end(self->sides[CTGL_SLOT_A], MAX(left, 0) + GAP);
  gtk_widget_set_margin_start(self->sides[CTGL_SLOT_B], edge + GAP);
}
