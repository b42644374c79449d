/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions that the plan table names, and the values that automatic parameters take. */
#include "recon/solve/plan-rules.h"

#include "recon/base/machine.h"
#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ct_beam ct_plan_facts_beam(const ct_plan *plan, const ct_plan_facts *facts) {
  return facts->scan ? ct_plan_beam(plan, facts->beam, facts->known, facts->nv)
                     : ct_plan_beam(plan, ct_beam_find("parallel")->beam, CT_KNOWN_BEAM, 1);
}

/* Of even steps. */
static void copy_angles(const ct_geometry *geometry, ct_plan_facts *facts) {
  static const double degrees = 180 / M_PI;
  facts->angle_first_deg = facts->angle_step_deg = NAN;
  if (!geometry->angles) return;
  facts->angle_first_deg = geometry->angles[0] * degrees;
  if (geometry->views < 2) return;
  const double step = (geometry->angles[geometry->views - 1] - geometry->angles[0]) / (geometry->views - 1);
  for (int i = 1; i < geometry->views; i++)
    if (fabs(geometry->angles[i] - geometry->angles[i - 1] - step) > 0.02 * fabs(step) + 1e-9) return;
  facts->angle_step_deg = step * degrees;
}

void ct_plan_facts_of_scan(const ct_scan_facts *scan, ct_plan_facts *facts) {
  const ct_geometry *geometry = &scan->geometry;
  facts->scan = true;
  facts->known = scan->known, facts->values = scan->values;
  facts->flats = scan->flats;
  facts->level = scan->white_level > 0;
  facts->flip_rows = scan->flip_rows, facts->flip_columns = scan->flip_columns;
  facts->beam = geometry->beam;
  facts->nv = geometry->nv, facts->views = geometry->views;
  facts->du = geometry->du, facts->dv = geometry->dv, facts->sod = geometry->sod, facts->sdd = geometry->sdd;
  facts->centre_v = geometry->centre_v, facts->tilt_deg = geometry->tilt * (180 / M_PI);
  copy_angles(geometry, facts);
  facts->feed = geometry->stops ? 0 : geometry->feed;
  facts->table_step = geometry->stops ? geometry->feed : 0;
  facts->start_z = geometry->feed != 0 ? ct_geometry_height(geometry, 0) : NAN;
}

bool ct_plan_takes_log(const ct_plan *plan, ct_values told) {
  const ct_values values = ct_plan_values(plan, told);
  return plan->prep.log == CT_LOG_ON || (plan->prep.log == CT_LOG_AUTO && !ct_values_are_logarithms(values));
}

bool ct_plan_uses_flats(const ct_plan *plan, ct_values told, int flats) {
  const ct_values values = ct_plan_values(plan, told);
  return plan->prep.flat == CT_FLAT_AUTO && flats > 0 && values != CT_VALUES_TRANSMISSION &&
         ct_plan_takes_log(plan, told);
}

static bool is_normalised(const ct_plan *plan, const ct_plan_facts *facts) {
  return ct_plan_uses_flats(plan, facts->values, facts->flats) ||
         ct_plan_values(plan, facts->values) == CT_VALUES_TRANSMISSION;
}

/* The matrices of a spiral say so when views are filtered. */
static bool may_be_spiral(const ct_plan *plan, const ct_plan_facts *facts) {
  const ct_beam beam = ct_plan_facts_beam(plan, facts);
  if (!ct_beam_takes(beam, CT_TAKES_FEED)) return ct_beam_takes(beam, CT_TAKES_MATRICES);
  const double step = isnan(plan->table_step) ? 0 : plan->table_step;
  return (isnan(plan->feed) ? facts->feed : plan->feed) != 0 && step == 0;
}

/* The conditions of what the ramp's filter alone has. Iterative methods take an object's size, too. */
static unsigned ramp_conditions(const ct_plan *plan, const ct_plan_facts *facts) {
  const ct_beam beam = ct_plan_facts_beam(plan, facts);
  const bool spiral = ct_beam_takes(beam, CT_TAKES_FEED) && may_be_spiral(plan, facts);
  if (!spiral || ct_method_iterates(plan->iterative.method)) return CT_IF_RAMP | CT_IF_WHOLE_VIEWS;
  return plan->filter.spiral == CT_SPIRAL_KATSEVICH ? 0 : CT_IF_RAMP;
}

