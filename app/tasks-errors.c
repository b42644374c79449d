/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors of A against B, of whole volumes (files worker) or of the axial slice on screen (planes worker). */
#include "app/tasks-private.h"

#include "recon/data/resample.h"
#include "ui/number-text.h"

#include <math.h>

const ct_volume *gantry_volume_at(const ct_volume *a, const ct_volume *b, ct_volume **own, size_t *outside,
                                  ct_error **error) {
  const ct_grid *grid = ct_volume_grid(a);
  size_t beyond = 0;
  *own = NULL;
  if (outside) *outside = 0;
  if (gantry_grids_agree(grid, ct_volume_grid(b))) return b;
  if (!ct_volumes_share_world(a, b)) {
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 "its voxels are others, and it is not known where those of both lie, in one unit");
    return NULL;
  }
  *own = ct_volume_resample(b, grid, &beyond, error);
  if (!*own) return NULL;
  if (beyond == ct_grid_voxels(grid)) {
    ct_volume_free(*own);
    *own = NULL;
    ct_error_set(error, CT_ERROR_ARGUMENT, "they have no place in common");
    return NULL;
  }
  if (outside) *outside = beyond;
  return *own;
}

/* What stands beside the numbers where B was brought onto A's voxels. */
static char *resampled_note(size_t outside) {
  if (!outside) return g_strdup("B resampled onto A's voxels by mm");
  g_autofree char *count = gantry_count_text((gint64)outside);
  return g_strdup_printf("B resampled onto A's voxels by mm, %s of which lie outside B and are left out", count);
}

/* Indices of a slice alone become those of the volume that it is one of. */
static void move_slice(ct_analysis *analysis, int index) {
  analysis->metrics.max_at[2] = analysis->first_slice = index;
  for (int i = 0; i < analysis->worst_count; i++) analysis->worst[i].at[2] = index;
}

static void errors_run(GantryTask *task) {
  GantryErrorsTask *self = (GantryErrorsTask *)task;
  const GantryImage *a = self->slice_a;
  g_autofree float *own = NULL;
  g_autofree char *note = NULL;
  ct_volume *moved = NULL;
  ct_error *error = NULL;
  ct_analysis_request request = {.pair.peak = NAN, .range = NAN};
  if (a) {
    request.pair.a = a->pixels;
    request.pair.b = gantry_pixels_at(a, self->slice_b, &own);
    request.pair.nx = a->width, request.pair.ny = a->height, request.pair.nz = 1;
    if (!gantry_image_shares_pixels(a, self->slice_b)) note = resampled_note(0);
  } else {
    size_t outside;
    const ct_volume *b = gantry_volume_at(self->a->volume, self->b->volume, &moved, &outside, &error);
    if (!b) {
      ct_error_prefix(&error, "B cannot be compared with A");
      gantry_work_fail(task, &error);
      return;
    }
    if (moved) note = resampled_note(outside);
    request.pair.a = ct_volume_get_data(self->a->volume);
    request.pair.b = ct_volume_get_data(b);
    request.pair.nx = self->grid.nx, request.pair.ny = self->grid.ny, request.pair.nz = self->grid.nz;
  }
  if (!request.pair.b) {
    ct_error_set(&error, CT_ERROR_MEMORY, "There is no memory for B at the places of A.");
    gantry_work_fail(task, &error);
    return;
  }
  ct_analysis *analysis = ct_analysis_new(&request, task->job, &error);
  ct_volume_free(moved);
  if (!analysis) {
    gantry_work_fail(task, &error);
    return;
  }
  if (a) move_slice(analysis, a->index);
  self->report = gantry_error_report_new(analysis, &self->grid, self->scope, note);
}

static void errors_free(GantryTask *task) {
  GantryErrorsTask *self = (GantryErrorsTask *)task;
  gantry_result_unref(self->a);
  gantry_result_unref(self->b);
  if (self->slice_a) gantry_image_unref(self->slice_a);
  if (self->slice_b) gantry_image_unref(self->slice_b);
  gantry_error_report_free(self->report);
  g_free(self->scope);
  gantry_work_free(task);
}

static GantryErrorsTask *make_task(GObject *owner, GantryDone done, const ct_grid *grid, char *scope) {
  GantryErrorsTask *self = gantry_work_init(g_new0(GantryErrorsTask, 1), owner, done, errors_run, errors_free);
  self->work.task.slot = GANTRY_SLOT_ERRORS;
  self->grid = *grid;
  self->scope = scope;
  return self;
}

GantryErrorsTask *gantry_errors_task_new_for_volumes(GObject *owner, GantryDone done, GantryResult *a,
                                                     GantryResult *b) {
  GantryErrorsTask *self = make_task(owner, done, ct_volume_grid(a->volume), g_strdup("Whole volume"));
  self->a = gantry_result_ref(a);
  self->b = gantry_result_ref(b);
  return self;
}

GantryErrorsTask *gantry_errors_task_new_for_slices(GObject *owner, GantryDone done, const ct_grid *grid,
                                                    GantryImage *a, GantryImage *b) {
  GantryErrorsTask *self = make_task(owner, done, grid, g_strdup_printf("Axial slice %d", a->index));
  self->slice_a = gantry_image_ref(a);
  self->slice_b = gantry_image_ref(b);
  return self;
}
