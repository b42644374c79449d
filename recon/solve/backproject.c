/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a kernel over filtered projections: single planes, and volumes in bit-reversed batches with the planes
 * published as they grow. */
#include "recon/solve/pipeline-private.h"
#include "recon/base/untold.h"
#include "recon/solve/record.h"
#include "recon/solve/share-private.h"
#include "recon/solve/spiral/stage.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Batches grow to what the kernel would have, for a volume passes through memory once per batch; but the first planes
 * are to come early where somebody looks. */
enum { FIRST_BATCH = 8, FIRST_UNSEEN = 64 };

/* A sagittal plane is made as the coronal one of the world turned by a quarter, whose voxels lie in the same order:
 * kernels take sixteen voxels along x at a time. */
static ct_volume *make_sagittal(ct_pipeline *pipeline, const ct_plan *plan, const ct_grid *grid, ct_job *job,
                                ct_error **error) {
  ct_geometry turned;
  if (!ct_geometry_copy(&turned, &pipeline->seen, error)) return NULL;
  ct_geometry_turn_quarter(&turned);
  const ct_grid coronal = {grid->ny, 1, grid->nz, grid->dy, grid->dx, grid->dz, grid->y0, -grid->x0, grid->z0};
  ct_volume *slice = ct_backproject_thin(plan, &pipeline->backend, &turned, pipeline->filtered, &coronal,
                                         &pipeline->facts.plane, job, error);
  ct_geometry_clear(&turned);
  return slice;
}

/* By the scan's geometry, as a volume is masked: filtered projections may be wider. */
static bool mask_plane(const ct_pipeline *pipeline, ct_plane plane, ct_volume *slice, ct_error **error) {
  ct_geometry turned;
  if (plane != CT_SAGITTAL) {
    ct_mask_field(slice, &pipeline->geometry);
    return true;
  }
  if (!ct_geometry_copy(&turned, &pipeline->geometry, error)) return false;
  ct_geometry_turn_quarter(&turned);
  ct_mask_field(slice, &turned);
  ct_geometry_clear(&turned);
  return true;
}

bool ct_pipeline_direct_slice(ct_pipeline *pipeline, const ct_plan *plan, ct_plane plane, int index, float *out,
                              ct_job *job, ct_error **error) {
  if (!ct_pipeline_prepare_planes(pipeline, plan, job, error)) return false;
  const double scale = ct_plan_views_scale(plan, &pipeline->seen, error);
  if (isnan(scale)) return false;
  const ct_grid grid = ct_grid_plane(&pipeline->facts.grid, plane, index);
  ct_job_begin_stage(job, CT_STAGE_BACKPROJECTING,
                     (uint64_t)ct_plan_most_views(plan, ct_stack_views(pipeline->filtered)));
  ct_volume *slice = plane == CT_SAGITTAL
                         ? make_sagittal(pipeline, plan, &grid, job, error)
                         : ct_backproject_thin(plan, &pipeline->backend, &pipeline->seen, pipeline->filtered, &grid,
                                               &pipeline->facts.plane, job, error);
  const bool good = slice && (!plan->mask || mask_plane(pipeline, plane, slice, error));
  if (good && scale != 1) ct_volume_scale(slice, (float)scale);
  if (good) memcpy(out, ct_volume_get_data(slice), ct_volume_bytes(slice));
  ct_volume_free(slice);
  return good;
}

/* Views that come out of a file are made ready beside the kernel, because a thread that reads leaves processors idle,
 * and all views beside a kernel of a graphics card, whose thread only waits. Else there is nothing to be won: all
 * threads calculate anyway. */
static bool pays_ahead(const ct_pipeline *p, const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const bool reads = p->loader && ct_scan_get_facts(p->scan)->bytes > 0;
  return (reads || (kernel->gpu && p->filtered_count < ct_stack_views(p->filtered))) && request->threads > 1;
}

/* ct_run_portion, and beside it turn->ahead views behind are made ready. The kernel, which may be bound to its thread,
 * stays on the caller's. */
static bool run_beside(const ct_partial *partial, ct_pipeline *pipeline, const ct_portion *turn,
                       const float **projections, ct_job *job, ct_error **error) {
  ct_error *fault = NULL;
  bool good = false, ready = false;
  atomic_bool done = false;
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(omp_get_active_level() + 2);
  ct_job_stay_awake(job, true);
#pragma omp parallel num_threads(2) proc_bind(close)
  {
    if (omp_get_thread_num() == 0) {
      good = ct_run_portion(partial->kernel, partial->state, pipeline->filtered, turn, projections, partial->volume,
                            job, error);
      atomic_store(&done, true);
    }
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
      ready = ct_filtered_ahead(pipeline, turn->order + turn->count, turn->ahead, &done, job, &fault);
  }
  omp_set_max_active_levels(levels);
  ct_job_stay_awake(job, false);
  if (good && !ready && error) {
    *error = fault;
    fault = NULL;
  }
  ct_error_clear(&fault);
  return good && ready;
}

