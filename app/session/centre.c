/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The centre of rotation: found by correlation, which is a preview of a plan that asks for it, or by a sweep, which is
 * a job. */
#include "app/session/session-private.h"

#include "recon/base/memory.h"
#include "ui/number-text.h"

#include <math.h>

void gantry_session_find_centre(GantrySession *self) {
  if (!self->scan || self->job) return;
  ct_plan plan = *gantry_session_get_plan(self);
  plan.centre_method = CT_CENTRE_CORRELATION;
  self->centre_asked = TRUE;
  self->centre_edited = !ct_plan_equal(&plan, gantry_session_get_plan(self));
  if (self->centre_edited) {
    gantry_session_set_plan(self, &plan, NULL);
  } else if (self->preview_failed || !self->outcome || self->earlier_values) {
    self->generation++;
    gantry_session_choose_source(self);
  } else if (!self->preview && !self->debounce) {
    gantry_session_preview_ended(self, NULL);
  }
  gantry_session_update_actions(self);
}

/* The values before could be previewed: back to them. */
static void take_back_search(GantrySession *self) {
  const char *key;
  if (!self->centre_edited || !gantry_history_undo(self->history, &key)) return;
  gantry_plan_panel_set_plan(gantry_window_get_panel(self->window), gantry_session_get_plan(self));
  self->preview_failed = FALSE;
  gantry_session_plan_changed(self);
}

void gantry_session_cancel_search(GantrySession *self) {
  if (!self->centre_asked) return;
  self->centre_asked = FALSE;
  g_clear_handle_id(&self->debounce, g_source_remove);
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_PREVIEW);
  gantry_session_toast(self, GANTRY_ABOUT_PLAN, NULL, NULL, "The search was cancelled. The centre before is kept.");
  /* Where the values had asked for the search already, the pictures on screen are of those before, until the next try.
   */
  self->earlier_values |= !self->centre_edited;
  take_back_search(self);
  gantry_session_update_titles(self);
  gantry_session_update_actions(self);
}

void gantry_session_preview_ended(GantrySession *self, const GError *error) {
  if (!self->centre_asked) return;
  self->centre_asked = FALSE;
  if (error || !self->outcome) {
    take_back_search(self); /* the banner has the reason */
    return;
  }
  const ct_pipeline_facts *facts = &self->outcome->facts;
  char confidence[32] = "";
  g_autofree char *centre = gantry_quantity_text(facts->centre_u, 6, "px");
  if (isfinite(facts->centre_confidence))
    g_snprintf(confidence, sizeof confidence, ", confidence %.0f %%", facts->centre_confidence * 100);
  gantry_session_toast(self, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "Centre of rotation at %s%s", centre, confidence);
}

static void swept(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantrySweepTask *sweep = (const GantrySweepTask *)task;
  gantry_session_end_job(self, task);
  if (!self->window || sweep->scan != self->scan) return;
  if (sweep->work.error || task->dropped) {
    if (sweep->work.error) gantry_session_show_error(self, sweep->work.error);
    gantry_session_choose_source(self);
    gantry_session_update_actions(self);
    return;
  }
  gantry_window_clear_error(self->window);
  gantry_plan_panel_set_sweep(gantry_window_get_panel(self->window), sweep->trials, sweep->count, sweep->best);
  if (isnan(sweep->best)) {
    gantry_session_toast(self, GANTRY_ABOUT_PLAN, NULL, NULL,
                         "The best trial is an end of the range: widen Sweep from and Sweep to");
  } else {
    ct_plan plan = *gantry_session_get_plan(self);
    plan.centre_method = CT_CENTRE_MANUAL;
    plan.centre_u = round(sweep->best * 1000) / 1000; /* a sweep knows no more */
    gantry_session_set_plan(self, &plan, NULL);
    g_autofree char *centre = gantry_quantity_text(sweep->best, 6, "px");
    gantry_session_toast(self, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "Best centre of %u trials: %s",
                         (guint)sweep->count, centre);
  }
  gantry_session_choose_source(self);
  gantry_session_update_actions(self);
}

void gantry_session_sweep_centre(GantrySession *self) {
  if (!self->scan || self->job) return;
  ct_plan plan = *gantry_session_get_plan(self);
  gantry_session_engine_plan(self, &plan);
  GantryWanted wanted;
  gantry_session_update_wanted(self, &wanted);
  const int index = self->has_grid ? gantry_wanted_index(&wanted, &self->grid, CT_AXIAL) : -1;
  self->centre_asked = FALSE;
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_PREVIEW);
  GantrySweepTask *task = gantry_sweep_task_new(G_OBJECT(self), swept, self->engine, self->scan, &plan, index);
  gantry_session_begin_job(self, GANTRY_JOB_SWEEP, (GantryTask *)task, self->engine_worker);
}
