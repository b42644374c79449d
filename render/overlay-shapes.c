/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Crosshair, trace of a plane, profile line, rubber band, swipe edge, scale bar and frame as shapes. What is upright
 * lies on whole device pixels. Bright shapes have a dark casing so that they show on any picture. */
#include "render/overlay-private.h"

#include <math.h>

static const ctgl_colour casing = {0, 0, 0, 0.45f};
static const ctgl_colour white = {1, 1, 1, 0.95f};
static const ctgl_colour profile_colour = {1.0f, 0.84f, 0.20f, 1};
static const ctgl_colour profile_band = {1.0f, 0.84f, 0.20f, 0.22f};
static const ctgl_colour rectangle_colour = {0.35f, 0.90f, 0.95f, 1};

/* Logical pixels. */
static const double cross_gap = 14, handle_radius = 5, bar_margin = 14, bar_tick = 6;

typedef struct ctgl_drawing {
  ctgl_shape *shapes;
  int count;
  double ratio;     /* device pixels per logical one */
  int line, border; /* widths of a line and of its casing, device pixels */
} ctgl_drawing;

static void add(ctgl_drawing *drawing, ctgl_shape shape) {
  if (drawing->count < CTGL_MOST_SHAPES) drawing->shapes[drawing->count++] = shape;
}

/* An upright box from its edges. */
static void add_box(ctgl_drawing *drawing, double left, double top, double right, double bottom, double stroke,
                    ctgl_colour colour) {
  if (right <= left || bottom <= top) return;
  add(drawing,
      (ctgl_shape){
          {(left + right) / 2, (top + bottom) / 2}, (right - left) / 2, (bottom - top) / 2, 1, 0, 0, stroke, colour});
}

static void add_cased_box(ctgl_drawing *drawing, double left, double top, double right, double bottom,
                          ctgl_colour colour) {
  if (right <= left || bottom <= top) return;
  const int b = drawing->border;
  add_box(drawing, left - b, top - b, right + b, bottom + b, 0, casing);
  add_box(drawing, left, top, right, bottom, 0, colour);
}

static void add_crosshair(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const double width = scene->camera.width, height = scene->camera.height;
  const ctgl_point cross = ctgl_world_to_screen(&scene->camera, scene->cross);
  if (!isfinite(cross.x) || !isfinite(cross.y)) return;
  const int line = drawing->line;
  const double left = floor(cross.x - (line - 1) / 2.0), top = floor(cross.y - (line - 1) / 2.0);
  const double gap = round(cross_gap * drawing->ratio);
  if (top > -line && top < height) {
    add_cased_box(drawing, 0, top, fmin(left - gap, width), top + line, scene->cross_horizontal);
    add_cased_box(drawing, fmax(left + line + gap, 0), top, width, top + line, scene->cross_horizontal);
  }
  if (left > -line && left < width) {
    add_cased_box(drawing, left, 0, left + line, fmin(top - gap, height), scene->cross_vertical);
    add_cased_box(drawing, left, fmax(top + line + gap, 0), left + line, height, scene->cross_vertical);
  }
}

static void add_line(ctgl_drawing *drawing, ctgl_point from, ctgl_point to, double width, ctgl_colour colour) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  if (!(length > 0)) return;
  add(drawing,
      (ctgl_shape){
          {(from.x + to.x) / 2, (from.y + to.y) / 2}, length / 2, width / 2, dx / length, dy / length, 0, 0, colour});
}

static void add_ring(ctgl_drawing *drawing, ctgl_point centre, double radius, double stroke, ctgl_colour colour) {
  add(drawing, (ctgl_shape){centre, radius, radius, 1, 0, radius, stroke, colour});
}

