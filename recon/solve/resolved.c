/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline made of a plan, for the header of a result: the plan that makes the same again, and what its
 * automatic values came to. */
#include "recon/solve/pipeline-private.h"

#include "recon/geom/questions.h"
#include "recon/solve/plan-rules.h"
#include "recon/solve/record.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ct_pipeline_used_plan(const ct_pipeline *p, const ct_plan *plan, ct_plan *used) {
  *used = *plan;
  if (!p->has_geometry) return;
  if (ct_geometry_takes(&p->geometry, CT_TAKES_CENTRE) && ct_plan_centre_method(plan) != CT_CENTRE_MANUAL) {
    used->centre_method = CT_CENTRE_FOUND;
    used->centre_u = p->facts.centre_u;
  }
  /* An iterative run takes all views, but for its start. */
  const bool direct = !ct_method_iterates(plan->iterative.method) || plan->iterative.start == CT_START_DIRECT;
  const int views = ct_filtered_size(&p->seen, plan->filter.spiral).views;
  if (direct && p->views_taken) used->finish_after = p->views_taken < views ? p->views_taken : CT_AUTO_INT;
  /* A start that was all there was time for lies on the grid of what it was to be the start of. */
  if (p->object_radius > 0 && !ct_method_iterates(plan->iterative.method)) {
    const ct_grid *grid = p->whole ? p->whole : &p->facts.grid;
    used->nx = grid->nx;
    used->ny = grid->ny;
    used->nz = grid->nz;
    used->voxel = grid->dx;
    used->voxel_z = grid->dz;
  }
}

/* How the values of the corrections, the filter and the method were decided. */
static bool resolve_methods(const ct_pipeline *p, ct_plan *r, ct_error **error) {
  const ct_scan_facts *scan = ct_scan_get_facts(p->scan);
  const ct_pipeline_facts *facts = &p->facts;
  if (r->prep.log == CT_LOG_AUTO) r->prep.log = facts->prep.used_log ? CT_LOG_ON : CT_LOG_OFF;
  if (!facts->prep.used_flats) r->prep.flat = CT_FLAT_OFF;
  if (isnan(facts->prep.i0_mean)) r->prep.i0 = CT_I0_NONE;
  r->filtered = ct_plan_takes_filtered(r, scan->values);
  if (!ct_method_iterates(r->iterative.method)) {
    if (!r->filtered && !ct_pipeline_weights(p, r, &r->filter.redundancy, error)) return false;
    const ct_bp_kernel *kernel = facts->plane.kernel ? facts->plane.kernel : facts->kernel;
    /* That of direct Fourier reconstruction is the method's. */
    if (kernel && kernel->rank >= 0) snprintf(r->kernel, sizeof r->kernel, "%s", kernel->id);
  } else {
    if (facts->projector) snprintf(r->iterative.projector, sizeof r->iterative.projector, "%s", facts->projector->id);
    const double relaxation = p->iterated ? ct_iterative_get_relaxation(p->iterated->run) : 0;
    if (relaxation > 0) r->iterative.relaxation = relaxation;
  }
  return true;
}

bool ct_pipeline_resolved_plan(const ct_pipeline *p, const ct_plan *used, ct_plan *resolved, ct_error **error) {
  const ct_scan_facts *scan = ct_scan_get_facts(p->scan);
  ct_plan_facts facts = {0};
  *resolved = *used;
  if (!p->has_geometry) return true;
  ct_plan_facts_of_scan(scan, &facts);
  facts.beam = p->geometry.beam;
  facts.outcome = true;
  facts.centre = p->facts.centre_u;
  facts.grid = p->whole ? p->whole : &p->facts.grid;
  ct_plan_resolve(used, &facts, resolved);
  if (!resolve_methods(p, resolved, error)) return false;
  /* What is not known stays automatic, and so does what a sweep would have taken. */
  resolved->centre_from = used->centre_from;
  resolved->centre_to = used->centre_to;
  resolved->finish_after = used->finish_after;
  if (!(scan->known & CT_KNOWN_PITCH)) {
    resolved->pitch_u = used->pitch_u;
    resolved->pitch_v = used->pitch_v;
  }
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++)
    if (params[i].type != CT_PARAM_TEXT &&
        (!ct_param_matters(used, &facts, &params[i]) || params[i].stage >= CT_PLAN_FILE))
      ct_param_set_number(resolved, &params[i], ct_param_get_number(used, &params[i]), NULL);
  return true;
}

char *ct_pipeline_record(const ct_pipeline *p, const ct_plan *plan, const ct_identity *identity, ct_error **error) {
  ct_plan used, resolved;
  ct_pipeline_used_plan(p, plan, &used);
  if (!ct_pipeline_resolved_plan(p, &used, &resolved, error)) return NULL;
  const ct_record record = {.plan = &used,
                            .identity = identity,
                            .resolved = &resolved,
                            .scale = &ct_scan_get_facts(p->scan)->scale,
                            .in_pixels = ct_units_are_pixels(ct_plan_units(plan, p->scan)),
                            .centre_how = p->searched_by ? p->searched_by : p->centre_how,
                            .centre_confidence = p->facts.centre_confidence,
                            .warnings = p->facts.warnings};
  return ct_record_to_json(&record, error);
}
