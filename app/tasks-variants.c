/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine worker's run through variants, on a pipeline of its own. What it keeps of each are copies. */
#include "app/tasks-private.h"

#include "app/backend.h"
#include "recon/base/machine.h"

#include <string.h>

static void begins(void *user, size_t row, const char *name) {
  GantryPlansTask *self = user;
  g_mutex_lock(&self->lock);
  if (!self->begun) self->since = ct_now();
  self->begun = TRUE;
  self->running = row;
  g_mutex_unlock(&self->lock);
}

static void ended(void *user, size_t row) {
  GantryPlansTask *self = user;
  if (row >= self->variants.count) return;
  g_mutex_lock(&self->lock);
  self->ended[row] = TRUE;
  self->count_ended++;
  g_mutex_unlock(&self->lock);
}

static GantryResult *copy_of(const gantry_variant *row, const ct_volume *volume) {
  ct_volume *copy = ct_volume_new(ct_volume_grid(volume), NULL);
  if (!copy) return NULL;
  memcpy(ct_volume_data(copy), ct_volume_get_data(volume), ct_volume_bytes(volume));
  if (ct_volume_get_plan(volume)) ct_volume_set_plan(copy, ct_volume_get_plan(volume), NULL);
  GantryResult *result = gantry_result_new(copy, &row->plan);
  result->views = row->views, result->views_all = row->views_all;
  result->seconds = row->seconds;
  result->gups = row->gups > 0 ? row->gups : 0;
  result->iterations = row->iterations;
  return result;
}

/* A volume that the memory does not hold is no fault of its variant. */
static bool keep(void *user, size_t row, const ct_volume *volume, ct_error **error) {
  GantryPlansTask *self = user;
  const double bytes = (double)ct_volume_bytes(volume);
  GantryResult *result = bytes <= self->budget ? copy_of(&self->variants.rows[row], volume) : NULL;
  if (!result) return true;
  self->budget -= bytes;
  g_mutex_lock(&self->lock);
  self->results->pdata[row] = result;
  g_mutex_unlock(&self->lock);
  return true;
}

static gboolean plans_try(GantryPlansTask *self, ct_error **error) {
  const gantry_variants_watcher watcher = {.user = self, .begins = begins, .keep = keep, .ended = ended};
  ct_job *job = self->work.task.job;
  if (gantry_work_is_stale(self->engine, self->scan, error) || !ct_job_may_go_on(job, error)) return FALSE;
  gantry_backend *backend = gantry_backend_new(self->variants.base.device, error);
  if (!backend) return FALSE;
  self->request.reference = self->volume ? NULL : &self->reference;
  self->request.reference_volume = self->volume ? self->volume->volume : NULL;
  const gboolean good = gantry_variants_run(&self->variants, &self->request, gantry_scan_get(self->scan),
                                            gantry_backend_get(backend), &watcher, self->frozen, job, error);
  gantry_backend_free(backend);
  return good;
}

static void plans_run(GantryTask *task) {
  ct_error *error = NULL;
  if (!plans_try((GantryPlansTask *)task, &error)) gantry_work_fail(task, &error);
}

static void plans_free(GantryTask *task) {
  GantryPlansTask *self = (GantryPlansTask *)task;
  g_mutex_clear(&self->lock);
  g_ptr_array_unref(self->results);
  g_free(self->ended);
  gantry_variants_clear(&self->variants);
  gantry_scan_unref(self->scan);
  gantry_result_unref(self->volume);
  gantry_work_free(task);
}

static void release(gpointer result) {
  gantry_result_unref(result);
}

GantryPlansTask *gantry_plans_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                       gantry_variants *variants, const ct_plan *reference, GantryResult *volume) {
  GantryPlansTask *self = gantry_work_init(g_new0(GantryPlansTask, 1), owner, done, plans_run, plans_free);
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->variants = *variants;
  *variants = (gantry_variants){0};
  if (reference) self->reference = *reference;
  self->volume = volume ? gantry_result_ref(volume) : NULL;
  self->request.repeat = 1;
  self->running = self->variants.count;
  g_mutex_init(&self->lock);
  self->ended = g_new0(gboolean, self->variants.count);
  self->results = g_ptr_array_new_with_free_func(release);
  g_ptr_array_set_size(self->results, (int)self->variants.count);
  return self;
}

void gantry_plans_task_get_state(GantryPlansTask *self, GantryPlansState *state) {
  g_mutex_lock(&self->lock);
  *state = (GantryPlansState){self->count_ended, self->running, self->begun, -1};
  const double spent = ct_now() - self->since;
  g_mutex_unlock(&self->lock);
  const gsize all = self->variants.count;
  if (state->ended > 0) state->remaining = spent / (double)state->ended * (double)(all - state->ended);
}

gboolean gantry_plans_task_take(GantryPlansTask *self, gsize row, GantryResult **result) {
  g_mutex_lock(&self->lock);
  const gboolean has_ended = self->ended[row];
  *result = self->results->pdata[row];
  g_mutex_unlock(&self->lock);
  return has_ended;
}
