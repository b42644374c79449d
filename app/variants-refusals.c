/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks that a run begins with, without a pipeline. */
#include "app/variants-refusals.h"

#include "app/variants-frozen.h"
#include "recon/geom/questions.h"

#include <string.h>

/* Whether a device that is not there yet is to tell. */
static bool is_left_to_device(const ct_plan *plan, const ct_backend *backend) {
  const bool direct = !ct_method_iterates(plan->iterative.method);
  const ct_bp_kernel *kernel = ct_bp_find(&backend->kernels, plan->kernel);
  const ct_projector *projector = ct_projector_find_in(&backend->projectors, plan->iterative.projector);
  return direct ? kernel && kernel->gpu : projector && projector->gpu;
}

static bool check_kernel_name(const ct_plan *plan, const ct_backend *backend, ct_error **error) {
  return !strcmp(plan->kernel, "auto") || ct_bp_find(&backend->kernels, plan->kernel) ||
         ct_error_set(error, CT_ERROR_ARGUMENT, "There is no kernel \"%s\".", plan->kernel);
}

static bool check_slice(const ct_plan *plan, const gantry_variants_request *request, const ct_geometry *geometry,
                        const ct_grid *grid, ct_error **error) {
  if (!request->one_slice || !ct_method_iterates(plan->iterative.method) ||
      (request->plane == CT_AXIAL && ct_geometry_is_stack(geometry, grid)))
    return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s", GANTRY_SLICE_NEEDS_VOLUME);
}

bool gantry_variant_serves(const ct_plan *plan, const gantry_variants_request *request, const ct_scan *scan,
                           const ct_backend *backend, bool device, ct_error **error) {
  ct_geometry geometry;
  ct_estimate estimate;
  ct_grid grid;
  if (!check_kernel_name(plan, backend, error) || !ct_plan_geometry(plan, scan, &geometry, error)) return false;
  const bool good = ct_plan_grid(plan, &geometry, &grid, error) && check_slice(plan, request, &geometry, &grid, error);
  ct_geometry_clear(&geometry);
  if (!good || !gantry_choose_slice(request, &grid, error)) return false;
  if (device && is_left_to_device(plan, backend)) return true;
  ct_plan held = *plan;
  if (request->one_slice) gantry_hold_grid(&grid, &held);
  return ct_plan_estimate(&held, scan, backend, &estimate, error);
}
