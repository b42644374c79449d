/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map between world (mm, y up) and screen (device pixels from the upper left corner, y down):
 *   screen_x = width / 2 + (x - centre_x) zoom,  screen_y = height / 2 - (y - centre_y) zoom stretch. */
#include "render/slice-renderer.h"

#include <math.h>

/* Part of the viewport that a fitted image leaves free, so that labels and frame do not lie on it. */
static const double fit_margin = 0.06;

double ctgl_camera_zoom_up(const ctgl_camera *camera) {
  return camera->zoom * (camera->stretch > 0 ? camera->stretch : 1);
}

ctgl_point ctgl_screen_to_world(const ctgl_camera *camera, ctgl_point screen) {
  return (ctgl_point){camera->centre_x + (screen.x - camera->width / 2.0) / camera->zoom,
                      camera->centre_y - (screen.y - camera->height / 2.0) / ctgl_camera_zoom_up(camera)};
}

ctgl_point ctgl_world_to_screen(const ctgl_camera *camera, ctgl_point world) {
  return (ctgl_point){camera->width / 2.0 + (world.x - camera->centre_x) * camera->zoom,
                      camera->height / 2.0 - (world.y - camera->centre_y) * ctgl_camera_zoom_up(camera)};
}

void ctgl_camera_fit(ctgl_camera *camera, const ctgl_image_frame *frame) {
  const double extent_x = frame->width * fabs(frame->spacing_x), extent_y = frame->height * fabs(frame->spacing_y);
  camera->centre_x = frame->origin_x + (frame->width - 1) * frame->spacing_x / 2;
  camera->centre_y = frame->origin_y + (frame->height - 1) * frame->spacing_y / 2;
  camera->zoom = camera->stretch = 1;
  if (extent_x > 0 && extent_y > 0 && camera->width > 0 && camera->height > 0)
    camera->zoom = (1 - fit_margin) * fmin(camera->width / extent_x, camera->height / extent_y);
}

void ctgl_camera_fill(ctgl_camera *camera, const ctgl_image_frame *frame, const double margins[4]) {
  const double extent_x = frame->width * fabs(frame->spacing_x), extent_y = frame->height * fabs(frame->spacing_y);
  ctgl_camera_fit(camera, frame);
  const double wide = fmax(camera->width - margins[0] - margins[2], camera->width / 4.0),
               high = fmax(camera->height - margins[1] - margins[3], camera->height / 4.0);
  if (!(extent_x > 0 && extent_y > 0 && wide > 0 && high > 0)) return;
  camera->zoom = wide / extent_x;
  camera->stretch = high / extent_y / camera->zoom;
  camera->centre_x -= (margins[0] - margins[2]) / 2 / camera->zoom;
  camera->centre_y += (margins[1] - margins[3]) / 2 / ctgl_camera_zoom_up(camera);
}

double ctgl_scale_bar_length(const ctgl_camera *camera) {
  static const double steps[] = {1, 2, 5, 10};
  if (!(camera->zoom > 0) || camera->width < 1) return 0;
  const double wanted = camera->width / camera->zoom / 5;
  const double decade = pow(10, floor(log10(wanted)));
  double best = decade;
  for (int i = 0; i < 4; i++)
    if (fabs(log(steps[i] * decade / wanted)) < fabs(log(best / wanted))) best = steps[i] * decade;
  return best;
}
