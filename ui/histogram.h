/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of what is shown, A, B or a difference of them (logarithmic counts), with two draggable limits: the grey
 * window of the display, or the scale of its differences. */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_HISTOGRAM (gantry_histogram_get_type())
G_DECLARE_FINAL_TYPE(GantryHistogram, gantry_histogram, GANTRY, HISTOGRAM, GtkWidget)

GtkWidget *gantry_histogram_new(GantryDisplay *display);
/* bins[count] over [low, high), in the unit of gantry_limits_get. */
void gantry_histogram_set_bins(GantryHistogram *self, double low, double high, const gsize *bins, gsize count);
/* What was set; borrowed. */
const gsize *gantry_histogram_get_bins(GantryHistogram *self, double *low, double *high, gsize *count);

G_END_DECLS
