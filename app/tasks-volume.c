/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine worker's longest task: the volume, in memory or slab by slab to a file. */
#include "app/tasks-private.h"

#include "app/slab-file.h"
#include "recon/base/memory.h"

#define KEPT                                                                                                           \
  (128.0 * 1024 * 1024) /* bytes of slices by iteration, at most, and at most this share of the free memory: */
#define KEPT_SHARE 0.0625

/* What an iterative volume needs besides its plan. One that goes on keeps what it began with. Without memory for the
 * phantom there is a curve all the same. */
static gboolean bring_companions(GantryVolumeTask *self, ct_error **error) {
  if (!ct_method_iterates(self->plan.iterative.method) || self->goes_on_from) return TRUE;
  gantry_engine_start_from(self->engine, self->start);
  if (gantry_engine_compare_with(self->engine, &self->plan, self->reference, self->work.task.job, error)) return TRUE;
  if ((*error)->code == CT_ERROR_CANCELLED) return FALSE;
  ct_error_clear(error);
  return TRUE;
}

/* The curve of the volume just made. */
static void keep_curve(GantryVolumeTask *self, ct_pipeline *pipeline) {
  size_t count;
  const ct_iteration *curve = ct_pipeline_get_curve(pipeline, &count);
  if (!ct_method_iterates(self->plan.iterative.method) || !curve || !count) return;
  self->result->iterations = (int)count;
  self->result->curve = g_memdup2(curve, count * sizeof *curve);
  self->result->run = self->run;
  self->result->stopped = ct_pipeline_get_stopped(pipeline);
}

/* What a cancelled run has come to. */
static void keep_points(GantryVolumeTask *self, ct_pipeline *pipeline) {
  size_t count;
  const ct_iteration *curve = ct_pipeline_get_curve(pipeline, &count);
  ct_progress progress;
  ct_job_get_progress(self->work.task.job, &progress);
  /* Before the stage of iterating the pipeline has the curve of another run, or none. */
  if (!ct_method_iterates(self->plan.iterative.method) || progress.stage != CT_STAGE_ITERATING || !count) return;
  self->curve = g_memdup2(curve, count * sizeof *curve);
  self->points = count;
}

/* For the slices after each iteration; NULL of what has none. */
static GantryKeptIterations *new_kept(const GantryVolumeTask *self) {
  if (!ct_method_iterates(self->plan.iterative.method)) return NULL;
  const double available = (double)ct_memory_available();
  const double bytes = available > 0 ? MIN(KEPT, KEPT_SHARE * available) : KEPT;
  return gantry_kept_iterations_new(bytes, self->goes_on_from ? self->kept_before : NULL);
}

static gboolean volume_try(GantryVolumeTask *self, ct_error **error) {
  ct_job *job = self->work.task.job;
  if (gantry_work_is_stale(self->engine, self->scan, error) || !ct_job_may_go_on(job, error)) return FALSE;
  ct_pipeline *pipeline = gantry_engine_pipeline_for(self->engine, GANTRY_A, &self->plan, error);
  if (!pipeline) return FALSE;
  if (!gantry_engine_check_memory(self->engine, GANTRY_A, &self->plan, TRUE, &self->estimate, error)) {
    self->too_big = *error && (*error)->code == CT_ERROR_MEMORY && self->estimate.total > 0;
    return FALSE;
  }
  self->estimated = TRUE;
  if (!bring_companions(self, error)) return FALSE;
  g_autoptr(GantryKeptIterations) kept = new_kept(self);
  GantryPublication publication = {.mailbox = self->mailbox,
                                   .pipeline = pipeline,
                                   .plan = &self->plan,
                                   .run = self->run,
                                   .kept = kept,
                                   .redundancy = gantry_engine_get_redundancy(self->engine)};
  const ct_publisher publisher = gantry_mailbox_publisher(&publication);
  ct_volume *volume = ct_pipeline_volume(pipeline, &self->plan, &publisher, job, error);
  if (!volume) {
    if (ct_job_requested(job) == CT_JOB_CANCEL) keep_points(self, pipeline);
    return FALSE;
  }
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  self->outcome = gantry_engine_dup_outcome(self->engine, GANTRY_A, &self->plan);
  self->result = gantry_result_new(volume, &self->plan);
  self->result->views_all = self->outcome ? self->outcome->facts.views_all : publication.views_done;
  /* An iterative run takes all views, but maybe for its start. */
  const int taken = self->outcome ? self->outcome->facts.views_taken : 0;
  self->result->views = taken && !ct_method_iterates(self->plan.iterative.method) ? taken : self->result->views_all;
  self->result->seconds = progress.elapsed;
  self->result->gups = progress.gups;
  keep_curve(self, pipeline);
  if (self->result->curve) self->result->kept = g_steal_pointer(&kept);
  return TRUE;
}

