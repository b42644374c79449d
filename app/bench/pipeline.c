/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole way from line integrals in memory to a volume in memory, by the pipeline that the window and reconstruct
 * use: end to end, filtering batch by batch, with the time until the first planes could be shown; correction and
 * filtering of all views, and back-projection of filtered views, on their own; single slices and oblique planes; the
 * filter alone. */
#include "app/bench/counts-private.h"
#include "app/bench/measure-private.h"
#include "app/bench/suites-private.h"
#include "recon/filter/filter.h"
#include "recon/solve/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 100, FILTER_VIEWS = 128 };

/* 512^2 x 512 -> 512^3, RabbitCT's scale. */
static const bench_problem fdk = {"fdk-512", "cone",   512, 512, 512, 1.14, 750, 1200, 0, 0,
                                  0,         2 * M_PI, 0,   512, 512, 512,  0.5, 0,    0};
/* Planes on demand, without the volume: before the same cone, and before a parallel beam. */
static const bench_problem planes[] = {
    {"planes-cone", "cone", 512, 512, 512, 1.14, 750, 1200, 0, 0, 0, 2 * M_PI, 0, 512, 512, 512, 0.5, 0, 0},
    {"planes-512", "parallel", 512, 512, 512, 0.5, 0, 0, 0, 0, 0, M_PI, 0, 512, 512, 512, 0.5, 0, 0}};
static const int filter_sides[] = {512, 1024};
const char bench_pipeline_problems[] = "fdk-512, planes-cone, planes-512, filter-512, filter-1024, all";

typedef struct times {
  double filtering[MOST_REPEATS], projecting[MOST_REPEATS], first[MOST_REPEATS], total[MOST_REPEATS];
  int count;
} times;

static bench_row blank_row(const bench *b, const char *kernel, const char *problem, int views, double bytes) {
  return (bench_row){.kernel = kernel,
                     .problem = problem,
                     .precision = "float32",
                     .interp = "linear",
                     .threads = b->options.threads,
                     .views = views,
                     .gups = NAN,
                     .speedup = NAN,
                     .rel_rmse = NAN,
                     .bytes = bytes};
}

/* The kernel's own, where it has not all. */
static ct_precision precision_of(const bench *b, const char *kernel) {
  const ct_bp_kernel *named = ct_bp_find(&b->backend.kernels, kernel);
  return named ? (ct_precision)__builtin_ctz(named->precisions) : CT_PRECISION_FLOAT32;
}

static void plan_of(const bench *b, const bench_problem *p, ct_plan *plan) {
  ct_plan_init(plan);
  plan->centre_method = CT_CENTRE_SCAN;
  plan->nx = p->nx, plan->ny = p->ny, plan->nz = p->nz;
  plan->voxel = plan->voxel_z = p->voxel;
  plan->mask = 0;
  plan->threads = b->options.threads;
  if (b->options.batch) plan->batch = b->options.batch;
  if (b->options.kernels)
    snprintf(plan->kernel, sizeof plan->kernel, "%.*s", (int)strcspn(b->options.kernels, ","), b->options.kernels);
  plan->precision = (int)precision_of(b, plan->kernel);
}

/* A smooth object's shadow with some noise; the values do not change the speed. */
static ct_scan *make_scan(const bench_problem *p, ct_error **error) {
  ct_geometry g = {0};
  ct_stack *stack = NULL;
  ct_scan *scan = NULL;
  if (bench_problem_geometry(p, &g, error)) stack = ct_stack_new(g.nu, g.nv, g.views, error);
  for (int view = 0; stack && view < g.views; view++) {
    float *at = ct_stack_view(stack, view);
    for (int v = 0; v < g.nv; v++)
      for (int u = 0; u < g.nu; u++)
        *at++ = (float)((u * 7 + v * 3 + view) % 16) * 0.01f + (float)u * (float)(g.nu - 1 - u) / (float)(g.nu * g.nu);
  }
  if (stack) scan = ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, p->name, error);
  ct_geometry_clear(&g);
  return scan;
}

typedef struct stopwatch {
  bench *b;
  bench_clock start;
  double first; /* s until the first planes; 0: not yet */
} stopwatch;

static void note_first(void *user, const ct_partial *partial) {
  stopwatch *watch = user;
  if (watch->first <= 0 && ct_partial_views_done(partial) > 0)
    watch->first = bench_elapsed(watch->b, watch->start, watch->b->options.threads);
}

