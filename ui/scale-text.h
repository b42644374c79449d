/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scale that a mode's colours have, in words, for the legend and for the pictures themselves. */
#pragma once

#include "ui/display.h"

G_BEGIN_DECLS

/* Ends of the scale, from low to high, and their unit; FALSE while they are no range. Percents of a relative one. */
gboolean gantry_scale_ends(GantryDisplay *display, ctgl_mode mode, double *low, double *high, const char **unit);
/* The same in the unit that values are told in (gantry_display_set_values). */
gboolean gantry_scale_told(GantryDisplay *display, ctgl_mode mode, double *low, double *high, const char **unit);
/* One end: as many digits as tell it from the other. */
char *gantry_scale_end_text(double value, double range, const char *unit);
/* A value that is read off: four digits, more where a thousandth of the range needs them. */
char *gantry_value_text(double value, double range, const char *unit);
/* "±0.0123 1/mm, log from ±0.0000123", below which it is linear; NULL for the grey window. */
char *gantry_scale_text(GantryDisplay *display, ctgl_mode mode);

G_END_DECLS
