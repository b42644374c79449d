/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files' worker looks, the engine's worker tunes. */
#include "app/session/devices.h"

#include "app/errors.h"
#include "app/progress-text.h"
#include "app/tasks.h"
#include "recon/base/units.h"

struct _GantryDevices {
  GObject parent_instance;
  GantryContext *context;
  GantryJobs *jobs;
  GantryScanSlot *slot;
};

G_DEFINE_FINAL_TYPE(GantryDevices, gantry_devices, G_TYPE_OBJECT)

static void gantry_devices_finalize(GObject *object) {
  gantry_context_unref(GANTRY_DEVICES(object)->context);
  G_OBJECT_CLASS(gantry_devices_parent_class)->finalize(object);
}

static void gantry_devices_class_init(GantryDevicesClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_devices_finalize;
}

static void gantry_devices_init(GantryDevices *self) {}

GantryDevices *gantry_devices_new(GantryContext *context, GantryJobs *jobs, GantryScanSlot *slot) {
  GantryDevices *self = g_object_new(GANTRY_TYPE_DEVICES, NULL);
  self->context = gantry_context_ref(context);
  self->jobs = jobs;
  self->slot = slot;
  return self;
}

static char *rates_text(const ctgl_tuning_rates *rates) {
  char cone[32], parallel[32];
  return g_strdup_printf("%s GUPS for cone beam, %s GUPS for parallel beam",
                         ct_format_number(rates->cone, 3, cone, sizeof cone),
                         ct_format_number(rates->parallel, 3, parallel, sizeof parallel));
}

/* NULL: nothing is kept. */
static char *kept_text(const GantryTuning *tuning) {
  if (tuning->damaged) {
    g_autofree char *sentence = gantry_error_sentence(tuning->damaged);
    return g_strdup_printf("%s Tune the device again.", sentence);
  }
  if (!tuning->kept.there) return NULL;
  g_autoptr(GDateTime) when = g_date_time_new_from_unix_local(tuning->kept.when);
  g_autofree char *date = when ? g_date_time_format(when, "%-d %B %Y") : NULL;
  g_autofree char *rates = rates_text(&tuning->kept.rates);
  return g_strdup_printf("Tuned on %s: %s.", date ? date : "an unknown day", rates);
}

static char *tuning_text(GantryTask *task, const ct_progress *progress, gpointer user) {
  double best;
  char number[32];
  g_autofree char *text = gantry_progress_text(progress, 0, NULL);
  g_autofree char *trial = gantry_tune_task_dup_trial((GantryTuneTask *)task, &best);
  if (!trial) return g_steal_pointer(&text);
  return g_strdup_printf("%s · %s: best so far %s GUPS", text, trial, ct_format_number(best, 3, number, sizeof number));
}

/* Which devices */

static void devices_found(gpointer owner, GantryTask *task) {
  GantryDevices *self = owner;
  const GantryDevicesTask *found = (const GantryDevicesTask *)task;
  if (!self->context->window || !found->devices) return;
  GantryPlanPanel *panel = gantry_context_get_panel(self->context);
  gantry_plan_panel_set_devices(panel, found->devices, (gsize)found->count);
  for (int i = 0; i < found->count; i++) {
    g_autofree char *kept = kept_text(&found->tunings[i]);
    gantry_plan_panel_set_tuning(panel, found->devices[i].name, kept);
  }
  gantry_context_changed(self->context);
}

void gantry_devices_find(GantryDevices *self) {
  gantry_worker_push(self->context->files_worker, (GantryTask *)gantry_devices_task_new(G_OBJECT(self), devices_found));
}

/* Tuning one */

static const char *why_not(GantryDevices *self) {
  switch (gantry_jobs_get_kind(self->jobs)) {
  case GANTRY_JOB_NONE:
    return NULL;
  case GANTRY_JOB_LOAD:
    return "A scan is being opened: tune when it is there.";
  case GANTRY_JOB_VOLUME:
    return "A reconstruction is running, and would slow the trials down: tune when it has ended.";
  case GANTRY_JOB_SWEEP:
    return "The centre is being searched, which would slow the trials down: tune when that has ended.";
  case GANTRY_JOB_SAVE:
    return "A file is being written: tune when it is complete.";
  case GANTRY_JOB_VARIANTS:
    return "Variants are being compared, and would slow the trials down: tune when they have ended.";
  case GANTRY_JOB_FIGURES:
    return "Figures are being made, which would slow the trials down: tune when they are there.";
  case GANTRY_JOB_TUNE:
    return "The device is being tuned: the line above tells how far it is.";
  }
  return NULL;
}

gboolean gantry_devices_can_tune(GantryDevices *self) {
  GantryPlanPanel *panel = gantry_context_get_panel(self->context);
  const char *why = why_not(self);
  gantry_plan_panel_set_tuning_idle(panel, why);
  return gantry_scan_slot_get(self->slot) && !why && gantry_plan_panel_get_device(panel);
}

static void tuned(gpointer owner, GantryTask *task) {
  GantryDevices *self = owner;
  const GantryTuneTask *tune = (const GantryTuneTask *)task;
  gantry_jobs_end(self->jobs, task);
  if (!self->context->window) return;
  const GError *error = tune->work.error;
  if (task->dropped || (error && gantry_error_is_cancelled(error))) {
    gantry_context_toast(self->context, GANTRY_ABOUT_DEVICE, NULL, NULL,
                         "Tuning was cancelled. The settings before are kept.");
  } else if (error) {
    gantry_context_show_error(self->context, error);
  } else {
    const GantryTuning tuning = {.kept = tune->kept};
    g_autofree char *kept = kept_text(&tuning), *rates = rates_text(&tune->kept.rates);
    char time[32];
    gantry_window_clear_error(self->context->window);
    gantry_plan_panel_set_tuning(gantry_context_get_panel(self->context), tune->device, kept);
    gantry_context_toast(self->context, GANTRY_ABOUT_DEVICE, NULL, NULL, "Tuned in %s: %s",
                         ct_format_duration(tune->seconds, time, sizeof time), rates);
  }
  gantry_context_changed(self->context);
}

void gantry_devices_tune(GantryDevices *self) {
  if (!gantry_devices_can_tune(self)) return;
  const ctgl_device_facts *device = gantry_plan_panel_get_device(gantry_context_get_panel(self->context));
  GantryTuneTask *task = gantry_tune_task_new(G_OBJECT(self), tuned, self->context->engine, device->name);
  const GantryJob job = {.kind = GANTRY_JOB_TUNE, .task = (GantryTask *)task, .text = tuning_text};
  gantry_jobs_begin(self->jobs, &job, self->context->engine_worker);
}
