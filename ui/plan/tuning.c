/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row under the choice of a graphics device: what is known of the device's best settings, and the command that
 * searches them. */
#include "ui/plan/panel-private.h"

#include "ui/tips.h"

#include <string.h>

static const char *const untuned = "Not tuned yet: numbers that suit most cards are in use.";

GtkWidget *gantry_plan_panel_make_tuning_row(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->tune = gantry_plan_panel_make_button("Tune for This Device", "win.tune-device", NULL);
  self->tuning_words = gantry_plan_panel_make_words("caption");
  gtk_box_append(GTK_BOX(column), self->tune);
  gtk_box_append(GTK_BOX(column), self->tuning_words);
  return self->tuning_row = gantry_plan_panel_wrap_row(column);
}

static const char *why_none(GantryPlanPanel *self) {
  if (!strcmp(self->plan.device, "none"))
    return "The processor does the work, by your choice above: there is no device to tune.";
  if (!strcmp(self->plan.device, "auto"))
    return "No graphics card was found, so the processor does the work. To tune one of the devices, choose it above.";
  return "The device that is chosen above is not on this machine: choose another one to tune it.";
}

/* Why the button is grey stands below it, in place of what is known: a tooltip is not read by those who wonder. */
void gantry_plan_panel_show_tuning_row(GantryPlanPanel *self) {
  const ctgl_device_facts *device = gantry_plan_panel_get_device(self);
  const char *known = device ? self->tuning[device - self->devices] : NULL;
  const char *why = device ? self->tuning_idle : why_none(self);
  g_autofree char *tip =
      why ? g_strdup(why)
          : g_strdup_printf("Tries block shapes, voxels of a thread and views of a pass on %s, one after the other, "
                            "and keeps the fastest for this device and driver. A cancel keeps the settings before.",
                            device->name);
  gtk_widget_set_visible(self->tuning_row, self->device_count > 0);
  gantry_tips_set(self->tune, tip);
  gtk_label_set_text(GTK_LABEL(self->tuning_words), why ? why : known ? known : untuned);
}

void gantry_plan_panel_set_tuning(GantryPlanPanel *self, const char *device, const char *words) {
  for (gsize i = 0; i < self->device_count; i++) {
    if (strcmp(self->devices[i].name, device) != 0) continue;
    g_free(self->tuning[i]);
    self->tuning[i] = g_strdup(words);
  }
  gantry_plan_panel_show_tuning_row(self);
}

void gantry_plan_panel_set_tuning_idle(GantryPlanPanel *self, const char *why) {
  if (g_strcmp0(why, self->tuning_idle) == 0) return;
  g_free(self->tuning_idle);
  self->tuning_idle = g_strdup(why);
  gantry_plan_panel_show_tuning_row(self);
}
