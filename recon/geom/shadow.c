/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recon/geom/shadow.h"

#include "recon/geom/questions.h"
#include "recon/geom/trajectory.h"

#include <math.h>

/* Tangent of a row's angle, at the detector's edge beside row v. */
static double slope(const ct_geometry *g, double v) {
  return (v - g->centre_v) * g->dv / g->sdd;
}

/* On less than a whole turn more is missing than the circle's formula says. */
static bool goes_all_round(const ct_geometry *g) {
  ct_trajectory t;
  if (!ct_trajectory_make(g, &t, NULL)) return false;
  const bool closed = ct_trajectory_is_closed(&t, false);
  ct_trajectory_clear(&t);
  return closed;
}

bool ct_geometry_cone(const ct_geometry *g, double edges[2]) {
  if (!ct_geometry_promises(g, CT_TRAIT_CIRCULAR | CT_TRAIT_SPATIAL) || !ct_geometry_diverges(g) || g->feed != 0 ||
      g->nv < 2 || !goes_all_round(g))
    return false;
  edges[0] = atan(slope(g, -0.5));
  edges[1] = atan(slope(g, g->nv - 0.5));
  return true;
}

double ct_shadow_angle(const ct_geometry *g, const double point[3], double azimuth) {
  const double towards = point[0] * cos(azimuth) + point[1] * sin(azimuth);
  return atan2(fabs(point[2]), g->sod - towards);
}

/* What lies nearest to the source is magnified most. */
void ct_cone_heights(const ct_geometry *g, double radius, double heights[2]) {
  heights[0] = slope(g, -0.5) * (g->sod - radius);
  heights[1] = slope(g, g->nv - 0.5) * (g->sod - radius);
}
