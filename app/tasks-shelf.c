/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks for the results on the shelf: their numbers against B, their way back from the disk, the example's truth, and
 * the planes of those that are drawn over one another. */
#include "app/tasks-private.h"
#include "recon/solve/digest.h"

#include <math.h>

/* Numbers */

static gboolean appraise(GantryAppraiseTask *self, const ct_volume *a, ct_error **error) {
  ct_volume *own;
  const ct_grid *grid = ct_volume_grid(a);
  const ct_volume *b = gantry_volume_at(a, self->b->volume, &own, NULL, error);
  self->resampled = own != NULL;
  const ct_comparison pair = {.a = ct_volume_get_data(a),
                              .b = b ? ct_volume_get_data(b) : NULL,
                              .nx = grid->nx,
                              .ny = grid->ny,
                              .nz = grid->nz,
                              .peak = NAN};
  const gboolean compared = b && ct_compare(&pair, &self->metrics, self->work.task.job, error);
  ct_volume_free(own);
  return compared;
}

static void appraise_run(GantryTask *task) {
  GantryAppraiseTask *self = (GantryAppraiseTask *)task;
  ct_error *error = NULL;
  ct_volume *read = self->a ? NULL : ct_volume_read_allowed(self->path, self->anywhere, task->job, &error);
  const ct_volume *a = self->a ? self->a->volume : read;
  const gboolean read_whole = !read || !self->record || ct_volume_set_plan(read, self->record, &error);
  if (!a || !read_whole || !appraise(self, a, &error)) gantry_work_fail(task, &error);
  ct_volume_free(read);
}

static void appraise_free(GantryTask *task) {
  GantryAppraiseTask *self = (GantryAppraiseTask *)task;
  gantry_result_unref(self->a);
  gantry_result_unref(self->b);
  g_free(self->path);
  g_free(self->record);
  gantry_work_free(task);
}

GantryAppraiseTask *gantry_appraise_task_new(GObject *owner, GantryDone done, GantryResult *a, const char *path,
                                             GantryResult *b) {
  GantryAppraiseTask *self = gantry_work_init(g_new0(GantryAppraiseTask, 1), owner, done, appraise_run, appraise_free);
  self->a = a ? gantry_result_ref(a) : NULL;
  self->path = g_strdup(path);
  self->b = gantry_result_ref(b);
  return self;
}

/* Back from the disk */

static void return_run(GantryTask *task) {
  GantryReturnTask *self = (GantryReturnTask *)task;
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_read_allowed(self->path, self->facts->anywhere, task->job, &error);
  if (volume && (!self->record || ct_volume_set_plan(volume, self->record, &error))) {
    self->result = gantry_result_new_alike(self->facts, volume);
    return;
  }
  ct_volume_free(volume);
  gantry_work_fail(task, &error);
}

static void return_free(GantryTask *task) {
  GantryReturnTask *self = (GantryReturnTask *)task;
  gantry_result_unref(self->facts);
  gantry_result_unref(self->result);
  g_free(self->path);
  g_free(self->record);
  if (self->destroy) self->destroy(self->data);
  gantry_work_free(task);
}

GantryReturnTask *gantry_return_task_new(GObject *owner, GantryDone done, const char *path, const GantryResult *facts,
                                         const char *record) {
  GantryReturnTask *self = gantry_work_init(g_new0(GantryReturnTask, 1), owner, done, return_run, return_free);
  self->path = g_strdup(path);
  self->facts = gantry_result_new_alike(facts, NULL);
  self->record = g_strdup(record);
  return self;
}

/* The truth */

static void truth_run(GantryTask *task) {
  GantryTruthTask *self = (GantryTruthTask *)task;
  ct_error *error = NULL;
  ct_volume *volume = ct_simulation_truth(gantry_scan_get_simulation(self->scan), &self->grid, task->job, &error);
  g_autofree char *name = gantry_scan_is_example(self->scan)
                              ? g_strdup("truth of the example")
                              : g_strdup_printf("truth of %s", gantry_scan_get_name(self->scan));
  if (volume) {
    self->result = gantry_result_new_from_file(volume, name);
    self->result->truth = ct_digest(1, ct_volume_get_data(volume), ct_volume_bytes(volume)) | 1;
  } else {
    gantry_work_fail(task, &error);
  }
}

static void truth_free(GantryTask *task) {
  gantry_result_unref(((GantryTruthTask *)task)->result);
  gantry_scan_unref(((GantryTruthTask *)task)->scan);
  gantry_work_free(task);
}

GantryTruthTask *gantry_truth_task_new(GObject *owner, GantryDone done, GantryScan *scan, const ct_grid *grid) {
  GantryTruthTask *self = gantry_work_init(g_new0(GantryTruthTask, 1), owner, done, truth_run, truth_free);
  self->scan = gantry_scan_ref(scan);
  self->grid = *grid;
  return self;
}

/* Planes of several */

static void read_planes(GantryVariantsTask *self, const GantryResult *result, GantryImage *images[GANTRY_VIEWS]) {
  for (int i = 0; i < GANTRY_PLANES; i++) {
    if (!(self->planes & (1u << i))) continue;
    images[i] = gantry_result_read_position(result, (ct_plane)i, self->positions[i]);
    if (!images[i]) continue;
    images[i]->index = self->indices[i];
    images[i]->position = self->positions[i];
  }
  ct_oblique oblique;
  if (!gantry_wanted_oblique(&self->wanted, &self->grid, &oblique)) return;
  GantryImage *image = gantry_oblique_new(&self->wanted, &oblique, ct_volume_grid(result->volume), 0);
  if (image) ct_volume_copy_oblique(result->volume, &oblique, image->pixels);
  images[GANTRY_VIEW_OBLIQUE] = image;
}

static void variants_run(GantryTask *task) {
  GantryVariantsTask *self = (GantryVariantsTask *)task;
  for (guint i = 0; i < self->results->len && ct_job_requested(task->job) != CT_JOB_CANCEL; i++) {
    GantryImage *images[GANTRY_VIEWS] = {NULL};
    read_planes(self, self->results->pdata[i], images);
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_ptr_array_add(self->images, images[kind]);
  }
}

static void drop_image(gpointer image) {
  if (image) gantry_image_unref(image);
}

static void variants_free(GantryTask *task) {
  GantryVariantsTask *self = (GantryVariantsTask *)task;
  g_ptr_array_unref(self->results);
  g_ptr_array_unref(self->images);
  gantry_work_free(task);
}

GantryVariantsTask *gantry_variants_task_new(GObject *owner, GantryDone done) {
  GantryVariantsTask *self = gantry_work_init(g_new0(GantryVariantsTask, 1), owner, done, variants_run, variants_free);
  self->work.task.slot = GANTRY_SLOT_VARIANTS;
  self->results = g_ptr_array_new_with_free_func((GDestroyNotify)gantry_result_unref);
  self->images = g_ptr_array_new_with_free_func(drop_image);
  return self;
}