/* The first touch of a machine's memory can cost seconds where a hypervisor hands it out; that is no part of a run. */
static bool warm_up(bench *b, ct_scan *scan, const ct_plan *plan, ct_error **error) {
  ct_pipeline *pipeline = ct_pipeline_new(scan, &b->backend, error);
  ct_job *job = pipeline ? ct_job_new(error) : NULL;
  ct_volume *volume = NULL;
  if (job && ct_pipeline_prepare(pipeline, plan, job, error)) {
    ct_job_finish_early(job);
    volume = ct_pipeline_volume(pipeline, plan, NULL, job, error);
  }
  const bool good = volume != NULL;
  ct_volume_free(volume);
  ct_job_free(job);
  ct_pipeline_free(pipeline);
  return good;
}

/* A fresh pipeline from end to end; then another one stage by stage. The last one and its volume stay. */
static bool run_once(bench *b, ct_scan *scan, const ct_plan *plan, times *t, ct_pipeline **pipeline, ct_volume **volume,
                     ct_error **error) {
  for (int staged = 0; staged < 2; staged++) {
    ct_volume_free(*volume);
    ct_pipeline_free(*pipeline);
    *volume = NULL;
    if (!(*pipeline = ct_pipeline_new(scan, &b->backend, error))) return false;
    stopwatch watch = {b, bench_start(), 0};
    const ct_publisher publisher = {&watch, note_first};
    if (staged && !ct_pipeline_prepare(*pipeline, plan, b->job, error)) return false;
    const double filtered = bench_elapsed(b, watch.start, b->options.threads);
    if (!(*volume = ct_pipeline_volume(*pipeline, plan, staged ? NULL : &publisher, b->job, error))) return false;
    const double all = bench_elapsed(b, watch.start, b->options.threads);
    if (staged) {
      t->filtering[t->count] = filtered;
      t->projecting[t->count++] = all - filtered;
    } else {
      t->first[t->count] = watch.first;
      t->total[t->count] = all;
    }
  }
  return true;
}

static void add_stage(bench *b, const char *stage, const bench_case *c, const char *kernel, double *values, int count,
                      double updates, double rel_rmse) {
  char name[128];
  snprintf(name, sizeof name, "%s: %s", c->name, stage);
  bench_row row =
      blank_row(b, kernel, name, c->geometry.views,
                2.0 * (double)ct_stack_bytes(c->stack) + (c->volume ? (double)ct_volume_bytes(c->volume) : 0));
  row.seconds = bench_median(values, count, &row.spread);
  if (updates > 0) {
    const bench_run run = {.kernel = ct_bp_find(&b->backend.kernels, kernel),
                           .interp = CT_INTERP_LINEAR,
                           .precision = precision_of(b, kernel),
                           .threads = b->options.threads,
                           .batch = b->options.batch};
    if (run.kernel) {
      const ct_bp_request request = bench_request(b, c, &run);
      row.batch = bench_pass_views(run.kernel, &request);
    }
    row.gups = updates / row.seconds / 1e9;
    if (c->loop_gups[CT_INTERP_LINEAR] > 0) row.speedup = row.gups / c->loop_gups[CT_INTERP_LINEAR];
  }
  row.rel_rmse = rel_rmse;
  row.precision = ct_precision_id(precision_of(b, kernel));
  bench_add_row(b, &row, json_pack("{s:s}", "stage", stage));
}

/* One plane of the grid, or (plane beyond them) an oblique one; repeated, and reported. */
static bool add_plane(bench *b, const bench_case *c, ct_pipeline *pipeline, const ct_plan *plan, const char *name,
                      int plane, const ct_oblique *oblique, ct_error **error) {
  double values[MOST_REPEATS];
  int width = oblique->width, height = oblique->height, count = 0;
  const bool along_axes = plane <= CT_SAGITTAL;
  if (along_axes) ct_grid_plane_size(&c->grid, (ct_plane)plane, &width, &height, &count);
  float *out = malloc((size_t)width * (size_t)height * sizeof *out);
  bool good = out || ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a slice.");
  for (int n = -1; good && n < b->options.repeat; n++) {
    const bench_clock start = bench_start();
    good = along_axes ? ct_pipeline_slice(pipeline, plan, (ct_plane)plane, count / 2 + count / 9, out, b->job, error)
                      : ct_pipeline_oblique(pipeline, plan, oblique, out, b->job, error);
    if (n >= 0) values[n] = bench_elapsed(b, start, b->options.threads);
  }
  free(out);
  if (good) {
    const ct_bp_kernel *kernel = ct_pipeline_get_facts(pipeline)->plane.kernel;
    add_stage(b, name, c, kernel ? kernel->id : plan->kernel, values, b->options.repeat,
              (double)width * height * c->geometry.views, NAN);
  }
  return good;
}

