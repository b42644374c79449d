/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the first view to the last, in whole turns where both are one. */
#include "recon/geom/told-arc.h"

#include "recon/geom/questions.h"

#include <math.h>

double ct_geometry_told_arc(const ct_geometry *g, bool *repeated) {
  static const double turn = 2 * M_PI;
  *repeated = false;
  /* Of a spiral no view is the same again. */
  if (g->feed != 0) return fabs(g->angles[g->views - 1] - g->angles[0]) * g->views / fmax(g->views - 1, 1);
  if (g->angles && g->views > 2) {
    const double span = fabs(g->angles[g->views - 1] - g->angles[0]), turns = round(span / turn),
                 step = span / (g->views - 1);
    *repeated = turns >= 1 && fabs(span - turns * turn) < 0.1 * step;
    if (*repeated) return turns * turn;
  }
  return ct_geometry_arc(g);
}
