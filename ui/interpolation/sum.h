/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of values times weights, as words. */
#pragma once

#include <glib.h>

#include "recon/bp/interp.h"

G_BEGIN_DECLS

/* Values that are told together: divided by one power of ten, with as many decimals each; power 0: as they are. */
typedef struct {
  int power, decimals;
} GantrySumUnit;

GantrySumUnit gantry_interpolation_unit(const double *values, int count);
/* "2.480", of 2.48e-5 in units of 10⁻⁵. */
char *gantry_interpolation_in_unit(GantrySumUnit unit, double value);
/* ", in 10⁻⁵"; "": as they are. */
char *gantry_interpolation_unit_words(GantrySumUnit unit);
/* A line "+ 0.630 ×  0.412" for each value that has a weight, and "= 0.407" below; made for letters of one width. */
char *gantry_interpolation_sum_words(const double *weights, const double *values, int taps);
/* Adds the text with spaces in front of it, or where width is negative behind it. */
void gantry_interpolation_pad(GString *text, const char *word, int width);
/* "Oversampled": the kernel in one word; the caller's. */
char *gantry_interpolation_short_title(ct_interp interp);
/* "+ 0.630" */
char *gantry_interpolation_weight_words(double weight);
/* "4 values and 17 operations": what a voxel takes of a view with so many rows, by the formula; of one row less. */
char *gantry_interpolation_cost_words(ct_interp interp, int rows);

G_END_DECLS
