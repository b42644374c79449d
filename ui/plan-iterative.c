/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative part of a plan in words. */
#include "ui/plan-iterative.h"

#include "recon/base/units.h"
#include "recon/fp/projector.h"
#include "recon/solve/iterative/solver.h"
#include "ui/number-text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *gantry_plan_method_name(int method) {
  const ct_choice *choice = ct_choice_find(ct_method_choices, method);
  return choice ? choice->brief : "iterative method";
}

static unsigned uses(const ct_plan *plan) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  return solver ? solver->uses : 0;
}

/* The method with what changes it most. */
static void add_method(GString *text, const ct_plan *plan) {
  const ct_iterative_options *o = &plan->iterative;
  g_string_append(text, gantry_plan_method_name(o->method));
  if (uses(plan) & CT_USES_SUBSETS)
    g_string_append_printf(text, " %d subset%s", o->subsets, o->subsets == 1 ? "" : "s");
}

/* The rest of what makes its picture another one. */
static void add_choices(GString *text, const ct_plan *plan) {
  const ct_iterative_options *o = &plan->iterative;
  char number[32];
  if ((uses(plan) & CT_USES_RELAXATION) && !isnan(o->relaxation))
    gantry_words_add(text, "relaxation %s", ct_format_number(o->relaxation, 3, number, sizeof number));
  if ((uses(plan) & CT_USES_MOMENTUM) && o->momentum != CT_MOMENTUM_AUTO)
    gantry_words_add(text, "%s", ct_choice_find(ct_momentum_choices, o->momentum)->brief);
  if ((uses(plan) & CT_USES_TV) && !ct_param_is_default(plan, ct_param_find("iterative.tv_weight")))
    gantry_words_add(text, "total variation %s", ct_format_number(o->tv_weight, 3, number, sizeof number));
  if ((uses(plan) & CT_USES_BOUNDS) && o->nonnegative) gantry_words_add(text, "not negative");
  const ct_choice *start = ct_choice_find(ct_start_choices, o->start);
  if (start && start->brief) gantry_words_add(text, "%s", start->brief);
}

char *gantry_plan_run_name(const ct_plan *plan) {
  GString *text = g_string_new(NULL);
  add_method(text, plan);
  add_choices(text, plan);
  if (plan->view_step > 1)
    gantry_words_add(text, "every %d%s view", plan->view_step,
                     plan->view_step == 2   ? "nd"
                     : plan->view_step == 3 ? "rd"
                                            : "th");
  g_autofree char *photons = gantry_quantity_text(plan->noise_photons, 3, "photons");
  if (!isnan(plan->noise_photons)) gantry_words_add(text, "%s", photons);
  return g_string_free(text, FALSE);
}

char *gantry_plan_run_recipe(const ct_plan *plan) {
  GString *text = g_string_new(NULL);
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    const ct_param *param = &params[i];
    const gboolean ours = param->section == CT_SECTION_ITERATIVE;
    char value[128];
    if (ours ? !gantry_plan_method_takes(plan, param)
             : param->section == CT_SECTION_OUTPUT || ct_param_is_default(plan, param))
      continue;
    if (ours && param->advanced && ct_param_is_default(plan, param)) continue;
    if (!ct_plan_get_text(plan, param, value, sizeof value)) continue;
    const char *shown = param->type == CT_PARAM_CHOICE ? gantry_plan_choice_title(plan, param)
                        : param->type == CT_PARAM_BOOL ? ct_param_get_number(plan, param) != 0 ? "yes" : "no"
                                                       : value;
    g_string_append_printf(text, "%s%s: %s%s%s", text->len ? "\n" : "", param->title, shown,
                           *param->unit && strcmp(value, "auto") != 0 ? " " : "",
                           strcmp(value, "auto") != 0 ? param->unit : "");
  }
  return g_string_free(text, FALSE);
}

