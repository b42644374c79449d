/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the window looks, as one value (a{sv}) that a session keeps: layout, pages, grey windows, crosshair, zoom and so
 * on. Each member is a truth value, a number, a text or a list of numbers; what is unknown, of another type or out of
 * range is passed over. */
#pragma once

#include "ui/window/window.h"

G_BEGIN_DECLS

/* Floating. */
GVariant *gantry_window_dup_arrangement(GantryWindow *self);
/* What needs no picture (panels, pages, colours), then what hangs on those shown (grey windows, crosshair, zoom, mode):
 * once they are there. */
void gantry_window_arrange(GantryWindow *self, GVariant *arrangement);
void gantry_window_arrange_views(GantryWindow *self, GVariant *arrangement);

G_END_DECLS
