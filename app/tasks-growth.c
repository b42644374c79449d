/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve comes in pieces, so that a view that is asked for meanwhile never waits for all of it. */
#include "app/tasks-growth.h"

#include "app/growth-picture.h"
#include "app/tasks-private.h"

#include "recon/base/memory.h"
#include "recon/solve/field-rmse.h"

#include <math.h>

#define PIECE 0.03                 /* s of the curve in one task */
#define KEPT (256.0 * 1024 * 1024) /* bytes of sums, at most, and at most this share of the free memory: */
#define SHARE 0.125
#define MOST_IDLE 32 /* views without weight that are passed over */

struct _GantryGrowth {
  gatomicrefcount references;
  ct_view_sums *sums;    /* NULL: none, or the last could not be made; */
  ct_pipeline *pipeline; /* of this pipeline, scan, plan, slice, order and kind of views */
  GantryScan *scan;
  ct_plan plan;
  int index;
  GantryGrowthWish wish;
  GantryKeptIterations *kept; /* whose points are known; NULL: none; */
  GArray *points;             /* ct_view_sums_point of each */
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
  g_clear_pointer(&growth->kept, gantry_kept_iterations_unref);
  g_clear_pointer(&growth->points, g_array_unref);
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

/* Of all views the last one that adds something: those at the end of a short scan have weight 0. */
static gboolean find_last(GantryGrowthTask *self, int *n, float *spare, float *last, gsize pixels, ct_error **error) {
  for (int at = *n; at > 1 && *n - at < MOST_IDLE && gantry_is_zero(last, pixels);) {
    if (!ct_view_sums_get(self->growth->sums, --at, spare, last, self->work.task.job, error)) return FALSE;
    if (!gantry_is_zero(last, pixels)) *n = at;
  }
  return TRUE;
}

static gboolean add_pictures(GantryGrowthTask *self, ct_error **error) {
  ct_view_sums *sums = self->growth->sums;
  GantryGrowthReport *report = self->report;
  const ct_grid *grid = ct_view_sums_grid(sums);
  const gsize pixels = (gsize)grid->nx * (gsize)grid->ny;
  const int asked = self->wish.count_is_of_them ? 0 : self->wish.count,
            n = asked ? CLAMP(asked, 1, report->views) : report->views;
  float *sum = ct_alloc(pixels, sizeof *sum, "a slice", error),
        *last = sum ? ct_alloc(pixels, sizeof *last, "a slice", error) : NULL;
  if (last && ct_view_sums_get(sums, n, sum, last, self->work.task.job, error)) {
    const ct_geometry *geometry = ct_pipeline_get_facts(self->growth->pipeline)->geometry;
    report->scale = ct_view_sums_scale(sums, n);
    report->point = ct_view_sums_compare(sums, n, sum);
    report->sum = gantry_growth_picture(grid, sum, error);
    int shown = n;
    if (asked || find_last(self, &shown, sum, last, pixels, error)) {
      report->view = ct_view_sums_view(sums, shown);
      report->angle = geometry->angles ? geometry->angles[report->view] * 180 / G_PI : NAN;
      report->rest_add_nothing = shown < n;
      report->last = report->sum ? gantry_growth_picture(grid, last, error) : NULL;
    }
    report->adds_nothing = gantry_is_zero(last, pixels);
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
  report->no_filter = self->plan.filter.window == CT_WINDOW_NONE;
  report->views = ct_view_sums_views(sums);
  report->directions = ct_view_sums_directions(sums);
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

/* Iterations */

static ct_view_sums_point point_of(const GantryKeptIteration *one, const bool *inside, const float *final,
                                   const ct_volume *truth) {
  const gsize pixels = (gsize)one->slice->width * (gsize)one->slice->height;
  ct_view_sums_point point = {.count = one->iteration};
  for (int kind = 0; kind < CT_SUM_KINDS; kind++) {
    point.from_final[kind] = ct_field_rmse(inside, pixels, one->slice->pixels, 1, final);
    point.from_truth[kind] =
        truth ? ct_field_rmse(inside, pixels, one->slice->pixels, 1, ct_volume_get_data(truth)) : NAN;
  }
  return point;
}

/* Of the views that were taken, where that is known. */
static const ct_geometry *seen_geometry(GantryGrowthTask *self) {
  ct_pipeline *pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, NULL);
  const ct_geometry *geometry = pipeline ? ct_pipeline_get_facts(pipeline)->geometry : NULL;
  return geometry ? geometry : &gantry_scan_get_facts(self->scan)->geometry;
}

/* Without a phantom the curve of the volume tells what the reference has to say. */
static void take_reference(GantryGrowthTask *self) {
  const GantryResult *result = self->iterated;
  for (guint i = 0; i < self->growth->points->len; i++) {
    ct_view_sums_point *point = &g_array_index(self->growth->points, ct_view_sums_point, i);
    const double rmse = point->count <= result->iterations ? result->curve[point->count - 1].rmse : NAN;
    for (int kind = 0; kind < CT_SUM_KINDS; kind++) point->from_truth[kind] = rmse;
  }
}

/* Against the last one kept, and the phantom where there is one. */
static gboolean compare_kept(GantryGrowthTask *self, ct_error **error) {
  GantryGrowth *growth = self->growth;
  const ct_grid *grid = gantry_kept_iterations_grid(self->iterated->kept);
  const ct_simulation *simulation = gantry_scan_get_simulation(self->scan);
  int count;
  const GantryKeptIteration *slices = gantry_kept_iterations_get(self->iterated->kept, &count);
  if (growth->kept == self->iterated->kept && growth->scan == self->scan) return TRUE;
  drop(growth);
  bool *inside = ct_alloc((gsize)grid->nx * (gsize)grid->ny, sizeof *inside, "a mask", error);
  if (!inside) return FALSE;
  ct_error *fault = NULL;
  ct_volume *truth = simulation ? ct_simulation_truth(simulation, grid, self->work.task.job, &fault) : NULL;
  ct_error_clear(&fault);
  ct_field_mask(seen_geometry(self), grid, inside);
  growth->points = g_array_new(FALSE, FALSE, sizeof(ct_view_sums_point));
  for (int i = 0; i < count; i++) {
    const ct_view_sums_point point = point_of(&slices[i], inside, slices[count - 1].slice->pixels, truth);
    g_array_append_val(growth->points, point);
  }
  if (!truth) take_reference(self);
  growth->kept = gantry_kept_iterations_ref(self->iterated->kept);
  growth->scan = gantry_scan_ref(self->scan);
  ct_volume_free(truth);
  ct_free(inside);
  return TRUE;
}

/* What an iteration changed, since the one kept before; of the first all of it, where the run began with nothing. */
static gboolean add_kept_pictures(GantryGrowthTask *self, const GantryKeptIteration *slices, int n, ct_error **error) {
  GantryGrowthReport *report = self->report;
  const ct_grid *grid = gantry_kept_iterations_grid(self->iterated->kept);
  const gsize pixels = (gsize)grid->nx * (gsize)grid->ny;
  const float *now = slices[n - 1].slice->pixels, *before = n > 1 ? slices[n - 2].slice->pixels : NULL;
  float *change = ct_alloc(pixels, sizeof *change, "a slice", error);
  if (!change) return FALSE;
  for (gsize i = 0; i < pixels; i++) change[i] = now[i] - (before ? before[i] : 0);
  report->sum = gantry_growth_picture(grid, now, error);
  report->changed_since = n > 1 ? slices[n - 2].iteration : 0;
  report->has_change = n > 1 || (slices[0].iteration == 1 && self->iterated->plan.iterative.start == CT_START_ZERO);
  report->last = report->sum ? gantry_growth_picture(grid, change, error) : NULL;
  if (report->last) report->count = n;
  ct_free(change);
  return report->count > 0;
}

static gboolean fill_kept(GantryGrowthTask *self, ct_error **error) {
  int count;
  const GantryKeptIteration *slices = gantry_kept_iterations_get(self->iterated->kept, &count);
  if (gantry_work_is_stale(self->engine, self->scan, error) || !compare_kept(self, error)) return FALSE;
  GantryGrowthReport *report = self->report = g_new0(GantryGrowthReport, 1);
  report->wish = self->wish;
  report->iterates = TRUE;
  report->views = count;
  report->position = gantry_kept_iterations_grid(self->iterated->kept)->z0;
  const int asked = self->wish.count_is_of_them ? self->wish.count : 0, n = asked ? CLAMP(asked, 1, count) : count;
  if (!add_kept_pictures(self, slices, n, error)) return FALSE;
  const GArray *points = self->growth->points;
  report->view = slices[n - 1].iteration;
  report->angle = NAN;
  report->scale = 1;
  report->point = g_array_index(points, ct_view_sums_point, n - 1);
  report->point_count = count;
  report->points = g_memdup2(points->data, (gsize)count * sizeof *report->points);
  report->complete = TRUE;
  report->against_reference = gantry_scan_get_simulation(self->scan) == NULL;
  report->has_truth = isfinite(report->point.from_truth[CT_SUM_PLAIN]);
  return TRUE;
}

static void growth_run(GantryTask *task) {
  GantryGrowthTask *self = (GantryGrowthTask *)task;
  ct_error *error = NULL;
  if (!(self->iterated ? fill_kept : fill)(self, &error)) {
    drop(self->growth);
    gantry_work_fail(task, &error);
  }
}

static void growth_free(GantryTask *task) {
  GantryGrowthTask *self = (GantryGrowthTask *)task;
  gantry_scan_unref(self->scan);
  gantry_growth_unref(self->growth);
  gantry_growth_report_free(self->report);
  gantry_result_unref(self->iterated);
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
