/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scene shows, as a value that a worker can draw: the scene, how it is looked at, its pictures and volume. */
#pragma once

#include "ui/scene-view.h"

G_BEGIN_DECLS

typedef struct {
  ctgl_scene scene;
  ctgl_scene_look look;
  GantryImage *images[GANTRY_VIEWS];
  GantrySolid *solid; /* NULL: none is shown */
} GantrySceneShot;

/* As on screen, but so many pixels high, at rest; both sides are even. NULL: there is nothing to show. */
GantrySceneShot *gantry_scene_view_dup_shot(GantrySceneView *self, int height);
void gantry_scene_shot_free(GantrySceneShot *shot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantrySceneShot, gantry_scene_shot_free)
/* Gives a renderer all pictures and the volume. */
gboolean gantry_scene_shot_upload(const GantrySceneShot *shot, ctgl_scene_renderer *renderer, ct_error **error);
/* One picture, or the volume (NULL: none). */
gboolean gantry_scene_upload_image(ctgl_scene_renderer *renderer, GantryViewKind kind, const GantryImage *image,
                                   ct_error **error);
gboolean gantry_scene_upload_solid(ctgl_scene_renderer *renderer, const GantrySolid *solid, ct_error **error);

G_END_DECLS
