/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of a stated thickness: filtered detector rows averaged along v, as scanners combine rows. It commutes with the
 * ramp, which runs along u. */
#ifndef CT_FILTER_THICKNESS_H
#define CT_FILTER_THICKNESS_H

#include "recon/base/error.h"
#include "recon/geom/geometry.h"

#include <stdbool.h>

/* Rows of the detector that a slice of so many mm spans at the rotation axis; 0 where that is no more than one. */
double ct_thickness_rows(const ct_geometry *geometry, double thickness);

/* Views of so many rows, in parts that have nothing to do with each other. */
typedef struct ct_thick_views {
  int columns, rows, parts; /* rows of each part */
} ct_thick_views;

/* Every row of `count` views becomes the mean over a box `width` rows high about it, rows that reach over its ends by
 * their share; at the first and last rows of what lies within the part. */
bool ct_thickness_apply(const ct_thick_views *views, double width, int count, float *const *out, int threads,
                        ct_error **error);

#endif
