/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the data have to say before a volume can be shared out: the centre, and the grid that hangs on it. */
#include "recon/solve/shared.h"

#include "recon/solve/pipeline-private.h"
#include "recon/solve/slabs.h"
#include "recon/solve/spiral/stage.h"

#include <string.h>

/* Where not all projections fit, the middle slab's rows. */
static bool choose_part(const ct_pipeline *p, const ct_plan *plan, double memory, const ct_geometry *g,
                        const ct_grid *whole, ct_grid *part, bool *all, ct_error **error) {
  ct_slab_plan slabs;
  const double bytes = (double)g->nu * g->nv * g->views * sizeof(float);
  *part = *whole;
  *all = !(memory > 0) || bytes <= memory || ct_plan_is_iterative(plan);
  if (*all) return true;
  if (!ct_plan_slabs(plan, p->scan, &p->backend, memory, &slabs, error)) return false;
  *part = ct_slab_grid(&slabs, slabs.count / 2);
  return true;
}

/* The kernel that a plan names has to serve the whole volume: single slabs would take another one instead. */
static bool has_kernel(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid,
                       ct_error **error) {
  if (ct_plan_is_iterative(plan)) return true;
  ct_geometry seen;
  ct_bp_request request;
  const ct_filter_options options = ct_pipeline_filter_options(p, plan);
  if (!ct_filtered_geometry(g, &options, &seen, error)) return false;
  const bool good = ct_pipeline_choose_kernel(p, plan, &seen, grid, false, &request, NULL, error) != NULL;
  ct_geometry_clear(&seen);
  return good;
}

bool ct_pipeline_find(ct_pipeline *p, const ct_plan *plan, double memory, ct_found *found, ct_job *job,
                      ct_error **error) {
  ct_geometry g;
  ct_grid part;
  ct_plan settled;
  bool all;
  memset(found, 0, sizeof *found);
  found->plan = *plan;
  if (!ct_plan_geometry(plan, p->scan, &g, error)) return false;
  const bool told = ct_plan_grid_is_told(plan, p->scan, &g);
  bool good = ct_plan_grid(plan, &g, &found->grid, error) && ct_grid_check(&found->grid, error) &&
              has_kernel(p, plan, &g, &found->grid, error) &&
              (told || choose_part(p, plan, memory, &g, &found->grid, &part, &all, error));
  ct_geometry_clear(&g);
  if (!good || told) return good;
  p->frugal = true;
  ct_error *fault = NULL;
  do good = ct_pipeline_look(p, plan, all ? NULL : &part, job, &fault);
  while (!good && ct_pipeline_try_again(p, &fault, error));
  good = good && ct_pipeline_settled(p, plan, &settled, &found->grid, error);
  p->frugal = false;
  if (!good) return false;
  found->searched = !ct_centre_is_told(plan, p->scan, p->geometry.beam);
  if (found->searched) {
    memcpy(found->how, p->centre_how, sizeof found->how);
    found->confidence = p->confidence;
    found->warned = p->warned[CT_WARNED_CENTRE];
    found->plan.centre_method = CT_CENTRE_FOUND;
    found->plan.centre_u = p->centre;
  }
  if (ct_plan_is_iterative(plan) && p->object_radius > 0) {
    found->plan.nx = settled.nx;
    found->plan.ny = settled.ny;
    found->plan.nz = settled.nz;
    found->plan.voxel = settled.voxel;
    found->plan.voxel_z = settled.voxel_z;
  }
  ct_projections_free(p);
  p->rows = 0;
  return true;
}
