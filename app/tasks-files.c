/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of the files worker: saving, reading references, comparing whole volumes, telling scans apart, and listing
 * graphics devices. */
#include "app/tasks-private.h"

#include "app/errors.h"
#include "recon/base/memory.h"

#include <math.h>

/* Compare */

static void compare_run(GantryTask *task) {
  GantryCompareTask *self = (GantryCompareTask *)task;
  const ct_grid *grid = ct_volume_grid(self->a->volume);
  ct_statistics_of(ct_volume_get_data(self->a->volume), ct_grid_voxels(grid), &self->statistics);
  if (!self->b || !gantry_grids_agree(grid, ct_volume_grid(self->b->volume)) ||
      ct_job_requested(task->job) == CT_JOB_CANCEL)
    return;
  const ct_comparison pair = {.a = ct_volume_get_data(self->a->volume),
                              .b = ct_volume_get_data(self->b->volume),
                              .nx = grid->nx,
                              .ny = grid->ny,
                              .nz = grid->nz,
                              .peak = NAN};
  self->compared = ct_compare(&pair, &self->metrics, task->job, NULL);
}

static void compare_free(GantryTask *task) {
  GantryCompareTask *self = (GantryCompareTask *)task;
  gantry_result_unref(self->a);
  gantry_result_unref(self->b);
  gantry_work_free(task);
}

GantryCompareTask *gantry_compare_task_new(GObject *owner, GantryDone done, GantryResult *a, GantryResult *b) {
  GantryCompareTask *self = gantry_work_init(g_new0(GantryCompareTask, 1), owner, done, compare_run, compare_free);
  self->a = gantry_result_ref(a);
  self->b = b ? gantry_result_ref(b) : NULL;
  return self;
}

/* Devices */

static void devices_run(GantryTask *task) {
  GantryDevicesTask *self = (GantryDevicesTask *)task;
  ct_error *error = NULL;
  if (!ctgl_devices_list(&self->devices, &self->count, &error)) {
    gantry_work_fail(task, &error);
    return;
  }
  self->tunings = g_new0(GantryTuning, self->count);
  for (int i = 0; i < self->count; i++)
    if (!gantry_tuning_look(&self->devices[i], &self->tunings[i].kept, &error))
      gantry_take_ct_error(&self->tunings[i].damaged, &error);
}

static void devices_free(GantryTask *task) {
  GantryDevicesTask *self = (GantryDevicesTask *)task;
  for (int i = 0; self->tunings && i < self->count; i++) g_clear_error(&self->tunings[i].damaged);
  g_free(self->tunings);
  ct_free(self->devices);
  gantry_work_free(task);
}

GantryDevicesTask *gantry_devices_task_new(GObject *owner, GantryDone done) {
  return gantry_work_init(g_new0(GantryDevicesTask, 1), owner, done, devices_run, devices_free);
}

/* Identify */

static void identify_run(GantryTask *task) {
  GantryIdentifyTask *self = (GantryIdentifyTask *)task;
  ct_error *error = NULL;
  if (!ct_identity_compare(&self->told, self->plan, gantry_scan_get(self->scan), &self->note, &error))
    gantry_work_fail(task, &error);
}

static void identify_free(GantryTask *task) {
  GantryIdentifyTask *self = (GantryIdentifyTask *)task;
  gantry_scan_unref(self->scan);
  ct_identity_clear(&self->told);
  g_free(self->plan);
  ct_free(self->note);
  gantry_work_free(task);
}

GantryIdentifyTask *gantry_identify_task_new(GObject *owner, GantryDone done, GantryScan *scan, ct_identity *told,
                                             const char *plan) {
  GantryIdentifyTask *self = gantry_work_init(g_new0(GantryIdentifyTask, 1), owner, done, identify_run, identify_free);
  self->scan = gantry_scan_ref(scan);
  self->told = *told;
  *told = (ct_identity){0};
  self->plan = g_strdup(plan);
  return self;
}

/* Read */

