/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runner of iterative methods: problem, loop, stopping rules and the convergence curve. */
#include "recon/solve/iterative/iterate.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/metric.h"
#include "recon/solve/iterative/solver-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ct_iterative {
  ct_problem problem;
  char why[512];
  bool fell_back;
  const ct_volume *reference;
  float *reference_own;            /* in the projector's layout */
  double reference_size;           /* root of the sum of its squares */
  float *natural;                  /* the image for SSIM */
  double since_ssim, ssim_seconds; /* seconds iterated since the last, that the last took */
  ct_iteration *curve;
  size_t count, room;
  bool complete;
  ct_stopped stopped;
};

static bool same_shape(const ct_volume *volume, const ct_grid *grid) {
  const ct_grid *g = ct_volume_grid(volume);
  return g->nx == grid->nx && g->ny == grid->ny && g->nz == grid->nz;
}

static bool check_request(const ct_iterative_request *r, ct_error **error) {
  if (!r->geometry || !r->integrals) return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no scan to iterate on.");
  if (!ct_iterative_options_check(&r->options, error)) return false;
  const ct_geometry *g = r->geometry;
  if (ct_stack_nu(r->integrals) != g->nu || ct_stack_nv(r->integrals) != g->nv ||
      ct_stack_views(r->integrals) != g->views)
    return ct_error_set(
        error, CT_ERROR_ARGUMENT, "The projections are %d x %d pixels in %d views, their geometry has %d x %d in %d.",
        ct_stack_nu(r->integrals), ct_stack_nv(r->integrals), ct_stack_views(r->integrals), g->nu, g->nv, g->views);
  if (r->options.start != CT_START_ZERO && !r->start)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no volume to start from.");
  if (r->options.start != CT_START_ZERO && !same_shape(r->start, &r->grid))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The volume to start from has other counts of voxels than the grid.");
  if (r->reference && !same_shape(r->reference, &r->grid))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The reference has other counts of voxels than the grid.");
  return true;
}

static void take_options(ct_problem *p, const ct_iterative_options *options) {
  const ct_solver *s = p->solver;
  ct_iterative_options *o = &p->options;
  *o = *options;
  if (isnan(o->tv_weight)) o->tv_weight = s->tv_weight.fallback;
  if (isnan(o->haar_weight)) o->haar_weight = s->haar_weight.fallback;
  if (isnan(o->shearlet_weight)) o->shearlet_weight = s->shearlet_weight.fallback;
  const bool bounded = s->uses & CT_USES_BOUNDS;
  p->low = bounded && o->nonnegative ? 0 : -INFINITY;
  p->high = bounded && !isnan(o->upper) ? (float)o->upper : INFINITY;
}

static bool check_integrals(const ct_problem *p, const ct_stack *integrals, ct_error **error) {
  const size_t count = (size_t)p->geometry->nu * (size_t)p->geometry->nv;
  for (int view = 0; view < p->geometry->views; view++) {
    const float *values = ct_stack_get_view(integrals, view);
    bool finite = true;
    for (size_t n = 0; n < count; n++) finite = finite && isfinite(values[n]);
    if (!finite)
      return ct_error_set(error, CT_ERROR_DATA,
                          "View %d holds values that are no numbers: correct the scan for bad pixels first.", view);
  }
  return true;
}

/* Line integrals into the projector's layout; |b|. */
static bool take_integrals(ct_problem *p, const ct_stack *integrals, ct_error **error) {
  p->projector->rays_in(p->state, ct_stack_get_view(integrals, 0), p->b);
  p->size = sqrt(ct_ray_dot(p, p->b, p->b));
  if (!(p->size > 0))
    return ct_error_set(error, CT_ERROR_DATA, "All line integrals are 0: there is nothing to reconstruct.");
  return true;
}

static bool take_start(ct_problem *p, const ct_iterative_request *r, ct_error **error) {
  if (r->options.start == CT_START_ZERO) return true;
  const float *start = ct_volume_get_data(r->start);
  for (size_t n = 0; n < ct_grid_voxels(&p->grid); n++)
    if (!isfinite(start[n]))
      return ct_error_set(error, CT_ERROR_DATA, "The volume to start from holds values that are no numbers.");
  p->projector->image_in(p->state, start, p->x);
  /* within the bounds from the beginning, where it may change */
  if (p->solver->uses & CT_USES_BOUNDS) ct_image_step(p, p->x, p->mask, p->mask, 0, false, NULL);
  return true;
}

static bool take_reference(ct_iterative *run, const ct_volume *reference, ct_error **error) {
  ct_problem *p = &run->problem;
  if (!reference) return true;
  run->reference = reference;
  if (!(run->reference_own = ct_problem_image(p, error)) || !(run->natural = ct_problem_natural(p, error)))
    return false;
  p->projector->image_in(p->state, ct_volume_get_data(reference), run->reference_own);
  run->reference_size = sqrt(ct_image_dot(p, run->reference_own, run->reference_own));
  return true;
}

