/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices and volumes of any method: the direct one, or an iterative one. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/untold.h"

static bool make_slice(ct_pipeline *pipeline, const ct_plan *plan, ct_plane plane, int index, float *out, ct_job *job,
                       ct_error **error) {
  if (ct_plan_is_iterative(plan) && plane == CT_AXIAL) {
    if (!ct_pipeline_prepare_integrals(pipeline, plan, NULL, job, error)) return false;
    if (!ct_pipeline_slice_is_preview(pipeline, plan, plane))
      return ct_pipeline_iterated_slice(pipeline, plan, index, out, job, error);
  }
  return ct_pipeline_direct_slice(pipeline, plan, plane, index, out, job, error);
}

bool ct_pipeline_slice(ct_pipeline *pipeline, const ct_plan *plan, ct_plane plane, int index, float *out, ct_job *job,
                       ct_error **error) {
  if (!make_slice(pipeline, plan, plane, index, out, job, error)) return false;
  ct_pipeline_doubt_told_centre(pipeline, plan);
  return true;
}

ct_volume *ct_pipeline_volume(ct_pipeline *pipeline, const ct_plan *plan, const ct_publisher *publisher, ct_job *job,
                              ct_error **error) {
  ct_volume *volume;
  ct_error *fault = NULL;
  do {
    volume = ct_plan_is_iterative(plan) ? ct_pipeline_iterated_volume(pipeline, plan, publisher, job, &fault)
                                        : ct_pipeline_direct_volume(pipeline, plan, publisher, job, &fault);
  } while (!volume && ct_pipeline_try_again(pipeline, &fault, error));
  if (volume) ct_pipeline_doubt_told_centre(pipeline, plan);
  if (ct_untold(NULL)) ct_pipeline_join_warnings(pipeline);
  return volume;
}
