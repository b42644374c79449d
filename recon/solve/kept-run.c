/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative run that a pipeline keeps for more iterations. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"

void ct_iterated_free(ct_iterated *it) {
  if (!it) return;
  ct_iterative_free(it->run);
  ct_geometry_clear(&it->geometry);
  ct_volume_free(it->volume);
  ct_free(it);
}

void ct_pipeline_drop_run(ct_pipeline *p) {
  ct_iterated_free(p->iterated);
  p->iterated = NULL;
}

void ct_pipeline_leave_device(ct_pipeline *p) {
  if (p->iterated && ct_iterative_get_projector(p->iterated->run)->gpu) ct_pipeline_drop_run(p);
}
