/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uploads for the view's renderer and for one without a window. */
#include "ui/scene-shot.h"

#include "ui/image-look.h"

G_STATIC_ASSERT((int)CTGL_PICTURES == (int)GANTRY_VIEWS);
G_STATIC_ASSERT((int)CTGL_PICTURE_PROJECTION == (int)GANTRY_VIEW_PROJECTION);
G_STATIC_ASSERT((int)CTGL_PICTURE_OBLIQUE == (int)GANTRY_VIEW_OBLIQUE);

gboolean gantry_scene_upload_image(ctgl_scene_renderer *renderer, GantryViewKind kind, const GantryImage *image,
                                   ct_error **error) {
  const int size[2] = {image ? image->width : 0, image ? image->height : 0};
  const gboolean bounded = image && kind == GANTRY_VIEW_OBLIQUE;
  const ctgl_bounds bounds = bounded ? gantry_image_bounds(image) : (ctgl_bounds){0};
  return ctgl_scene_renderer_set_picture(renderer, (ctgl_picture_kind)kind, size, image ? image->pixels : NULL,
                                         bounded ? &bounds : NULL, error);
}

gboolean gantry_scene_upload_solid(ctgl_scene_renderer *renderer, const GantrySolid *solid, ct_error **error) {
  return ctgl_scene_renderer_set_volume(renderer, solid ? solid->size : NULL, solid ? solid->values : NULL,
                                        solid ? solid->low : NULL, solid ? solid->high : NULL, error);
}

gboolean gantry_scene_shot_upload(const GantrySceneShot *shot, ctgl_scene_renderer *renderer, ct_error **error) {
  for (int kind = 0; kind < GANTRY_VIEWS; kind++)
    if (!gantry_scene_upload_image(renderer, (GantryViewKind)kind, shot->images[kind], error)) return FALSE;
  return gantry_scene_upload_solid(renderer, shot->solid, error);
}

void gantry_scene_shot_free(GantrySceneShot *shot) {
  for (int kind = 0; kind < GANTRY_VIEWS; kind++)
    if (shot->images[kind]) gantry_image_unref(shot->images[kind]);
  if (shot->solid) gantry_solid_unref(shot->solid);
  ctgl_scene_clear(&shot->scene);
  g_free(shot);
}
