/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane of the slice's pose with finer pixels, made as oblique planes are: from the projections that are filtered
 * already, whatever the plan's grid. */
#include "app/tasks-magnified.h"

#include "app/tasks-private.h"

#include "recon/bp/choices.h"

#include <math.h>

/* Voxels of a square about a point; pixels in place of a voxel's side, and of a picture's longer side, at most. */
enum { AROUND = 10, FINEST = 20, MOST_SIDE = 320 };

/* FALSE: nothing of it lies in the grid. */
static gboolean place(const GantryMagnifiedTask *self, const ct_grid *grid, ct_oblique *oblique, int *finer) {
  const GantryMagnifiedWish *wish = &self->wish;
  double centre[2], side[2];
  for (int axis = 0; axis < 2; axis++) {
    centre[axis] = wish->has_rectangle ? (wish->corners[0][axis] + wish->corners[1][axis]) / 2 : wish->cross[axis];
    side[axis] = wish->has_rectangle ? fabs(wish->corners[1][axis] - wish->corners[0][axis]) / grid->dx : AROUND;
    side[axis] = CLAMP(side[axis], 1, MOST_SIDE);
  }
  *finer = (int)CLAMP(MOST_SIDE / MAX(side[0], side[1]), 1, FINEST);
  const double point[3] = {centre[0], centre[1],
                           ct_grid_plane_position(grid, CT_AXIAL, gantry_plane_index(grid, CT_AXIAL, wish->cross[2]))};
  *oblique = ct_oblique_turned(point, 0, 0, grid->dx / *finer, MAX((int)lround(side[0] * *finer), 1),
                               MAX((int)lround(side[1] * *finer), 1));
  return ct_oblique_meets(oblique, grid);
}

static ct_grid grid_of(const ct_oblique *oblique, const ct_grid *of) {
  return (ct_grid){.nx = oblique->width,
                   .ny = oblique->height,
                   .nz = 1,
                   .dx = oblique->spacing,
                   .dy = oblique->spacing,
                   .dz = of->dz,
                   .x0 = oblique->centre[0] - oblique->spacing * (oblique->width - 1) / 2,
                   .y0 = oblique->centre[1] - oblique->spacing * (oblique->height - 1) / 2,
                   .z0 = oblique->centre[2]};
}

/* Without memory for it there is none. */
static ct_volume *make_truth(const GantryMagnifiedTask *self, const ct_grid *grid) {
  const ct_simulation *simulation = gantry_scan_get_simulation(self->scan);
  ct_error *error = NULL;
  ct_volume *truth = simulation ? ct_simulation_truth(simulation, grid, self->work.task.job, &error) : NULL;
  ct_error_clear(&error);
  return truth;
}

static double rmse(const float *a, const float *b, gsize count) {
  double squares = 0;
  for (gsize i = 0; i < count; i++) squares += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
  return sqrt(squares / (double)count);
}

static gboolean fill(GantryMagnifiedTask *self, ct_error **error) {
  GantryMagnified *picture = &self->picture;
  ct_job *job = self->work.task.job;
  ct_plan plan = self->plan;
  ct_oblique oblique;
  plan.iterative.method = CT_METHOD_DIRECT;
  g_strlcpy(plan.device, "none", sizeof plan.device);
  if (gantry_work_is_stale(self->engine, self->scan, error)) return FALSE;
  ct_pipeline *pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, error);
  if (!pipeline || !ct_pipeline_prepare_planes(pipeline, &plan, job, error)) return FALSE;
  const ct_grid all = ct_pipeline_get_facts(pipeline)->grid;
  if (!place(self, &all, &oblique, &picture->finer))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The place lies beside the slice: move the crosshair onto it.");
  const ct_grid grid = grid_of(&oblique, &all);
  const gsize pixels = ct_oblique_pixels(&oblique);
  ct_volume *truth = make_truth(self, &grid);
  GantryImage *image = picture->kernel < 0 && !truth ? NULL : gantry_image_new_for_plane(&grid, CT_AXIAL, 0);
  gboolean good = picture->kernel < 0 || image;
  if (!good) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a picture.");
  if (image && picture->kernel < 0) memcpy(image->pixels, ct_volume_get_data(truth), pixels * sizeof(float));
  if (image && picture->kernel >= 0) {
    plan.interp = ct_interp_choices[picture->kernel].value;
    good = ct_pipeline_oblique(pipeline, &plan, &oblique, image->pixels, job, error);
    if (good && truth) picture->rmse = rmse(image->pixels, ct_volume_get_data(truth), pixels);
  }
  if (good && image) gantry_image_find_grey(image);
  if (good)
    picture->image = image;
  else
    g_clear_pointer(&image, gantry_image_unref);
  ct_volume_free(truth);
  return good;
}

static void magnified_run(GantryTask *task) {
  GantryMagnifiedTask *self = (GantryMagnifiedTask *)task;
  ct_error *error = NULL;
  self->picture.rmse = NAN;
  if (!fill(self, &error)) gantry_work_fail(task, &error);
}

static void magnified_free(GantryTask *task) {
  GantryMagnifiedTask *self = (GantryMagnifiedTask *)task;
  gantry_scan_unref(self->scan);
  gantry_magnified_clear(&self->picture);
  gantry_work_free(task);
}

GantryMagnifiedTask *gantry_magnified_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                               const ct_plan *plan) {
  GantryMagnifiedTask *self =
      gantry_work_init(g_new0(GantryMagnifiedTask, 1), owner, done, magnified_run, magnified_free);
  self->work.task.slot = GANTRY_SLOT_MAGNIFIED;
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->plan = *plan;
  return self;
}
