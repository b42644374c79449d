/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Root mean square differences of slices within the circle that every view sees: beyond it no slice is complete. */
#ifndef CT_SOLVE_FIELD_RMSE_H
#define CT_SOLVE_FIELD_RMSE_H

#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stddef.h>

/* inside[ny][nx]: the pixels of a grid of one slice whose centres lie in the circle. */
void ct_field_mask(const ct_geometry *geometry, const ct_grid *grid, bool *inside);
/* Of scale * slice from `other` over the pixels that are inside; NaN where none is. */
double ct_field_rmse(const bool *inside, size_t pixels, const float *slice, double scale, const float *other);

#endif
