/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene among the window's views: its commands, and the gantry that goes round. Adds the actions scene-look(s:
 * front, side, top, corner), scene-fit(s: gantry, volume), scene-volume(s: none, maximum, average, surface,
 * translucent), scene-corner, scene-oblique and play-gantry (boolean states), and show-solid. */
#pragma once

#include "ui/window/fourth.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct _GantryScenePart GantryScenePart;
/* The parts are borrowed. solid_wanted(user): whether the volume is wanted may have changed. */
GantryScenePart *gantry_scene_part_new(GtkWidget *window, GantryQuad *quad, GantryFourth *fourth,
                                       void (*solid_wanted)(gpointer user), gpointer user);
void gantry_scene_part_free(GantryScenePart *self);
/* The window is gone. */
void gantry_scene_part_stop(GantryScenePart *self);
/* Of another scan. */
void gantry_scene_part_reset(GantryScenePart *self);

/* The page about the volume, behind those that are there; plots are borrowed. */
void gantry_scene_part_add_page(GantryScenePart *self, GantryPlots *plots);

/* Whether the volume is shown, in one way or another. */
gboolean gantry_scene_part_wants_solid(GantryScenePart *self);
/* A picture of A; NULL: there is none. That of a projection comes by the fourth view. */
void gantry_scene_part_set_image(GantryScenePart *self, GantryViewKind kind, GantryImage *image);

G_END_DECLS
