/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest job, reconstruct; the progress in the header that tells of the present one; advice when memory is short.
 */
#include "app/session/session-private.h"

#include "app/errors.h"
#include "app/progress-text.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"

#define PROGRESS_MS 100
#define PROGRESS_AFTER 0.15 /* s, for jobs that usually end at once */

/* Progress */

/* What the header shows, to be cancelled there: a job, or a search of the centre. */
static const GantryTask *header_task(GantrySession *self) {
  return self->job || !self->centre_asked ? self->job : self->preview;
}

/* The thin line, for previews, for reading B, and for looking at a file and opening it, when the start page may be on
 * screen yet. */
static void show_busy(GantrySession *self) {
  const gboolean loads = self->look || self->job_kind == GANTRY_JOB_LOAD;
  const GantryTask *opens = self->look ? self->look : loads ? self->job : self->reading;
  const GantryTask *task = opens ? opens : self->preview;
  if (!task || (task == header_task(self) && !loads)) {
    gantry_window_set_busy(self->window, FALSE, NULL);
    return;
  }
  ct_progress progress;
  ct_job_get_progress(task->job, &progress);
  g_autofree char *text = progress.stage != CT_STAGE_WAITING   ? gantry_progress_text(&progress, 0, NULL)
                          : self->job && task == self->preview ? g_strdup("the preview waits for the work above to end")
                                                               : g_strdup("beginning");
  const char *path = loads ? ((const GantryLoadTask *)task)->path : opens ? ((const GantryReadTask *)task)->path : NULL;
  g_autofree char *name = path ? g_path_get_basename(path) : NULL;
  g_autofree char *opening = name ? g_strdup_printf("Opening %s: %s", name, text) : NULL;
  gantry_window_set_busy(self->window, TRUE, opening ? opening : text);
}

/* The engine does one thing at a time. */
static const char *waits_for(GantrySession *self) {
  if (self->preview && self->job) return "waiting for the preview to end";
  return self->reference_is_plan ? "waiting for the slices of B to end" : "beginning";
}

static void show_progress(GantrySession *self) {
  const GantryTask *task = header_task(self);
  if (!task) {
    gantry_window_set_progress(self->window, NULL, NULL);
    return;
  }
  ct_progress progress;
  ct_job_get_progress(task->job, &progress);
  if (self->job_kind != GANTRY_JOB_VOLUME && progress.elapsed < PROGRESS_AFTER) return;
  if (progress.part > 0 && !self->finish_is_late) {
    self->finish_is_late = TRUE;
    gantry_session_update_actions(self);
  }
  g_autofree char *text =
      progress.stage == CT_STAGE_WAITING && !progress.paused ? g_strdup(waits_for(self))
      : self->job_kind == GANTRY_JOB_TUNE
          ? gantry_session_tuning_text(self, &progress)
          : gantry_progress_text(&progress, ct_memory_resident(), self->has_point ? &self->last_point : NULL);
  gantry_window_set_progress(self->window, &progress, text);
}

static gboolean progress_tick(gpointer data) {
  GantrySession *self = data;
  if (self->window) {
    show_progress(self);
    show_busy(self);
  }
  if (self->window && (self->job || self->preview || self->look || self->reading)) return G_SOURCE_CONTINUE;
  self->progress_timer = 0;
  return G_SOURCE_REMOVE;
}

void gantry_session_watch(GantrySession *self) {
  if (!self->progress_timer) self->progress_timer = g_timeout_add(PROGRESS_MS, progress_tick, self);
}

void gantry_session_begin_job(GantrySession *self, GantryJobKind kind, GantryTask *task, GantryWorker *worker) {
  self->job = task;
  self->job_kind = kind;
  self->paused = self->finish_is_late = FALSE;
  gantry_worker_push(worker, task);
  gantry_session_watch(self);
  if (kind == GANTRY_JOB_VOLUME) show_progress(self);
  gantry_session_update_actions(self);
}

