/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each step runs the slice's kernel over the views that are new, onto an empty slice, and adds that to the sum before.
 * While the curve is measured, sums are kept at equal distances as far as memory is allowed: from the nearest of them
 * any other is made. */
#include "recon/solve/view-sums.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/solve/field-rmse.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 256, MOST_KEPT = 64, WEIGHTED_AT_ONCE = 8 };

typedef struct kept_sum {
  int count; /* views */
  float *sum;
} kept_sum;

struct ct_view_sums {
  ct_pipeline *pipeline;
  ct_plan plan; /* direct, on the processor */
  ct_view_sums_options options;
  ct_grid grid;
  size_t pixels;
  int views, *order;
  double *weights, total; /* of the views, radians */
  float *final;
  bool *inside; /* [pixels] of the circle that every view sees */
  bool *empty;  /* [pixels] that are 0 in the slice: masked, or not seen in some direction of a spiral */
  ct_volume *truth;
  kept_sum last, walk; /* the sum given last, and that which the curve has come to */
  kept_sum kept[MOST_KEPT];
  int kept_count, kept_every;
  ct_view_sums_point points[MOST_POINTS];
  int point_count;
};

/* Order */

/* Views need not have been taken in the order of their angles (golden section, interlaced). Shell's sort: stable enough
 * for angles that differ, and equal ones may change places. */
static void sort_by_angle(const double *angles, int count, int *order) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++)
      for (int j = i; j >= gap && angles[order[j - gap]] > angles[order[j]]; j -= gap) {
        const int moved = order[j];
        order[j] = order[j - gap];
        order[j - gap] = moved;
      }
}

/* Directions of a spiral stand in the order of their angles. */
static bool make_order(const ct_view_sums *v, ct_error **error) {
  const ct_geometry *g = &v->pipeline->seen;
  int *sorted = ct_alloc((size_t)v->views, sizeof *sorted, "the order of views", error);
  if (!sorted) return false;
  for (int n = 0; n < v->views; n++) sorted[n] = n;
  if (g->angles && !ct_geometry_is_spiral(g)) sort_by_angle(g->angles, v->views, sorted);
  ct_order_fill(v->options.order, v->views, v->options.seed, 0, v->order);
  for (int n = 0; n < v->views; n++) v->order[n] = sorted[v->order[n]];
  ct_free(sorted);
  return true;
}

/* Sums */

/* What a kernel is run over. */
typedef struct source {
  const ct_bp_kernel *kernel;
  ct_bp_request request;
  const ct_geometry *geometry;
  ct_geometry plain; /* of unfiltered views */
  ct_filter *filter; /* of those; NULL: the pipeline's filtered projections are taken */
  float *weighted;   /* [WEIGHTED_AT_ONCE][nv][nu] */
} source;

static void close_source(source *s) {
  ct_filter_free(s->filter);
  ct_geometry_clear(&s->plain);
  ct_free(s->weighted);
}

static bool open_plain(const ct_view_sums *v, source *s, ct_error **error) {
  ct_filter_options options = ct_pipeline_filter_options(v->pipeline, &v->plan);
  if (ct_geometry_climbs(&v->pipeline->seen))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Where the table moves, rays are put together into views as they are filtered: there are no "
                        "unfiltered ones to show. Choose filtered views.");
  if (options.filtered)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The projections of this scan are filtered in its files: there are no unfiltered ones to show. Choose "
        "filtered views.");
  if (!ct_pipeline_get_line_integrals(v->pipeline))
    return ct_error_set(error, CT_ERROR_MEMORY,
                        "There is not enough memory for line integrals beside filtered projections: choose filtered "
                        "views, or bin the detector's pixels.");
  options.window = CT_WINDOW_NONE;
  if (!ct_filter_output(&v->pipeline->geometry, &options, &s->plain, error)) return false;
  s->geometry = &s->plain;
  s->filter = ct_filter_new(&v->pipeline->geometry, &options, error);
  s->weighted = s->filter ? ct_alloc(WEIGHTED_AT_ONCE * (size_t)s->plain.nu * (size_t)s->plain.nv, sizeof *s->weighted,
                                     "unfiltered views", error)
                          : NULL;
  return s->weighted != NULL;
}