/* The volume that need not fit, to a file. */
static gboolean slabs_try(GantryVolumeTask *self, ct_error **error) {
  ct_job *job = self->work.task.job;
  if (gantry_work_is_stale(self->engine, self->scan, error) || !ct_job_may_go_on(job, error)) return FALSE;
  ct_pipeline *pipeline = gantry_engine_pipeline_for(self->engine, GANTRY_A, &self->plan, error);
  const ct_format *format = ct_format_for_writing(self->path, error);
  gantry_slab_file file;
  if (!pipeline || !format || !ct_pipeline_plan_slabs(pipeline, &self->plan, 0, &self->slabs, error) ||
      !gantry_slab_file_init(&file, format, self->path, &self->plan, &self->slabs.grid, error))
    return FALSE;
  GantryPublication publication = {.mailbox = self->mailbox,
                                   .pipeline = pipeline,
                                   .plan = &self->plan,
                                   .redundancy = gantry_engine_get_redundancy(self->engine)};
  const ct_publisher publisher = gantry_mailbox_publisher(&publication);
  const ct_slab_sink sink = gantry_slab_file_sink(&file);
  const gboolean made =
      ct_pipeline_slabs(pipeline, &self->plan, &self->slabs, &sink, &publisher, &self->views, job, error);
  if (!gantry_slab_file_end(&file, made, error)) return FALSE;
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  self->outcome = gantry_engine_dup_outcome(self->engine, GANTRY_A, &self->plan);
  self->views_all = self->outcome ? self->outcome->facts.views_all : self->views;
  self->seconds = progress.elapsed;
  return TRUE;
}

static void volume_run(GantryTask *task) {
  GantryVolumeTask *self = (GantryVolumeTask *)task;
  ct_error *error = NULL;
  if ((self->path ? slabs_try : volume_try)(self, &error)) return;
  self->blames_device = !self->too_big && gantry_work_blames_device(self->engine, GANTRY_A, &self->plan, error);
  gantry_work_fail(task, &error);
}

static void volume_free(GantryTask *task) {
  GantryVolumeTask *self = (GantryVolumeTask *)task;
  gantry_scan_unref(self->scan);
  gantry_mailbox_unref(self->mailbox);
  gantry_outcome_free(self->outcome);
  gantry_result_unref(self->result);
  gantry_result_unref(self->start);
  gantry_kept_iterations_unref(self->kept_before);
  gantry_result_unref(self->reference);
  g_free(self->curve);
  g_free(self->path);
  gantry_work_free(task);
}

GantryVolumeTask *gantry_volume_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                         GantryMailbox *mailbox, const ct_plan *plan, const char *path) {
  GantryVolumeTask *self = gantry_work_init(g_new0(GantryVolumeTask, 1), owner, done, volume_run, volume_free);
  self->path = g_strdup(path);
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->mailbox = gantry_mailbox_ref(mailbox);
  self->plan = *plan;
  return self;
}
