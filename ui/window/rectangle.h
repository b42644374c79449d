/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangle of unattenuated rays: between the side panel, which has its numbers, and the projection, on which it is
 * drawn, and whose light tells whether it is free of object. Owns whether the projection is on show at all. */
#pragma once

#include "ui/plan/panel.h"
#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef struct _GantryRectangle GantryRectangle;
/* Adds the action draw-rectangle; the rest is borrowed. */
GantryRectangle *gantry_rectangle_new(GtkWidget *window, GantryPlanPanel *panel, GantryQuad *quad);
void gantry_rectangle_free(GantryRectangle *self);
/* The fourth view shows sinograms in place of projections, or no longer. */
void gantry_rectangle_set_sinogram(GantryRectangle *self, gboolean sinogram);
/* Another projection arrived. */
void gantry_rectangle_judge(GantryRectangle *self);

G_END_DECLS
