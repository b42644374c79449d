/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the scene is drawn: colour of several samples per pixel, and depth. A GtkGLArea offers neither. */
#ifndef CTGL_SCENE_CANVAS_PRIVATE_H
#define CTGL_SCENE_CANVAS_PRIVATE_H

#include "render/gl-private.h"

typedef struct ctgl_scene_canvas {
  int width, height; /* 0: none yet */
  GLuint many, one;  /* framebuffers of several samples, and of one */
  GLuint colour, depth, mean;
} ctgl_scene_canvas;

void ctgl_scene_canvas_clear(ctgl_scene_canvas *canvas);
/* Of this size, and bound to be drawn into, black. */
bool ctgl_scene_canvas_begin(ctgl_scene_canvas *canvas, int width, int height, ct_error **error);
/* Copies the picture to the framebuffer `target`, which is bound afterwards. */
void ctgl_scene_canvas_end(const ctgl_scene_canvas *canvas, GLuint target);

#endif
