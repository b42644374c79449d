/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mean of the samples is taken into a framebuffer of our own first: only there is the format known to be that of
 * the samples, as OpenGL 3.3 asks for. */
#include "render/scene/canvas-private.h"

enum { MOST_SAMPLES = 4 };

void ctgl_scene_canvas_clear(ctgl_scene_canvas *canvas) {
  glDeleteFramebuffers(1, &canvas->many);
  glDeleteFramebuffers(1, &canvas->one);
  glDeleteRenderbuffers(1, &canvas->colour);
  glDeleteRenderbuffers(1, &canvas->depth);
  glDeleteRenderbuffers(1, &canvas->mean);
  *canvas = (ctgl_scene_canvas){0};
}

static GLuint make_store(GLenum format, GLsizei samples, const ctgl_scene_canvas *canvas, GLenum attachment) {
  GLuint store = 0;
  glGenRenderbuffers(1, &store);
  glBindRenderbuffer(GL_RENDERBUFFER, store);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, canvas->width, canvas->height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, store);
  return store;
}

static bool make(ctgl_scene_canvas *canvas, int width, int height) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  const GLsizei samples = most < MOST_SAMPLES ? most : MOST_SAMPLES;
  ctgl_scene_canvas_clear(canvas);
  canvas->width = width;
  canvas->height = height;
  glGenFramebuffers(1, &canvas->many);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->many);
  canvas->colour = make_store(GL_RGBA8, samples, canvas, GL_COLOR_ATTACHMENT0);
  canvas->depth = make_store(GL_DEPTH_COMPONENT24, samples, canvas, GL_DEPTH_ATTACHMENT);
  bool good = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glGenFramebuffers(1, &canvas->one);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->one);
  canvas->mean = make_store(GL_RGBA8, 0, canvas, GL_COLOR_ATTACHMENT0);
  good &= glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  return good;
}

bool ctgl_scene_canvas_begin(ctgl_scene_canvas *canvas, int width, int height, ct_error **error) {
  if ((canvas->width != width || canvas->height != height) && !make(canvas, width, height)) {
    ctgl_scene_canvas_clear(canvas);
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This display's OpenGL has no picture of %d x %d pixels with depth.", width, height);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->many);
  glClearColor(0, 0, 0, 1);
  glDepthMask(GL_TRUE);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  return true;
}

void ctgl_scene_canvas_end(const ctgl_scene_canvas *canvas, GLuint target) {
  const GLuint steps[3] = {canvas->many, canvas->one, target};
  for (int i = 0; i < 2; i++) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, steps[i]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, steps[i + 1]);
    glBlitFramebuffer(0, 0, canvas->width, canvas->height, 0, 0, canvas->width, canvas->height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target);
}
