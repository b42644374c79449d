/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that tell where A and B differ. B is taken at the places of A's pixels, and has none beside its volume. */
#include "app/tasks-private.h"

#include "app/errors.h"
#include "recon/metric/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* b at a's pixels, NaN where either has no value: what is compared leaves those out. NULL without memory. */
static float *reference_of(const GantryImage *a, const GantryImage *b) {
  float *pixels = g_try_new(float, (gsize)a->width *(gsize)a->height);
  for (int j = 0; pixels && j < a->height; j++) {
    int first, end;
    gantry_image_row_held(a, j, &first, &end);
    for (int i = 0; i < a->width; i++) {
      const double x = a->origin_x + i * a->spacing_x, y = a->origin_y + j * a->spacing_y;
      pixels[(gsize)j * (gsize)a->width + (gsize)i] = i >= first && i < end ? (float)gantry_image_sample(b, x, y) : NAN;
    }
  }
  return pixels;
}

static ct_comparison pair_of(const GantryImage *a, const float *reference) {
  return (ct_comparison){.a = a->pixels, .b = reference, .nx = a->width, .ny = a->height, .nz = 1, .peak = NAN};
}

static void free_images(GantryImage *images[GANTRY_VIEWS]) {
  for (int k = 0; k < GANTRY_VIEWS; k++) g_clear_pointer(&images[k], gantry_image_unref);
}

/* Likeness */

static GantryImage *map_of(GantryImage *a, GantryImage *b) {
  g_autofree float *reference = reference_of(a, b);
  g_autoptr(GantryImage) map = gantry_image_new(a->width, a->height);
  if (!reference || !map) return NULL;
  float *pixels = map->pixels;
  *map = *a;
  map->pixels = pixels;
  const ct_comparison pair = pair_of(a, reference);
  return ct_ssim_map(&pair, pixels, NULL) ? g_steal_pointer(&map) : NULL;
}

static void similarity_run(GantryTask *task) {
  GantrySimilarityTask *self = (GantrySimilarityTask *)task;
  for (int k = 0; k < GANTRY_VIEWS; k++)
    if (self->a[k] && self->b[k] && ct_job_requested(task->job) != CT_JOB_CANCEL)
      self->maps[k] = map_of(self->a[k], self->b[k]);
}

static void similarity_free(GantryTask *task) {
  GantrySimilarityTask *self = (GantrySimilarityTask *)task;
  free_images(self->a);
  free_images(self->b);
  free_images(self->maps);
  gantry_work_free(task);
}

GantrySimilarityTask *gantry_similarity_task_new(GObject *owner, GantryDone done) {
  GantrySimilarityTask *self =
      gantry_work_init(g_new0(GantrySimilarityTask, 1), owner, done, similarity_run, similarity_free);
  self->work.task.slot = GANTRY_SLOT_SIMILARITY;
  return self;
}

/* The worst places */

static void place_in_picture(const GantryImage *image, const int at[3], double place[3]) {
  static const int axes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}; /* of axial, coronal and sagittal pictures */
  if (image->kind == GANTRY_VIEW_OBLIQUE) {
    ct_oblique_point(&image->oblique, at[0], at[1], place);
    return;
  }
  place[axes[image->kind][0]] = image->origin_x + at[0] * image->spacing_x;
  place[axes[image->kind][1]] = image->origin_y + at[1] * image->spacing_y;
  place[axes[image->kind][2]] = image->position;
}

/* Planes cross each other: a place in two of them counts once. */
static gboolean is_new(const GantryPlace *places, gsize count, const double at[3], double apart) {
  for (gsize i = 0; i < count; i++) {
    double away = 0;
    for (int k = 0; k < 3; k++) away = fmax(away, fabs(places[i].at[k] - at[k]));
    if (away < apart) return FALSE;
  }
  return TRUE;
}

static int compare_places(const void *first, const void *second) {
  const GantryPlace *p = first, *q = second;
  const double a = fabs(p->a - p->b), b = fabs(q->a - q->b);
  return (a < b) - (a > b);
}

static void add_picture(const GantryImage *a, const GantryImage *b, GantryPlace *found, gsize *count) {
  g_autofree float *reference = reference_of(a, b);
  if (!reference) return;
  const ct_analysis_request request = {.pair = pair_of(a, reference), .range = NAN};
  ct_analysis *analysis = ct_analysis_new(&request, NULL, NULL);
  for (int i = 0; analysis && i < analysis->worst_count; i++) {
    const ct_worst_voxel *voxel = &analysis->worst[i];
    GantryPlace *place = &found[(*count)++];
    *place = (GantryPlace){.a = (double)voxel->a, .b = (double)voxel->b};
    place_in_picture(a, voxel->at, place->at);
  }
  ct_analysis_free(analysis);
}

static void search_pictures(GantryWorstTask *self) {
  GantryPlace found[GANTRY_VIEWS * CT_ANALYSIS_WORST];
  gsize count = 0;
  double apart = 0;
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    if (!self->a[k] || !self->b[k]) continue;
    add_picture(self->a[k], self->b[k], found, &count);
    apart = fmax(apart, CT_ANALYSIS_APART * fmax(self->a[k]->spacing_x, self->a[k]->spacing_y));
  }
  qsort(found, count, sizeof *found, compare_places);
  for (gsize i = 0; i < count && self->count < GANTRY_MOST_PLACES; i++)
    if (is_new(self->places, self->count, found[i].at, apart)) self->places[self->count++] = found[i];
}

static void search_volumes(GantryWorstTask *self, GantryTask *task) {
  const ct_grid *grid = ct_volume_grid(self->volume_a->volume);
  const ct_analysis_request request = {.pair = {.a = ct_volume_get_data(self->volume_a->volume),
                                                .b = ct_volume_get_data(self->volume_b->volume),
                                                .nx = grid->nx,
                                                .ny = grid->ny,
                                                .nz = grid->nz,
                                                .peak = NAN},
                                       .range = NAN};
  ct_error *error = NULL;
  ct_analysis *analysis = ct_analysis_new(&request, task->job, &error);
  if (!analysis) {
    gantry_work_fail(task, &error);
    return;
  }
  for (int i = 0; i < analysis->worst_count && i < GANTRY_MOST_PLACES; i++) {
    const ct_worst_voxel *voxel = &analysis->worst[i];
    self->places[self->count++] = (GantryPlace){
        {grid->x0 + voxel->at[0] * grid->dx, grid->y0 + voxel->at[1] * grid->dy, grid->z0 + voxel->at[2] * grid->dz},
        (double)voxel->a,
        (double)voxel->b};
  }
  ct_analysis_free(analysis);
}

static void worst_run(GantryTask *task) {
  GantryWorstTask *self = (GantryWorstTask *)task;
  if (self->volume_a)
    search_volumes(self, task);
  else
    search_pictures(self);
}

static void worst_free(GantryTask *task) {
  GantryWorstTask *self = (GantryWorstTask *)task;
  gantry_result_unref(self->volume_a);
  gantry_result_unref(self->volume_b);
  free_images(self->a);
  free_images(self->b);
  gantry_work_free(task);
}

GantryWorstTask *gantry_worst_task_new(GObject *owner, GantryDone done) {
  return gantry_work_init(g_new0(GantryWorstTask, 1), owner, done, worst_run, worst_free);
}
