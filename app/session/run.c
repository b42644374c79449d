/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task of the engine's worker from begin to end. */
#include "app/session/run.h"

#include "app/errors.h"
#include "app/progress-text.h"
#include "app/session/run-messages.h"
#include "recon/base/memory.h"

struct _GantryRun {
  GObject parent_instance;
  GantryRunParts with;
  GantryIterations *iterations;
  char *name; /* that the run under way gives its result; NULL: it gets one as others do */
};

G_DEFINE_FINAL_TYPE(GantryRun, gantry_run, G_TYPE_OBJECT)

static void gantry_run_finalize(GObject *object) {
  GantryRun *self = GANTRY_RUN(object);
  gantry_iterations_free(self->iterations);
  g_free(self->name);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_run_parent_class)->finalize(object);
}

static void gantry_run_class_init(GantryRunClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_run_finalize;
}

static void gantry_run_init(GantryRun *self) {}

GantryRun *gantry_run_new(const GantryRunParts *parts) {
  GantryRun *self = g_object_new(GANTRY_TYPE_RUN, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  self->iterations = gantry_iterations_new(parts->context, parts->jobs, parts->shelf);
  return self;
}

void gantry_run_reset(GantryRun *self) {
  gantry_iterations_reset(self->iterations);
}

void gantry_run_show_curve(GantryRun *self, guint run, const ct_iteration *points, gsize count) {
  gantry_iterations_show(self->iterations, run, points, count);
}

/* The end */

static void volume_made(GantryRun *self, GantryVolumeTask *run) {
  GantryResult *result = g_steal_pointer(&run->result);
  GantryEntry *entry = gantry_shelf_put(self->with.shelf, result, run->outcome, &run->estimate);
  if (self->name && entry) gantry_shelf_rename(self->with.shelf, entry, self->name);
  gantry_kernel_speeds_take_run(self->with.speeds, result, run->outcome);
  gantry_banner_clear(self->with.banner);
  gantry_run_announce_volume(self->with.context, result, run);
}

static void failed(GantryRun *self, const GantryVolumeTask *run) {
  const GantryFailure failure = {.plan = &run->plan,
                                 .error = run->work.error,
                                 .estimate = &run->estimate,
                                 .too_big = run->too_big,
                                 .blames_device = run->blames_device};
  gantry_context_show_error(self->with.context, run->work.error);
  gantry_banner_set_refused(self->with.banner);
  if (run->too_big) gantry_slices_set_estimate(self->with.slices, &run->estimate);
  gantry_banner_offer(self->with.banner, &failure, gantry_plan_editor_get(self->with.editor));
}

/* Continue was cancelled: the plan asks for as many iterations as before again. */
static void take_back_continue(GantryRun *self) {
  ct_plan plan = *gantry_plan_editor_get(self->with.editor);
  const int before = gantry_iterations_take_back(self->iterations, &plan);
  if (!before) return;
  plan.iterative.iterations = before;
  gantry_plan_editor_take(self->with.editor, &plan, "iterative.iterations");
}

static void show_what_is_left(GantryRun *self, const GantryVolumeTask *run) {
  const gboolean volume = gantry_shelf_get_result(self->with.shelf) != NULL;
  const gboolean elsewhere = volume && gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_PREVIEW;
  gantry_run_announce_cancelled(self->with.context, run, volume, elsewhere);
}

static void ended(GantryRun *self, GantryVolumeTask *run) {
  const gboolean made = run->result != NULL, dropped = run->work.task.dropped;
  const GError *error = run->work.error;
  const gboolean cancelled = !made && (error ? gantry_error_is_cancelled(error) : dropped || !run->path);
  if (run->estimated) gantry_slices_set_estimate(self->with.slices, &run->estimate);
  if (made) {
    volume_made(self, run);
  } else if (run->path && !error && !dropped) {
    gantry_banner_clear(self->with.banner);
    gantry_run_announce_file(self->with.context, run);
  } else if (error && !cancelled) {
    failed(self, run);
  }
  if (run->outcome) gantry_slices_show_outcome(self->with.slices, g_steal_pointer(&run->outcome), &run->plan);
  if (cancelled) take_back_continue(self);
  /* A volume that has just been made stays on screen until something is edited, also where the values were edited while
   * it was made. One in a file is not on screen: its slices are made on demand where the projections fit, else those on
   * screen stay. */
  if (made)
    gantry_slices_show_volume(self->with.slices);
  else
    gantry_slices_choose(self->with.slices);
  if (cancelled) show_what_is_left(self, run);
  gantry_context_changed(self->with.context);
}

static void done(gpointer owner, GantryTask *task) {
  GantryRun *self = owner;
  GantryVolumeTask *run = (GantryVolumeTask *)task;
  GantryProbe *probe = self->with.context->probe;
  gantry_probe_end(probe, "cancel");
  gantry_probe_end(probe, "finish-early");
  gantry_probe_end_ticks(probe, "reconstruct");
  gantry_jobs_end(self->with.jobs, task);
  if (!self->with.context->window || run->scan != gantry_scan_slot_get(self->with.slot)) return;
  gantry_iterations_end(self->iterations, run);
  ended(self, run);
  g_clear_pointer(&self->name, g_free);
}

/* The begin */

static gboolean lacks_distances(GantryRun *self, const ct_plan *plan) {
  if (!gantry_scan_lacks_distances(gantry_scan_slot_get(self->with.slot), plan)) return FALSE;
  gantry_window_show_notice(self->with.context->window, GANTRY_LACKS_DISTANCES);
  gantry_banner_set_refused(self->with.banner);
  return TRUE;
}

/* What surely does not fit is refused at once: the engine may be busy with a preview. It looks again, closely, when the
 * run begins. */
static gboolean is_too_big(GantryRun *self, const ct_plan *plan) {
  ct_error *fault = NULL;
  ct_estimate estimate = {0};
  const GantryOutcome *outcome = gantry_slices_get_outcome(self->with.slices);
  const double held = outcome ? gantry_outcome_held(outcome) : 0;
  const ct_backend *backend = gantry_backend_get(self->with.context->backend);
  const gboolean fits =
      gantry_check_memory(gantry_scan_slot_get(self->with.slot), plan, backend, TRUE, held, &estimate, &fault);
  const gboolean too_big = !fits && fault && fault->code == CT_ERROR_MEMORY &&
                           estimate.total - estimate.projections - estimate.filtered > estimate.available;
  if (too_big) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &fault);
    gantry_context_show_error(self->with.context, error);
    gantry_banner_set_refused(self->with.banner);
    gantry_slices_set_estimate(self->with.slices, &estimate);
    gantry_banner_offer_advice(self->with.banner, &estimate, gantry_plan_editor_get(self->with.editor));
  }
  ct_error_clear(&fault);
  return too_big;
}

