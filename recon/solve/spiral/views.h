/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both filtered back-projections of spirals ask of the views. */
#ifndef CT_SOLVE_SPIRAL_VIEWS_H
#define CT_SOLVE_SPIRAL_VIEWS_H

#include "recon/geom/geometry.h"

#define CT_SPIRAL_WAY_OUT "Iterative methods serve any scan: set iterative.method to sirt, cgls or another of them."

typedef struct ct_spiral_view {
  double angle;
  int view;
} ct_spiral_view;

/* The views by angle, to be freed by ct_free. */
ct_spiral_view *ct_spiral_sort(const ct_geometry *spiral, ct_error **error);
/* Rows, no tilt, not displaced, even steps; CT_ERROR_UNSUPPORTED with what would do, where not. */
bool ct_spiral_is_plain(const ct_geometry *spiral, ct_error **error);

#endif