void gantry_session_end_job(GantrySession *self, GantryTask *task) {
  if (self->job != task) return;
  self->job = NULL;
  self->job_kind = GANTRY_JOB_NONE;
  self->paused = FALSE;
  if (self->window) show_progress(self);
}

/* Volume */

static void announce(GantrySession *self, const GantryResult *result) {
  char time[32];
  ct_format_duration(result->seconds, time, sizeof time);
  g_autofree char *title = gantry_result_dup_title(result);
  gantry_session_toast(self, GANTRY_ABOUT_RUN, "_Save", "win.save-volume", "%s in %s: %s",
                       result->views < result->views_all ? "Finished early" : "Reconstructed", time, title);
}

/* A volume that is in its file and not in memory: its slices are made on demand where the projections fit, else those
 * on screen stay. */
static void announce_file(GantrySession *self, const GantryVolumeTask *run) {
  char time[32];
  ct_format_duration(run->seconds, time, sizeof time);
  g_autofree char *name = g_filename_display_basename(run->path);
  const ct_grid *grid = &run->slabs.grid;
  g_autofree char *views =
      run->views < run->views_all ? g_strdup_printf(", %d of %d views", run->views, run->views_all) : g_strdup("");
  gantry_session_toast(self, GANTRY_ABOUT_RUN, NULL, NULL, "Written to %s in %s: %d × %d × %d voxels%s", name, time,
                       grid->nx, grid->ny, grid->nz, views);
}

/* What is left, and what is on screen where that is something else. */
static void announce_cancelled(GantrySession *self, const GantryVolumeTask *run) {
  const gboolean curve = run->points && !run->goes_on_from;
  const gboolean elsewhere = self->volume && self->source == GANTRY_SOURCE_PREVIEW;
  gantry_session_toast(self, GANTRY_ABOUT_RUN, NULL, NULL, "%s%s",
                       run->path               ? "Cancelled. Nothing was written."
                       : self->volume && curve ? "Cancelled. The volume before and the curve so far are kept."
                       : self->volume          ? "Cancelled. The volume before is kept."
                       : curve                 ? "Cancelled. The curve so far is kept."
                                               : "Cancelled.",
                       !run->path && elsewhere ? " The slices are a preview of the present values." : "");
}

static void volume_done(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  GantryVolumeTask *run = (GantryVolumeTask *)task;
  gantry_probe_end(self->probe, "cancel");
  gantry_probe_end(self->probe, "finish-early");
  gantry_probe_end_ticks(self->probe, "reconstruct");
  gantry_session_end_job(self, task);
  if (!self->window || run->scan != self->scan) return;
  gantry_session_end_run(self, run);
  const gboolean made = run->result != NULL;
  const gboolean cancelled =
      !made && (run->work.error ? gantry_error_is_cancelled(run->work.error) : task->dropped || !run->path);
  if (run->estimated) {
    self->estimate = run->estimate;
    self->has_estimate = TRUE;
  }
  if (run->result) {
    gantry_result_unref(self->volume);
    self->volume = g_steal_pointer(&run->result);
    gantry_outcome_free(self->volume_outcome);
    self->volume_outcome = gantry_outcome_copy(run->outcome);
    self->volume_estimate = run->estimate;
    self->unsaved = TRUE;
    gantry_window_clear_error(self->window);
    self->run_refused = self->preview_failed = FALSE;
    if (self->volume->iterations)
      gantry_session_announce_run(self, self->volume, run->goes_on_from);
    else
      announce(self, self->volume);
    gantry_session_announce_projector(self, run);
  } else if (run->path && !run->work.error && !task->dropped) {
    gantry_window_clear_error(self->window);
    self->run_refused = self->preview_failed = FALSE;
    announce_file(self, run);
  } else if (run->work.error && !gantry_error_is_cancelled(run->work.error)) {
    gantry_session_show_error(self, run->work.error);
    self->run_refused = TRUE;
    if (run->too_big) gantry_session_offer_advice(self, &run->estimate);
    if (run->blames_device) gantry_session_offer_processor(self);
    if (!run->too_big && !run->blames_device) {
      gantry_session_offer_kernel(self, &run->plan, run->work.error);
      gantry_session_offer_projector(self, &run->plan);
    }
  }
  if (run->outcome) gantry_session_show_outcome(self, g_steal_pointer(&run->outcome), &run->plan);
  if (cancelled) gantry_session_take_back_continue(self);
  /* A volume that has just been made stays on screen until something is edited, also where the values were edited while
   * it was made. */
  if (made)
    gantry_session_show_volume(self);
  else
    gantry_session_choose_source(self);
  if (cancelled) announce_cancelled(self, run);
  gantry_session_update_actions(self);
}

