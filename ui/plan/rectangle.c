/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangle of unattenuated rays in the side panel: the button that has it drawn, the plan's four numbers at once,
 * and what speaks against it. */
#include "ui/plan/panel-private.h"

#include "ui/free-beam.h"
#include "ui/tips.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

GtkWidget *gantry_plan_panel_make_rectangle_row(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *button = gtk_button_new_with_label("Draw Free Beam on the Projection");
  GtkWidget *icon = gtk_image_new_from_icon_name("dialog-warning-symbolic");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.draw-rectangle");
  gantry_tips_set(
      button, "Drag the rectangle where no object is in the beam in any view; the four numbers follow (Ctrl+Alt+R)");
  self->rectangle_doubt = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  self->rectangle_words = gantry_plan_panel_make_words("caption");
  gtk_widget_set_valign(icon, GTK_ALIGN_START);
  gtk_widget_add_css_class(icon, "warning");
  gtk_accessible_update_property(GTK_ACCESSIBLE(icon), GTK_ACCESSIBLE_PROPERTY_LABEL, "Warning", -1);
  gtk_widget_set_hexpand(self->rectangle_words, TRUE);
  gtk_box_append(GTK_BOX(self->rectangle_doubt), icon);
  gtk_box_append(GTK_BOX(self->rectangle_doubt), self->rectangle_words);
  gtk_box_append(GTK_BOX(column), button);
  gtk_box_append(GTK_BOX(column), self->rectangle_doubt);
  return self->rectangle_row = gantry_plan_panel_wrap_row(column);
}

static GantryParamPlace place_of(GantryPlanPanel *self, size_t offset) {
  return gantry_plan_place(&self->plan, &self->facts,
                           gantry_plan_row_get_param(gantry_plan_panel_find_row(self, offset)));
}

gboolean gantry_plan_panel_takes_rectangle(GantryPlanPanel *self) {
  return self->facts.base.scan && place_of(self, offsetof(ct_plan, prep.i0)) != GANTRY_PARAM_IRRELEVANT;
}

gboolean gantry_plan_panel_get_rectangle(GantryPlanPanel *self, int rectangle[4]) {
  memcpy(rectangle, self->plan.prep.i0_region, sizeof self->plan.prep.i0_region);
  return gantry_plan_panel_takes_rectangle(self) && self->plan.prep.i0 == CT_I0_REGION;
}

void gantry_plan_panel_set_rectangle(GantryPlanPanel *self, const int rectangle[4]) {
  ct_plan plan = self->plan;
  plan.prep.i0 = CT_I0_REGION;
  memcpy(plan.prep.i0_region, rectangle, sizeof plan.prep.i0_region);
  gantry_plan_panel_take(self, &plan, NULL);
}

static void show_doubt(GantryPlanPanel *self) {
  const double spread = self->facts.base.outcome ? self->facts.prep.i0_spread : NAN;
  g_autofree char *words =
      self->rectangle.used ? gantry_free_beam_doubt(self->beam_share, self->beam_evenness, spread) : NULL;
  gtk_widget_set_visible(self->rectangle_doubt, words != NULL);
  gtk_label_set_text(GTK_LABEL(self->rectangle_words), words ? words : "");
}

void gantry_plan_panel_set_free_beam(GantryPlanPanel *self, double share, double evenness) {
  self->beam_share = share, self->beam_evenness = evenness;
  show_doubt(self);
}

void gantry_plan_panel_show_rectangle(GantryPlanPanel *self) {
  GantryPlanRectangle now = {.taken = gantry_plan_panel_takes_rectangle(self)};
  now.used = gantry_plan_panel_get_rectangle(self, now.pixels);
  gtk_widget_set_visible(self->rectangle_row, now.taken);
  if (memcmp(&now, &self->rectangle, sizeof now) != 0) {
    self->rectangle = now;
    self->beam_share = self->beam_evenness = NAN;
    gantry_plan_panel_emit_rectangle(self);
  }
  show_doubt(self);
}
