/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colour scale of the slices as they are shown: the grey window, or the scale of a difference. */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_COLOUR_LEGEND (gantry_colour_legend_get_type())
G_DECLARE_FINAL_TYPE(GantryColourLegend, gantry_colour_legend, GANTRY, COLOUR_LEGEND, GtkWidget)

/* Horizontal: the values at the ramp's ends, with the unit; vertical: beside it, in a third of that width. */
GtkWidget *gantry_colour_legend_new(GantryDisplay *display, GtkOrientation orientation);

G_END_DECLS
