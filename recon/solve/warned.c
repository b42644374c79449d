/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warnings of a pipeline, by the stage that they arose in. */
#include "recon/solve/pipeline-private.h"

#include "recon/solve/plan-rules.h"

ct_warnings *ct_pipeline_warn(ct_pipeline *pipeline, ct_warned stage) {
  pipeline->warned[stage] = (ct_warnings){0};
  return &pipeline->warned[stage];
}

/* What the corrections say of the values, for the line integrals that are held. */
static void warn_of_values(const ct_pipeline *p, ct_warnings *warnings) {
  const ct_scan_facts *facts = ct_scan_get_facts(p->scan);
  const ct_plan *plan = &p->integrals_plan;
  const ct_values values = ct_plan_values(plan, facts->values);
  if (plan->values == CT_AUTO_INT && facts->values_doubt)
    ct_warnings_add(warnings, CT_WARNING_VALUES, "%s", facts->values_doubt);
  if (plan->prep.log == CT_LOG_OFF && (values == CT_VALUES_COUNTS || values == CT_VALUES_TRANSMISSION))
    ct_warnings_add(warnings, CT_WARNING_VALUES,
                    "The logarithm is off although the scan holds %s: the volume is no attenuation in 1/mm. Set "
                    "corrections.log=auto, or scan.values=line-integrals if they are such already.",
                    ct_choice_title(ct_values_choices, (int)values));
}

void ct_pipeline_join_warnings(ct_pipeline *pipeline) {
  warn_of_values(pipeline, ct_pipeline_warn(pipeline, CT_WARNED_PREP));
  pipeline->warnings = (ct_warnings){0};
  for (int i = 0; i < CT_WARNED_STAGES; i++) ct_warnings_join(&pipeline->warnings, &pipeline->warned[i]);
  pipeline->facts.warnings = &pipeline->warnings;
}

void ct_pipeline_warn_idle(ct_pipeline *pipeline, const ct_plan *plan) {
  ct_plan_facts facts = {0};
  ct_plan_facts_of_scan(ct_scan_get_facts(pipeline->scan), &facts);
  ct_plan_warn_idle(plan, &facts, ct_pipeline_warn(pipeline, CT_WARNED_PLAN));
}
