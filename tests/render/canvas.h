/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests that draw: an offscreen debug context, a framebuffer to draw into, its pixels to look at. */
#ifndef TESTS_RENDER_CANVAS_H
#define TESTS_RENDER_CANVAS_H

#include "render/offscreen.h"
#include "render/slice-renderer.h"

#include <epoxy/gl.h>
#include <stdlib.h>

typedef struct drawing_canvas {
  ctgl_offscreen *offscreen;
  GLuint framebuffer, texture;
  int width, height;
  unsigned char *pixels; /* RGBA of the last canvas_draw, upper row first */
  int complaints;        /* errors that the driver's debug output reported */
} drawing_canvas;

static void GLAPIENTRY canvas_hear(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                   const GLchar *message, const void *user) {
  if (type == GL_DEBUG_TYPE_ERROR) ((drawing_canvas *)user)->complaints++;
}

static inline void canvas_close(drawing_canvas *canvas) {
  free(canvas->pixels);
  ctgl_offscreen_free(canvas->offscreen);
}

static inline bool canvas_resize(drawing_canvas *canvas, int width, int height) {
  glBindTexture(GL_TEXTURE_2D, canvas->texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas->texture, 0);
  free(canvas->pixels);
  canvas->pixels = calloc((size_t)width * (size_t)height, 4);
  canvas->width = width;
  canvas->height = height;
  return canvas->pixels && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* False with the reason when this machine has no OpenGL 3.3 without a display. */
static inline bool canvas_open(drawing_canvas *canvas, int width, int height, ct_error **error) {
  *canvas = (drawing_canvas){0};
  canvas->offscreen = ctgl_offscreen_new(3, 3, true, error);
  if (!canvas->offscreen || !ctgl_offscreen_make_current(canvas->offscreen, error)) return false;
  if (epoxy_gl_version() >= 43 || epoxy_has_gl_extension("GL_KHR_debug")) {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(canvas_hear, canvas);
  }
  glGenTextures(1, &canvas->texture);
  glGenFramebuffers(1, &canvas->framebuffer);
  glBindTexture(GL_TEXTURE_2D, canvas->texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  return canvas_resize(canvas, width, height) || ct_error_set(error, CT_ERROR_UNSUPPORTED, "no framebuffer");
}

/* What was drawn into it. */
static inline void canvas_read(drawing_canvas *canvas) {
  const size_t row = 4 * (size_t)canvas->width;
  for (int y = 0; y < canvas->height; y++)
    glReadPixels(0, canvas->height - 1 - y, canvas->width, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 canvas->pixels + row * (size_t)y);
}

static inline bool canvas_draw(drawing_canvas *canvas, ctgl_slice_renderer *renderer, const ctgl_slice_scene *scene,
                               ct_error **error) {
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
  if (!ctgl_slice_renderer_draw(renderer, scene, error)) return false;
  canvas_read(canvas);
  return true;
}

/* RGBA at device pixel (x, y) from the upper left corner. */
static inline const unsigned char *canvas_at(const drawing_canvas *canvas, int x, int y) {
  return canvas->pixels + 4 * ((size_t)y * (size_t)canvas->width + (size_t)x);
}

static inline bool canvas_is(const drawing_canvas *canvas, int x, int y, int r, int g, int b, int tolerance) {
  const unsigned char *pixel = canvas_at(canvas, x, y);
  return abs(pixel[0] - r) <= tolerance && abs(pixel[1] - g) <= tolerance && abs(pixel[2] - b) <= tolerance;
}

#endif
