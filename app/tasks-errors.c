/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors of A against B, of whole volumes (files worker), of the axial slice on screen or of a region (planes
 * worker). */
#include "app/tasks-private.h"

#include "recon/data/resample.h"
#include "ui/number-text.h"

#include <math.h>

static bool cannot_resample(ct_error **error) {
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "its voxels are others, and it is not known where those of both lie, in one unit");
}

const ct_volume *gantry_volume_at(const ct_volume *a, const ct_volume *b, ct_volume **own, size_t *outside,
                                  ct_error **error) {
  const ct_grid *grid = ct_volume_grid(a);
  size_t beyond = 0;
  *own = NULL;
  if (outside) *outside = 0;
  if (gantry_grids_agree(grid, ct_volume_grid(b))) return b;
  if (!ct_volumes_share_world(a, b)) {
    cannot_resample(error);
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

/* Indices of a picture alone become those of the volume that it is a slice of. */
static void place(int at[3], ct_plane plane, int index) {
  const int i = at[0], j = at[1];
  at[0] = plane == CT_SAGITTAL ? index : i;
  at[1] = plane == CT_AXIAL ? j : plane == CT_CORONAL ? index : i;
  at[2] = plane == CT_AXIAL ? index : j;
}

static void move_slice(ct_analysis *analysis, ct_plane plane, int index) {
  place(analysis->metrics.max_at, plane, index);
  for (int i = 0; i < analysis->worst_count; i++) place(analysis->worst[i].at, plane, index);
  analysis->first_slice = index;
  if (plane != CT_AXIAL) analysis->slice_count = 0;
}

static void finish(GantryErrorsTask *self, ct_analysis *analysis, const char *note, ct_error **error) {
  if (analysis)
    self->report = gantry_error_report_new(analysis, &self->grid, self->scope, note);
  else
    gantry_work_fail(&self->work.task, error);
}

static void run_volumes(GantryErrorsTask *self) {
  ct_analysis *analysis = NULL;
  ct_volume *moved;
  ct_error *error = NULL;
  size_t outside;
  const ct_volume *b = gantry_volume_at(self->a->volume, self->b->volume, &moved, &outside, &error);
  if (b) {
    const ct_analysis_request request = {.pair = {.a = ct_volume_get_data(self->a->volume),
                                                  .b = ct_volume_get_data(b),
                                                  .nx = self->grid.nx,
                                                  .ny = self->grid.ny,
                                                  .nz = self->grid.nz,
                                                  .peak = NAN},
                                         .range = NAN};
    analysis = ct_analysis_new(&request, self->work.task.job, &error);
  } else {
    ct_error_prefix(&error, "B cannot be compared with A");
  }
  g_autofree char *note = moved ? resampled_note(outside) : NULL;
  ct_volume_free(moved);
  finish(self, analysis, note, &error);
}

/* All of a picture, or a region's pixels. */
static ct_analysis *analyse_pictures(const GantryErrorsTask *self, const GantryImage *a, const float *b,
                                     ct_error **error) {
  const ct_slice_image frame = {a->pixels, a->width, a->height, a->origin_x, a->origin_y, a->spacing_x, a->spacing_y};
  ct_analysis_request request = {.pair = {a->pixels, b, a->width, a->height, 1, NAN}, .range = NAN};
  ct_region_pixels pixels = {0};
  ct_box box;
  if (self->region) {
    const ct_region region = gantry_mark_get_region(self->region);
    if (!ct_region_pixels_of(&frame, &region, &pixels, error)) return NULL;
    box = (ct_box){{pixels.begin[0], pixels.begin[1], 0}, {pixels.end[0], pixels.end[1], 1}};
    request.box = &box;
    request.mask = pixels.in;
  }
  ct_analysis *analysis = ct_analysis_new(&request, self->work.task.job, error);
  ct_region_pixels_clear(&pixels);
  if (analysis) move_slice(analysis, (ct_plane)a->kind, a->index);
  return analysis;
}

/* A plane of b at a's voxels. */
static gboolean read_at(const ct_volume *a, const ct_volume *b, ct_plane plane, int index, GantryImage *image,
                        ct_error **error) {
  const ct_grid *grid = ct_volume_grid(a), part = ct_grid_plane(grid, plane, index);
  if (gantry_grids_agree(grid, ct_volume_grid(b))) {
    ct_volume_copy_plane(b, plane, index, image->pixels);
    return TRUE;
  }
  if (!ct_volumes_share_world(a, b)) return cannot_resample(error);
  ct_volume *moved = ct_volume_resample(b, &part, NULL, error);
  if (!moved) return FALSE;
  memcpy(image->pixels, ct_volume_get_data(moved), ct_grid_voxels(&part) * sizeof *image->pixels);
  ct_volume_free(moved);
  return TRUE;
}

/* The slice that holds the region, of both volumes. */
static gboolean read_slices(GantryErrorsTask *self, ct_error **error) {
  const ct_plane plane = self->region->plane;
  int index;
  if (!ct_slice_at(&self->grid, plane, self->region->position, &index, error)) return FALSE;
  self->slice_a = gantry_result_read_plane(self->a, plane, index);
  self->slice_b = gantry_image_new_for_plane(&self->grid, plane, index);
  if (!self->slice_a || !self->slice_b)
    return ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for the slices of A and B.");
  if (read_at(self->a->volume, self->b->volume, plane, index, self->slice_b, error)) return TRUE;
  ct_error_prefix(error, "B cannot be compared with A");
  return FALSE;
}

static void run_pictures(GantryErrorsTask *self) {
  g_autofree float *own = NULL;
  gboolean resampled = self->a && !gantry_grids_agree(&self->grid, ct_volume_grid(self->b->volume));
  ct_analysis *analysis = NULL;
  ct_error *error = NULL;
  if (self->slice_a || read_slices(self, &error)) {
    const float *b = gantry_pixels_at(self->slice_a, self->slice_b, &own);
    resampled = resampled || !gantry_image_shares_pixels(self->slice_a, self->slice_b);
    if (b)
      analysis = analyse_pictures(self, self->slice_a, b, &error);
    else
      ct_error_set(&error, CT_ERROR_MEMORY, "There is no memory for B at the places of A.");
  }
  if (analysis && self->region) {
    g_free(self->scope);
    self->scope =
        g_strdup_printf("%s, %s slice %d", self->region->name, ct_plane_id(self->region->plane), self->slice_a->index);
  }
  g_autofree char *note = resampled ? resampled_note(0) : NULL;
  finish(self, analysis, note, &error);
}

static void errors_run(GantryTask *task) {
  GantryErrorsTask *self = (GantryErrorsTask *)task;
  if (self->region || self->slice_a)
    run_pictures(self);
  else
    run_volumes(self);
}

static void errors_free(GantryTask *task) {
  GantryErrorsTask *self = (GantryErrorsTask *)task;
  gantry_result_unref(self->a);
  gantry_result_unref(self->b);
  if (self->slice_a) gantry_image_unref(self->slice_a);
  if (self->slice_b) gantry_image_unref(self->slice_b);
  if (self->region) gantry_mark_free(self->region);
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

GantryErrorsTask *gantry_errors_task_new_for_region(GObject *owner, GantryDone done, const GantryMark *region,
                                                    GantryResult *a, GantryResult *b) {
  GantryErrorsTask *self = gantry_errors_task_new_for_volumes(owner, done, a, b);
  self->region = gantry_mark_copy(region);
  return self;
}

GantryErrorsTask *gantry_errors_task_new_for_region_on_screen(GObject *owner, GantryDone done, const GantryMark *region,
                                                              const ct_grid *grid, GantryImage *a, GantryImage *b) {
  GantryErrorsTask *self = gantry_errors_task_new_for_slices(owner, done, grid, a, b);
  self->region = gantry_mark_copy(region);
  return self;
}