static bool open_source(const ct_view_sums *v, bool filtered, source *s, ct_job *job, ct_error **error) {
  if (!ct_pipeline_prepare_planes(v->pipeline, &v->plan, job, error)) return false;
  s->geometry = &v->pipeline->seen;
  if (!filtered && !open_plain(v, s, error)) return false;
  s->kernel =
      ct_plan_kernel(&v->plan, &v->pipeline->backend, s->geometry, &v->grid, CT_EXTENT_PLANE, &s->request, NULL, error);
  if (s->filter && s->request.batch > WEIGHTED_AT_ONCE) s->request.batch = WEIGHTED_AT_ONCE;
  return s->kernel != NULL;
}

/* Where the views of a batch lie, weighted first where they are not filtered. */
static bool find_views(const ct_view_sums *v, source *s, const int *views, int count, const float **projections,
                       ct_error **error) {
  if (!s->filter) {
    for (int i = 0; i < count; i++) projections[i] = ct_stack_get_view(v->pipeline->filtered, views[i]);
    return true;
  }
  const float *in[WEIGHTED_AT_ONCE];
  float *out[WEIGHTED_AT_ONCE];
  for (int i = 0; i < count; i++) {
    in[i] = ct_stack_get_view(v->pipeline->integrals, views[i]);
    projections[i] = out[i] = s->weighted + (size_t)i * (size_t)s->plain.nu * (size_t)s->plain.nv;
  }
  return ct_filter_apply(s->filter, views, count, in, out, error);
}

/* Adds these views to sum[]; alone (may be NULL) gets what they add. */
static bool add_views(const ct_view_sums *v, source *s, const int *views, int count, float *sum, float *alone,
                      ct_job *job, ct_error **error) {
  if (count < 1) return true;
  ct_volume *slice = ct_volume_new(&v->grid, error);
  const float **projections = ct_alloc((size_t)s->request.batch, sizeof *projections, "a batch", error);
  ct_bp_state *state = slice && projections ? s->kernel->prepare(s->kernel, &s->request, error) : NULL;
  bool good = state != NULL;
  for (int at = 0; good && at < count; at += s->request.batch) {
    const int some = count - at < s->request.batch ? count - at : s->request.batch;
    good = ct_job_may_go_on(job, error) && find_views(v, s, views + at, some, projections, error);
    const ct_bp_batch batch = {
        .count = some, .views = views + at, .projections = projections, .first = at == 0, .last = at + some == count};
    good = good && s->kernel->run(state, &batch, slice, job, error);
  }
  if (good && s->kernel->finish) good = s->kernel->finish(state, slice, error);
  const float *added = good ? ct_volume_get_data(slice) : NULL;
  for (size_t i = 0; added && i < v->pixels; i++) {
    const float value = v->empty[i] ? 0 : added[i];
    sum[i] += value;
    if (alone) alone[i] = value;
  }
  if (state) s->kernel->free(state);
  ct_free(projections);
  ct_volume_free(slice);
  return good;
}

/* Life */

