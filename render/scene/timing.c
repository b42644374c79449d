/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cone beam's scene with the camera on the volume, as it is maximised. Each frame is waited for. */
#include "render/scene/timing.h"

#include "recon/base/machine.h"
#include "recon/geom/questions.h"
#include "render/scene/film.h"

#include <stdio.h>

static bool make_scene(int side, ct_geometry *geometry, ctgl_scene *scene, ct_error **error) {
  enum { VIEWS = 36 };
  if (!ct_geometry_init(geometry, ct_beam_find("cone")->beam, side, side, VIEWS, error)) return false;
  geometry->sod = 2.0 * side;
  geometry->sdd = 3.0 * side;
  geometry->du = geometry->dv = 1.5;
  ct_geometry_set_arc(geometry, 0, 2 * 3.14159265358979323846 / VIEWS);
  const ct_grid grid = ct_grid_centred(side, side, side, 1, NULL);
  const ctgl_scene_request request = {.geometry = geometry, .grid = &grid};
  return ctgl_scene_make(&request, scene, error);
}

static bool draw_frames(const ctgl_scene_timing *t, ctgl_film *film, const ctgl_scene *scene, double *seconds,
                        ct_error **error) {
  const int size[3] = {t->side, t->side, t->side};
  bool good =
      ctgl_scene_renderer_set_volume(ctgl_film_get_renderer(film), size, t->values, scene->low, scene->high, error);
  ctgl_scene_look look = {.camera = {.width = t->width, .height = t->height},
                          .pixel_ratio = 1,
                          .low = 0,
                          .high = 1,
                          .solid = t->solid,
                          .threshold = 0.5,
                          .coarse = t->coarse,
                          .scale_bar = true};
  ctgl_orbit_look(&look.camera, CTGL_LOOK_CORNER);
  ctgl_orbit_fit(&look.camera, scene->middle, scene->reach);
  for (int i = -1; good && i < t->frames; i++) {
    ctgl_orbit_turn(&look.camera, 0.3, 0);
    const double begin = ct_now();
    good = ctgl_film_draw(film, scene, &look, NULL, error);
    if (i >= 0) seconds[i] = ct_now() - begin;
  }
  return good;
}

bool ctgl_scene_time(const ctgl_scene_timing *timing, double *seconds, char *device, size_t size, ct_error **error) {
  ct_geometry geometry = {0};
  ctgl_scene scene = {0};
  ctgl_film *film = ctgl_film_new(timing->width, timing->height, error);
  if (!film) return false;
  snprintf(device, size, "%s", ctgl_film_get_device(film));
  const bool good =
      make_scene(timing->side, &geometry, &scene, error) && draw_frames(timing, film, &scene, seconds, error);
  ctgl_scene_clear(&scene);
  ct_geometry_clear(&geometry);
  ctgl_film_free(film);
  return good;
}
