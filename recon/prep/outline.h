/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outline of an object that reaches beyond the detector, fitted to its line integrals. */
#ifndef CT_PREP_OUTLINE_H
#define CT_PREP_OUTLINE_H

#include "recon/base/error.h"
#include "recon/data/stack.h"
#include "recon/filter/outline.h"

/* What a fit looks at: bands [count][bands][nu] of some views (ct_take_bands of rows [row0, row0 + rows)), and the
 * geometry of all views and rows. */
typedef struct ct_outline_request {
  const ct_stack *bands;
  const int *views;
  const ct_geometry *geometry;
  int row0, rows;
  double air;  /* line integral of air */
  double size; /* the object's diameter, mm: a circle is fitted; NAN: an ellipse of any size up to 4 fields of view */
} ct_outline_request;

/* One ellipse for each band, least squares over all views (Levenberg and Marquardt's method). Edges are not set.
 * CT_ERROR_MEMORY. */
bool ct_outline_fit(const ct_outline_request *request, ct_outline *outline, ct_error **error);

#endif
