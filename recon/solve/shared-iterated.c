/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIRT and CGLS with the views in several processes. Each has a scan of its own, every ranks-th view of the whole, and
 * the whole image; sums over rays, and what is carried back, are joined inside the method. */
#include "recon/solve/shared.h"

#include "recon/solve/pipeline-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct course {
  ct_shared_iteration *request;
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

/* This rank's views, and the projector that rank 0 would take for its own: layouts of images must be the same. */
static bool prepare(ct_pipeline *p, const ct_found *found, ct_exchange *x, ct_plan *plan, int *views, ct_job *job,
                    ct_error **error) {
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
  good = ct_plan_iterative_bytes(plan, &p->backend, &p->geometry, &found->grid, INFINITY, &bytes, &projector, error);
  return x->way->agree(x, good, error);
}

ct_volume *ct_pipeline_shared_iterated(ct_pipeline *p, ct_shared_iteration *request, ct_exchange *x, ct_job *job,
                                       ct_error **error) {
  const ct_found *found = request->found;
  ct_plan plan;
  int views = 0;
  request->amid = false;
  if (!prepare(p, found, x, &plan, &views, job, error)) return NULL;
  course c = {request, x, job, ct_job_new(error), p, plan.iterative.iterations};
  if (!x->way->agree(x, c.own != NULL, error)) {
    ct_job_free(c.own);
    return NULL;
  }
  ct_job_begin_stage(job, CT_STAGE_ITERATING, (uint64_t)plan.iterative.iterations);
  const ct_publisher publisher = {&c, after_iteration};
  const ct_part part = {.plan = &plan, .grid = &found->grid, .publisher = &publisher};
  int iterations = -1;
  p->exchange = x;
  ct_volume *volume = ct_pipeline_iterate(p, &part, false, &iterations, NULL, c.own, error);
  p->exchange = NULL;
  request->amid = !volume && ct_job_requested(c.own) != CT_JOB_CANCEL;
  ct_job_free(c.own);
  p->facts.views_all = views;
  if (found->searched) {
    memcpy(p->centre_how, found->how, sizeof p->centre_how);
    p->confidence = p->facts.centre_confidence = found->confidence;
  }
  return volume;
}
