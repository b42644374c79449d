/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a scene without a window: a private OpenGL context with a picture to draw to. */
#ifndef CTGL_SCENE_FILM_H
#define CTGL_SCENE_FILM_H

#include "render/scene/renderer.h"

typedef struct ctgl_film ctgl_film;

/* Its context is current in the calling thread from now until ctgl_film_free, which the same thread calls.
 * CT_ERROR_UNSUPPORTED where there is no OpenGL, or none with so large a picture. */
ctgl_film *ctgl_film_new(int width, int height, ct_error **error);
void ctgl_film_free(ctgl_film *film);
/* To give it pictures and a volume; the film's. */
ctgl_scene_renderer *ctgl_film_get_renderer(ctgl_film *film);
/* The driver's name for what draws. */
const char *ctgl_film_get_device(ctgl_film *film);
/* Draws, waits for it, and reads [height][width] pixels of blue, green, red and an unused byte, the upper row first;
 * pixels NULL: nothing is read. The look's camera has the film's size. */
bool ctgl_film_draw(ctgl_film *film, const ctgl_scene *scene, const ctgl_scene_look *look, unsigned char *pixels,
                    ct_error **error);

#endif