static void read_run(GantryTask *task) {
  GantryReadTask *self = (GantryReadTask *)task;
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_read_allowed(self->path, self->anywhere, task->job, &error);
  if (volume) {
    self->result = gantry_result_new_from_file(volume, self->path);
    self->result->anywhere = self->anywhere;
  } else {
    gantry_work_fail(task, &error);
  }
}

static void read_free(GantryTask *task) {
  GantryReadTask *self = (GantryReadTask *)task;
  g_free(self->path);
  gantry_result_unref(self->result);
  gantry_work_free(task);
}

GantryReadTask *gantry_read_task_new(GObject *owner, GantryDone done, const char *path) {
  GantryReadTask *self = gantry_work_init(g_new0(GantryReadTask, 1), owner, done, read_run, read_free);
  self->path = g_strdup(path);
  return self;
}

/* Save */

static gboolean save_plan(GantrySaveTask *self, ct_error **error) {
  ct_identity identity = {0};
  if (self->scan && !ct_identity_of(gantry_scan_get(self->scan), &identity, error)) return FALSE;
  const gboolean saved = ct_plan_save(&self->plan, self->scan ? &identity : NULL, self->path, error);
  ct_identity_clear(&identity);
  return saved;
}

/* As on screen: of an oblique plane what lies beside the volume is black, like the NaN that is put there. */
static float *dup_shown(const GantryImage *image, ct_error **error) {
  const gsize width = (gsize)image->width;
  float *pixels = ct_alloc(width * (gsize)image->height, sizeof *pixels, "the picture", error);
  for (int j = 0; pixels && j < image->height; j++) {
    float *row = pixels + (gsize)j * width;
    int first, end;
    gantry_image_row_held(image, j, &first, &end);
    memcpy(row, image->pixels + (gsize)j * width, width * sizeof *row);
    for (int i = 0; i < image->width; i++)
      if (i < first || i >= end) row[i] = NAN;
  }
  return pixels;
}

static gboolean save_slice(GantrySaveTask *self, ct_error **error) {
  char *plan = self->record ? ct_strdup(self->record, error) : ct_plan_to_json(&self->plan, NULL, error);
  if (!plan) return FALSE;
  const GantryImage *image = self->image;
  float *pixels = dup_shown(image, error);
  const ct_png_plane plane = {.values = pixels,
                              .width = image->width,
                              .height = image->height,
                              .pixel_x = image->spacing_x,
                              .pixel_y = image->spacing_y,
                              .bits = 16,
                              .low = self->low,
                              .high = self->high,
                              .plan = plan};
  const gboolean saved = pixels && ct_png_write_plane(self->path, &plane, error);
  ct_free(pixels);
  ct_free(plan);
  return saved;
}

static void save_run(GantryTask *task) {
  GantrySaveTask *self = (GantrySaveTask *)task;
  ct_error *error = NULL;
  gboolean saved = FALSE;
  if (self->kind == GANTRY_SAVE_VOLUME)
    saved = ct_volume_write(self->path, self->result->volume, &self->options, task->job, &error);
  else if (self->kind == GANTRY_SAVE_SLICE)
    saved = save_slice(self, &error);
  else if (self->kind == GANTRY_SAVE_PLAN)
    saved = save_plan(self, &error);
  else
    saved = ct_scan_write(self->path, gantry_scan_get(self->scan), task->job, &error);
  if (!saved) gantry_work_fail(task, &error);
}

static void save_free(GantryTask *task) {
  GantrySaveTask *self = (GantrySaveTask *)task;
  g_free(self->path);
  gantry_result_unref(self->result);
  if (self->image) gantry_image_unref(self->image);
  g_free(self->record);
  g_clear_pointer(&self->scan, gantry_scan_unref);
  gantry_work_free(task);
}

GantrySaveTask *gantry_save_task_new(GObject *owner, GantryDone done, GantrySaveKind kind, const char *path) {
  GantrySaveTask *self = gantry_work_init(g_new0(GantrySaveTask, 1), owner, done, save_run, save_free);
  self->kind = kind;
  self->path = g_strdup(path);
  self->low = self->high = NAN;
  return self;
}
