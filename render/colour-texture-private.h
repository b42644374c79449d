/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colour maps as a texture, for every shader that shows values. */
#ifndef CTGL_COLOUR_TEXTURE_PRIVATE_H
#define CTGL_COLOUR_TEXTURE_PRIVATE_H

#include "render/gl-private.h"
#include "render/slice-renderer.h"

/* Fills the 2-D texture that is bound: one row of 256 colours per map. Client memory is tightly packed. */
void ctgl_upload_colours(void);
/* The row of a map; NULL: of the one with the id `otherwise`. A copy of one of our maps serves as well as the map. */
GLint ctgl_colour_row(const ctgl_colour_map *map, const char *otherwise);
/* 1 / range; an empty range becomes a step. */
float ctgl_reciprocal(double range);

#endif
