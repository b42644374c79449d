/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The filtered pixels about a place on the detector, with the weight of each where a voxel that is seen there reads
 * them, and the sum. Signal "column-chosen" (double column): the user has clicked beside it; the row is chosen here. */
#pragma once

#include <gtk/gtk.h>

#include "ui/filter/report.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_INTERPOLATION_BLOCK (gantry_interpolation_block_get_type())
G_DECLARE_FINAL_TYPE(GantryInterpolationBlock, gantry_interpolation_block, GANTRY, INTERPOLATION_BLOCK, GtkBox)

GtkWidget *gantry_interpolation_block_new(void);
/* Copies the rows; NULL: there are none, `instead` says why. */
void gantry_interpolation_block_take(GantryInterpolationBlock *self, const GantryFilterReport *report,
                                     const char *instead);
void gantry_interpolation_block_show(GantryInterpolationBlock *self, ct_interp interp, double column);

G_END_DECLS
