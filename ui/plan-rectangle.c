/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangle of unattenuated rays in the side panel: the button that has it drawn, and the plan's four numbers at
 * once. */
#include "ui/plan-panel-private.h"

#include <stddef.h>
#include <string.h>

GtkWidget *gantry_plan_panel_make_rectangle_row(GantryPlanPanel *self) {
  GtkWidget *button = gtk_button_new_with_label("Draw on the projection");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.draw-rectangle");
  gtk_widget_set_tooltip_text(
      button, "Drag the rectangle where no object is in the beam in any view; the four numbers follow (Ctrl+Alt+R)");
  return self->rectangle_row = gantry_plan_panel_wrap_row(button);
}

static GantryParamPlace place_of(GantryPlanPanel *self, size_t offset) {
  return gantry_plan_place(&self->plan, &self->facts,
                           gantry_plan_row_get_param(gantry_plan_panel_find_row(self, offset)));
}

gboolean gantry_plan_panel_takes_rectangle(GantryPlanPanel *self) {
  return self->facts.scan && place_of(self, offsetof(ct_plan, prep.i0)) != GANTRY_PARAM_IRRELEVANT;
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

void gantry_plan_panel_show_rectangle(GantryPlanPanel *self) {
  GantryPlanRectangle now = {.taken = gantry_plan_panel_takes_rectangle(self)};
  now.used = gantry_plan_panel_get_rectangle(self, now.pixels);
  gtk_widget_set_visible(self->rectangle_row, now.used);
  if (!memcmp(&now, &self->rectangle, sizeof now)) return;
  self->rectangle = now;
  gantry_plan_panel_emit_rectangle(self);
}
