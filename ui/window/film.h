/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of what frames are made: the view that has the keyboard. */
#pragma once

#include "ui/scene-shot.h"
#include "ui/window/window.h"

G_BEGIN_DECLS

/* scene: it is the scene, in the projection's place. */
GantryViewKind gantry_window_get_focused(GantryWindow *self, gboolean *scene);
/* gantry_scene_view_dup_shot */
GantrySceneShot *gantry_window_dup_scene(GantryWindow *self, int height);

G_END_DECLS
