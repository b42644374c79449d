/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The notice above the sections: the file does not tell its beam, one is assumed, and where it is set. A wrong beam
 * gives slices that look like something, so that nobody would search for it. */
#include "ui/plan/panel-private.h"

#include "recon/base/units.h"

#include <stddef.h>

static void unfold_geometry(GtkButton *button, GantryPlanPanel *self) {
  GantryPlanRow *row = gantry_plan_panel_find_row(self, offsetof(ct_plan, beam));
  adw_expander_row_set_expanded(self->section[CT_SECTION_GEOMETRY].expander, TRUE);
  gtk_widget_child_focus(GTK_WIDGET(row), GTK_DIR_TAB_FORWARD);
}

static void confirm_beam(GtkButton *button, GantryPlanPanel *self) {
  ct_plan plan = self->plan;
  plan.beam = (int)self->facts.base.beam;
  gantry_plan_panel_take(self, &plan, "geometry.beam");
}

GtkWidget *gantry_plan_panel_make_beam_notice(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *icon = gtk_image_new_from_icon_name("dialog-warning-symbolic");
  gtk_widget_set_valign(icon, GTK_ALIGN_START);
  gtk_widget_add_css_class(icon, "warning");
  gtk_accessible_update_property(GTK_ACCESSIBLE(icon), GTK_ACCESSIBLE_PROPERTY_LABEL, "Note", -1);
  self->beam_words = gantry_plan_panel_make_words("caption");
  gtk_widget_set_hexpand(self->beam_words, TRUE);
  gtk_box_append(GTK_BOX(line), icon);
  gtk_box_append(GTK_BOX(line), self->beam_words);
  GtkWidget *set = gantry_plan_panel_make_button("Set the Geometry", NULL,
                                                 "Unfold the section Geometry: beam, distances, pixels, angles");
  GtkWidget *confirm =
      gantry_plan_panel_make_button("This Is Right", NULL, "Takes the assumed beam into the plan, which then tells it");
  g_signal_connect(set, "clicked", G_CALLBACK(unfold_geometry), self);
  g_signal_connect(confirm, "clicked", G_CALLBACK(confirm_beam), self);
  gtk_box_set_homogeneous(GTK_BOX(buttons), TRUE);
  gtk_box_append(GTK_BOX(buttons), set);
  gtk_box_append(GTK_BOX(buttons), confirm);
  gtk_box_append(GTK_BOX(column), line);
  gtk_box_append(GTK_BOX(column), buttons);
  gtk_widget_add_css_class(column, "beam-notice");
  gtk_widget_set_visible(column, FALSE);
  return self->beam_notice = column;
}

void gantry_plan_panel_show_beam_notice(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  const gboolean assumed = facts->base.scan && ct_plan_beam_is_assumed(&self->plan, facts->base.known);
  gtk_widget_set_visible(self->beam_notice, assumed);
  if (!assumed) return;
  const char *beam = ct_beam_title(facts->base.beam);
  char arc[64];
  g_autofree char *what =
      facts->base.known & CT_KNOWN_ANGLES
          ? g_strdup_printf("The file does not tell its beam: %s is assumed.", beam)
          : g_strdup_printf("The file tells neither its beam nor its angles: %s over %s° is assumed.", beam,
                            ct_format_number(facts->arc_deg, 4, arc, sizeof arc));
  g_autofree char *text = g_strdup_printf("%s Set the geometry, or open the scan's description.", what);
  gtk_label_set_text(GTK_LABEL(self->beam_words), text);
}
