/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation: what is asked of a scan, and which search serves it. */
#include "recon/prep/centre-private.h"

#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>

static int by_angle(const void *a, const void *b) {
  const ct_sorted_view *p = a, *q = b;
  if (p->angle != q->angle) return p->angle < q->angle ? -1 : 1;
  return p->view - q->view;
}

void ct_sort_views(ct_sorted_view *views, size_t count) {
  qsort(views, count, sizeof *views, by_angle);
}

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
  if (geometry->nu < 16)
    return ct_error_set(error, CT_ERROR_DATA,
                        "A detector of %d columns is too narrow to find the centre of rotation: set it by hand.",
                        geometry->nu);
  return true;
}

bool ct_centre_search(const ct_stack *stack, const ct_geometry *geometry, ct_centre_found *found, ct_job *job,
                      ct_error **error) {
  if (!check(stack, geometry, error)) return false;
  ct_centre_found result = {.centre = NAN, .spread = NAN, .evidence = NAN, .margin = NAN};
  if (!(ct_turn_is_full(geometry) ? ct_centre_full_turn(stack, geometry, 0, geometry->nv, &result, job, error)
                                  : ct_centre_arc(stack, geometry, 0, geometry->nv, &result, job, error)))
    return false;
  *found = result;
  return true;
}

bool ct_centre_by_correlation(const ct_stack *stack, const ct_geometry *geometry, double *centre, double *confidence,
                              ct_job *job, ct_error **error) {
  ct_centre_found found;
  if (!ct_centre_search(stack, geometry, &found, job, error)) return false;
  *centre = found.centre;
  if (confidence) *confidence = found.confidence;
  return true;
}
