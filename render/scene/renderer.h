/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a scene: pictures on their planes, lines, a scale bar. OpenGL 3.3 core or newer; every function needs the
 * context current in which the renderer was made, and leaves no GL state behind but its own. */
#ifndef CTGL_SCENE_RENDERER_H
#define CTGL_SCENE_RENDERER_H

#include "render/scene/orbit.h"
#include "render/scene/scene.h"
#include "render/scene/solid.h"

typedef enum {
  CTGL_PICTURE_AXIAL,
  CTGL_PICTURE_CORONAL,
  CTGL_PICTURE_SAGITTAL,
  CTGL_PICTURE_PROJECTION,
  CTGL_PICTURE_OBLIQUE,
  CTGL_PICTURES
} ctgl_picture_kind;

/* How a scene is looked at. */
typedef struct ctgl_scene_look {
  ctgl_orbit camera;
  double pixel_ratio; /* device pixels per logical one */
  double low, high;   /* grey window of slices */
  double projection_low, projection_high;
  const ctgl_colour_map *map; /* NULL: grey */
  bool smooth;                /* between pixels, where they are seen */
  bool shown[CTGL_PICTURES];  /* where there is a picture */
  ctgl_corners corners[CTGL_PICTURES];
  ctgl_colour frames[CTGL_PICTURES]; /* of slices; a = 0: none */
  ctgl_solid solid;                  /* how the volume is shown, where there is one */
  double threshold;                  /* of its surface */
  ctgl_solid_part part;              /* what of it is shown */
  bool coarse;                       /* the volume is drawn with few samples: the camera moves */
  bool scale_bar;                    /* lower right, ctgl_orbit_bar_length mm long */
} ctgl_scene_look;

typedef struct ctgl_scene_renderer ctgl_scene_renderer;
ctgl_scene_renderer *ctgl_scene_renderer_new(ct_error **error);
void ctgl_scene_renderer_free(ctgl_scene_renderer *renderer);

/* Uploads float32 pixels [height][width], row 0 lowest; NULL: there is none. bounds: pixels beyond are left out; NULL:
 * all are shown. CT_ERROR_UNSUPPORTED beyond the largest texture. */
bool ctgl_scene_renderer_set_picture(ctgl_scene_renderer *renderer, ctgl_picture_kind kind, const int size[2],
                                     const float *pixels, const ctgl_bounds *bounds, ct_error **error);
/* Uploads float32 values [size[2]][size[1]][size[0]], finite, that fill the box from low to high (mm); NULL: there is
 * none. CT_ERROR_UNSUPPORTED beyond the largest texture, CT_ERROR_MEMORY. */
bool ctgl_scene_renderer_set_volume(ctgl_scene_renderer *renderer, const int size[3], const float *values,
                                    const double low[3], const double high[3], ct_error **error);
/* Draws to the framebuffer that is bound, over the camera's viewport. */
bool ctgl_scene_renderer_draw(ctgl_scene_renderer *renderer, const ctgl_scene *scene, const ctgl_scene_look *look,
                              ct_error **error);

#endif
