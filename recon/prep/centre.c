/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation: what is asked of a scan, and which search serves it. */
#include "recon/prep/centre-private.h"

#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"

#include <math.h>

enum { TILTED_ROWS = 25 };

static bool check(const ct_stack *stack, const ct_geometry *geometry, ct_error **error) {
  if (ct_stack_nu(stack) != geometry->nu || ct_stack_nv(stack) != geometry->nv ||
      ct_stack_views(stack) != geometry->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The projections (%d views of %d x %d) do not match the geometry (%d views of %d x %d).",
                        ct_stack_views(stack), ct_stack_nu(stack), ct_stack_nv(stack), geometry->views, geometry->nu,
                        geometry->nv);
  if (!ct_geometry_check(geometry, error)) return false;
  if (!ct_geometry_takes(geometry, CT_TAKES_CENTRE))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Scans with projection matrices have their centre of rotation in the matrices.");
  if (ct_geometry_climbs(geometry))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Opposite views are not compared where the table moves (a spiral, a sequence): set the centre "
                        "of rotation by hand (centre.column).");
  if (geometry->nu < 16)
    return ct_error_set(error, CT_ERROR_DATA,
                        "A detector of %d columns is too narrow to find the centre of rotation: set it by hand.",
                        geometry->nu);
  return true;
}

bool ct_centre_of_rows(const ct_stack *stack, const ct_geometry *geometry, int row0, int rows, double about,
                       ct_centre_found *found, ct_job *job, ct_error **error) {
  *found = (ct_centre_found){.centre = NAN, .spread = NAN, .evidence = NAN, .margin = NAN};
  return ct_turn_is_full(geometry) ? ct_centre_full_turn(stack, geometry, row0, rows, about, found, job, error)
                                   : ct_centre_arc(stack, geometry, row0, rows, about, found, job, error);
}

/* Rows about the central one along the tilt, in which the axis stays within a tenth of a column. */
static bool search_tilted(const ct_stack *stack, const ct_geometry *g, ct_centre_found *found, ct_job *job,
                          ct_error **error) {
  double heights[TILTED_ROWS];
  const double reach = 0.1 * g->du / (g->dv * fabs(sin(g->tilt)));
  const int half = reach < TILTED_ROWS / 2 ? (int)reach : TILTED_ROWS / 2;
  int count = 0;
  for (int n = -half; n <= half; n++)
    if (g->centre_v + n >= 0 && g->centre_v + n <= g->nv - 1) heights[count++] = g->centre_v + n;
  if (count == 0) heights[count++] = fmin(fmax(g->centre_v, 0), g->nv - 1);
  ct_stack *rows = ct_tilted_rows(stack, g, g->tilt, heights, count, 1, error);
  ct_geometry straight;
  bool good = rows && ct_geometry_copy(&straight, g, error);
  if (good) {
    straight.nv = count;
    straight.centre_v = 0.5 * (count - 1);
    good = ct_centre_of_rows(rows, &straight, 0, count, NAN, found, job, error);
    ct_geometry_clear(&straight);
  }
  ct_stack_free(rows);
  return good;
}

static bool search(const ct_stack *stack, const ct_geometry *geometry, int row0, int rows, ct_centre_found *found,
                   ct_job *job, ct_error **error) {
  ct_centre_found result;
  if (!check(stack, geometry, error)) return false;
  if (!(geometry->tilt != 0 && geometry->nv > 1
            ? search_tilted(stack, geometry, &result, job, error)
            : ct_centre_of_rows(stack, geometry, row0, rows, NAN, &result, job, error)))
    return false;
  *found = result;
  return true;
}

bool ct_centre_search(const ct_stack *stack, const ct_geometry *geometry, ct_centre_found *found, ct_job *job,
                      ct_error **error) {
  return search(stack, geometry, 0, geometry->nv, found, job, error);
}

bool ct_centre_search_middle(const ct_stack *stack, const ct_geometry *geometry, int rows, ct_centre_found *found,
                             ct_job *job, ct_error **error) {
  const int some = rows < geometry->nv ? rows : geometry->nv;
  const double first = fmin(fmax(geometry->centre_v - 0.5 * (some - 1), 0), geometry->nv - some);
  return search(stack, geometry, (int)floor(first), some, found, job, error);
}

bool ct_centre_by_correlation(const ct_stack *stack, const ct_geometry *geometry, double *centre, double *confidence,
                              ct_job *job, ct_error **error) {
  ct_centre_found found;
  if (!ct_centre_search(stack, geometry, &found, job, error)) return false;
  *centre = found.centre;
  if (confidence) *confidence = found.confidence;
  return true;
}
