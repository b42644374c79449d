/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands with which A and B are compared by eye, beside the mode itself (sides.h): flip and flicker, the mix of
 * fade and checkerboard, the scale of differences. Owns the flicker's clock. */
#pragma once

#include "ui/display.h"
#include "ui/window/refresh.h"
#include "ui/window/scales.h"

G_BEGIN_DECLS

typedef struct _GantryCompare GantryCompare;
/* Adds the actions flip, flicker, flicker-rate, mix-back, mix-forth, scale-logarithmic, scale-locked, fit-scale.
 * scales and refresh are borrowed. */
GantryCompare *gantry_compare_new(GActionMap *map, GantryDisplay *display, GantryScales *scales,
                                  GantryRefresh *refresh);
void gantry_compare_free(GantryCompare *self);
/* The window is gone. */
void gantry_compare_stop(GantryCompare *self);
/* Whether there is a B; without one none of the commands makes sense. */
void gantry_compare_set_reference(GantryCompare *self, gboolean reference);

G_END_DECLS
