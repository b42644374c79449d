/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep over trial centres: one axial plane is reconstructed for each from the few detector rows that it needs, and
 * judged. Negativity: Donath et al., J. Opt. Soc. Am. A 23 (2006) 1048; the others are the usual gradient energy and
 * grey-value entropy. */
#include "recon/solve/pipeline-private.h"
#include "recon/solve/plan-rules.h"

#include "recon/base/memory.h"
#include "recon/metric/metric.h"

#include <math.h>
#include <string.h>

enum { MOST_TRIALS = 10000, ENTROPY_BINS = 256, MOST_PIXELS = 1024 };

/* Rows [row0, row0 + rows) of a stack. */
static ct_stack *take_rows(const ct_stack *stack, int row0, int rows, ct_error **error) {
  const int nu = ct_stack_nu(stack), views = ct_stack_views(stack);
  ct_stack *part = ct_stack_new(nu, rows, views, error);
  for (int view = 0; part && view < views; view++)
    memcpy(ct_stack_view(part, view), ct_stack_get_view(stack, view) + (size_t)row0 * (size_t)nu,
           (size_t)rows * (size_t)nu * sizeof(float));
  return part;
}

static double negativity(const float *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    if (values[i] < 0) sum -= (double)values[i];
  return sum;
}

static double gradient_energy(const float *values, int nx, int ny) {
  double sum = 0;
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++) {
      const float *p = values + (size_t)j * (size_t)nx + (size_t)i;
      const double x = (double)p[1] - (double)p[0], y = (double)p[nx] - (double)p[0];
      sum += x * x + y * y;
    }
  return sum;
}

static double entropy(const float *values, size_t n, double low, double high) {
  size_t bins[ENTROPY_BINS] = {0};
  ct_histogram(values, n, low, high, bins, ENTROPY_BINS);
  double sum = 0;
  for (int i = 0; i < ENTROPY_BINS; i++)
    if (bins[i]) sum -= (double)bins[i] / (double)n * log((double)bins[i] / (double)n);
  return sum;
}

/* The circle about the axis that a centred detector would see: the same for all trials, so that none wins by a smaller
 * field. */
static void clear_outside(ct_volume *slice, double radius) {
  const ct_grid *g = ct_volume_grid(slice);
  float *values = ct_volume_data(slice);
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++)
      if (hypot(g->x0 + i * g->dx, g->y0 + j * g->dy) > radius) values[(size_t)j * (size_t)g->nx + (size_t)i] = 0;
}

/* Smaller is better. The first trial sets the grey range that entropies share. */
static double judge(const ct_volume *slice, ct_sharpness measure, double range[2]) {
  const ct_grid *g = ct_volume_grid(slice);
  const float *values = ct_volume_get_data(slice);
  const size_t n = ct_grid_voxels(g);
  if (measure == CT_SHARPNESS_GRADIENT) return -gradient_energy(values, g->nx, g->ny);
  if (measure == CT_SHARPNESS_NEGATIVITY) return negativity(values, n);
  if (isnan(range[0])) ct_percentiles(values, n, 0.001, 0.999, &range[0], &range[1]);
  return entropy(values, n, range[0], range[1]);
}

/* The best trial, refined by a parabola; NaN when it is an end of the range, beyond which a better one may lie. */
static double refine(const ct_centre_trial *trials, size_t count) {
  size_t at = 0;
  for (size_t i = 1; i < count; i++)
    if (trials[i].metric < trials[at].metric) at = i;
  if (at == 0 || at + 1 == count) return count == 1 ? trials[at].centre : NAN;
  const double a = trials[at - 1].metric, b = trials[at].metric, c = trials[at + 1].metric;
  const double curve = a - 2 * b + c, step = trials[at + 1].centre - trials[at].centre;
  return trials[at].centre + (curve > 0 ? 0.5 * (a - c) / curve * step : 0);
}

/* On the arc of a full circle a wrong centre doubles every edge and sharpness tells; on half a circle, and where a
 * displaced detector measures each line but once, it opens them into arcs, which stay sharp, and entropy tells. */
static ct_sharpness measure_for(const ct_plan *plan, const ct_geometry *g, bool once) {
  if (plan->centre_sharpness != CT_AUTO_INT) return (ct_sharpness)plan->centre_sharpness;
  return ct_geometry_arc(g) > 1.5 * M_PI && !once ? CT_SHARPNESS_GRADIENT : CT_SHARPNESS_ENTROPY;
}

/* One kind of weights for all trials: a detector does not become displaced by a trial far off the middle. */
static ct_filter_options settled(const ct_filter_options *options, const ct_geometry *g, bool *once) {
  ct_filter_options same = *options;
  same.ends_within = false;
  double narrow, wide;
  const bool aside = ct_geometry_displaced(g, &narrow, &wide);
  if (same.redundancy == CT_REDUNDANCY_AUTO && aside)
    same.redundancy = CT_REDUNDANCY_DISPLACED;
  else if (same.redundancy == CT_REDUNDANCY_AUTO && ct_geometry_arc(g) > 2 * M_PI * (1 - 1e-6))
    same.redundancy = CT_REDUNDANCY_FULL;
  *once = same.redundancy == CT_REDUNDANCY_DISPLACED;
  return same;
}

