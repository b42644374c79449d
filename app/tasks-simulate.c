/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulating a scan anew, while its numbers are being changed. */
#include "app/tasks-private.h"

#include "recon/base/machine.h"

static void simulate_run(GantryTask *task) {
  GantrySimulateTask *self = (GantrySimulateTask *)task;
  ct_error *error = NULL;
  const double begin = ct_now();
  if (gantry_work_is_stale(self->engine, self->scan, &error)) {
    gantry_work_fail(task, &error);
    return;
  }
  GantryScan *made = gantry_scan_simulate_anew(self->scan, &self->simulation, task->job, &error);
  if (made && gantry_engine_set_scan(self->engine, made, &error)) {
    self->made = made;
    self->seconds = ct_now() - begin;
    return;
  }
  if (made) gantry_scan_unref(made);
  gantry_work_fail(task, &error);
}

static void simulate_free(GantryTask *task) {
  GantrySimulateTask *self = (GantrySimulateTask *)task;
  gantry_scan_unref(self->scan);
  g_clear_pointer(&self->made, gantry_scan_unref);
  gantry_work_free(task);
}

GantrySimulateTask *gantry_simulate_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                             const ct_simulation *simulation) {
  GantrySimulateTask *self = gantry_work_init(g_new0(GantrySimulateTask, 1), owner, done, simulate_run, simulate_free);
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->simulation = *simulation;
  return self;
}
