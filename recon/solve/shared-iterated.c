/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIRT and CGLS with the views in several processes. Each has a scan of its own, every ranks-th view of the whole, and
 * the whole image; sums over rays, and what is carried back, are joined inside the method. */
#include "recon/solve/shared.h"

#include "recon/base/units.h"
#include "recon/solve/pipeline-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct course {
  const ct_shared_iteration *request;
  ct_exchange *x;
  ct_job *job, *own; /* that may be cancelled on one rank alone; that all ranks end together */
  ct_pipeline *pipeline;
  int wanted;
} course;

static void after_iteration(void *user, const ct_partial *partial) {
  course *c = user;
  size_t count;
  ct_partial_curve(partial, &count);
  double ends = ct_job_requested(c->job) == CT_JOB_CANCEL;
  c->x->way->sum_numbers(c->x, &ends, 1);
  if (ends > 0) ct_job_cancel(c->own);
  ct_job_advance(c->job, 1);
  if (c->request->iterated) c->request->iterated(c->request->user, (int)count, c->wanted);
}

static bool check(const ct_plan *plan, const ct_geometry *g, const ct_exchange *x, ct_error **error) {
  const ct_method method = (ct_method)plan->iterative.method;
  if (method != CT_METHOD_SIRT && method != CT_METHOD_CGLS)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Of the iterative methods several processes make SIRT and CGLS; start the others without mpirun.");
  if (plan->iterative.start != CT_START_ZERO)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Several processes iterate from zero: set iterative.start to zero, or start it without mpirun.");
  return g->views >= x->ranks ||
         ct_error_set(error, CT_ERROR_ARGUMENT, "There are %d views for %d processes: each needs one of its own.",
                      g->views, x->ranks);
}

/* Image and this rank's views, of which `bytes` are what the method takes beside volume and line integrals. */
static bool fits(const ct_pipeline *p, const ct_shared_iteration *request, int ranks, double bytes, ct_error **error) {
  const ct_grid *grid = &request->found->grid;
  char needs[32], has[32];
  bytes += (double)ct_grid_voxels(grid) * sizeof(float) + (double)ct_stack_bytes(p->integrals);
  if (!(request->memory > 0) || bytes <= request->memory) return true;
  return ct_error_set(error, CT_ERROR_MEMORY,
                      "Iterating in %d processes, each holds the image of all %d x %d x %d voxels and its part of the "
                      "views: that takes %s in each, and each may take %s. Take larger voxels (reconstruction.voxel), "
                      "fewer slices (reconstruction.nz), more machines of fewer processes each, or the direct method, "
                      "which holds slabs alone.",
                      ranks, grid->nx, grid->ny, grid->nz, ct_format_bytes(bytes, needs, sizeof needs),
                      ct_format_bytes(request->memory, has, sizeof has));
}

/* This rank's views, and the projector that rank 0 would take for its own: layouts of images must be the same. */
static bool prepare(ct_pipeline *p, const ct_shared_iteration *request, ct_exchange *x, ct_plan *plan, int *views,
                    ct_job *job, ct_error **error) {
  const ct_found *found = request->found;
  ct_geometry g;
  *plan = found->plan;
  bool good = ct_plan_geometry(&found->plan, p->scan, &g, error);
  if (good) {
    good = check(plan, &g, x, error);
    *views = g.views;
    ct_geometry_clear(&g);
  }
  if (!x->way->agree(x, good, error)) return false;
  plan->view_first += x->rank * plan->view_step;
  plan->view_step *= x->ranks;
  good = ct_pipeline_prepare_integrals(p, plan, NULL, job, error);
  if (good && !ct_grid_matches(&p->facts.grid, &found->grid))
    good = ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The grid hangs on the views: set it (reconstruction.nx, ny, nz and voxel), so that all "
                        "processes have the same.");
  if (!x->way->agree(x, good, error)) return false;
  const ct_projector *projector = NULL;
  double bytes;
  good = ct_plan_iterative_bytes(plan, &p->backend, &p->geometry, &found->grid, INFINITY, &bytes, &projector, error);
  if (!x->way->agree(x, good, error)) return false;
  char id[sizeof plan->iterative.projector];
  snprintf(id, sizeof id, "%s", projector->id);
  x->way->tell(x, id, sizeof id);
  snprintf(plan->iterative.projector, sizeof id, "%s", id);
  good = ct_plan_iterative_bytes(plan, &p->backend, &p->geometry, &found->grid, INFINITY, &bytes, &projector, error) &&
         fits(p, request, x->ranks, bytes, error);
  return x->way->agree(x, good, error);
}

ct_volume *ct_pipeline_shared_iterated(ct_pipeline *p, const ct_shared_iteration *request, ct_exchange *x, ct_job *job,
                                       ct_error **error) {
  const ct_found *found = request->found;
  ct_plan plan;
  int views = 0;
  if (!prepare(p, request, x, &plan, &views, job, error)) return NULL;
  course c = {request, x, job, ct_job_new(error), p, plan.iterative.iterations};
  if (!x->way->agree(x, c.own != NULL, error)) {
    ct_job_free(c.own);
    return NULL;
  }
  ct_job_begin_stage(job, CT_STAGE_ITERATING, (uint64_t)plan.iterative.iterations);
  const ct_publisher publisher = {&c, after_iteration};
  const ct_part part = {.plan = &plan, .grid = &found->grid, .publisher = &publisher};
  const int refused = x->refused;
  int iterations = -1;
  p->exchange = x;
  ct_volume *volume = ct_pipeline_iterate(p, &part, false, &iterations, NULL, c.own, error);
  p->exchange = NULL;
  ct_job_free(c.own);
  /* One that failed by itself joins the others in what they agree on next, which may be this. */
  if (x->refused == refused && !x->way->agree(x, volume != NULL, error)) {
    ct_volume_free(volume);
    return NULL;
  }
  if (!volume) return NULL;
  p->facts.views_all = views;
  if (found->searched) {
    memcpy(p->centre_how, found->how, sizeof p->centre_how);
    p->confidence = p->facts.centre_confidence = found->confidence;
  }
  return volume;
}