unsigned ct_plan_conditions(const ct_plan *plan, const ct_plan_facts *facts) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  const bool takes_log = ct_plan_takes_log(plan, facts->values);
  unsigned hold = CT_IF_ALWAYS | ramp_conditions(plan, facts);
  if (ct_beam_takes(ct_plan_facts_beam(plan, facts), CT_TAKES_DISTANCES)) hold |= CT_IF_DISTANCES;
  if (ct_beam_takes(ct_plan_facts_beam(plan, facts), CT_TAKES_FEED)) hold |= CT_IF_FEED;
  if (may_be_spiral(plan, facts)) hold |= CT_IF_SPIRAL;
  if (facts->flats > 0 || plan->prep.flat != CT_FLAT_AUTO) hold |= CT_IF_FLATS;
  if (takes_log) hold |= CT_IF_LOG;
  if (takes_log) hold |= CT_IF_INTENSITY;
  if (takes_log && !is_normalised(plan, facts)) hold |= CT_IF_LEVEL;
  if (takes_log && ct_i0_method_of(plan->prep.i0, is_normalised(plan, facts), facts->level) == CT_I0_BORDER)
    hold |= CT_IF_BORDER;
  if (!ct_plan_takes_filtered(plan, facts->values)) hold |= CT_IF_UNFILTERED;
  if (facts->values == CT_VALUES_FILTERED) hold |= CT_IF_FILTERED;
  if (plan->fourier.gridding == CT_GRIDDING_KAISER_BESSEL) hold |= CT_IF_KAISER_BESSEL;
  if (solver) hold |= CT_IF_ITERATIVE;
  if (solver && !(ct_solver_needs(solver, &plan->iterative) & CT_NEEDS_MATCHED)) hold |= CT_IF_UNMATCHED;
  return hold;
}

static const ct_param *param_at(size_t offset) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    if (params[i].offset == offset) return params + i;
  return NULL;
}

/* A number that may be automatic counts as 1 when it is set. */
static bool condition_holds(const ct_plan *plan, const ct_param_condition *only) {
  if (!only->values) return true;
  const ct_param *other = param_at(only->offset);
  const double number = ct_param_get_number(plan, other);
  const bool discrete = other->type == CT_PARAM_CHOICE || other->type == CT_PARAM_BOOL;
  const int value = discrete ? (isnan(number) ? -1 : (int)number) : !isnan(number);
  return value >= 0 && value < 32 && only->values & CT_BIT(value);
}

bool ct_param_matters(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  return (param->needs & ~ct_plan_conditions(plan, facts)) == 0 && (param->uses & ~(solver ? solver->uses : 0)) == 0 &&
         condition_holds(plan, &param->only);
}

bool ct_param_unfolds(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param) {
  return (param->unfolds & ct_plan_conditions(plan, facts)) != 0;
}

bool ct_param_is_idle(const ct_plan *plan, const ct_param *param, char *why, size_t size) {
  static const char *const reasons[] = {
      [CT_IDLE_PROJECTOR] = "has projectors of its own",
      [CT_IDLE_KERNEL] = "has projectors of its own",
      [CT_IDLE_FILTER] = "takes the projections unfiltered",
  };
  const ct_iterative_options *o = &plan->iterative;
  if (param->idle == CT_IDLE_NEVER || o->method == CT_METHOD_DIRECT) return false;
  if (o->method == CT_METHOD_FOURIER) {
    if (param->idle != CT_IDLE_KERNEL) return false;
    if (size)
      snprintf(why, size,
               "Direct Fourier reconstruction has no such kernel: this is for filtered back-projection, and "
               "here for upright planes and previews only.");
    return true;
  }
  if (o->start == CT_START_DIRECT) return false;
  /* A projector that is chosen by name may be one of the device's. */
  if (param->offset == offsetof(ct_plan, device) && strcmp(o->projector, "auto") != 0) return false;
  const ct_choice *method = ct_choice_find(ct_method_choices, o->method);
  if (size)
    snprintf(why, size, "%s %s: this is for filtered back-projection, and here for previews only.",
             method ? method->brief : "The method", reasons[param->idle]);
  return true;
}

void ct_param_describe_condition(const ct_param *param, char *text, size_t size) {
  *text = 0;
  if (!param->only.values) return;
  const ct_param *other = param_at(param->only.offset);
  size_t used = (size_t)snprintf(text, size, "Only with %s", other->key);
  if (other->type == CT_PARAM_BOOL)
    used += (size_t)snprintf(text + used, size - used, "=%s", param->only.values & CT_BIT(1) ? "yes" : "no");
  const char *between = "=";
  for (const ct_choice *c = other->choices; c && c->id && used < size; c++) {
    if (c->value < 0 || !(param->only.values & CT_BIT(c->value))) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s", between, c->id);
    between = " or ";
  }
  if (used < size) snprintf(text + used, size - used, ".");
}

