/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings that change nothing of this scan: what the plan table says of each, told as one warning. */
#include "recon/solve/plan-rules.h"

#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  unsigned needs;
  const char *reason;
} reasons[] = {
    {CT_IF_DISTANCES, "the beam has no source distances"},
    {CT_IF_FEED, "the table moves in cone beams alone"},
    {CT_IF_SPIRAL, "the scan is no spiral"},
    {CT_IF_RAMP, "Katsevich's filter has no ramp"},
    {CT_IF_WHOLE_VIEWS, "a spiral's views are sorted before they are filtered"},
    {CT_IF_FLATS, "the scan has no flats"},
    {CT_IF_LOG, "no logarithm is taken"},
    {CT_IF_INTENSITY, "no logarithm is taken"},
    {CT_IF_LEVEL, "the level of the beam is known already"},
    {CT_IF_BORDER, "the intensity does not come from the border"},
    {CT_IF_UNFILTERED, "the projections are filtered already"},
    {CT_IF_FILTERED, "the projections are not filtered already"},
    {CT_IF_ITERATIVE, "the method is not iterative"},
    {CT_IF_UNMATCHED, "the method takes matched projectors"},
};

static void explain(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param, char *text, size_t size) {
  const unsigned missing = param->needs & ~ct_plan_conditions(plan, facts);
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (missing & reasons[i].needs) {
      snprintf(text, size, "%s", reasons[i].reason);
      return;
    }
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  if (param->uses && !solver) {
    snprintf(text, size, "the method is not iterative");
  } else if (param->uses & ~(solver ? solver->uses : 0)) {
    snprintf(text, size, "%s makes no use of it", ct_choice_id(ct_method_choices, (int)plan->iterative.method));
  } else {
    ct_param_describe_condition(param, text, size);
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '.') text[length - 1] = 0;
    if (text[0] == 'O') text[0] = 'o'; /* "only with ..." */
  }
}

static bool is_half_turn_of_parallel_rays(const ct_plan *plan, const ct_plan_facts *facts) {
  const ct_beam beam = ct_plan_facts_beam(plan, facts);
  if (ct_beam_takes(beam, CT_TAKES_DISTANCES) || ct_beam_takes(beam, CT_TAKES_MATRICES)) return false;
  const double step = isnan(plan->angle_step_deg) ? facts->angle_step_deg : plan->angle_step_deg;
  const int views = plan->view_count == CT_AUTO_INT ? facts->views : plan->view_count * plan->view_step;
  return fabs(step) * views <= 180.01;
}

/* Whether it changes nothing, and why: the reason fits behind a comma. */
static bool is_idle(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param, char *why, size_t size) {
  if (ct_param_is_default(plan, param)) return false;
  if (!ct_param_matters(plan, facts, param)) {
    explain(plan, facts, param, why, size);
    return true;
  }
  if (param->offset == offsetof(ct_plan, prep.i0) && plan->prep.i0 == CT_I0_VALUE &&
      !(ct_plan_conditions(plan, facts) & CT_IF_LEVEL)) {
    snprintf(why, size, "the level of the beam is known already");
    return true;
  }
  if (param->offset == offsetof(ct_plan, filter.redundancy) && plan->filter.redundancy == CT_REDUNDANCY_PARKER &&
      is_half_turn_of_parallel_rays(plan, facts)) {
    snprintf(why, size, "parallel views over no more than 180° measure no ray twice");
    return true;
  }
  /* The other choices say whether the detector is displaced, too. */
  if (param->offset == offsetof(ct_plan, filter.redundancy) && plan->filter.redundancy == CT_REDUNDANCY_PARKER &&
      !(ct_plan_conditions(plan, facts) & CT_IF_WHOLE_VIEWS)) {
    snprintf(why, size, "a spiral has weights of its own");
    return true;
  }
  if (!ct_param_is_idle(plan, param, NULL, 0)) return false;
  snprintf(why, size, "%s is not filtered back-projection",
           ct_choice_id(ct_method_choices, (int)plan->iterative.method));
  return true;
}

void ct_plan_warn_idle(const ct_plan *plan, const ct_plan_facts *facts, ct_warnings *warnings) {
  size_t count, used = 0;
  int idle = 0, told = 0;
  char list[CT_WARNING_TEXT - 96] = "";
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    char why[160], value[CT_PLAN_TEXT], item[320];
    if (!is_idle(plan, facts, &params[i], why, sizeof why)) continue;
    idle++;
    ct_plan_get_text(plan, &params[i], value, sizeof value);
    const int length = snprintf(item, sizeof item, "%s%s=%s (%s)", told ? ", " : "", params[i].key, value, why);
    if (used + (size_t)length >= sizeof list) continue;
    memcpy(list + used, item, (size_t)length + 1);
    used += (size_t)length;
    told++;
  }
  if (idle == 0) return;
  char more[32] = "";
  if (idle > told) snprintf(more, sizeof more, ", and %d more", idle - told);
  ct_warnings_add(warnings, CT_WARNING_SETTING, "%s no effect on this scan: %s%s.",
                  idle == 1 ? "This setting has" : "These settings have", list, more);
}
