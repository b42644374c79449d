/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which layout the views have: that which suits the volume, until the user chooses one (action "layout"). Owns whether
 * the user has. */
#pragma once

#include "recon/geom/grid.h"
#include "ui/window/quad.h"

G_BEGIN_DECLS

/* Of a volume: a few slices leave upright planes no height; a flat one is seen best from above, a tall one in upright
 * tiles. */
GantryLayout gantry_layout_for(const ct_grid *grid);

typedef struct _GantryLayouts GantryLayouts;
/* quad is borrowed. */
GantryLayouts *gantry_layouts_new(GtkWidget *window, GantryQuad *quad);
void gantry_layouts_free(GantryLayouts *self);
/* Another scan: the choice is the program's again. */
void gantry_layouts_reset(GantryLayouts *self);
void gantry_layouts_suit(GantryLayouts *self, const ct_grid *grid);

G_END_DECLS
