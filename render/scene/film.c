/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenGL's rows go upwards, those of a picture down. */
#include "render/scene/film.h"

#include "recon/base/memory.h"
#include "render/gl-private.h"
#include "render/offscreen.h"

#include <string.h>

struct ctgl_film {
  int width, height;
  ctgl_offscreen *offscreen;
  ctgl_scene_renderer *renderer;
  GLuint framebuffer, store;
};

static bool make_target(ctgl_film *film, ct_error **error) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (film->width > most || film->height > most)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "This OpenGL draws pictures of %d pixels a side at most.", most);
  glGenRenderbuffers(1, &film->store);
  glBindRenderbuffer(GL_RENDERBUFFER, film->store);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, film->width, film->height);
  glGenFramebuffers(1, &film->framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, film->framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, film->store);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED, "This OpenGL has no picture of %d x %d pixels.", film->width,
                      film->height);
}

ctgl_film *ctgl_film_new(int width, int height, ct_error **error) {
  ctgl_film *film = ct_alloc_zero(1, sizeof *film, "the film", error);
  if (!film) return NULL;
  film->width = width, film->height = height;
  film->offscreen = ctgl_offscreen_new(3, 3, false, error);
  if (film->offscreen && ctgl_offscreen_make_current(film->offscreen, error) && make_target(film, error) &&
      (film->renderer = ctgl_scene_renderer_new(error)))
    return film;
  ctgl_film_free(film);
  return NULL;
}

void ctgl_film_free(ctgl_film *film) {
  if (!film) return;
  ctgl_scene_renderer_free(film->renderer);
  if (film->offscreen) {
    glDeleteFramebuffers(1, &film->framebuffer);
    glDeleteRenderbuffers(1, &film->store);
    ctgl_offscreen_make_current(NULL, NULL);
    ctgl_offscreen_free(film->offscreen);
  }
  ct_free(film);
}

ctgl_scene_renderer *ctgl_film_get_renderer(ctgl_film *film) {
  return film->renderer;
}

const char *ctgl_film_get_device(ctgl_film *film) {
  return (const char *)glGetString(GL_RENDERER);
}

static void turn_over(unsigned char *pixels, size_t row, int rows) {
  for (int upper = 0; upper < rows / 2; upper++) {
    unsigned char *a = pixels + (size_t)upper * row, *b = pixels + (size_t)(rows - 1 - upper) * row;
    for (size_t i = 0; i < row; i++) {
      const unsigned char held = a[i];
      a[i] = b[i];
      b[i] = held;
    }
  }
}

bool ctgl_film_draw(ctgl_film *film, const ctgl_scene *scene, const ctgl_scene_look *look, unsigned char *pixels,
                    ct_error **error) {
  glBindFramebuffer(GL_FRAMEBUFFER, film->framebuffer);
  const bool good = ctgl_scene_renderer_draw(film->renderer, scene, look, error);
  if (good && pixels) {
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, film->width, film->height, GL_BGRA, GL_UNSIGNED_BYTE, pixels);
    turn_over(pixels, 4 * (size_t)film->width, film->height);
  }
  glFinish();
  return good && ctgl_check("the reading of a frame", error);
}
