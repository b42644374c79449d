/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slabs of a volume by an iterative method: slices that are problems of their own, some at a time. */
#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/pipeline-private.h"

#include <math.h>

bool ct_plan_iterates_slices(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, ct_error **error) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  int row0;
  if (grid->nz == 1)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "One slice cannot be cut into slabs: an iterative method needs it whole in memory.");
  if (!ct_geometry_rows_of_slices(geometry, grid, &row0))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "An iterative method can write a volume in slabs only where every slice is a problem of its "
                        "own (parallel beam, one detector row for each slice); here rays pass several slices, and the "
                        "whole volume must be in memory.");
  if (solver && solver->joint)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s treats all slices together and cannot write the volume in slabs: SIRT, SART, ART, MLEM "
                        "and similar methods can.",
                        solver->names->title);
  if (plan->iterative.stop_residual > 0 || plan->iterative.stop_change > 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A stopping rule looks at the whole volume, which cannot then be written in slabs: set "
                        "iterative.stop_residual and iterative.stop_change to 0.");
  if (plan->iterative.start == CT_START_CURRENT)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A volume to start from must be whole in memory, which slabs are not: set iterative.start to "
                        "zero or direct.");
  return true;
}

/* Whether nothing was measured at these slices: then they are 0. */
static bool is_empty(const ct_pipeline *p, const ct_grid *grid) {
  const int nu = ct_stack_nu(p->integrals);
  int row0;
  if (!ct_geometry_rows_of_slices(&p->geometry, grid, &row0)) return false;
  for (int view = 0; view < ct_stack_views(p->integrals); view++) {
    const float *values = ct_stack_get_view(p->integrals, view) + (size_t)row0 * (size_t)nu;
    for (size_t n = 0; n < (size_t)nu * (size_t)grid->nz; n++)
      if (values[n] != 0) return false;
  }
  return true;
}

static ct_volume *make_empty(const ct_pipeline *p, const ct_plan *plan, const ct_grid *grid, int iterations,
                             ct_error **error) {
  ct_volume *volume = ct_volume_new(grid, error);
  const ct_plan used = ct_plan_iterated(plan, iterations);
  if (!volume || ct_pipeline_attach_plan(p, &used, volume, error)) return volume;
  ct_volume_free(volume);
  return NULL;
}

/* The direct reconstruction of the slices, with the line integrals held again after it. */
static ct_volume *make_start(ct_pipeline *p, const ct_part *slab, const ct_grid *prepared, int *views, ct_job *job,
                             ct_error **error) {
  const ct_plan direct = ct_plan_direct(slab->plan);
  p->starts_iteration = true;
  const bool ready = ct_pipeline_prepare_part(p, &direct, prepared, job, error);
  p->starts_iteration = false;
  if (!ready) return NULL;
  ct_job_begin_stage(job, CT_STAGE_BACKPROJECTING, (uint64_t)(*views ? *views : p->geometry.views));
  const ct_part same = {.plan = &direct, .grid = slab->grid, .overview = slab->overview, .publisher = slab->publisher};
  ct_volume *start = ct_pipeline_backproject(p, &same, *views, views, job, error);
  p->start_views = p->views_taken;
  if (start && ct_pipeline_prepare_integrals(p, slab->plan, prepared, job, error)) return start;
  ct_volume_free(start);
  return NULL;
}

ct_volume *ct_pipeline_iterate_slab(ct_pipeline *p, const ct_part *slab, bool all_rows, int *iterations, int *views,
                                    ct_job *job, ct_error **error) {
  const ct_plan *plan = slab->plan;
  const ct_grid *prepared = all_rows ? NULL : slab->grid;
  if (!ct_pipeline_prepare_integrals(p, plan, prepared, job, error)) return NULL;
  if (is_empty(p, slab->grid)) {
    if (*iterations < 0) *iterations = plan->iterative.iterations;
    return make_empty(p, plan, slab->grid, *iterations, error);
  }
  ct_volume *start = NULL;
  if (plan->iterative.start == CT_START_DIRECT && !(start = make_start(p, slab, prepared, views, job, error)))
    return NULL;
  ct_volume *volume = ct_pipeline_iterate(p, slab, false, iterations, start, job, error);
  ct_volume_free(start);
  return volume;
}