/* The three orientations, an oblique plane whose rows are horizontal, and one turned about its normal, whose are not.
 */
static bool add_slices(bench *b, const bench_case *c, ct_pipeline *pipeline, const ct_plan *plan, ct_error **error) {
  static const char *const names[] = {"axial slice", "coronal slice", "sagittal slice", "oblique slice",
                                      "rolled oblique slice"};
  const ct_grid *g = &c->grid;
  const double middle[3] = {g->x0 + 0.55 * g->nx * g->dx, g->y0 + 0.5 * g->ny * g->dy, g->z0 + 0.55 * g->nz * g->dz};
  const ct_oblique upright = ct_oblique_turned(middle, M_PI / 6, M_PI / 4.5, g->dx, g->nx, g->ny);
  ct_oblique skewed = upright;
  for (int k = 0; k < 3; k++) {
    skewed.across[k] = M_SQRT1_2 * (upright.across[k] + upright.up[k]);
    skewed.up[k] = M_SQRT1_2 * (upright.up[k] - upright.across[k]);
  }
  bool good = true;
  for (int n = 0; good && n < 5; n++)
    good = add_plane(b, c, pipeline, plan, names[n], n, n == 4 ? &skewed : &upright, error);
  return good;
}

/* The volume's error against textbook on the pipeline's own filtered projections. */
static bool check_volume(bench *b, bench_case *c, double *rel_rmse, ct_error **error) {
  if (!bench_expect(b, c, CT_INTERP_LINEAR, c->geometry.views, error)) return false;
  const size_t count = ct_grid_voxels(ct_volume_grid(c->expected));
  float *values = malloc(count * sizeof *values);
  if (!values) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to check the volume.");
  bench_gather(c, c->volume, values);
  *rel_rmse = bench_rel_rmse(values, ct_volume_get_data(c->expected), count);
  free(values);
  return true;
}

static bool report(bench *b, const bench_problem *p, ct_pipeline *pipeline, ct_volume **volume, const ct_plan *plan,
                   times *t, ct_error **error) {
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  double rel_rmse = NAN;
  bench_case c = {.views_stated = facts->geometry->views, .grid = facts->grid, .volume = *volume};
  *volume = NULL;
  snprintf(c.name, sizeof c.name, "%s", p->name);
  /* Borrowed: the case only reads it, and lets go of it below. */
  c.stack = (ct_stack *)ct_pipeline_get_filtered(pipeline);
  const bench_run model = {.interp = CT_INTERP_LINEAR, .threads = b->options.threads, .batch = b->options.batch};
  bool good = ct_geometry_copy(&c.geometry, facts->geometry, error) && check_volume(b, &c, &rel_rmse, error) &&
              bench_measure_loop(b, &c, &model, error);
  if (good) {
    const double updates = (double)ct_grid_voxels(&c.grid) * c.geometry.views;
    const char *kernel = facts->kernel ? facts->kernel->id : plan->kernel;
    add_stage(b, "end to end", &c, kernel, t->total, t->count, updates, rel_rmse);
    add_stage(b, "first planes", &c, kernel, t->first, t->count, 0, NAN);
    add_stage(b, "weighting and filtering", &c, "filter", t->filtering, t->count, 0, NAN);
    add_stage(b, "back-projection", &c, kernel, t->projecting, t->count, updates, NAN);
  }
  c.stack = NULL;
  bench_case_clear(&c);
  return good;
}

