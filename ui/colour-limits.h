/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two values at which the colours of what is shown end, for controls that move them: the grey window, or the scale
 * of a difference, which is locked once it is moved. */
#pragma once

#include "ui/display.h"

G_BEGIN_DECLS

/* In the unit in which they are shown: a relative difference in percents. *unit may be "". */
void gantry_limits_get(GantryDisplay *display, double limit[2], const char **unit);
/* Whether the user may move one: a scale from zero, or to an SSIM of 1, has one end alone. which: 0 low, 1 high. */
gboolean gantry_limits_can_move(GantryDisplay *display, int which);
/* Never past the other: they stay `gap` apart. A scale about zero has both its ends moved. */
void gantry_limits_move(GantryDisplay *display, int which, double value, double gap);

G_END_DECLS
