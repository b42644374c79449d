/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search lasts from the command until its preview was made or failed, or something else was edited. */
#include "app/session/centre.h"

#include "app/tasks.h"
#include "ui/number-text.h"

#include <math.h>

struct _GantryCentre {
  GObject parent_instance;
  GantryCentreParts with;
  gboolean edited; /* the search was an edit of the plan */
};

G_DEFINE_FINAL_TYPE(GantryCentre, gantry_centre, G_TYPE_OBJECT)

static void gantry_centre_finalize(GObject *object) {
  gantry_context_unref(GANTRY_CENTRE(object)->with.context);
  G_OBJECT_CLASS(gantry_centre_parent_class)->finalize(object);
}

static void gantry_centre_class_init(GantryCentreClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_centre_finalize;
}

static void gantry_centre_init(GantryCentre *self) {}

static gboolean can_begin(GantryCentre *self) {
  return gantry_scan_slot_get(self->with.slot) && gantry_jobs_is_idle(self->with.jobs);
}

/* A search */

/* The values before could be previewed: back to them. */
static void take_back(GantryCentre *self) {
  if (!self->edited || !gantry_plan_editor_can_undo(self->with.editor)) return;
  gantry_banner_forgive_preview(self->with.banner);
  gantry_plan_editor_take_back(self->with.editor);
}

static void found(GantryCentre *self, const GantryOutcome *outcome) {
  char confidence[32] = "";
  g_autofree char *centre = gantry_quantity_text(outcome->facts.centre_u, 6, "px");
  if (isfinite(outcome->facts.centre_confidence))
    g_snprintf(confidence, sizeof confidence, ", confidence %.0f %%", outcome->facts.centre_confidence * 100);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "Centre of rotation at %s%s", centre,
                       confidence);
}

static void previewed(GantrySlices *slices, const GError *error, GantryCentre *self) {
  if (!gantry_jobs_is_searching(self->with.jobs)) return;
  gantry_jobs_set_searching(self->with.jobs, FALSE);
  const GantryOutcome *outcome = gantry_slices_get_outcome(slices);
  if (error || !outcome)
    take_back(self); /* the banner has the reason */
  else
    found(self, outcome);
}

GantryCentre *gantry_centre_new(const GantryCentreParts *parts) {
  GantryCentre *self = g_object_new(GANTRY_TYPE_CENTRE, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  g_signal_connect_object(parts->slices, "previewed", G_CALLBACK(previewed), self, 0);
  return self;
}

void gantry_centre_find(GantryCentre *self) {
  if (!can_begin(self)) return;
  const ct_plan *present = gantry_plan_editor_get(self->with.editor);
  ct_plan plan = *present;
  plan.centre_method = CT_CENTRE_CORRELATION;
  gantry_jobs_set_searching(self->with.jobs, TRUE);
  self->edited = !ct_plan_equal(&plan, present);
  if (self->edited) {
    gantry_plan_editor_take(self->with.editor, &plan, NULL);
  } else if (gantry_banner_has_no_preview(self->with.banner) || !gantry_slices_get_outcome(self->with.slices) ||
             gantry_slices_is_earlier(self->with.slices)) {
    gantry_pictures_renew(self->with.pictures, GANTRY_A);
    gantry_slices_choose(self->with.slices);
  } else if (!gantry_jobs_is_watched(self->with.jobs, GANTRY_WATCH_PREVIEW) &&
             !gantry_preview_is_scheduled(self->with.preview)) {
    previewed(self->with.slices, NULL, self);
  }
  gantry_context_changed(self->with.context);
}

void gantry_centre_cancel(GantryCentre *self) {
  if (!gantry_jobs_is_searching(self->with.jobs)) return;
  gantry_jobs_set_searching(self->with.jobs, FALSE);
  gantry_preview_unschedule(self->with.preview);
  gantry_preview_cancel(self->with.preview);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_PLAN, NULL, NULL,
                       "The search was cancelled. The centre before is kept.");
  /* Where the values had asked for the search already, the pictures on screen are of those before, until the next try.
   */
  if (!self->edited) gantry_slices_set_earlier(self->with.slices);
  take_back(self);
  gantry_slices_retitle(self->with.slices);
  gantry_context_changed(self->with.context);
}

/* A sweep */

static void show_trials(GantryCentre *self, const GantrySweepTask *sweep) {
  GantryContext *context = self->with.context;
  gantry_window_clear_error(context->window);
  gantry_plan_panel_set_sweep(gantry_context_get_panel(context), sweep->trials, sweep->count, sweep->best);
  if (isnan(sweep->best)) {
    gantry_context_toast(context, GANTRY_ABOUT_PLAN, NULL, NULL,
                         "The best trial is an end of the range: widen Sweep from and Sweep to");
    return;
  }
  ct_plan plan = *gantry_plan_editor_get(self->with.editor);
  plan.centre_method = CT_CENTRE_FOUND;
  plan.centre_u = round(sweep->best * 1000) / 1000; /* a sweep knows no more */
  gantry_plan_editor_take(self->with.editor, &plan, NULL);
  g_autofree char *centre = gantry_quantity_text(sweep->best, 6, "px");
  gantry_context_toast(context, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "Best centre of %u trials: %s",
                       (guint)sweep->count, centre);
}

static void swept(gpointer owner, GantryTask *task) {
  GantryCentre *self = owner;
  const GantrySweepTask *sweep = (const GantrySweepTask *)task;
  gantry_jobs_end(self->with.jobs, task);
  if (!self->with.context->window || sweep->scan != gantry_scan_slot_get(self->with.slot)) return;
  if (sweep->work.error)
    gantry_context_show_error(self->with.context, sweep->work.error);
  else if (!task->dropped)
    show_trials(self, sweep);
  gantry_slices_choose(self->with.slices);
  gantry_context_changed(self->with.context);
}

void gantry_centre_sweep(GantryCentre *self) {
  if (!can_begin(self)) return;
  GantryContext *context = self->with.context;
  const ct_plan plan = gantry_plan_editor_get_filled(self->with.editor);
  const ct_grid *grid = gantry_pictures_get_grid(self->with.pictures);
  GantryWanted wanted;
  gantry_pictures_get_wanted(self->with.pictures, &wanted);
  const int index = grid ? gantry_wanted_index(&wanted, grid, CT_AXIAL) : -1;
  gantry_jobs_set_searching(self->with.jobs, FALSE);
  gantry_preview_cancel(self->with.preview);
  GantrySweepTask *task = gantry_sweep_task_new(G_OBJECT(self), swept, context->engine,
                                                gantry_scan_slot_get(self->with.slot), &plan, index);
  const GantryJob job = {.kind = GANTRY_JOB_SWEEP, .task = (GantryTask *)task};
  gantry_jobs_begin(self->with.jobs, &job, context->engine_worker);
}
