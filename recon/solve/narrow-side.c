/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the detector is displaced so that its narrow side cuts the object off: decided by the data, where the plan
 * leaves it open, and then the grid is as wide as the wide side sees. */
#include "recon/solve/pipeline-private.h"

#include "recon/geom/questions.h"
#include "recon/geom/trajectory.h"

#include <math.h>

/* The narrow side is cut off where the object reaches its end in more than this share of the views; of a detector that
 * was clearly moved aside, in any. */
static const double least_share = 0.04;

/* Whether the detector stands so far aside that one end is narrow, and which; *suits: whether the views suit the
 * weights of a displaced one. */
static bool stands_aside(const ct_geometry *g, bool *low_is_narrow, bool *suits) {
  ct_geometry cut = *g;
  double narrow, wide;
  cut.narrow_side = CT_NARROW_CUTS;
  *suits = ct_geometry_displaced(&cut, &narrow, &wide);
  *low_is_narrow = wide > 0;
  return narrow >= 1 && fabs(wide) - narrow >= fmax(2, 0.01 * g->nu);
}

static bool may_be_displaced(const ct_geometry *g) {
  bool low, suits;
  return stands_aside(g, &low, &suits) && suits;
}

/* Whether the narrow side is still to be found out from the data. */
static bool asks_narrow_side(const ct_plan *plan, const ct_scan *scan, const ct_geometry *g) {
  return g->narrow_side == CT_NARROW_UNKNOWN && !ct_plan_takes_filtered(plan, ct_scan_get_facts(scan)->values);
}

bool ct_plan_grid_is_told(const ct_plan *plan, const ct_scan *scan, const ct_geometry *geometry) {
  double narrow, wide;
  /* That of an iterative method is as wide as the object. */
  if (ct_plan_widens_grid(plan) && !ct_plan_takes_filtered(plan, ct_scan_get_facts(scan)->values)) return false;
  if (ct_centre_is_told(plan, scan, geometry->beam))
    return !asks_narrow_side(plan, scan, geometry) || !may_be_displaced(geometry);
  /* Whatever centre is found, views that do not go all round leave the grid as it is. */
  ct_geometry aside = *geometry;
  aside.centre_u = 1;
  if (asks_narrow_side(plan, scan, geometry)) aside.narrow_side = CT_NARROW_CUTS;
  return !ct_geometry_displaced(&aside, &narrow, &wide);
}

/* Whether the views go all round but for a gap, which then is too wide for the weights. */
static bool has_gap(const ct_geometry *g) {
  ct_trajectory t;
  if (!ct_trajectory_make(g, &t, NULL)) return false;
  const bool gap = t.gap < M_PI_2;
  ct_trajectory_clear(&t);
  return gap;
}

void ct_pipeline_decide_narrow_side(const ct_pipeline *p, const ct_plan *plan, ct_geometry *g) {
  bool low, suits;
  double narrow, wide;
  if (!asks_narrow_side(plan, p->scan, g)) return;
  const bool displaced = ct_geometry_displaced(g, &narrow, &wide), aside = stands_aside(g, &low, &suits);
  const double share = low ? p->truncation.low : p->truncation.high;
  const bool cuts = aside && share > (displaced ? 0 : least_share);
  /* A gap that does not suit the weights is told (ready.c). */
  g->narrow_side = cuts && (suits || has_gap(g)) ? CT_NARROW_CUTS : CT_NARROW_SEES_ALL;
}

bool ct_pipeline_object_ends(const ct_pipeline *p) {
  return p->truncation_key != 0 && !p->has_outline && p->truncation.low < CT_CUT_OFF_SHARE &&
         p->truncation.high < CT_CUT_OFF_SHARE;
}