static bool prepare(ct_iterative *run, const ct_iterative_request *r, ct_job *job, ct_error **error) {
  ct_problem *p = &run->problem;
  p->solver = ct_solver_find((ct_method)r->options.method);
  p->geometry = r->geometry;
  p->grid = r->grid;
  p->threads = r->threads > 0 ? r->threads : ct_thread_count();
  take_options(p, &r->options);
  const ct_projector_request request = {.geometry = r->geometry,
                                        .grid = r->grid,
                                        .model = (ct_ray_model)r->options.model,
                                        .threads = p->threads,
                                        .memory = r->memory,
                                        .device = r->backend ? r->backend->device : NULL,
                                        .others = r->backend ? &r->backend->projectors : NULL};
  const double spare = r->spare ? (double)r->spare : INFINITY;
  p->exchange = r->exchange;
  if (!(p->projector = ct_iterative_choose(p->solver, &r->options, &request, spare, run->why, sizeof run->why,
                                           &run->fell_back, error)))
    return false;
  p->slices = ct_projector_slices(&request);
  if (p->projector->stored) ct_job_begin_stage(job, CT_STAGE_BUILDING, 0);
  if (!ct_job_may_go_on(job, error) || !(p->state = ct_projector_prepare(p->projector, &request, job, error)))
    return false;
  p->projector->shape(p->state, &p->shape);
  const bool good =
      ct_problem_prepare(p, error) && check_integrals(p, r->integrals, error) && ct_halo_make(p, r->columns, error);
  return ct_all_agree(p, good, error) && ct_problem_check_region(p, error) && take_integrals(p, r->integrals, error) &&
         take_start(p, r, error) && take_reference(run, r->reference, error) && p->solver->prepare(p, job, error);
}

ct_iterative *ct_iterative_new(const ct_iterative_request *request, ct_job *job, ct_error **error) {
  if (!check_request(request, error)) return NULL;
  ct_iterative *run = calloc(1, sizeof *run);
  if (!run) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for an iterative run.");
    return NULL;
  }
  run->complete = request->complete;
  if (prepare(run, request, job, error)) return run;
  ct_iterative_free(run);
  return NULL;
}

void ct_iterative_free(ct_iterative *run) {
  if (!run) return;
  if (run->problem.state) run->problem.projector->free(run->problem.state);
  ct_problem_clear(&run->problem);
  ct_free(run->curve);
  free(run);
}

/* RMSE in the own layout every time; SSIM when as much time was iterated as it takes, and at the end. */
static bool measure(ct_iterative *run, ct_iteration *now, bool last, ct_error **error) {
  ct_problem *p = &run->problem;
  const ct_grid *g = &p->grid;
  now->rmse = now->relative_rmse = now->ssim = NAN;
  if (!run->reference) return true;
  double sums[2];
  ct_image_difference(p, p->x, run->reference_own, sums);
  now->rmse = sqrt(sums[0] / (double)ct_grid_voxels(g));
  now->relative_rmse = run->reference_size > 0 ? sqrt(sums[0]) / run->reference_size : NAN;
  run->since_ssim += now->seconds;
  if (!last && run->since_ssim < run->ssim_seconds) return true;
  const double began = ct_now();
  ct_metrics metrics;
  p->projector->image_out(p->state, p->x, run->natural);
  if (!ct_compare(&(ct_comparison){.a = run->natural,
                                   .b = ct_volume_get_data(run->reference),
                                   .nx = g->nx,
                                   .ny = g->ny,
                                   .nz = g->nz,
                                   .peak = NAN},
                  &metrics, NULL, error))
    return false;
  now->ssim = metrics.ssim;
  run->ssim_seconds = ct_now() - began;
  run->since_ssim = 0;
  return true;
}

static bool reserve_curve(ct_iterative *run, ct_error **error) {
  if (run->count < run->room) return true;
  const size_t room = run->room ? 2 * run->room : 64;
  ct_iteration *curve = ct_alloc(room, sizeof *curve, "the convergence curve", error);
  if (!curve) return false;
  if (run->count) memcpy(curve, run->curve, run->count * sizeof *curve);
  ct_free(run->curve);
  run->curve = curve;
  run->room = room;
  return true;
}

static ct_stopped why_stop(const ct_iterative *run, const ct_iteration *now, int iterations, ct_job *job) {
  const ct_iterative_options *o = &run->problem.options;
  if (o->stop_residual > 0 && now->residual < o->stop_residual) return CT_STOPPED_RESIDUAL;
  if (o->stop_change > 0 && now->change < o->stop_change) return CT_STOPPED_CHANGE;
  if (now->index >= iterations) return CT_STOPPED_ITERATIONS;
  return !run->complete && ct_job_requested(job) == CT_JOB_FINISH_EARLY ? CT_STOPPED_EARLY : CT_STOPPED_NOT;
}

