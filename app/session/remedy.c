/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each changes what stands in the way and nothing else. */
#include "app/session/remedy.h"

void gantry_remedy_processor(ct_plan *plan, const ct_backend *backend) {
  const ct_bp_kernel *kernel = ct_bp_find(&backend->kernels, plan->kernel);
  if (!kernel || kernel->gpu) g_strlcpy(plan->kernel, "auto", sizeof plan->kernel);
  const ct_projector *projector = ct_projector_find_in(&backend->projectors, plan->iterative.projector);
  if (projector && projector->gpu) g_strlcpy(plan->iterative.projector, "auto", sizeof plan->iterative.projector);
  g_strlcpy(plan->device, "none", sizeof plan->device);
}

void gantry_remedy_kernel(ct_plan *plan, const ct_backend *backend) {
  g_strlcpy(plan->kernel, "auto", sizeof plan->kernel);
}

void gantry_remedy_projector(ct_plan *plan, const ct_backend *backend) {
  g_strlcpy(plan->iterative.projector, "auto", sizeof plan->iterative.projector);
}

void gantry_remedy_outliers(ct_plan *plan, const ct_backend *backend) {
  plan->prep.outlier = CT_OUTLIER_OFFER;
}

void gantry_remedy_advice(ct_plan *plan, const ct_estimate *estimate) {
  const ct_grid *grid = &estimate->suggested_grid;
  if (estimate->suggested_bin > plan->bin) {
    plan->bin = estimate->suggested_bin;
  } else if (grid->nx > 0) {
    plan->nx = grid->nx;
    plan->ny = grid->ny;
    plan->nz = grid->nz;
    plan->voxel = grid->dx;
    plan->voxel_z = grid->dz;
    plan->centre_mm[0] = grid->x0 + 0.5 * (grid->nx - 1) * grid->dx;
    plan->centre_mm[1] = grid->y0 + 0.5 * (grid->ny - 1) * grid->dy;
    plan->centre_mm[2] = grid->z0 + 0.5 * (grid->nz - 1) * grid->dz;
  }
}
