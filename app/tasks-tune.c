/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine worker's search for a graphics device's best settings, on a context of its own: nothing else uses the
 * engine meanwhile, and what it measures is the device alone. */
#include "app/tasks-private.h"

#include "recon/base/machine.h"

static void tell(void *user, const ctgl_tuning_step *step) {
  GantryTuneTask *self = user;
  g_mutex_lock(&self->lock);
  g_strlcpy(self->trial, step->problem, sizeof self->trial);
  self->best = step->best;
  g_mutex_unlock(&self->lock);
}

char *gantry_tune_task_dup_trial(GantryTuneTask *self, double *best) {
  g_mutex_lock(&self->lock);
  char *trial = *self->trial ? g_strdup(self->trial) : NULL;
  *best = self->best;
  g_mutex_unlock(&self->lock);
  return trial;
}

static void tune_run(GantryTask *task) {
  GantryTuneTask *self = (GantryTuneTask *)task;
  ct_error *error = NULL;
  const ctgl_tuning_watcher watcher = {self, tell};
  const double begin = ct_now();
  ct_bp_device *device = ctgl_device_new(self->device, false, &error);
  if (!device || !gantry_tuning_search(device, 0, &watcher, task->job, &error) ||
      !gantry_tuning_look(ctgl_device_get_facts(device), &self->kept, &error))
    gantry_work_fail(task, &error);
  else
    gantry_engine_take_tuning(self->engine, self->device);
  ctgl_device_free(device);
  self->seconds = ct_now() - begin;
}

static void tune_free(GantryTask *task) {
  GantryTuneTask *self = (GantryTuneTask *)task;
  g_mutex_clear(&self->lock);
  g_free(self->device);
  gantry_work_free(task);
}

GantryTuneTask *gantry_tune_task_new(GObject *owner, GantryDone done, GantryEngine *engine, const char *device) {
  GantryTuneTask *self = gantry_work_init(g_new0(GantryTuneTask, 1), owner, done, tune_run, tune_free);
  g_mutex_init(&self->lock);
  self->engine = engine;
  self->device = g_strdup(device);
  return self;
}
