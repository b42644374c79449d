/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of iterative methods, and the check of their parameters. */
#include "recon/solve/iterative/solver-private.h"
#include "recon/solve/plan.h"

#include <math.h>
#include <string.h>

#define SOLVER(method, id, title, brief, solver) &solver,
static const ct_solver *const solvers[] = {CT_ITERATIVE_METHODS(SOLVER)};
enum { COUNT = sizeof solvers / sizeof *solvers };

const ct_solver *const *ct_solvers(size_t *count) {
  *count = COUNT;
  return solvers;
}

const ct_solver *ct_solver_find(ct_method method) {
  for (size_t n = 0; n < COUNT; n++)
    if (solvers[n]->names->value == (int)method) return solvers[n];
  return NULL;
}

const ct_solver *ct_solver_find_id(const char *id) {
  for (size_t n = 0; n < COUNT; n++)
    if (!strcmp(solvers[n]->names->id, id)) return solvers[n];
  return NULL;
}

void ct_iterative_options_init(ct_iterative_options *options) {
  ct_plan plan;
  ct_plan_init(&plan);
  *options = plan.iterative;
  options->method = CT_METHOD_SIRT;
}

static bool check_range(const char *what, double value, const ct_solver_range *range, const ct_solver *solver,
                        ct_error **error) {
  if (value >= range->low && value <= range->high) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "The %s of %s must lie between %g and %g, not %g.", what,
                      solver->names->title, range->low, range->high, value);
}

static bool check_used(const ct_iterative_options *o, const ct_solver *solver, ct_error **error) {
  if ((solver->uses & CT_USES_RELAXATION) && !isnan(o->relaxation) &&
      !check_range("relaxation", o->relaxation, &solver->relaxation, solver, error))
    return false;
  if ((solver->uses & CT_USES_DIVISOR) && !ct_choice_find(ct_divisor_choices, o->divisor))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no divisor number %d.", o->divisor);
  if ((solver->uses & CT_USES_MOMENTUM) && !ct_choice_find(ct_momentum_choices, o->momentum))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no momentum number %d.", o->momentum);
  if (ct_solver_has_momentum(solver, o) && o->relaxation > 1)
    return ct_error_set(
        error, CT_ERROR_ARGUMENT,
        "With momentum the relaxation of %s may be 1 at most, not %g: lower it, or switch momentum off.",
        solver->names->title, o->relaxation);
  if ((solver->uses & CT_USES_TV) && !isnan(o->tv_weight) &&
      !check_range("weight of the total variation", o->tv_weight, &solver->tv_weight, solver, error))
    return false;
  if ((solver->uses & CT_USES_TV) &&
      !check_range("number of smoothing steps", o->tv_steps, &solver->tv_steps, solver, error))
    return false;
  if ((solver->uses & CT_USES_HAAR) && !isnan(o->haar_weight) &&
      !check_range("threshold of Haar's coefficients", o->haar_weight, &solver->haar_weight, solver, error))
    return false;
  if ((solver->uses & CT_USES_HAAR) &&
      !check_range("number of Haar's levels", o->haar_levels, &solver->haar_levels, solver, error))
    return false;
  if ((solver->uses & CT_USES_SHEARLET) && !isnan(o->shearlet_weight) &&
      !check_range("threshold of the shearlets", o->shearlet_weight, &solver->shearlet_weight, solver, error))
    return false;
  if ((solver->uses & CT_USES_SHEARLET) &&
      !check_range("number of scales of the shearlets", o->shearlet_scales, &solver->shearlet_scales, solver, error))
    return false;
  if ((solver->uses & CT_USES_SUBSETS) && o->subsets < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s needs at least one subset, not %d.", solver->names->title,
                        o->subsets);
  if ((solver->uses & CT_USES_BLOCK) && o->block < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s needs at least one view at a time, not %d.", solver->names->title,
                        o->block);
  if ((solver->uses & CT_USES_ORDER) && !ct_choice_find(ct_order_choices, o->order))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no order of views number %d.", o->order);
  if ((solver->uses & CT_USES_BOUNDS) && !isnan(o->upper) && !(o->upper > 0 && isfinite(o->upper)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The largest value of a voxel must be above 0, not %g 1/mm.",
                        o->upper);
  return true;
}

bool ct_iterative_options_check(const ct_iterative_options *o, ct_error **error) {
  const ct_solver *solver = ct_solver_find((ct_method)o->method);
  if (!solver)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        !ct_method_iterates(o->method) ? "The direct method has no iterations."
                                                       : "There is no iterative method number %d.",
                        o->method);
  if (o->iterations < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There must be at least one iteration, not %d.", o->iterations);
  if (!ct_choice_find(ct_start_choices, o->start))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no start number %d.", o->start);
  if (!(o->stop_residual >= 0 && o->stop_residual < 1))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The residual to stop at must lie between 0 (never) and 1, not %g.",
                        o->stop_residual);
  if (!(o->stop_change >= 0 && o->stop_change < 1))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The change to stop at must lie between 0 (never) and 1, not %g.",
                        o->stop_change);
  if (o->region && !isnan(o->region_radius) && !(o->region_radius > 0 && isfinite(o->region_radius)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The radius of the region must be above 0, not %g mm.",
                        o->region_radius);
  if (o->region && !(isfinite(o->region_x) && isfinite(o->region_y)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The middle of the region is not a finite number.");
  return check_used(o, solver, error);
}
