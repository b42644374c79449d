/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of values times weights, as words. */
#pragma once

#include <glib.h>

#include "recon/bp/interp.h"

G_BEGIN_DECLS

/* Adds "0.630 × 0.4121 + 0.370 × 0.3987", without what has no weight; returns how many there are. */
int gantry_interpolation_add_sum(GString *text, const double *weights, const double *values, int taps);
/* "+ ", "− ", or in front of the first "" and "−". */
const char *gantry_interpolation_sign(double weight, gboolean first);
/* "4 values and 17 operations": what a voxel takes of a view with so many rows, by the formula; of one row less. */
char *gantry_interpolation_cost_words(ct_interp interp, int rows);

G_END_DECLS