/* An end that was asked for leaves at least one batch. */
static bool ends_early(const ct_job *job, int done, int most) {
  return done > 0 && most == 0 && ct_job_requested(job) == CT_JOB_FINISH_EARLY;
}

/* What a volume's batches are taken from. */
typedef struct course {
  const ct_plan *plan;
  const ct_bp_request *request;
  const ct_bp_kernel *kernel;
  int most;  /* views; 0: the end of the plan's, or a finish-early */
  int first; /* batch, where the plan leaves it open */
  int end;   /* of the order */
  const int *order;
  const double *weights;     /* of the views */
  const float **projections; /* room for two batches */
} course;

static int first_batch(const ct_publisher *publisher) {
  return publisher ? FIRST_BATCH : FIRST_UNSEEN;
}

/* Views of the next batch: 8, 16, 32, ... up to what the kernel would have where the plan leaves it open. */
static int next_batch(const course *c, int done, int left) {
  int count = c->request->batch;
  if (c->plan->batch == CT_AUTO_INT && !c->kernel->at_once && count > done + c->first) count = done + c->first;
  return count < left ? count : left;
}

static bool others_go_on(const ct_pipeline *p, double fraction, ct_error **error) {
  return !p->share || p->share->between(p->share->user, fraction) ||
         ct_error_set(error, CT_ERROR_CANCELLED, "Another process of the job failed.");
}

/* Keeps those of the first `end` views of an order that are this process's; their count. */
static int take_share(const ct_share *share, int views, int end, int *order) {
  int first, kept = 0;
  const int count = ct_share_views(views, share->groups, share->group, &first);
  for (int i = 0; i < end; i++)
    if (order[i] >= first && order[i] < first + count) order[kept++] = order[i];
  return kept;
}

/* All batches until the end or a cancel. partial->scale is what makes the sum absolute. */
static bool run_batches(ct_partial *partial, ct_pipeline *pipeline, const course *c, ct_job *job, ct_error **error) {
  const ct_bp_request *request = c->request;
  const int *order = c->order, most = c->most, end = c->end, views = ct_stack_views(pipeline->filtered);
  double total = 0, done = 0;
  for (int i = 0; i < views; i++) total += c->weights[i];
  for (int at = 0; at < end;) {
    const int count = next_batch(c, at, end - at), behind = at + count, next = next_batch(c, behind, end - behind);
    if (!ct_job_may_go_on(job, error) || !others_go_on(pipeline, (double)at / end, error)) return false;
    if (ends_early(job, at, most)) break;
    if (!ct_filtered_add(pipeline, order + at, count, job, error)) return false;
    const bool beside = pays_ahead(pipeline, partial->kernel, request);
    /* So that the kernel can lay them out beside its sweep; but the first planes come first. */
    if (request->ahead && !beside && at > 0 && !ct_filtered_add(pipeline, order + behind, next, job, error))
      return false;
    /* Paused meanwhile and then ended: what was on screen is the result. */
    if (ends_early(job, at, most)) break;
    int added = count;
    ct_portion turn = {.order = order + at,
                       .count = count,
                       .first = at == 0,
                       .last = behind == end,
                       .added = at > 0 && most == 0 ? &added : NULL};
    if (request->ahead && ct_filtered_has(pipeline, order + behind, next)) turn.next = next;
    if (beside) turn.ahead = next + (request->ahead && at > 0 ? next_batch(c, behind + next, end - behind - next) : 0);
    if (!(turn.ahead > 0 ? run_beside(partial, pipeline, &turn, c->projections, job, error)
                         : ct_run_portion(partial->kernel, partial->state, pipeline->filtered, &turn, c->projections,
                                          partial->volume, job, error)))
      return false;
    for (int i = at; i < at + added; i++) done += c->weights[order[i]];
    at += added;
    partial->done = at;
    partial->scale = at < views && done > 0 ? total / done : 1;
    ct_partial_publish(partial);
  }
  return ct_job_requested(job) == CT_JOB_CANCEL ? ct_job_may_go_on(job, error) : true;
}

bool ct_pipeline_attach_plan(const ct_pipeline *pipeline, const ct_plan *plan, ct_volume *volume, ct_error **error) {
  ct_identity identity;
  if (!ct_identity_of(pipeline->scan, &identity, error)) return false;
  char *json = ct_pipeline_record(pipeline, plan, &identity, error);
  const bool good = json && ct_volume_set_plan(volume, json, error);
  ct_free(json);
  ct_identity_clear(&identity);
  return good;
}

