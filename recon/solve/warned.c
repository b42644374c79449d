/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warnings of a pipeline, by the stage that they arose in. */
#include "recon/solve/pipeline-private.h"

ct_warnings *ct_pipeline_warn(ct_pipeline *pipeline, ct_warned stage) {
  pipeline->warned[stage] = (ct_warnings){0};
  return &pipeline->warned[stage];
}

void ct_pipeline_join_warnings(ct_pipeline *pipeline) {
  pipeline->warnings = (ct_warnings){0};
  for (int i = 0; i < CT_WARNED_STAGES; i++) ct_warnings_join(&pipeline->warnings, &pipeline->warned[i]);
  pipeline->facts.warnings = &pipeline->warnings;
}
