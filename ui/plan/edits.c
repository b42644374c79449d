/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan that the user made, in the panel and to its listeners. */
#include "ui/plan/panel-private.h"

#include <math.h>

void gantry_plan_panel_take(GantryPlanPanel *self, const ct_plan *plan, const char *key) {
  if (ct_plan_equal(plan, &self->plan)) {
    self->refresh(self);
    return;
  }
  self->plan = *plan;
  self->refresh(self);
  g_signal_emit_by_name(self, "plan-edited", key);
}

void gantry_plan_panel_emit_rectangle(GantryPlanPanel *self) {
  g_signal_emit_by_name(self, "rectangle-changed");
}

void gantry_plan_panel_set_manual_centre(GantryPlanPanel *self, double centre) {
  ct_plan plan = self->plan;
  plan.centre_method = CT_CENTRE_MANUAL;
  plan.centre_u = round(centre * 1000) / 1000;
  gantry_plan_panel_take(self, &plan, "centre.column");
}