char *gantry_plan_summarise_iterative(const ct_plan *plan, const GantryPlanFacts *facts) {
  const ct_iterative_options *o = &plan->iterative;
  if (o->method == CT_METHOD_DIRECT) return g_strdup("Direct: filtered back-projection");
  GString *text = g_string_new(NULL);
  add_method(text, plan);
  gantry_words_add(text, "%d iteration%s", o->iterations, o->iterations == 1 ? "" : "s");
  add_choices(text, plan);
  const ct_projector *chosen = ct_projector_find(o->projector);
  /* One that is not found is a graphics device's, and none of them stores. */
  if (chosen || facts->projector_title)
    gantry_words_add(text, (chosen ? chosen->stored : g_str_equal(o->projector, "auto") && facts->projector_stored)
                               ? "stored matrix"
                               : "matrix-free");
  return g_string_free(text, FALSE);
}

gboolean gantry_plan_method_takes(const ct_plan *plan, const ct_param *param) {
  if (param->offset == offsetof(ct_plan, iterative.method)) return TRUE;
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  if (!solver) return FALSE;
  switch (param->offset) {
  case offsetof(ct_plan, iterative.relaxation):
    return (solver->uses & CT_USES_RELAXATION) != 0;
  case offsetof(ct_plan, iterative.momentum):
    return (solver->uses & CT_USES_MOMENTUM) != 0;
  case offsetof(ct_plan, iterative.subsets):
    return (solver->uses & CT_USES_SUBSETS) != 0;
  case offsetof(ct_plan, iterative.order):
    return (solver->uses & CT_USES_ORDER) != 0;
  case offsetof(ct_plan, iterative.seed):
    return (solver->uses & CT_USES_ORDER) && plan->iterative.order == CT_ORDER_RANDOM;
  case offsetof(ct_plan, iterative.region_radius):
  case offsetof(ct_plan, iterative.region_x):
  case offsetof(ct_plan, iterative.region_y):
    return plan->iterative.region;
  case offsetof(ct_plan, iterative.nonnegative):
  case offsetof(ct_plan, iterative.upper):
    return (solver->uses & CT_USES_BOUNDS) != 0;
  case offsetof(ct_plan, iterative.tv_weight):
  case offsetof(ct_plan, iterative.tv_steps):
    return (solver->uses & CT_USES_TV) != 0;
  case offsetof(ct_plan, iterative.matched):
    return !(ct_solver_needs(solver, &plan->iterative) & CT_NEEDS_MATCHED);
  default:
    return TRUE;
  }
}

double gantry_plan_method_automatic(const ct_plan *plan, const ct_param *param) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  if (!solver || !gantry_plan_method_takes(plan, param)) return NAN;
  if (param->offset == offsetof(ct_plan, iterative.relaxation)) return ct_solver_relaxation(solver, &plan->iterative);
  if (param->offset == offsetof(ct_plan, iterative.tv_weight)) return solver->tv_weight.fallback;
  return NAN;
}

char *gantry_plan_why_idle(const ct_plan *plan, const ct_param *param) {
  const ct_iterative_options *o = &plan->iterative;
  if (o->method == CT_METHOD_DIRECT || o->start == CT_START_DIRECT) return NULL;
  const char *method = gantry_plan_method_name(o->method);
  switch (param->offset) {
  case offsetof(ct_plan, kernel):
  case offsetof(ct_plan, device):
  case offsetof(ct_plan, interp):
  case offsetof(ct_plan, precision):
  case offsetof(ct_plan, batch):
    return g_strdup_printf(
        "%s has projectors of its own: this is for filtered back-projection, and here for previews only.", method);
  default:
    break;
  }
  if (param->section != CT_SECTION_FILTER || param->offset == offsetof(ct_plan, filtered)) return NULL;
  return g_strdup_printf(
      "%s takes the projections unfiltered: this is for filtered back-projection, and here for previews only.", method);
}