/* Filters the rows for the present centre into *filtered, which is made anew where it is not as wide as that takes. */
static bool filter_trial(const ct_filter_options *options, const ct_stack *rows, const ct_geometry *g,
                         const ct_geometry *seen, ct_stack **filtered, ct_error **error) {
  if (*filtered && ct_stack_nu(*filtered) != seen->nu) {
    ct_stack_free(*filtered);
    *filtered = NULL;
  }
  if (!*filtered && !(*filtered = ct_stack_new(seen->nu, seen->nv, seen->views, error))) return false;
  ct_filter *filter = ct_filter_new(g, options, error);
  const bool good = filter && ct_filter_stack(filter, rows, *filtered, NULL, error);
  ct_filter_free(filter);
  return good;
}

/* All trials on a stack of few rows; `g` is its geometry, whose centre_u is moved from trial to trial. */
static bool run_trials(const ct_sweep_request *r, const ct_stack *rows, ct_geometry *g, const ct_grid *grid,
                       ct_centre_trial *trials, size_t count, ct_job *job, ct_error **error) {
  const ct_plan *plan = r->plan;
  ct_plan whole = *plan;
  whole.finish_after = CT_AUTO_INT;
  double range[2] = {NAN, NAN};
  bool once;
  const ct_filter_options same = settled(&r->options, g, &once);
  const ct_sharpness measure = measure_for(plan, g, once);
  const double radius = 0.5 * g->nu * ct_geometry_pitch_at_axis(g);
  ct_stack *filtered = NULL;
  bool good = true;
  for (size_t i = 0; good && i < count; i++) {
    ct_geometry seen;
    g->centre_u = trials[i].centre;
    if (!(good = ct_filter_output(g, &same, &seen, error))) break;
    if (!filtered || ct_filter_needs_centre(g, &same)) good = filter_trial(&same, rows, g, &seen, &filtered, error);
    good = good && ct_job_may_go_on(job, error);
    ct_volume *slice = good ? ct_backproject_thin(&whole, r->backend, &seen, filtered, grid, NULL, NULL, error) : NULL;
    good = slice != NULL;
    if (good) clear_outside(slice, radius);
    if (good) trials[i].measure = measure, trials[i].metric = judge(slice, measure, range);
    ct_volume_free(slice);
    ct_geometry_clear(&seen);
    ct_job_advance(job, 1);
  }
  ct_stack_free(filtered);
  return good;
}

bool ct_sweep_at(const ct_sweep_request *r, ct_centre_trial *trials, size_t count, ct_job *job, ct_error **error) {
  const ct_geometry *geometry = r->geometry;
  ct_grid plane = ct_grid_plane(r->grid, CT_AXIAL, r->index);
  /* Samples of a large slice judge as well as all of it. */
  const int every = ((plane.nx > plane.ny ? plane.nx : plane.ny) + MOST_PIXELS - 1) / MOST_PIXELS;
  plane.nx = (plane.nx + every - 1) / every;
  plane.ny = (plane.ny + every - 1) / every;
  plane.dx *= every;
  plane.dy *= every;
  int row0, rows;
  if (!ct_grid_detector_rows(&plane, geometry, &row0, &rows))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "No view sees the plane %d that the sweep is to judge.", r->index);
  ct_geometry g;
  if (!ct_geometry_copy(&g, geometry, error)) return false;
  /* Sharpness tells by lines that are measured from both sides, most of which the weights of a narrow side leave out.
   */
  if (r->plan->centre_sharpness == CT_SHARPNESS_GRADIENT) g.narrow_side = CT_NARROW_UNKNOWN;
  ct_geometry_crop_rows(&g, row0, rows);
  ct_sweep_request some = *r;
  some.options.row0 += row0;
  ct_stack *part = take_rows(r->integrals, row0, rows, error);
  ct_job_begin_stage(job, CT_STAGE_CENTRING, count);
  const bool good = part && run_trials(&some, part, &g, &plane, trials, count, job, error);
  ct_stack_free(part);
  ct_geometry_clear(&g);
  return good;
}

bool ct_sweep_centres(const ct_sweep_request *r, ct_centre_trial **trials, size_t *count, double *best, ct_job *job,
                      ct_error **error) {
  const ct_plan *plan = r->plan;
  const ct_geometry *geometry = r->geometry;
  *trials = NULL;
  *count = 0;
  const double half = (double)CT_SWEEP_HALF_RANGE / plan->bin;
  const double from =
      isnan(plan->centre_from) ? geometry->centre_u - half : ct_binned_column(plan->centre_from, plan->bin);
  const double to = isnan(plan->centre_to) ? geometry->centre_u + half : ct_binned_column(plan->centre_to, plan->bin);
  const double step = plan->centre_step / plan->bin, steps = floor((to - from) / step + 1e-6);
  if (!(to >= from) || steps + 1 > MOST_TRIALS)
    return ct_error_set(
        error, CT_ERROR_ARGUMENT, "A sweep from %g to %g px in steps of %g px has no trial, or more than %d.",
        ct_unbinned_column(from, plan->bin), ct_unbinned_column(to, plan->bin), plan->centre_step, MOST_TRIALS);
  const size_t n = (size_t)steps + 1;
  ct_centre_trial *list = ct_alloc(n, sizeof *list, "the trial centres", error);
  for (size_t i = 0; list && i < n; i++) list[i] = (ct_centre_trial){.centre = from + (double)i * step};
  if (!list || !ct_sweep_at(r, list, n, job, error)) {
    ct_free(list);
    return false;
  }
  *best = refine(list, n);
  *trials = list;
  *count = n;
  return true;
}
