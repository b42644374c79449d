/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/window/film.h"

#include "ui/window/window-private.h"

GantryViewKind gantry_window_get_focused(GantryWindow *self, gboolean *scene) {
  const GantryViewKind kind = gantry_quad_get_focused(self->quad);
  *scene = kind == GANTRY_VIEW_PROJECTION && gantry_quad_get_fourth(self->quad) == GANTRY_FOURTH_SCENE;
  return kind;
}

GantrySceneShot *gantry_window_dup_scene(GantryWindow *self, int height) {
  return gantry_scene_view_dup_shot(gantry_quad_get_scene(self->quad), height);
}
