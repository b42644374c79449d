/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative part of a plan in words. */
#include "ui/plan/iterative.h"

#include "recon/base/units.h"
#include "recon/fp/projector.h"
#include "recon/solve/iterative/solver.h"
#include "ui/number-text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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
  if ((uses(plan) & CT_USES_DIVISOR) && o->divisor != CT_DIVISOR_RADIUS)
    gantry_words_add(text, "%s", ct_choice_find(ct_divisor_choices, o->divisor)->brief);
  if ((uses(plan) & CT_USES_MOMENTUM) && o->momentum != CT_MOMENTUM_AUTO)
    gantry_words_add(text, "%s", ct_choice_find(ct_momentum_choices, o->momentum)->brief);
  if ((uses(plan) & CT_USES_TV) && !ct_param_is_default(plan, ct_param_find("iterative.tv_weight")))
    gantry_words_add(text, "total variation %s", ct_format_number(o->tv_weight, 3, number, sizeof number));
  if ((uses(plan) & CT_USES_HAAR) && !ct_param_is_default(plan, ct_param_find("iterative.haar_weight")))
    gantry_words_add(text, "Haar threshold %s", ct_format_number(o->haar_weight, 3, number, sizeof number));
  if ((uses(plan) & CT_USES_SHEARLET) && !ct_param_is_default(plan, ct_param_find("iterative.shearlet_weight")))
    gantry_words_add(text, "shearlet threshold %s", ct_format_number(o->shearlet_weight, 3, number, sizeof number));
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
  const ct_plan_facts unknown = {0};
  GString *text = g_string_new(NULL);
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    const ct_param *param = &params[i];
    const gboolean ours = param->section == CT_SECTION_ITERATIVE;
    char value[128];
    if (ours ? !ct_param_matters(plan, &unknown, param)
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
  if (!ct_method_iterates(o->method)) return g_strdup("Direct: Fourier, parallel beam");
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
