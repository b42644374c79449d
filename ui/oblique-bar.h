/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tilt and rotation of the oblique plane as numbers, in degrees, and their reset. */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

/* Follows the display, and changes it; its button names "win.reset-oblique". */
GtkWidget *gantry_oblique_bar_new(GantryDisplay *display);

G_END_DECLS
