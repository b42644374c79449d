/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The volume in the scene: a 3-D texture, drawn by ray marching. */
#ifndef CTGL_SOLID_PRIVATE_H
#define CTGL_SOLID_PRIVATE_H

#include "render/gl-private.h"
#include "render/scene/orbit.h"
#include "render/scene/solid.h"

typedef struct ctgl_solid_volume {
  GLuint programs[CTGL_SOLIDS]; /* made when first wanted */
  GLuint texture;
  int size[3]; /* 0: none */
  double low[3], high[3];
} ctgl_solid_volume;

typedef struct ctgl_solid_look {
  const ctgl_orbit *camera;
  double reach;
  ctgl_solid solid;
  double low, high, threshold;
  ctgl_solid_part part;
  const ctgl_colour_map *map;
  bool coarse;
} ctgl_solid_look;

void ctgl_solid_clear(ctgl_solid_volume *volume);
bool ctgl_solid_set(ctgl_solid_volume *volume, const int size[3], const float *values, const double low[3],
                    const double high[3], ct_error **error);
/* With the colour maps bound, and the buffer of ctgl_scene_vertex. */
bool ctgl_solid_draw(ctgl_solid_volume *volume, const ctgl_solid_look *look, ct_error **error);

#endif