/* The first end is filled: there the profile's abscissa is 0. */
static void add_profile(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const ctgl_point from = ctgl_world_to_screen(&scene->camera, scene->profile_from);
  const ctgl_point to = ctgl_world_to_screen(&scene->camera, scene->profile_to);
  if (!isfinite(from.x) || !isfinite(from.y) || !isfinite(to.x) || !isfinite(to.y)) return;
  const double ratio = drawing->ratio, radius = handle_radius * ratio, width = 1.5 * ratio;
  const double length = hypot(to.x - from.x, to.y - from.y);
  const double of_world =
      hypot(scene->profile_to.x - scene->profile_from.x, scene->profile_to.y - scene->profile_from.y);
  if (scene->profile_width > 0 && of_world > 0)
    add_line(drawing, from, to, scene->profile_width * length / of_world, profile_band);
  if (length > 2 * radius) {
    const double ux = (to.x - from.x) / length * radius, uy = (to.y - from.y) / length * radius;
    const ctgl_point first = {from.x + ux, from.y + uy}, last = {to.x - ux, to.y - uy};
    add_line(drawing, first, last, width + 2 * ratio, casing);
    add_line(drawing, first, last, width, profile_colour);
  }
  add_ring(drawing, from, radius + ratio, 0, casing);
  add_ring(drawing, from, radius, 0, profile_colour);
  add_ring(drawing, to, radius + ratio, width + 2 * ratio, casing);
  add_ring(drawing, to, radius, width, profile_colour);
}

/* From border to border, but for the handles and a gap about the crosshair's middle. */
static void add_trace(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const ctgl_point at = ctgl_world_to_screen(&scene->camera, scene->trace_at);
  if (!isfinite(at.x) || !isfinite(at.y) || !(scene->trace_reach > 0)) return;
  const double ratio = drawing->ratio, radius = handle_radius * ratio, width = 1.5 * ratio;
  const double x = scene->trace_direction.x, y = -scene->trace_direction.y;
  const double handle = scene->trace_reach * scene->camera.zoom, gap = cross_gap * ratio;
  const double far = fmax(scene->camera.width, scene->camera.height) + hypot(at.x, at.y);
  for (int side = -1; side <= 1; side += 2) {
    const double pieces[2][2] = {{gap, handle - radius}, {handle + radius, far}};
    const ctgl_point end = {at.x + side * handle * x, at.y + side * handle * y};
    for (int n = 0; n < 2; n++) {
      if (pieces[n][1] <= pieces[n][0]) continue;
      const ctgl_point from = {at.x + side * pieces[n][0] * x, at.y + side * pieces[n][0] * y};
      const ctgl_point to = {at.x + side * pieces[n][1] * x, at.y + side * pieces[n][1] * y};
      add_line(drawing, from, to, width + 2 * ratio, casing);
      add_line(drawing, from, to, width, scene->trace_colour);
    }
    add_ring(drawing, end, radius + ratio, width + 2 * ratio, casing);
    add_ring(drawing, end, radius, width, scene->trace_colour);
  }
}

static void add_cased_line(ctgl_drawing *drawing, ctgl_point from, ctgl_point to, ctgl_colour colour) {
  const double width = 1.5 * drawing->ratio;
  add_line(drawing, from, to, width + 2 * drawing->ratio, casing);
  add_line(drawing, from, to, width, colour);
}

/* Every so many of its points, and the last. */
static void add_curve(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const int count = scene->curve_points, step = (count + CTGL_MOST_CURVE - 1) / CTGL_MOST_CURVE;
  for (int k = 0; k + 1 < count; k += step) {
    const ctgl_point from = ctgl_world_to_screen(&scene->camera, scene->curve[k]),
                     to = ctgl_world_to_screen(&scene->camera, scene->curve[k + step < count ? k + step : count - 1]);
    if (isfinite(from.x) && isfinite(from.y) && isfinite(to.x) && isfinite(to.y))
      add_cased_line(drawing, from, to, scene->curve_colour);
  }
}

static void add_ray(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const ctgl_point from = ctgl_world_to_screen(&scene->camera, scene->ray_from),
                   to = ctgl_world_to_screen(&scene->camera, scene->ray_to),
                   at = ctgl_world_to_screen(&scene->camera, scene->ray_at);
  if (!isfinite(from.x) || !isfinite(from.y) || !isfinite(to.x) || !isfinite(to.y)) return;
  add_cased_line(drawing, from, to, scene->ray_colour);
  if (!scene->ray_crosses || !isfinite(at.x) || !isfinite(at.y)) return;
  const double radius = handle_radius * drawing->ratio, width = 1.5 * drawing->ratio;
  add_ring(drawing, at, radius + drawing->ratio, width + 2 * drawing->ratio, casing);
  add_ring(drawing, at, radius, width, scene->ray_colour);
}

