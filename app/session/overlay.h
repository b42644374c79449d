/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planes on screen of every ticked result on the shelf, at the places of A's, for the window's plots
 * (gantry_window_set_variants). Owns nothing but which request counts. */
#pragma once

#include "app/session/pictures.h"
#include "app/session/shelf.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_OVERLAY (gantry_overlay_get_type())
G_DECLARE_FINAL_TYPE(GantryOverlay, gantry_overlay, GANTRY, OVERLAY, GObject)

/* All are borrowed. */
GantryOverlay *gantry_overlay_new(GantryContext *context, GantryShelf *shelf, GantryPictures *pictures);
/* What is ticked, or where A's planes lie, is another. */
void gantry_overlay_request(GantryOverlay *self);

G_END_DECLS
