/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that change how pictures are drawn, and the light or dark style: colour-map, diverging-map, loupe,
 * next-loupe, smooth, show-crosshair, style. Owns that actions, display and preferences agree, whichever of them is
 * changed. */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

typedef struct _GantryDisplayActions GantryDisplayActions;
/* Adds the actions. */
GantryDisplayActions *gantry_display_actions_new(GActionMap *map, GantryDisplay *display);
void gantry_display_actions_free(GantryDisplayActions *self);
/* The window is gone. */
void gantry_display_actions_stop(GantryDisplayActions *self);
/* Takes what the preferences say, and keeps them from now on. */
void gantry_display_actions_bind(GantryDisplayActions *self, GSettings *settings);

G_END_DECLS
