/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of the engine worker: load, preview, sweep. */
#include "app/tasks-private.h"

#include "app/errors.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"

void gantry_work_done(GantryTask *task) {
  GantryWork *work = (GantryWork *)task;
  if (work->done) work->done(work->owner, task);
}

gpointer gantry_work_init(gpointer task, GObject *owner, GantryDone done, void (*run)(GantryTask *),
                          void (*release)(GantryTask *)) {
  GantryWork *work = task;
  work->task.run = run;
  work->task.done = gantry_work_done;
  work->task.free = release;
  work->owner = g_object_ref(owner);
  work->done = done;
  return task;
}

void gantry_work_free(GantryTask *task) {
  GantryWork *work = (GantryWork *)task;
  g_clear_error(&work->error);
  GObject *owner = work->owner;
  g_free(task);
  g_object_unref(owner);
}

void gantry_work_fail(GantryTask *task, ct_error **error) {
  gantry_take_ct_error(&((GantryWork *)task)->error, error);
}

gboolean gantry_work_is_stale(GantryEngine *engine, GantryScan *scan, ct_error **error) {
  if (gantry_engine_get_scan(engine) == scan) return FALSE;
  ct_error_set(error, CT_ERROR_CANCELLED, "Another scan was opened.");
  return TRUE;
}

gboolean gantry_work_blames_device(GantryEngine *engine, GantrySide side, const ct_plan *plan, const ct_error *error) {
  return error && (error->code == CT_ERROR_UNSUPPORTED || error->code == CT_ERROR_MEMORY) &&
         gantry_engine_leave_device(engine, side, plan);
}

/* Load */

static void load_run(GantryTask *task) {
  GantryLoadTask *self = (GantryLoadTask *)task;
  ct_error *error = NULL;
  if (self->lists) {
    self->unclear = TRUE;
    ct_file_list_datasets(self->path, false, &self->datasets, NULL);
    ct_error_set(&error, CT_ERROR_ARGUMENT, "Tell what of the file is the scan, and it is opened anew.");
    gantry_work_fail(task, &error);
    return;
  }
  const double begin = ct_now();
  GantryScan *scan = self->close        ? NULL
                     : self->opened     ? gantry_scan_ref(self->opened)
                     : self->simulation ? gantry_scan_simulate(self->simulation, self->object, task->job, &error)
                                        : gantry_scan_open(self->path, self->description, task->job, &error);
  if (!scan && !self->close && self->path && error && error->code == CT_ERROR_ELSEWHERE)
    self->allowed = ct_scan_allow_links(self->path, self->description);
  if (!scan && !self->close && self->path && !self->allowed && !(error && error->code == CT_ERROR_CANCELLED))
    self->unclear = ct_scan_is_unclear(self->path, &self->datasets) || ct_scan_is_raw(self->path);
  else if (scan && !ct_scan_check_layout(gantry_scan_get(scan), &error))
    self->unclear = TRUE;
  if (self->unclear) {
    gantry_work_fail(task, &error);
    g_clear_pointer(&scan, gantry_scan_unref);
    return;
  }
  if ((!scan && !self->close) || ct_job_requested(task->job) == CT_JOB_CANCEL ||
      (self->engine && !gantry_engine_set_scan(self->engine, scan, &error))) {
    if (!error) ct_error_set(&error, CT_ERROR_CANCELLED, "Opening was cancelled.");
    self->raw = !scan && !self->close && self->path && ct_scan_could_be_raw(self->path);
    gantry_work_fail(task, &error);
    if (scan) gantry_scan_unref(scan);
    return;
  }
  self->scan = scan;
  self->seconds = ct_now() - begin;
}

static void load_free(GantryTask *task) {
  GantryLoadTask *self = (GantryLoadTask *)task;
  g_free(self->path);
  g_free(self->plan);
  g_free(self->description);
  ct_free(self->allowed);
  g_free(self->simulation);
  g_free(self->object);
  ct_dataset_list_clear(&self->datasets);
  g_clear_pointer(&self->opened, gantry_scan_unref);
  g_clear_pointer(&self->scan, gantry_scan_unref);
  gantry_work_free(task);
}

GantryLoadTask *gantry_load_task_new(GObject *owner, GantryDone done, GantryEngine *engine, const char *path) {
  GantryLoadTask *self = gantry_work_init(g_new0(GantryLoadTask, 1), owner, done, load_run, load_free);
  self->engine = engine;
  self->path = g_strdup(path);
  return self;
}

/* Preview */

static gboolean preview_plane(GantryPreviewTask *self, ct_pipeline *pipeline, ct_plane plane, ct_error **error) {
  const ct_grid grid = ct_pipeline_get_facts(pipeline)->grid;
  const int index = self->side == GANTRY_A ? gantry_wanted_index(&self->wanted, &grid, plane)
                                           : gantry_plane_index(&grid, plane, self->positions[plane]);
  GantryImage *image = gantry_image_new_for_plane(&grid, plane, index);
  if (!image) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a slice.");
  image->generation = self->work.task.generation;
  image->stands_in = ct_pipeline_slice_is_preview(pipeline, &self->plan, plane);
  if (!ct_pipeline_slice(pipeline, &self->plan, plane, index, image->pixels, self->work.task.job, error)) {
    gantry_image_unref(image);
    return FALSE;
  }
  if (self->side == GANTRY_B) {
    image->index = self->indices[plane];
    image->position = self->positions[plane];
  }
  gantry_mailbox_post(self->mailbox, self->side, image, self->side == GANTRY_A ? &grid : NULL);
  return TRUE;
}

