/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curved detectors, and the flat ones that see the same rays. */
#include "recon/geom/curved.h"

#include "recon/geom/questions.h"

#include <limits.h>
#include <math.h>

static const double most_angle = 80 * M_PI / 180, rounding = 1e-9;

static double angle_of(const ct_geometry *g, double u) {
  return (u - g->centre_u) * g->du / g->sdd;
}

bool ct_curved_check(const ct_geometry *g, ct_error **error) {
  if (!ct_geometry_takes(g, CT_TAKES_DISTANCES))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A curved detector is one of fan or cone beam; this is %s.",
                        ct_beam_title(g->beam));
  if (!ct_geometry_check(g, error)) return false;
  const double first = angle_of(g, 0), last = angle_of(g, g->nu - 1);
  return (first >= -most_angle && last <= most_angle) ||
         ct_error_set(error, CT_ERROR_ARGUMENT,
                      "The curved detector reaches from %.4g to %.4g degrees of the fan, more than 80 to a side: pixel "
                      "pitch, centre or source-detector distance are wrong.",
                      first * (180 / M_PI), last * (180 / M_PI));
}

void ct_curved_to_flat(const ct_geometry *g, double *u, double *v) {
  const double angle = angle_of(g, *u);
  *u = g->centre_u + tan(angle) * g->sdd / g->du;
  *v = g->centre_v + (*v - g->centre_v) / cos(angle);
}

void ct_curved_from_flat(const ct_geometry *g, double *u, double *v) {
  const double angle = atan((*u - g->centre_u) * g->du / g->sdd);
  *u = g->centre_u + angle * g->sdd / g->du;
  *v = g->centre_v + (*v - g->centre_v) * cos(angle);
}

bool ct_curved_flatten(ct_geometry *g, int first[2], ct_error **error) {
  if (!ct_curved_check(g, error)) return false;
  const int end = g->nv - 1;
  const double angles[2] = {angle_of(g, 0), angle_of(g, g->nu - 1)};
  const double least = cos(fmax(fabs(angles[0]), fabs(angles[1])));
  const double columns[2] = {ceil(g->centre_u + tan(angles[0]) * g->sdd / g->du - rounding),
                             floor(g->centre_u + tan(angles[1]) * g->sdd / g->du + rounding)};
  /* Rows move towards the plane of the source: beyond the detector where that lies beyond it. */
  const double rows[2] = {ceil(g->centre_v < 0 ? g->centre_v - g->centre_v / least - rounding : 0),
                          floor(g->centre_v > end ? g->centre_v + (end - g->centre_v) / least + rounding : end)};
  if (!(columns[1] >= columns[0] && rows[1] >= rows[0] && columns[1] - columns[0] < INT_MAX / 2))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The curved detector of %d x %d pixels has no flat one on which all rows are measured.", g->nu,
                        g->nv);
  first[0] = (int)columns[0];
  first[1] = (int)rows[0];
  g->nu = (int)(columns[1] - columns[0]) + 1;
  g->nv = (int)(rows[1] - rows[0]) + 1;
  g->centre_u -= columns[0];
  g->centre_v -= rows[0];
  return true;
}