static gboolean lacks_distances(GantrySession *self) {
  if (!gantry_session_lacks_distances(self)) return FALSE;
  gantry_window_show_notice(self->window, GANTRY_TYPE_DISTANCES);
  return self->run_refused = TRUE;
}

/* What surely does not fit is refused at once: the engine may be busy with a preview. It looks again, closely, when the
 * run begins. */
static gboolean refuses(GantrySession *self, const ct_plan *plan) {
  if (lacks_distances(self)) return TRUE;
  ct_error *fault = NULL;
  ct_estimate estimate = {0};
  const double held = self->outcome ? gantry_outcome_held(self->outcome) : 0;
  const ct_bp_table *kernels = gantry_kernel_table_get(self->kernels);
  const gboolean fits = gantry_check_memory(self->scan, plan, kernels, TRUE, held, &estimate, &fault);
  const gboolean too_big = !fits && fault && fault->code == CT_ERROR_MEMORY &&
                           estimate.total - estimate.projections - estimate.filtered > estimate.available;
  if (too_big) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &fault);
    gantry_session_show_error(self, error);
    self->run_refused = TRUE;
    gantry_session_offer_advice(self, &estimate);
  }
  ct_error_clear(&fault);
  return too_big;
}

void gantry_session_reconstruct(GantrySession *self, const char *path) {
  if (!self->scan || self->job) return;
  ct_plan plan = *gantry_session_get_plan(self);
  gantry_session_engine_plan(self, &plan);
  if (path ? lacks_distances(self) : refuses(self, &plan) || gantry_session_run_is_complete(self, &plan)) return;
  g_clear_handle_id(&self->debounce, g_source_remove);
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_PREVIEW);
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_REFERENCE);
  gantry_probe_begin(self->probe, "reconstruct-to-first-plane");
  gantry_probe_begin_ticks(self->probe);
  self->centre_asked = FALSE;
  self->source = GANTRY_SOURCE_RUNNING;
  self->generation++;
  self->earlier_values = FALSE;
  if (self->whole_known) gantry_window_set_statistics(self->window, NULL, NULL);
  self->whole_known = FALSE;
  self->whole_volume = NULL;
  GantryWanted wanted;
  gantry_session_update_wanted(self, &wanted);
  GantryVolumeTask *task =
      gantry_volume_task_new(G_OBJECT(self), volume_done, self->engine, self->scan, self->mailbox, &plan, path);
  gantry_session_begin_run(self, task);
  gantry_session_begin_job(self, GANTRY_JOB_VOLUME, (GantryTask *)task, self->engine_worker);
  gantry_session_update_titles(self);
}

/* Graphics devices */

void gantry_session_offer_processor(GantrySession *self) {
  gantry_window_offer_remedy(self->window, "Continue on the _Processor",
                             "Take the fastest kernel of the processor instead of the graphics device",
                             "win.use-processor");
}

