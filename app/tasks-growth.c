/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve comes in pieces, so that a view that is asked for meanwhile never waits for all of it. */
#include "app/tasks-growth.h"

#include "app/tasks-private.h"

#include "recon/base/memory.h"

#include <math.h>

#define PIECE 0.03                 /* s of the curve in one task */
#define KEPT (256.0 * 1024 * 1024) /* bytes of sums, at most, and at most this share of the free memory: */
#define SHARE 0.125
#define MOST_SIDE 512 /* of the pictures: larger ones are averaged in blocks */

struct _GantryGrowth {
  gatomicrefcount references;
  ct_view_sums *sums;    /* NULL: none, or the last could not be made; */
  ct_pipeline *pipeline; /* of this pipeline, scan, plan, slice, order and kind of views */
  GantryScan *scan;
  ct_plan plan;
  int index;
  GantryGrowthWish wish;
};

GantryGrowth *gantry_growth_new(void) {
  GantryGrowth *growth = g_new0(GantryGrowth, 1);
  g_atomic_ref_count_init(&growth->references);
  return growth;
}

GantryGrowth *gantry_growth_ref(GantryGrowth *growth) {
  g_atomic_ref_count_inc(&growth->references);
  return growth;
}

static void drop(GantryGrowth *growth) {
  ct_view_sums_free(growth->sums);
  growth->sums = NULL;
  g_clear_pointer(&growth->scan, gantry_scan_unref);
}

void gantry_growth_unref(GantryGrowth *growth) {
  if (!g_atomic_ref_count_dec(&growth->references)) return;
  drop(growth);
  g_free(growth);
}

/* Without memory for it there is none. */
static void add_truth(GantryGrowthTask *self) {
  const ct_simulation *simulation = gantry_scan_get_simulation(self->scan);
  ct_view_sums *sums = self->growth->sums;
  ct_error *error = NULL;
  if (simulation)
    ct_view_sums_take_truth(sums,
                            ct_simulation_truth(simulation, ct_view_sums_grid(sums), self->work.task.job, &error));
  ct_error_clear(&error);
}

static gboolean holds(const GantryGrowth *growth, const GantryGrowthTask *task, const ct_pipeline *pipeline,
                      int index) {
  return growth->sums && growth->pipeline == pipeline && growth->scan == task->scan && growth->index == index &&
         growth->wish.order == task->wish.order && growth->wish.filtered == task->wish.filtered &&
         gantry_plans_agree_directly(&growth->plan, &task->plan);
}

static gboolean bring(GantryGrowthTask *self, ct_error **error) {
  GantryGrowth *growth = self->growth;
  ct_plan plan = self->plan;
  plan.iterative.method = CT_METHOD_DIRECT;
  g_strlcpy(plan.device, "none", sizeof plan.device);
  ct_pipeline *pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, error);
  if (!pipeline || !ct_pipeline_prepare_planes(pipeline, &plan, self->work.task.job, error)) return FALSE;
  const int index = gantry_wanted_index(&self->wanted, &ct_pipeline_get_facts(pipeline)->grid, CT_AXIAL);
  if (holds(growth, self, pipeline, index)) return TRUE;
  drop(growth);
  const double free_memory = (double)ct_memory_available();
  const ct_view_sums_options options = {.index = index,
                                        .order = self->wish.order,
                                        .seed = 1,
                                        .filtered = self->wish.filtered,
                                        .memory = free_memory > 0 ? MIN(KEPT, SHARE * free_memory) : KEPT};
  growth->sums = ct_view_sums_new(pipeline, &plan, &options, self->work.task.job, error);
  if (!growth->sums) return FALSE;
  growth->pipeline = pipeline;
  growth->scan = gantry_scan_ref(self->scan);
  growth->plan = self->plan;
  growth->index = index;
  growth->wish = self->wish;
  add_truth(self);
  return TRUE;
}

/* Pictures */

/* Averages of side x side pixels; what is left over at the far edges is cut off. */
static void average(const float *pixels, int width, int side, GantryImage *to) {
  for (int j = 0; j < to->height; j++)
    for (int i = 0; i < to->width; i++) {
      double sum = 0;
      for (int b = 0; b < side; b++)
        for (int a = 0; a < side; a++) sum += (double)pixels[((gsize)j * side + b) * width + (gsize)i * side + a];
      to->pixels[(gsize)j * to->width + i] = (float)(sum / (side * side));
    }
}