/* An outlined box between opposite corners, its line on the inside's rim. */
static void add_outline(ctgl_drawing *drawing, const ctgl_camera *camera, ctgl_point from, ctgl_point to,
                        ctgl_colour colour) {
  const ctgl_point a = ctgl_world_to_screen(camera, from), b = ctgl_world_to_screen(camera, to);
  if (!isfinite(a.x) || !isfinite(a.y) || !isfinite(b.x) || !isfinite(b.y)) return;
  const int line = drawing->line, border = drawing->border;
  const double left = floor(fmin(a.x, b.x)), top = floor(fmin(a.y, b.y));
  const double right = floor(fmax(a.x, b.x)) + line, bottom = floor(fmax(a.y, b.y)) + line;
  add_box(drawing, left, top, right, bottom, 0, (ctgl_colour){colour.r, colour.g, colour.b, 0.10f});
  add_box(drawing, left - border, top - border, right + border, bottom + border, line + 2 * border, casing);
  add_box(drawing, left, top, right, bottom, line, colour);
}

static void add_swipe(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const double width = scene->camera.width, height = scene->camera.height;
  const double edge = round(fmin(fmax(scene->swipe, 0), 1) * width);
  const double half = round(4 * drawing->ratio), tall = round(18 * drawing->ratio);
  add_cased_box(drawing, edge, 0, edge + drawing->line, height, white);
  /* A grip in the middle. */
  const ctgl_shape grip = {{edge + drawing->line / 2.0, round(height / 2)}, half, tall, 1, 0, half, 0, white};
  ctgl_shape shadow = grip;
  shadow.half_length += drawing->border;
  shadow.half_width += drawing->border;
  shadow.radius += drawing->border;
  shadow.colour = casing;
  add(drawing, shadow);
  add(drawing, grip);
}

static void add_scale_bar(ctgl_drawing *drawing, const ctgl_slice_scene *scene) {
  const double length = round(ctgl_scale_bar_length(&scene->camera) * scene->camera.zoom);
  const double margin = round(bar_margin * drawing->ratio), tick = round(bar_tick * drawing->ratio);
  const int line = drawing->line, border = drawing->border;
  const double right = scene->camera.width - margin, left = right - length, bottom = scene->camera.height - margin;
  if (length < 2 * line || left < 0 || bottom < tick) return;
  add_box(drawing, left - border, bottom - tick - border, left + line + border, bottom + border, 0, casing);
  add_box(drawing, right - line - border, bottom - tick - border, right + border, bottom + border, 0, casing);
  add_box(drawing, left + line + border, bottom - 2 * line - border, right - line - border, bottom + border, 0, casing);
  add_box(drawing, left, bottom - 2 * line, right, bottom, 0, white);
  add_box(drawing, left, bottom - tick, left + line, bottom - 2 * line, 0, white);
  add_box(drawing, right - line, bottom - tick, right, bottom - 2 * line, 0, white);
}

int ctgl_overlay_shapes(const ctgl_slice_scene *scene, ctgl_shape shapes[CTGL_MOST_SHAPES]) {
  const double ratio = scene->pixel_ratio > 0 ? scene->pixel_ratio : 1;
  const int unit = ratio < 1.5 ? 1 : (int)round(ratio);
  ctgl_drawing drawing = {shapes, 0, ratio, unit, unit};
  if (scene->crosshair) add_crosshair(&drawing, scene);
  if (scene->mode == CTGL_SHOW_SWIPE) add_swipe(&drawing, scene);
  if (scene->scale_bar) add_scale_bar(&drawing, scene);
  if (scene->trace) add_trace(&drawing, scene);
  if (scene->curve) add_curve(&drawing, scene);
  if (scene->ray) add_ray(&drawing, scene);
  if (scene->profile) add_profile(&drawing, scene);
  if (scene->rectangle)
    add_outline(&drawing, &scene->camera, scene->rectangle_from, scene->rectangle_to, rectangle_colour);
  if (scene->region) add_outline(&drawing, &scene->camera, scene->region_from, scene->region_to, white);
  if (scene->frame.a > 0) add_box(&drawing, 0, 0, scene->camera.width, scene->camera.height, unit, scene->frame);
  return drawing.count;
}