static bool iterate_once(ct_iterative *run, int iterations, const ct_iterative_watch *watch, ct_job *job,
                         ct_error **error) {
  ct_problem *p = &run->problem;
  ct_step step;
  if (!ct_job_may_go_on(job, error) || !reserve_curve(run, error)) return false;
  const double began = ct_now();
  if (!p->solver->iterate(p, &step, job, error)) return false;
  p->done++;
  ct_iteration *now = run->curve + run->count;
  *now = (ct_iteration){.index = p->done, .seconds = ct_now() - began, .residual = sqrt(step.residual) / p->size};
  now->residual_after = p->done - 1 + step.at;
  now->change = step.norm > 0 ? sqrt(step.change / step.norm) : 0;
  if (!isfinite(step.residual) || !isfinite(step.norm))
    return ct_error_set(error, CT_ERROR_DATA, "Iteration %d overflowed: the line integrals are too large.", p->done);
  const ct_stopped stopped = why_stop(run, now, iterations, job);
  if (!measure(run, now, stopped != CT_STOPPED_NOT, error)) return false;
  run->count++;
  run->stopped = stopped;
  ct_job_advance(job, 1);
  if (watch && watch->iterated) watch->iterated(watch->user, run, now);
  return true;
}

bool ct_iterative_run(ct_iterative *run, int iterations, const ct_iterative_watch *watch, ct_job *job,
                      ct_error **error) {
  const int done = run->problem.done;
  if (iterations < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There must be at least one iteration, not %d.", iterations);
  ct_job_begin_stage(job, CT_STAGE_ITERATING, iterations > done ? (uint64_t)(iterations - done) : 0);
  run->stopped = done >= iterations ? CT_STOPPED_ITERATIONS : CT_STOPPED_NOT;
  while (run->stopped == CT_STOPPED_NOT) {
    const bool something = run->problem.done > 0 || run->problem.options.start != CT_START_ZERO;
    if (ct_job_checkpoint(job) == CT_JOB_FINISH_EARLY && !run->complete && something)
      run->stopped = CT_STOPPED_EARLY;
    else if (!iterate_once(run, iterations, watch, job, error))
      return false;
  }
  return true;
}

/* The image first. */
static ct_kept kept_of(const ct_problem *p) {
  ct_kept kept = {0};
  if (p->solver->keep) p->solver->keep(p, &kept);
  return kept;
}

int ct_iterative_kept_images(const ct_iterative *run) {
  return run->problem.solver->keep ? 1 + kept_of(&run->problem).count : 0;
}

void ct_iterative_read_kept(const ct_iterative *run, int image, float *natural) {
  const ct_problem *p = &run->problem;
  const ct_kept kept = kept_of(p);
  p->projector->image_out(p->state, image == 0 ? p->x : kept.images[image - 1], natural);
}

double ct_iterative_get_kept_number(const ct_iterative *run) {
  const ct_kept kept = kept_of(&run->problem);
  return kept.number ? *kept.number : 0;
}

void ct_iterative_write_kept(ct_iterative *run, int image, const float *natural) {
  ct_problem *p = &run->problem;
  const ct_kept kept = kept_of(p);
  p->projector->image_in(p->state, natural, image == 0 ? p->x : kept.images[image - 1]);
}

bool ct_iterative_take_up(ct_iterative *run, double number, const ct_iteration *curve, size_t count, ct_error **error) {
  ct_problem *p = &run->problem;
  const ct_kept kept = kept_of(p);
  bool good = true;
  while (good && run->room < count) {
    run->count = run->room;
    good = reserve_curve(run, error);
  }
  if (!ct_all_agree(p, good, error)) return false;
  if (count) memcpy(run->curve, curve, count * sizeof *curve);
  run->count = count;
  p->done = (int)count;
  if (kept.number) *kept.number = number;
  return !p->solver->take_up || p->solver->take_up(p, error);
}

void ct_iterative_read(const ct_iterative *run, float *image) {
  run->problem.projector->image_out(run->problem.state, run->problem.x, image);
}

const ct_iteration *ct_iterative_get_curve(const ct_iterative *run, size_t *count) {
  *count = run->count;
  return run->curve;
}

ct_stopped ct_iterative_get_stopped(const ct_iterative *run) {
  return run->stopped;
}
const ct_projector *ct_iterative_get_projector(const ct_iterative *run) {
  return run->problem.projector;
}
void ct_iterative_get_shape(const ct_iterative *run, ct_projector_shape *shape) {
  *shape = run->problem.shape;
}
double ct_iterative_get_relaxation(const ct_iterative *run) {
  return run->problem.solver->uses & CT_USES_RELAXATION ? run->problem.relaxation : 0;
}
bool ct_iterative_fell_back(const ct_iterative *run) {
  return run->fell_back;
}

const char *ct_iterative_get_why(const ct_iterative *run) {
  return run->why;
}
