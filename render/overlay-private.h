/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies over the image, as shapes in device pixels; drawn by one program from one buffer. */
#ifndef CTGL_OVERLAY_PRIVATE_H
#define CTGL_OVERLAY_PRIVATE_H

#include "render/gl-private.h"
#include "render/slice-renderer.h"

/* A box of the given half extent about its centre, turned by the direction (cos, sin) of its length; y down. */
typedef struct ctgl_shape {
  ctgl_point centre;
  double half_length, half_width;
  double direction_x, direction_y;
  double radius, stroke; /* of the corners; width of the outline that grows inwards, 0: filled */
  ctgl_colour colour;
} ctgl_shape;

enum { CTGL_MOST_SHAPES = 96 + 2 * CTGL_MOST_CURVE };

typedef struct ctgl_overlay {
  GLuint program; /* borrowed */
  GLuint vertex_array, buffer;
  GLint view;
} ctgl_overlay;

/* *program is the caller's, made here where it is 0. */
bool ctgl_overlay_init(ctgl_overlay *overlay, GLuint *program, ct_error **error);
void ctgl_overlay_clear(ctgl_overlay *overlay);
/* Leaves program, buffer, vertex array and blending changed: the caller keeps the state. */
void ctgl_overlay_draw(const ctgl_overlay *overlay, const ctgl_slice_scene *scene);

/* The shapes of a scene, bottom first; no GL. Returns their number. */
int ctgl_overlay_shapes(const ctgl_slice_scene *scene, ctgl_shape shapes[CTGL_MOST_SHAPES]);

#endif