static GantryImage *make_picture(const ct_grid *grid, const float *pixels, ct_error **error) {
  const int side = (MAX(grid->nx, grid->ny) + MOST_SIDE - 1) / MOST_SIDE;
  ct_grid coarse = *grid;
  coarse.nx = MAX(grid->nx / side, 1), coarse.ny = MAX(grid->ny / side, 1);
  coarse.dx *= side, coarse.dy *= side;
  coarse.x0 += 0.5 * (side - 1) * grid->dx, coarse.y0 += 0.5 * (side - 1) * grid->dy;
  GantryImage *image = gantry_image_new_for_plane(&coarse, CT_AXIAL, 0);
  if (image)
    average(pixels, grid->nx, side, image);
  else
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a picture.");
  return image;
}

static gboolean add_pictures(GantryGrowthTask *self, ct_error **error) {
  ct_view_sums *sums = self->growth->sums;
  GantryGrowthReport *report = self->report;
  const ct_grid *grid = ct_view_sums_grid(sums);
  const gsize pixels = (gsize)grid->nx * (gsize)grid->ny;
  const int n = self->wish.count ? CLAMP(self->wish.count, 1, report->views) : report->views;
  float *sum = ct_alloc(pixels, sizeof *sum, "a slice", error),
        *last = sum ? ct_alloc(pixels, sizeof *last, "a slice", error) : NULL;
  if (last && ct_view_sums_get(sums, n, sum, last, self->work.task.job, error)) {
    const ct_geometry *geometry = ct_pipeline_get_facts(self->growth->pipeline)->geometry;
    report->view = ct_view_sums_view(sums, n);
    report->angle = geometry->angles ? geometry->angles[report->view] * 180 / G_PI : NAN;
    report->scale = ct_view_sums_scale(sums, n);
    report->point = ct_view_sums_compare(sums, n, sum);
    report->sum = make_picture(grid, sum, error);
    report->last = report->sum ? make_picture(grid, last, error) : NULL;
    if (report->last) report->count = n;
  }
  ct_free(sum);
  ct_free(last);
  return report->count > 0;
}

static gboolean fill(GantryGrowthTask *self, ct_error **error) {
  bool complete = false;
  if (gantry_work_is_stale(self->engine, self->scan, error) || !bring(self, error)) return FALSE;
  ct_view_sums *sums = self->growth->sums;
  GantryGrowthReport *report = self->report = g_new0(GantryGrowthReport, 1);
  report->wish = self->wish;
  report->views = ct_view_sums_views(sums);
  report->position = ct_view_sums_grid(sums)->z0;
  if (!(self->measures ? ct_view_sums_measure(sums, PIECE, &complete, self->work.task.job, error)
                       : add_pictures(self, error)))
    return FALSE;
  const ct_view_sums_point *points = ct_view_sums_points(sums, &report->point_count);
  report->points = g_memdup2(points, (gsize)report->point_count * sizeof *points);
  report->complete = complete;
  report->has_truth = report->point_count > 0 ? isfinite(points->from_truth[CT_SUM_PLAIN])
                                              : isfinite(report->point.from_truth[CT_SUM_PLAIN]);
  return TRUE;
}

static void growth_run(GantryTask *task) {
  GantryGrowthTask *self = (GantryGrowthTask *)task;
  ct_error *error = NULL;
  if (!fill(self, &error)) {
    drop(self->growth);
    gantry_work_fail(task, &error);
  }
}

static void growth_free(GantryTask *task) {
  GantryGrowthTask *self = (GantryGrowthTask *)task;
  gantry_scan_unref(self->scan);
  gantry_growth_unref(self->growth);
  gantry_growth_report_free(self->report);
  gantry_work_free(task);
}

GantryGrowthTask *gantry_growth_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                         GantryGrowth *growth, const ct_plan *plan) {
  GantryGrowthTask *self = gantry_work_init(g_new0(GantryGrowthTask, 1), owner, done, growth_run, growth_free);
  self->work.task.slot = GANTRY_SLOT_GROWTH;
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->growth = gantry_growth_ref(growth);
  self->plan = *plan;
  return self;
}