/* With two layouts where the kernel makes any and there is room; a slab leaves none. */
static ct_bp_state *prepare_kernel(const ct_pipeline *pipeline, const ct_partial *partial, ct_bp_request *request,
                                   ct_error **error) {
  const ct_bp_kernel *kernel = partial->kernel;
  request->ahead = kernel->lays && !partial->overview && !pipeline->share;
  request->ahead =
      request->ahead && ct_projections_leave_room(pipeline, (double)ct_grid_voxels(&request->grid) * sizeof(float) +
                                                                (double)kernel->memory(kernel, request));
  const unsigned untold = ct_untold(NULL);
  ct_bp_state *state = request->ahead ? kernel->prepare(kernel, request, NULL) : NULL;
  if (state) return state;
  ct_untold_forgive(untold);
  request->ahead = false;
  return kernel->prepare(kernel, request, error);
}

ct_volume *ct_pipeline_direct_volume(ct_pipeline *pipeline, const ct_plan *plan, const ct_publisher *publisher,
                                     ct_job *job, ct_error **error) {
  if (!ct_pipeline_prepare_volume(pipeline, plan, NULL, job, error)) return NULL;
  ct_job_begin_stage(job, CT_STAGE_BACKPROJECTING,
                     (uint64_t)ct_plan_most_views(plan, ct_stack_views(pipeline->filtered)));
  const ct_part all = {.plan = plan, .grid = &pipeline->facts.grid, .publisher = publisher};
  return ct_pipeline_backproject(pipeline, &all, 0, NULL, job, error);
}

ct_volume *ct_pipeline_backproject(ct_pipeline *pipeline, const ct_part *part, int most, int *views_done, ct_job *job,
                                   ct_error **error) {
  const ct_plan *plan = part->plan;
  ct_bp_request request;
  ct_partial partial = {.scale = 1, .overview = part->overview, .publisher = part->publisher};
  const ct_share *share = pipeline->share;
  partial.kernel = ct_pipeline_choose_kernel(pipeline, plan, &pipeline->seen, part->grid, part->overview || share,
                                             &request, pipeline->facts.kernel_why, error);
  if (!partial.kernel) return NULL;
  if (request.ramp && !ct_bp_accepts(partial.kernel, &request, error)) return NULL;
  pipeline->facts.kernel = partial.kernel;
  ct_pipeline_tell_ramp(pipeline);
  const int views = ct_stack_views(pipeline->filtered);
  int end = most > 0 && most < views ? most : ct_plan_most_views(plan, views);
  int *order = ct_alloc((size_t)views, sizeof *order, "the order of views", error);
  double *weights = ct_alloc((size_t)views, sizeof *weights, "the view weights", error);
  const float **projections = ct_alloc(2 * (size_t)request.batch, sizeof *projections, "a batch", error);
  bool good =
      order && weights && projections && ct_filtered_weights(&pipeline->seen, plan->filter.spiral, weights, error);
  good = good && (partial.state = prepare_kernel(pipeline, &partial, &request, error));
  good = good && (partial.volume = ct_volume_new(part->grid, error));
  if (good) {
    ct_bit_reversed_order(views, order);
    if (share) end = take_share(share, views, end, order);
    ct_job_set_show(job, ct_partial_show, &partial);
    const course views_in_order = {
        .plan = plan,
        .request = &request,
        .kernel = partial.kernel,
        .most = most,
        .first = first_batch(part->publisher),
        .end = end,
        .order = order,
        .weights = weights,
        .projections = projections,
    };
    good = run_batches(&partial, pipeline, &views_in_order, job, error);
    ct_job_set_show(job, NULL, NULL);
  }
  if (good && share) {
    partial.scale = ct_plan_views_scale(plan, &pipeline->seen, error);
    partial.done = ct_plan_most_views(plan, views);
    good = !isnan(partial.scale);
  }
  if (good && end > 0 && partial.kernel->finish) good = partial.kernel->finish(partial.state, partial.volume, error);
  if (good && partial.scale != 1) ct_volume_scale(partial.volume, (float)partial.scale);
  if (good && plan->mask) ct_mask_field(partial.volume, &pipeline->geometry);
  pipeline->views_taken = pipeline->facts.views_taken = partial.done;
  good = good && ct_check_finite(partial.volume, pipeline->filtered, true, error) &&
         (share || ct_pipeline_attach_plan(pipeline, plan, partial.volume, error));
  if (partial.state) partial.kernel->free(partial.state);
  ct_free(order);
  ct_free(weights);
  ct_free(projections);
  if (good && views_done) *views_done = partial.done;
  if (good) return partial.volume;
  ct_volume_free(partial.volume);
  return NULL;
}