void gantry_session_use_processor(GantrySession *self) {
  if (!self->scan || self->job) return;
  const gboolean run = self->run_refused;
  ct_plan plan = *gantry_session_get_plan(self);
  const ct_bp_kernel *kernel = ct_bp_find(gantry_kernel_table_get(self->kernels), plan.kernel);
  if (!kernel || kernel->gpu) g_strlcpy(plan.kernel, "auto", sizeof plan.kernel);
  const ct_projector *projector =
      ct_projector_find_in(gantry_kernel_table_get(self->kernels), plan.iterative.projector);
  if (projector && projector->gpu) g_strlcpy(plan.iterative.projector, "auto", sizeof plan.iterative.projector);
  g_strlcpy(plan.device, "none", sizeof plan.device);
  gantry_window_clear_error(self->window);
  gantry_session_set_plan(self, &plan, NULL);
  if (run) gantry_session_reconstruct(self, NULL);
}

/* Kernels that refuse */

void gantry_session_offer_kernel(GantrySession *self, const ct_plan *plan, const GError *error) {
  if (plan->iterative.method != CT_METHOD_DIRECT || g_str_equal(plan->kernel, "auto") ||
      !g_error_matches(error, GANTRY_ERROR, CT_ERROR_UNSUPPORTED))
    return;
  gantry_window_offer_remedy(self->window, "_Automatic Kernel", "Take the fastest kernel that serves these values",
                             "win.use-kernel");
}

void gantry_session_use_kernel(GantrySession *self) {
  if (!self->scan || self->job) return;
  const gboolean run = self->run_refused;
  ct_plan plan = *gantry_session_get_plan(self);
  g_strlcpy(plan.kernel, "auto", sizeof plan.kernel);
  gantry_window_clear_error(self->window);
  gantry_session_set_plan(self, &plan, "reconstruction.kernel");
  if (run) gantry_session_reconstruct(self, NULL);
}

/* Advice */

void gantry_session_offer_advice(GantrySession *self, const ct_estimate *estimate) {
  self->estimate = *estimate;
  self->has_estimate = self->too_big = TRUE;
  gantry_session_update_actions(self);
  if (estimate->slab_height > 0)
    gantry_window_offer_remedy(self->window, "Reconstruct _to File…",
                               "Reconstruct slab by slab straight to a file, which the memory need not hold",
                               "win.reconstruct-to-file");
  const ct_plan *plan = gantry_session_get_plan(self);
  if (estimate->suggested_bin > plan->bin) {
    g_autofree char *label = g_strdup_printf("_Bin %d × %d", estimate->suggested_bin, estimate->suggested_bin);
    gantry_session_toast(self, GANTRY_ABOUT_RUN, label, "win.apply-advice", "Not enough memory for these values");
  } else if (estimate->suggested_grid.nx > 0) {
    gantry_session_toast(self, GANTRY_ABOUT_RUN, "_Smaller Region", "win.apply-advice",
                         "Not enough memory for these values");
  }
}

void gantry_session_apply_advice(GantrySession *self) {
  if (!self->too_big) return;
  const ct_estimate *estimate = &self->estimate;
  const ct_grid *grid = &estimate->suggested_grid;
  ct_plan plan = *gantry_session_get_plan(self);
  if (estimate->suggested_bin > plan.bin) {
    plan.bin = estimate->suggested_bin;
  } else if (grid->nx > 0) {
    plan.nx = grid->nx;
    plan.ny = grid->ny;
    plan.nz = grid->nz;
    plan.voxel = grid->dx;
    plan.voxel_z = grid->dz;
    plan.centre_mm[0] = grid->x0 + 0.5 * (grid->nx - 1) * grid->dx;
    plan.centre_mm[1] = grid->y0 + 0.5 * (grid->ny - 1) * grid->dy;
    plan.centre_mm[2] = grid->z0 + 0.5 * (grid->nz - 1) * grid->dz;
  }
  self->too_big = FALSE;
  gantry_window_clear_error(self->window);
  gantry_session_set_plan(self, &plan, NULL);
}
