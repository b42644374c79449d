/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A second opinion of the centre that the scan tells: opposite views are asked in a few rows once all are read anyway,
 * and where they are sure of another place, that is told. What the scan says stays in use. */
#include "recon/solve/pipeline-private.h"

#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"
#include "recon/solve/digest.h"

#include <math.h>

enum { ROWS = 3 };

/* Taken for sure: confidence, and how far beside the told place in columns and in standard deviations. */
static const double least_confidence = 0.7, least_columns = 1, least_deviations = 5;

static bool is_to_be_asked(const ct_pipeline *p, const ct_plan *plan) {
  const ct_geometry *g = &p->geometry;
  /* What takes rings away leaves what is alike in all views out of place. */
  return plan->centre_method == CT_CENTRE_AUTO && plan->prep.rings == CT_RINGS_NONE &&
         ct_plan_centre_method(plan) == CT_CENTRE_AUTO && ct_scan_get_facts(p->scan)->known & CT_KNOWN_CENTRE &&
         ct_geometry_takes(g, CT_TAKES_CENTRE) && !ct_geometry_climbs(g) &&
         !ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values) && ct_pipeline_get_line_integrals(p) &&
         ct_stack_views(p->integrals) == g->views && ct_stack_nv(p->integrals) == g->nv;
}

static void ask(ct_pipeline *p, const ct_plan *plan, ct_warnings *warnings) {
  ct_centre_found found;
  ct_error *fault = NULL;
  if (!ct_centre_search_middle(p->integrals, &p->geometry, ROWS, &found, NULL, &fault)) {
    ct_error_clear(&fault);
    return;
  }
  const double told = p->centre, other = ct_unbinned_column(found.centre, plan->bin),
               spread = isfinite(found.spread) ? found.spread * plan->bin : 0;
  if (found.confidence < least_confidence ||
      !(fabs(other - told) > fmax(least_columns * plan->bin, least_deviations * spread)))
    return;
  ct_warnings_add(warnings, CT_WARNING_CENTRE,
                  "The scan says that the axis is at column %.2f, and opposite views say %.2f (confidence %.2f). If "
                  "they are right, edges are doubled and values wrong: compare both; centre.method=correlation takes "
                  "theirs.",
                  told, other, found.confidence);
}

void ct_pipeline_doubt_told_centre(ct_pipeline *p, const ct_plan *plan) {
  if (!is_to_be_asked(p, plan)) return;
  const uint64_t parts[] = {p->integrals_version, (uint64_t)plan->bin};
  const uint64_t key = ct_digest(ct_geometry_digest(&p->geometry, true), parts, sizeof parts) | 1;
  if (key != p->opinion_key) {
    p->opinion = (ct_warnings){0};
    ask(p, plan, &p->opinion);
    p->opinion_key = key;
  }
  if (p->opinion.count == 0) return;
  p->warned[CT_WARNED_CENTRE] = p->opinion;
  ct_pipeline_join_warnings(p);
}
