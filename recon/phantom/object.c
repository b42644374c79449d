/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line integrals of a volume by a projector of recon/fp. */
#include "recon/phantom/object.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/projector.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

static bool check(const ct_volume *object, const ct_geometry *g, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(object);
  const float *data = ct_volume_get_data(object);
  const double x = fmax(fabs(grid->x0), fabs(grid->x0 + (grid->nx - 1) * grid->dx)) + 0.5 * grid->dx,
               y = fmax(fabs(grid->y0), fabs(grid->y0 + (grid->ny - 1) * grid->dy)) + 0.5 * grid->dy;
  if (ct_geometry_takes(g, CT_TAKES_DISTANCES) && !(hypot(x, y) < g->sod))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The object reaches %.4g mm from the axis, and the source is %.4g mm from it.", hypot(x, y),
                        g->sod);
  for (size_t i = 0; i < ct_grid_voxels(grid); i++)
    if (!isfinite(data[i]))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "The object's voxel %zu (of %zu) is not a finite number.", i,
                          ct_grid_voxels(grid));
  return true;
}

ct_stack *ct_object_project(const ct_volume *object, const ct_geometry *geometry, ct_job *job, ct_error **error) {
  const ct_projector_request request = {
      .geometry = geometry, .grid = *ct_volume_grid(object), .model = CT_MODEL_JOSEPH, .threads = ct_thread_count()};
  if (!check(object, geometry, error)) return NULL;
  ct_job_begin_stage(job, CT_STAGE_SIMULATING, 1);
  const ct_projector *projector = ct_projector_choose("auto", false, &request, NULL, 0, error);
  ct_projector_state *state = projector ? ct_projector_prepare(projector, &request, job, error) : NULL;
  if (!state) return NULL;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  float *x = ct_alloc(shape.image, sizeof *x, "the object", error),
        *y = x ? ct_alloc_zero(shape.rays, sizeof *y, "the line integrals", error) : NULL;
  ct_stack *stack = y ? ct_stack_new(geometry->nu, geometry->nv, geometry->views, error) : NULL;
  bool good = stack != NULL;
  if (good) {
    projector->image_in(state, ct_volume_get_data(object), x);
    good = projector->forward(state, NULL, 0, x, y, error) && ct_job_may_go_on(job, error);
  }
  if (good) projector->rays_out(state, y, ct_stack_data(stack));
  projector->free(state);
  ct_free(x);
  ct_free(y);
  if (good) return stack;
  ct_stack_free(stack);
  return NULL;
}