/* There is nothing that Reconstruct could add to the volume. */
static gboolean is_complete(GantryRun *self, const ct_plan *plan) {
  if (!gantry_iterations_is_complete(self->iterations, plan)) return FALSE;
  gantry_run_announce_complete(self->with.context, gantry_shelf_get_result(self->with.shelf));
  return TRUE;
}

static char *progress_text(GantryTask *task, const ct_progress *progress, gpointer user) {
  return gantry_progress_text(progress, ct_memory_resident(), gantry_iterations_get_point(user));
}

void gantry_run_begin(GantryRun *self, const char *path) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!scan || !gantry_jobs_is_idle(self->with.jobs)) return;
  const ct_plan plan = gantry_plan_editor_get_filled(self->with.editor);
  if (lacks_distances(self, &plan)) return;
  if (!path && (is_too_big(self, &plan) || is_complete(self, &plan))) return;
  gantry_preview_unschedule(self->with.preview);
  gantry_preview_cancel(self->with.preview);
  gantry_worker_cancel_slot(context->engine_worker, GANTRY_SLOT_REFERENCE);
  gantry_probe_begin(context->probe, "reconstruct-to-first-plane");
  gantry_probe_begin_ticks(context->probe);
  gantry_jobs_set_searching(self->with.jobs, FALSE);
  gantry_slices_begin_run(self->with.slices, &plan);
  GantryVolumeTask *task =
      gantry_volume_task_new(G_OBJECT(self), done, context->engine, scan, context->mailbox, &plan, path);
  gantry_iterations_begin(self->iterations, task, gantry_reference_get_result(self->with.reference));
  const GantryJob job = {
      .kind = GANTRY_JOB_VOLUME, .task = (GantryTask *)task, .text = progress_text, .user = self->iterations};
  gantry_jobs_begin(self->with.jobs, &job, context->engine_worker);
  gantry_slices_retitle(self->with.slices);
}

void gantry_run_begin_named(GantryRun *self, const char *name) {
  if (!gantry_jobs_is_idle(self->with.jobs)) return;
  gantry_run_begin(self, NULL);
  if (gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_VOLUME) self->name = g_strdup(name);
}

/* Going on */

int gantry_run_get_continue(GantryRun *self) {
  const ct_plan plan = gantry_plan_editor_get_filled(self->with.editor);
  const gboolean can = gantry_scan_slot_get(self->with.slot) && gantry_iterations_can_continue(self->iterations, &plan);
  return can ? gantry_iterations_get_step(self->iterations) : 0;
}

void gantry_run_continue(GantryRun *self, int more) {
  if (!gantry_run_get_continue(self)) return;
  ct_plan plan = *gantry_plan_editor_get(self->with.editor);
  const int before = plan.iterative.iterations;
  plan.iterative.iterations = gantry_iterations_extend(self->iterations, more);
  gantry_plan_editor_take(self->with.editor, &plan, "iterative.iterations");
  gantry_run_begin(self, NULL);
  if (gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_VOLUME)
    gantry_iterations_continued_from(self->iterations, before);
}
