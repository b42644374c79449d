/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel over filtered projections: some views, and all of them onto a thin grid. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/geom/trajectory.h"

bool ct_run_portion(const ct_bp_kernel *kernel, ct_bp_state *state, const ct_stack *filtered, const ct_portion *turn,
                    const float **projections, ct_volume *volume, ct_job *job, ct_error **error) {
  const int count = turn->count;
  for (int i = 0; i < count + turn->next; i++) projections[i] = ct_stack_get_view(filtered, turn->order[i]);
  if (turn->added) *turn->added = count;
  const ct_bp_batch next = {.count = turn->next, .views = turn->order + count, .projections = projections + count};
  const ct_bp_batch batch = {.count = count,
                             .views = turn->order,
                             .projections = projections,
                             .first = turn->first,
                             .last = turn->last,
                             .added = turn->added,
                             .next = turn->next > 0 ? &next : NULL};
  if (!kernel->run(state, &batch, volume, job, error)) return false;
  const int now = turn->added ? *turn->added : count;
  ct_job_add_updates(job, (double)ct_grid_voxels(ct_volume_grid(volume)) * now);
  if (!kernel->at_once) ct_job_advance(job, (uint64_t)now);
  return true;
}

void ct_mask_field(ct_volume *volume, const ct_geometry *geometry) {
  const ct_grid *g = ct_volume_grid(volume);
  const double radius = ct_geometry_field_radius(geometry), limit = radius * radius;
  ct_line axis;
  ct_geometry_axis(geometry, &axis);
  float *data = ct_volume_data(volume);
#pragma omp parallel for collapse(2) schedule(static)
  for (int k = 0; k < g->nz; k++)
    for (int j = 0; j < g->ny; j++) {
      float *row = data + ((size_t)k * (size_t)g->ny + (size_t)j) * (size_t)g->nx;
      for (int i = 0; i < g->nx; i++) {
        const double point[3] = {g->x0 + i * g->dx, g->y0 + j * g->dy, g->z0 + k * g->dz};
        if (ct_line_distance2(&axis, point) > limit) row[i] = 0;
      }
    }
}

ct_volume *ct_backproject_thin(const ct_plan *plan, const ct_backend *backend, const ct_geometry *geometry,
                               const ct_stack *filtered, const ct_grid *grid, ct_kernel_choice *choice, ct_job *job,
                               ct_error **error) {
  ct_bp_request request;
  const ct_bp_kernel *kernel =
      ct_plan_kernel(plan, backend, geometry, grid, CT_EXTENT_PLANE, &request, choice ? choice->why : NULL, error);
  if (!kernel) return NULL;
  if (choice) choice->kernel = kernel;
  const int all = ct_stack_views(filtered), views = ct_plan_most_views(plan, all);
  ct_volume *volume = ct_volume_new(grid, error);
  int *order = ct_alloc((size_t)all, sizeof *order, "the order of views", error);
  const float **projections = ct_alloc((size_t)request.batch, sizeof *projections, "a batch", error);
  ct_bp_state *state = volume && order && projections ? kernel->prepare(kernel, &request, error) : NULL;
  bool good = state != NULL;
  if (good && views < all)
    ct_bit_reversed_order(all, order);
  else
    for (int i = 0; good && i < views; i++) order[i] = i;
  for (int at = 0; good && at < views; at += request.batch) {
    const int count = views - at < request.batch ? views - at : request.batch;
    const ct_portion turn = {order + at, count, 0, 0, at == 0, at + count == views, NULL};
    good =
        ct_job_may_go_on(job, error) && ct_run_portion(kernel, state, filtered, &turn, projections, volume, job, error);
  }
  if (good && kernel->finish) good = kernel->finish(state, volume, error);
  if (state) kernel->free(state);
  ct_free(order);
  ct_free(projections);
  if (good && ct_check_finite(volume, filtered, false, error)) return volume;
  ct_volume_free(volume);
  return NULL;
}
