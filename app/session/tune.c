/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphics devices: which there are, how each is tuned, and the search for the best settings of one. */
#include "app/session/session-private.h"

#include "app/errors.h"
#include "app/progress-text.h"
#include "recon/base/units.h"

/* Words */

static char *rates_in_words(const ctgl_tuning_rates *rates) {
  char cone[32], parallel[32];
  return g_strdup_printf("%s GUPS for cone beam, %s GUPS for parallel beam",
                         ct_format_number(rates->cone, 3, cone, sizeof cone),
                         ct_format_number(rates->parallel, 3, parallel, sizeof parallel));
}

/* NULL: nothing is kept. */
static char *tuning_in_words(const GantryTuning *tuning) {
  if (tuning->damaged) {
    g_autofree char *sentence = gantry_error_sentence(tuning->damaged);
    return g_strdup_printf("%s Tune the device again.", sentence);
  }
  if (!tuning->kept.there) return NULL;
  g_autoptr(GDateTime) when = g_date_time_new_from_unix_local(tuning->kept.when);
  g_autofree char *date = when ? g_date_time_format(when, "%-d %B %Y") : NULL;
  g_autofree char *rates = rates_in_words(&tuning->kept.rates);
  return g_strdup_printf("Tuned on %s: %s.", date ? date : "an unknown day", rates);
}

char *gantry_session_tuning_text(GantrySession *self, const ct_progress *progress) {
  double best;
  char number[32];
  g_autofree char *text = gantry_progress_text(progress, 0, NULL);
  g_autofree char *trial = gantry_tune_task_dup_trial((GantryTuneTask *)self->job, &best);
  if (!trial) return g_steal_pointer(&text);
  return g_strdup_printf("%s · %s: best so far %s GUPS", text, trial, ct_format_number(best, 3, number, sizeof number));
}

/* Which devices */

static void devices_found(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryDevicesTask *found = (const GantryDevicesTask *)task;
  if (!self->window || !found->devices) return;
  GantryPlanPanel *panel = gantry_window_get_panel(self->window);
  gantry_plan_panel_set_devices(panel, found->devices, (gsize)found->count);
  for (int i = 0; i < found->count; i++) {
    g_autofree char *words = tuning_in_words(&found->tunings[i]);
    gantry_plan_panel_set_tuning(panel, found->devices[i].name, words);
  }
  gantry_session_update_actions(self);
}

void gantry_session_find_devices(GantrySession *self) {
  gantry_worker_push(self->files_worker, (GantryTask *)gantry_devices_task_new(G_OBJECT(self), devices_found));
}

/* Tuning one */

static const char *why_not(GantrySession *self) {
  switch (self->job_kind) {
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
  case GANTRY_JOB_TUNE:
    return "The device is being tuned: the line above tells how far it is.";
  }
  return NULL;
}

gboolean gantry_session_can_tune(GantrySession *self) {
  GantryPlanPanel *panel = gantry_window_get_panel(self->window);
  const char *why = why_not(self);
  gantry_plan_panel_set_tuning_idle(panel, why);
  return self->scan && !why && gantry_plan_panel_get_device(panel);
}

static void tuned(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryTuneTask *tune = (const GantryTuneTask *)task;
  gantry_session_end_job(self, task);
  if (!self->window) return;
  const GError *error = tune->work.error;
  if (task->dropped || (error && gantry_error_is_cancelled(error))) {
    gantry_session_toast(self, GANTRY_ABOUT_DEVICE, NULL, NULL, "Tuning was cancelled. The settings before are kept.");
  } else if (error) {
    gantry_session_show_error(self, error);
  } else {
    const GantryTuning tuning = {.kept = tune->kept};
    g_autofree char *words = tuning_in_words(&tuning), *rates = rates_in_words(&tune->kept.rates);
    char time[32];
    gantry_window_clear_error(self->window);
    gantry_plan_panel_set_tuning(gantry_window_get_panel(self->window), tune->device, words);
    gantry_session_toast(self, GANTRY_ABOUT_DEVICE, NULL, NULL, "Tuned in %s: %s",
                         ct_format_duration(tune->seconds, time, sizeof time), rates);
  }
  gantry_session_update_actions(self);
}

void gantry_session_tune(GantrySession *self) {
  if (!gantry_session_can_tune(self)) return;
  const ctgl_device_facts *device = gantry_plan_panel_get_device(gantry_window_get_panel(self->window));
  GantryTuneTask *task = gantry_tune_task_new(G_OBJECT(self), tuned, self->engine, device->name);
  gantry_session_begin_job(self, GANTRY_JOB_TUNE, (GantryTask *)task, self->engine_worker);
}
