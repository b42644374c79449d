/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task that makes a volume small enough to be shown as a whole. */
#include "app/tasks-private.h"

static void solid_run(GantryTask *task) {
  GantrySolidTask *self = (GantrySolidTask *)task;
  const ct_volume *volume = self->result->volume;
  ct_error *error = NULL;
  self->solid = gantry_solid_new(ct_volume_get_data(volume), ct_volume_grid(volume), GANTRY_SOLID_SIDE);
  if (self->solid) return;
  ct_error_set(&error, CT_ERROR_MEMORY, "There is not enough memory for the volume in the scene.");
  gantry_work_fail(task, &error);
}

static void solid_free(GantryTask *task) {
  GantrySolidTask *self = (GantrySolidTask *)task;
  gantry_result_unref(self->result);
  if (self->solid) gantry_solid_unref(self->solid);
  gantry_work_free(task);
}

GantrySolidTask *gantry_solid_task_new(GObject *owner, GantryDone done, GantryResult *result) {
  GantrySolidTask *self = gantry_work_init(g_new0(GantrySolidTask, 1), owner, done, solid_run, solid_free);
  self->work.task.slot = GANTRY_SLOT_SOLID;
  self->result = gantry_result_ref(result);
  return self;
}