static bool end_to_end(bench *b, const bench_problem *problem, ct_error **error) {
  const bench_problem p = bench_shrink(problem, b->options.size);
  ct_plan plan;
  times t = {.count = 0};
  ct_pipeline *pipeline = NULL;
  ct_volume *volume = NULL;
  plan_of(b, &p, &plan);
  bench_say(b, "pipeline, %s", p.name);
  ct_scan *scan = make_scan(&p, error);
  bool good = scan && warm_up(b, scan, &plan, error);
  for (double spent = 0; good && t.count < b->options.repeat && (t.count == 0 || spent < b->options.limit);) {
    good = run_once(b, scan, &plan, &t, &pipeline, &volume, error);
    if (good) spent += t.total[t.count - 1] + t.filtering[t.count - 1] + t.projecting[t.count - 1];
  }
  good = good && report(b, &p, pipeline, &volume, &plan, &t, error);
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

static bool planes_alone(bench *b, const bench_problem *problem, ct_error **error) {
  const bench_problem p = bench_shrink(problem, b->options.size);
  ct_plan plan;
  plan_of(b, &p, &plan);
  bench_say(b, "pipeline, %s", p.name);
  ct_scan *scan = make_scan(&p, error);
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, &b->backend, error) : NULL;
  bool good = pipeline && ct_pipeline_prepare_planes(pipeline, &plan, b->job, error);
  if (good) {
    const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
    /* Borrowed from the pipeline, all of it. */
    bench_case c = {.geometry = *facts->geometry, .views_stated = facts->geometry->views, .grid = facts->grid};
    snprintf(c.name, sizeof c.name, "%s", p.name);
    c.stack = (ct_stack *)ct_pipeline_get_filtered(pipeline);
    const bench_run model = {.interp = CT_INTERP_LINEAR, .threads = b->options.threads, .batch = b->options.batch};
    good = (c.volume = ct_volume_new(&c.grid, error)) && bench_measure_loop(b, &c, &model, error) &&
           add_slices(b, &c, pipeline, &plan, error);
    ct_volume_free(c.volume);
  }
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

/* Weights and ramp alone, in place. */
static bool filter_alone(bench *b, const char *name, int side, ct_error **error) {
  bench_problem p = fdk;
  p.nu = p.nv = b->options.size && b->options.size < side ? b->options.size : side;
  p.views = b->options.size && b->options.size < FILTER_VIEWS ? b->options.size : FILTER_VIEWS;
  p.du = fdk.du * fdk.nu / p.nu;
  bench_say(b, "pipeline, %s", name);
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = b->options.threads};
  ct_geometry g = {0};
  double values[MOST_REPEATS];
  bool good = bench_problem_geometry(&p, &g, error);
  ct_stack *stack = good ? ct_stack_new(g.nu, g.nv, g.views, error) : NULL;
  ct_filter *filter = stack ? ct_filter_new(&g, &options, error) : NULL;
  good = filter;
  for (int n = -1; good && n < b->options.repeat; n++) {
    memset(ct_stack_data(stack), 0, ct_stack_bytes(stack));
    const bench_clock start = bench_start();
    good = ct_filter_stack(filter, stack, stack, b->job, error);
    if (n >= 0) values[n] = bench_elapsed(b, start, b->options.threads);
  }
  if (good) {
    bench_row row = blank_row(b, "filter", name, g.views, (double)ct_stack_bytes(stack));
    row.seconds = bench_median(values, b->options.repeat, &row.spread);
    snprintf(row.note, sizeof row.note, "%d x %d pixels", g.nu, g.nv);
    bench_add_row(b, &row, NULL);
  }
  ct_filter_free(filter);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  return good;
}

static bool chosen(const bench *b, const char *name) {
  return bench_chosen(b, name, "all");
}

/* With one kernel after the other of those that are listed (plan_of takes the first of what is left of the list); one
 * that refuses is told and passed over. */
static bool with_each_kernel(bench *b, bool (*measure)(bench *b, const bench_problem *problem, ct_error **error),
                             const bench_problem *problem, ct_error **error) {
  const char *list = b->options.kernels;
  bool good = true;
  while (good) {
    ct_error *fault = NULL;
    good = measure(b, problem, &fault);
    if (!good && list && fault && fault->code == CT_ERROR_UNSUPPORTED) {
      char name[64];
      snprintf(name, sizeof name, "%.*s", (int)strcspn(b->options.kernels, ","), b->options.kernels);
      bench_skip(b, problem->name, name, &fault);
      good = true;
    }
    if (!good) *error = fault;
    const char *next = list ? strchr(b->options.kernels, ',') : NULL;
    if (!next) break;
    b->options.kernels = next + 1;
  }
  b->options.kernels = list;
  return good;
}

bool bench_pipeline(bench *b, ct_error **error) {
  bool good = bench_check_list(b, "problem", b->options.problems, bench_pipeline_problems, error) &&
              (!chosen(b, fdk.name) || with_each_kernel(b, end_to_end, &fdk, error));
  for (int n = 0; n < 2; n++)
    good = good && (!chosen(b, planes[n].name) || with_each_kernel(b, planes_alone, &planes[n], error));
  for (int n = 0; n < 2; n++) {
    char name[32];
    snprintf(name, sizeof name, "filter-%d", filter_sides[n]);
    good = good && (!chosen(b, name) || filter_alone(b, name, filter_sides[n], error));
  }
  return good;
}
