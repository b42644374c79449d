/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planes through the crosshair: the indices of the three slices and the place of the oblique plane. Owns the grid
 * that they are planes of, and what was asked for last; keeps the sliders in step. */
#pragma once

#include "ui/window/quad.h"
#include "ui/window/refresh.h"

G_BEGIN_DECLS

typedef struct _GantryPlanes GantryPlanes;
/* wanted(user): other planes are wanted than before. The rest is borrowed. */
GantryPlanes *gantry_planes_new(GantryDisplay *display, GantryQuad *quad, GantryRefresh *refresh,
                                void (*wanted)(gpointer user), gpointer user);
void gantry_planes_free(GantryPlanes *self);
/* The window is gone. */
void gantry_planes_stop(GantryPlanes *self);
/* Of another scan: there is no grid. */
void gantry_planes_reset(GantryPlanes *self);

/* Keeps the crosshair where it is in mm, in the middle at first. TRUE: the grid has another extent than before. */
gboolean gantry_planes_set_grid(GantryPlanes *self, const ct_grid *grid);
/* NULL: there is none. */
const ct_grid *gantry_planes_get_grid(GantryPlanes *self);
void gantry_planes_get_wanted(GantryPlanes *self, int index[3]);

/* After the picture of the oblique plane changed: says so where it shows nothing of the volume. */
void gantry_planes_judge_oblique(GantryPlanes *self);
/* Back to the angles that it began with, and where it would lie beside the volume through the middle of that. */
void gantry_planes_reset_oblique(GantryPlanes *self);

G_END_DECLS