static gboolean preview_oblique(GantryPreviewTask *self, ct_pipeline *pipeline, ct_error **error) {
  const ct_grid grid = self->side == GANTRY_A ? ct_pipeline_get_facts(pipeline)->grid : self->grid;
  ct_oblique oblique;
  if (!gantry_wanted_oblique(&self->wanted, &grid, &oblique)) return TRUE;
  GantryImage *image =
      gantry_oblique_new(&self->wanted, &oblique, &ct_pipeline_get_facts(pipeline)->grid, self->work.task.generation);
  if (!image) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a slice.");
  image->stands_in = self->plan.iterative.method != CT_METHOD_DIRECT;
  if (!ct_pipeline_oblique(pipeline, &self->plan, &oblique, image->pixels, self->work.task.job, error)) {
    gantry_image_unref(image);
    return FALSE;
  }
  gantry_mailbox_post(self->mailbox, self->side, image, self->side == GANTRY_A ? &grid : NULL);
  return TRUE;
}

/* Whether axial slices are pictures of their own, which an iterative method can make alone. */
static gboolean slices_stand_alone(ct_pipeline *pipeline, const ct_plan *plan) {
  ct_plan iterative = *plan;
  iterative.iterative.method = CT_METHOD_SIRT;
  return !ct_pipeline_slice_is_preview(pipeline, &iterative, CT_AXIAL);
}

static gboolean preview_try(GantryPreviewTask *self, ct_error **error) {
  ct_job *job = self->work.task.job;
  if (gantry_work_is_stale(self->engine, self->scan, error) || !ct_job_may_go_on(job, error)) return FALSE;
  ct_pipeline *pipeline = gantry_engine_pipeline_for(self->engine, self->side, &self->plan, error);
  if (!pipeline) return FALSE;
  const gboolean fits =
      gantry_engine_check_memory(self->engine, self->side, &self->plan, FALSE, &self->estimate, error);
  self->estimated = self->estimate.total > 0;
  if (!fits) {
    self->too_big = *error && (*error)->code == CT_ERROR_MEMORY && self->estimated;
    return FALSE;
  }
  if (!ct_pipeline_prepare(pipeline, &self->plan, job, error)) return FALSE;
  self->outcome = gantry_engine_dup_outcome(self->engine, self->side, &self->plan);
  self->slices_alone = slices_stand_alone(pipeline, &self->plan);
  for (int i = 0; i < GANTRY_PLANES; i++) {
    const ct_plane plane = (ct_plane)((self->first + i) % GANTRY_PLANES);
    if (!(self->planes & (1u << plane))) continue;
    if (!ct_job_may_go_on(job, error) || !preview_plane(self, pipeline, plane, error)) return FALSE;
  }
  return !(self->planes & GANTRY_OBLIQUE) || (ct_job_may_go_on(job, error) && preview_oblique(self, pipeline, error));
}

static void preview_run(GantryTask *task) {
  GantryPreviewTask *self = (GantryPreviewTask *)task;
  ct_error *error = NULL;
  if (preview_try(self, &error)) return;
  self->blames_device = !self->too_big && gantry_work_blames_device(self->engine, self->side, &self->plan, error);
  gantry_work_fail(task, &error);
}

static void preview_free(GantryTask *task) {
  GantryPreviewTask *self = (GantryPreviewTask *)task;
  gantry_scan_unref(self->scan);
  gantry_mailbox_unref(self->mailbox);
  gantry_outcome_free(self->outcome);
  gantry_work_free(task);
}

GantryPreviewTask *gantry_preview_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                           GantryMailbox *mailbox, GantrySide side, const ct_plan *plan) {
  GantryPreviewTask *self = gantry_work_init(g_new0(GantryPreviewTask, 1), owner, done, preview_run, preview_free);
  self->work.task.slot = side == GANTRY_A ? GANTRY_SLOT_PREVIEW : GANTRY_SLOT_REFERENCE;
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->mailbox = gantry_mailbox_ref(mailbox);
  self->side = side;
  self->plan = *plan;
  return self;
}

/* Sweep */

static void sweep_run(GantryTask *task) {
  GantrySweepTask *self = (GantrySweepTask *)task;
  ct_error *error = NULL;
  ct_estimate estimate;
  ct_pipeline *pipeline = NULL;
  if (gantry_work_is_stale(self->engine, self->scan, &error) ||
      !(pipeline = gantry_engine_pipeline_for(self->engine, GANTRY_A, &self->plan, &error)) ||
      !gantry_engine_check_memory(self->engine, GANTRY_A, &self->plan, FALSE, &estimate, &error) ||
      !ct_pipeline_sweep(pipeline, &self->plan, self->index, &self->trials, &self->count, &self->best, task->job,
                         &error))
    gantry_work_fail(task, &error);
}

static void sweep_free(GantryTask *task) {
  GantrySweepTask *self = (GantrySweepTask *)task;
  gantry_scan_unref(self->scan);
  ct_free(self->trials);
  gantry_work_free(task);
}

GantrySweepTask *gantry_sweep_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                       const ct_plan *plan, int index) {
  GantrySweepTask *self = gantry_work_init(g_new0(GantrySweepTask, 1), owner, done, sweep_run, sweep_free);
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->plan = *plan;
  self->index = index;
  return self;
}

static void drop_run(GantryTask *task) {
  gantry_engine_drop_reference(((GantryDropTask *)task)->engine);
}

GantryDropTask *gantry_drop_task_new(GObject *owner, GantryDone done, GantryEngine *engine) {
  GantryDropTask *self = gantry_work_init(g_new0(GantryDropTask, 1), owner, done, drop_run, gantry_work_free);
  self->engine = engine;
  return self;
}
