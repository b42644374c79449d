/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colour maps' texture, and what shaders are told of a grey window and a map. */
#include "render/colour-texture-private.h"

#include <float.h>
#include <math.h>

void ctgl_upload_colours(void) {
  size_t count = 0;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 256, (GLsizei)count, 0, GL_RGB, GL_UNSIGNED_BYTE, NULL);
  for (size_t i = 0; i < count; i++)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)i, 256, 1, GL_RGB, GL_UNSIGNED_BYTE, maps[i].rgb);
}

GLint ctgl_colour_row(const ctgl_colour_map *map, const char *otherwise) {
  const ctgl_colour_map *known = map ? ctgl_colour_map_find(map->id) : NULL;
  return (GLint)((known ? known : ctgl_colour_map_find(otherwise)) - ctgl_colour_maps(NULL));
}

float ctgl_reciprocal(double range) {
  return range > FLT_MIN ? (float)fmin(1 / range, FLT_MAX) : FLT_MAX;
}