static bool fill(ct_view_sums *v, ct_job *job, ct_error **error) {
  source s = {0};
  const ct_geometry *g = &v->pipeline->geometry, *seen = &v->pipeline->seen;
  v->grid = ct_grid_plane(&v->pipeline->facts.grid, CT_AXIAL, v->options.index);
  v->views = ct_filtered_size(seen, v->plan.filter.spiral).views;
  v->pixels = (size_t)v->grid.nx * (size_t)v->grid.ny;
  const size_t views = (size_t)v->views, bytes = v->pixels * sizeof(float);
  v->order = ct_alloc(views, sizeof *v->order, "the order of views", error);
  v->weights = ct_alloc(views, sizeof *v->weights, "the view weights", error);
  v->inside = ct_alloc(v->pixels, sizeof *v->inside, "a mask", error);
  v->empty = ct_alloc_zero(v->pixels, sizeof *v->empty, "a mask", error);
  v->final = ct_alloc_zero(v->pixels, sizeof *v->final, "a slice", error);
  v->last.sum = ct_alloc_zero(v->pixels, sizeof(float), "a slice", error);
  v->walk.sum = ct_alloc_zero(v->pixels, sizeof(float), "a slice", error);
  if (!v->order || !v->weights || !v->inside || !v->empty || !v->final || !v->last.sum || !v->walk.sum ||
      !ct_filtered_weights(seen, v->plan.filter.spiral, v->weights, error))
    return false;
  for (int n = 0; n < v->views; n++) v->total += v->weights[n];
  ct_field_mask(g, &v->grid, v->inside);
  for (size_t i = 0; i < v->pixels; i++) v->empty[i] = v->plan.mask && !v->inside[i];
  const double fits = v->options.memory / (double)bytes;
  const int most = fits < MOST_KEPT ? (int)fits : MOST_KEPT;
  v->kept_every = most > 0 ? (v->views + most - 1) / most : 0;
  if (!make_order(v, error)) return false;
  const bool good =
      open_source(v, true, &s, job, error) && add_views(v, &s, v->order, v->views, v->final, NULL, job, error);
  close_source(&s);
  /* The kernel empties what one of the directions before did not see, and does not know of them later. */
  for (size_t i = 0; good && ct_view_sums_directions(v) && i < v->pixels; i++) v->empty[i] |= v->final[i] == 0;
  return good;
}

ct_view_sums *ct_view_sums_new(ct_pipeline *pipeline, const ct_plan *plan, const ct_view_sums_options *options,
                               ct_job *job, ct_error **error) {
  ct_view_sums *v = ct_alloc_zero(1, sizeof *v, "sums of views", error);
  if (!v) return NULL;
  v->pipeline = pipeline;
  v->plan = *plan;
  v->plan.iterative.method = CT_METHOD_DIRECT;
  strcpy(v->plan.device, "none");
  v->options = *options;
  if (ct_pipeline_prepare_planes(pipeline, &v->plan, job, error)) {
    if (options->index >= 0 && options->index < pipeline->facts.grid.nz) {
      if (fill(v, job, error)) return v;
    } else {
      ct_error_set(error, CT_ERROR_ARGUMENT, "There is no axial slice %d: slices are 0 to %d.", options->index,
                   pipeline->facts.grid.nz - 1);
    }
  }
  ct_view_sums_free(v);
  return NULL;
}

void ct_view_sums_free(ct_view_sums *v) {
  if (!v) return;
  for (int i = 0; i < v->kept_count; i++) ct_free(v->kept[i].sum);
  ct_volume_free(v->truth);
  ct_free(v->order);
  ct_free(v->weights);
  ct_free(v->inside);
  ct_free(v->empty);
  ct_free(v->final);
  ct_free(v->last.sum);
  ct_free(v->walk.sum);
  ct_free(v);
}

/* Facts */

int ct_view_sums_views(const ct_view_sums *v) {
  return v->views;
}

int ct_view_sums_view(const ct_view_sums *v, int n) {
  return ct_filtered_view(&v->pipeline->seen, v->plan.filter.spiral, v->order[n - 1], v->grid.z0);
}

bool ct_view_sums_directions(const ct_view_sums *v) {
  return ct_geometry_is_spiral(&v->pipeline->seen);
}

const ct_grid *ct_view_sums_grid(const ct_view_sums *v) {
  return &v->grid;
}

const float *ct_view_sums_final(const ct_view_sums *v) {
  return v->final;
}

double ct_view_sums_scale(const ct_view_sums *v, int n) {
  double done = 0;
  for (int i = 0; i < n; i++) done += v->weights[v->order[i]];
  return n < v->views && done > 0 ? v->total / done : 1;
}