static double real_or(double value, double automatic) {
  return isnan(value) ? automatic : value;
}

static void resolve_int(int *value, double automatic) {
  if (*value == CT_AUTO_INT && !isnan(automatic)) *value = (int)automatic;
}

static void resolve_real(double *value, double automatic) {
  *value = real_or(*value, automatic);
}

static void resolve_scan(const ct_plan_facts *facts, ct_plan *p) {
  const bool told = facts->known & CT_KNOWN_DISTANCES;
  const int step = p->view_step > 1 ? p->view_step : 1;
  resolve_int(&p->view_count, fmax(0, (facts->views - p->view_first + step - 1) / step));
  resolve_int(&p->finish_after, p->view_count);
  if (facts->values != CT_VALUES_UNKNOWN && facts->values != CT_VALUES_FILTERED)
    resolve_int(&p->values, (double)facts->values);
  resolve_int(&p->flip_rows, facts->flip_rows);
  resolve_int(&p->flip_columns, facts->flip_columns);
  resolve_int(&p->beam, (double)facts->beam);
  resolve_real(&p->sod, told || facts->sod > 0 ? facts->sod : NAN);
  resolve_real(&p->sdd, told || facts->sdd > 0 ? facts->sdd : NAN);
  resolve_real(&p->pitch_u, facts->du);
  resolve_real(&p->pitch_v, facts->dv);
  resolve_real(&p->centre_v, facts->centre_v);
  resolve_real(&p->tilt_deg, facts->tilt_deg);
  resolve_real(&p->angle_first_deg, facts->angle_first_deg);
  resolve_real(&p->angle_step_deg, facts->angle_step_deg);
  if (ct_beam_takes(facts->beam, CT_TAKES_FEED)) {
    /* Either makes the other 0. */
    const bool moves = !isnan(p->feed) && p->feed != 0, stops = !isnan(p->table_step) && p->table_step != 0;
    resolve_real(&p->feed, stops ? 0 : facts->feed);
    resolve_real(&p->table_step, moves ? 0 : facts->table_step);
    resolve_real(&p->start_z, facts->start_z);
  }
}

static void resolve_grid(const ct_grid *grid, ct_plan *p) {
  resolve_int(&p->nx, grid->nx);
  resolve_int(&p->ny, grid->ny);
  resolve_int(&p->nz, grid->nz);
  resolve_real(&p->voxel, grid->dx);
  resolve_real(&p->voxel_z, grid->dz);
  resolve_real(&p->centre_mm[0], grid->x0 + (grid->nx - 1) / 2.0 * grid->dx);
  resolve_real(&p->centre_mm[1], grid->y0 + (grid->ny - 1) / 2.0 * grid->dy);
  resolve_real(&p->centre_mm[2], grid->z0 + (grid->nz - 1) / 2.0 * grid->dz);
}

void ct_plan_resolve(const ct_plan *plan, const ct_plan_facts *facts, ct_plan *resolved) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  *resolved = *plan;
  if (facts->scan) resolve_scan(facts, resolved);
  if (facts->outcome) {
    resolve_real(&resolved->centre_u, facts->centre);
    resolve_real(&resolved->centre_from, facts->centre - CT_SWEEP_HALF_RANGE);
    resolve_real(&resolved->centre_to, facts->centre + CT_SWEEP_HALF_RANGE);
  }
  if (facts->grid) resolve_grid(facts->grid, resolved);
  resolve_int(&resolved->threads, ct_thread_count());
  resolved->fourier.padding = ct_fourier_padding(&plan->fourier);
  if (solver && solver->uses & CT_USES_RELAXATION)
    resolve_real(&resolved->iterative.relaxation, ct_solver_relaxation(solver, &plan->iterative));
  if (solver && solver->uses & CT_USES_TV) resolve_real(&resolved->iterative.tv_weight, solver->tv_weight.fallback);
  if (solver && solver->uses & CT_USES_HAAR)
    resolve_real(&resolved->iterative.haar_weight, solver->haar_weight.fallback);
  if (solver && solver->uses & CT_USES_SHEARLET)
    resolve_real(&resolved->iterative.shearlet_weight, solver->shearlet_weight.fallback);
}

double ct_param_automatic(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param) {
  ct_plan left = *plan, resolved;
  if (!param->automatic || !ct_param_set_number(&left, param, NAN, NULL)) return NAN;
  ct_plan_resolve(&left, facts, &resolved);
  return ct_param_get_number(&resolved, param);
}
