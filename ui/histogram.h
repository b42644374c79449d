/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram of the shown values (logarithmic counts) with two draggable limits that are the grey window of the display.
 */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_HISTOGRAM (gantry_histogram_get_type())
G_DECLARE_FINAL_TYPE(GantryHistogram, gantry_histogram, GANTRY, HISTOGRAM, GtkWidget)

GtkWidget *gantry_histogram_new(GantryDisplay *display);
/* bins[count] over [low, high). */
void gantry_histogram_set_bins(GantryHistogram *self, double low, double high, const gsize *bins, gsize count);

G_END_DECLS