void ct_view_sums_take_truth(ct_view_sums *v, ct_volume *truth) {
  ct_volume_free(v->truth);
  v->truth = truth;
  v->point_count = v->walk.count = 0;
  memset(v->walk.sum, 0, v->pixels * sizeof(float));
}

/* Use */

/* Into `from`, the sum that needs the fewest views more. */
static void begin_near(const ct_view_sums *v, int n, kept_sum *from) {
  const kept_sum *best = from->count <= n ? from : NULL;
  for (int i = 0; i < v->kept_count; i++)
    if (v->kept[i].count <= n && (!best || v->kept[i].count > best->count)) best = &v->kept[i];
  if (best == from) return;
  from->count = best ? best->count : 0;
  if (best)
    memcpy(from->sum, best->sum, v->pixels * sizeof(float));
  else
    memset(from->sum, 0, v->pixels * sizeof(float));
}

bool ct_view_sums_get(ct_view_sums *v, int n, float *sum, float *last, ct_job *job, ct_error **error) {
  source s = {0};
  if (n < 1 || n > v->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There are 1 to %d views to add up, not %d.", v->views, n);
  begin_near(v, n - 1, &v->last);
  const bool good = open_source(v, v->options.filtered, &s, job, error) &&
                    add_views(v, &s, v->order + v->last.count, n - 1 - v->last.count, v->last.sum, NULL, job, error) &&
                    add_views(v, &s, v->order + n - 1, 1, v->last.sum, last, job, error);
  close_source(&s);
  v->last.count = n;
  if (good)
    memcpy(sum, v->last.sum, v->pixels * sizeof(float));
  else
    v->last.count = 0, memset(v->last.sum, 0, v->pixels * sizeof(float));
  return good;
}

ct_view_sums_point ct_view_sums_compare(const ct_view_sums *v, int n, const float *sum) {
  ct_view_sums_point point = {.count = n};
  for (int kind = 0; kind < CT_SUM_KINDS; kind++) {
    const double scale = kind == CT_SUM_SCALED ? ct_view_sums_scale(v, n) : 1;
    point.from_final[kind] = ct_field_rmse(v->inside, v->pixels, sum, scale, v->final);
    point.from_truth[kind] =
        v->truth ? ct_field_rmse(v->inside, v->pixels, sum, scale, ct_volume_get_data(v->truth)) : NAN;
  }
  return point;
}

/* Without memory for it there is none, and stepping back takes longer. */
static void keep(ct_view_sums *v) {
  const int before = v->kept_count ? v->kept[v->kept_count - 1].count : 0;
  if (!v->kept_every || v->kept_count == MOST_KEPT || v->walk.count - before < v->kept_every) return;
  const unsigned untold = ct_untold(NULL);
  float *sum = ct_alloc(v->pixels, sizeof *sum, "a kept sum", NULL);
  if (!sum) {
    ct_untold_forgive(untold);
    return;
  }
  memcpy(sum, v->walk.sum, v->pixels * sizeof *sum);
  v->kept[v->kept_count++] = (kept_sum){v->walk.count, sum};
}

bool ct_view_sums_measure(ct_view_sums *v, double seconds, bool *done, ct_job *job, ct_error **error) {
  const double end = ct_now() + seconds;
  const int all = v->views < MOST_POINTS ? v->views : MOST_POINTS;
  source s = {0};
  *done = v->point_count == all;
  if (*done) return true;
  bool good = open_source(v, v->options.filtered, &s, job, error);
  do {
    const int next = (int)((int64_t)v->views * (v->point_count + 1) / all);
    good = good && add_views(v, &s, v->order + v->walk.count, next - v->walk.count, v->walk.sum, NULL, job, error);
    if (!good) break;
    v->walk.count = next;
    v->points[v->point_count++] = ct_view_sums_compare(v, next, v->walk.sum);
    keep(v);
  } while (v->point_count < all && ct_now() < end);
  close_source(&s);
  *done = v->point_count == all;
  return good;
}

const ct_view_sums_point *ct_view_sums_points(const ct_view_sums *v, int *count) {
  *count = v->point_count;
  return v->points;
}
