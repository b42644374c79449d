/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines show a scene, and in which colours. */
#include "render/scene/strokes-private.h"

#include <math.h>

static const ctgl_colour box_colour = {0.56f, 0.56f, 0.56f, 1}, letter_colour = {0.95f, 0.95f, 0.95f, 1},
                         detector_colour = {0.85f, 0.85f, 0.85f, 1}, beam_colour = {0.98f, 0.86f, 0.45f, 0.30f},
                         source_colour = {1.00f, 0.82f, 0.30f, 1}, path_colour = {0.98f, 0.82f, 0.40f, 0.65f},
                         axis_colour = {0.92f, 0.92f, 0.92f, 0.9f}, field_colour = {0.36f, 0.82f, 0.86f, 0.75f},
                         ray_colour = {1.00f, 0.93f, 0.62f, 1}, pointed_colour = {0.95f, 0.55f, 0.95f, 1},
                         shadow_colour = {1.00f, 0.48f, 0.36f, 0.8f}, covered_colour = {0.48f, 0.80f, 0.45f, 0.8f},
                         casing = {0, 0, 0, 0.6f};
enum { FIELD_SIDES = 72 };

static void add_box(ctgl_strokes *strokes, const ctgl_scene *scene) {
  const double *ends[2] = {scene->low, scene->high};
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < 4; k++) {
      double from[3], to[3];
      for (int i = 0; i < 3; i++) from[i] = to[i] = ends[i == (axis + 1) % 3 ? k & 1 : k >> 1][i];
      from[axis] = scene->low[axis];
      to[axis] = scene->high[axis];
      ctgl_strokes_line(strokes, from, to, 1, box_colour);
    }
}

/* Arrows that go on along three edges of the box, with their letters. */
static void add_letters(ctgl_strokes *strokes, const ctgl_scene *scene) {
  for (int axis = 0; axis < 3; axis++) {
    double from[3] = {scene->low[0], scene->low[1], scene->low[2]}, to[3] = {from[0], from[1], from[2]};
    from[axis] = scene->high[axis];
    to[axis] = scene->high[axis] + 0.22 * scene->reach;
    ctgl_strokes_arrow(strokes, from, to, 1.25, letter_colour);
    ctgl_strokes_letter(strokes, "xyz"[axis], to, from, 8, letter_colour);
  }
}

static void add_loop(ctgl_strokes *strokes, const double (*points)[3], int count, double width, ctgl_colour colour) {
  for (int k = 0; k < count; k++) ctgl_strokes_line(strokes, points[k], points[(k + 1) % count], width, colour);
}

static void add_field(ctgl_strokes *strokes, const ctgl_scene *scene) {
  if (!scene->has_axis || !(scene->field > 0)) return;
  for (int k = 0; k < FIELD_SIDES; k++) {
    const double here = 2 * M_PI * k / FIELD_SIDES, next = 2 * M_PI * (k + 1) / FIELD_SIDES;
    double at[4][3];
    for (int n = 0; n < 4; n++) ctgl_scene_field_point(scene, n / 2, n % 2 ? next : here, at[n]);
    ctgl_strokes_line(strokes, at[0], at[1], 1.25, field_colour);
    ctgl_strokes_line(strokes, at[2], at[3], 1.25, field_colour);
    if (k % (FIELD_SIDES / 4) == 0) ctgl_strokes_line(strokes, at[0], at[2], 1, field_colour);
  }
}

/* A double cone about the crosshair. */
static void add_shadow(ctgl_strokes *strokes, const ctgl_scene *scene) {
  const int half = scene->shadow_count / 2;
  for (int k = 0; k < scene->shadow_count; k++) {
    const ctgl_segment *line = &scene->shadow_edges[k], *next = &scene->shadow_edges[k / half * half + (k + 1) % half];
    if (k % 3 == 0) ctgl_strokes_line(strokes, line->from, line->to, 1, shadow_colour);
    ctgl_strokes_line(strokes, line->to, next->to, 1.25, shadow_colour);
  }
}

/* Roof and floor of what all views see, cones about the axis. */
static void add_covered(ctgl_strokes *strokes, const ctgl_scene *scene) {
  for (int end = 0; scene->is_cone && end < 2; end++) {
    const double tip[3] = {0, 0, scene->covered_axis[end]};
    for (int k = 0; k < FIELD_SIDES; k++) {
      double at[2][3];
      for (int n = 0; n < 2; n++) {
        const double angle = 2 * M_PI * (k + n) / FIELD_SIDES;
        at[n][0] = scene->field * cos(angle);
        at[n][1] = scene->field * sin(angle);
        at[n][2] = scene->covered_edge[end];
      }
      ctgl_strokes_line(strokes, at[0], at[1], 1.25, covered_colour);
      if (k % (FIELD_SIDES / 8) == 0) ctgl_strokes_line(strokes, at[0], tip, 1, covered_colour);
    }
  }
}

static void add_gantry(ctgl_strokes *strokes, const ctgl_scene *scene) {
  for (int k = 0; k < 4; k++) ctgl_strokes_line(strokes, scene->beam[k].from, scene->beam[k].to, 1, beam_colour);
  add_loop(strokes, scene->corners, 4, 1.5, detector_colour);
  for (int k = 0; k < scene->path_segments; k++) {
    const ctgl_segment *s = &scene->path[k];
    if (s->from[0] == s->to[0] && s->from[1] == s->to[1] && s->from[2] == s->to[2])
      ctgl_strokes_dot(strokes, s->from, 1.5, path_colour);
    else
      ctgl_strokes_line(strokes, s->from, s->to, 1.25, path_colour);
  }
}

/* A source, or where the beam of parallel rays comes in; and which way it goes on. */
static void add_source(ctgl_strokes *strokes, const ctgl_scene *scene) {
  double middle[3], to[3];
  for (int i = 0; i < 3; i++) {
    middle[i] =
        scene->detector.spreads ? scene->detector.source[i] : (scene->beam[0].from[i] + scene->beam[2].from[i]) / 2;
    to[i] = middle[i] + 0.16 * scene->radius * scene->heading[i];
  }
  if (scene->detector.spreads) {
    ctgl_strokes_dot(strokes, middle, 6.5, casing);
    ctgl_strokes_dot(strokes, middle, 5.5, source_colour);
  } else {
    double entry[4][3];
    for (int k = 0; k < 4; k++)
      for (int i = 0; i < 3; i++) entry[k][i] = scene->beam[k].from[i];
    add_loop(strokes, entry, 4, 1.5, source_colour);
  }
  ctgl_strokes_arrow(strokes, middle, to, 2, source_colour);
}

static void add_ray(ctgl_strokes *strokes, const ctgl_scene_ray *ray, const double *through, ctgl_colour colour) {
  ctgl_strokes_line(strokes, ray->line.from, ray->line.to, 1.75, colour);
  ctgl_strokes_dot(strokes, ray->line.to, 4.5, casing);
  ctgl_strokes_dot(strokes, ray->line.to, 3.5, colour);
  if (!through) return;
  ctgl_strokes_dot(strokes, through, 4.5, casing);
  ctgl_strokes_dot(strokes, through, 3.5, colour);
}

/* As in the slices: lower right, above the labels' line. */
static void add_scale_bar(ctgl_strokes *strokes) {
  const ctgl_orbit *camera = strokes->camera;
  const double ratio = strokes->ratio, length = round(ctgl_orbit_bar_length(camera) * camera->zoom);
  const double right = camera->width - round(12 * ratio), left = right - length;
  const double bottom = camera->height - round(12 * ratio), line = round(fmax(1, 1 * ratio)), tick = round(7 * ratio);
  if (left < 0 || bottom < tick) return;
  ctgl_strokes_box(strokes, left - line, bottom - tick - line, right + line, bottom + line, casing);
  ctgl_strokes_box(strokes, left, bottom - 2 * line, right, bottom, letter_colour);
  ctgl_strokes_box(strokes, left, bottom - tick, left + line, bottom, letter_colour);
  ctgl_strokes_box(strokes, right - line, bottom - tick, right, bottom, letter_colour);
}

void ctgl_strokes_frame(ctgl_strokes *strokes, const ctgl_corners *corners, ctgl_colour colour) {
  add_loop(strokes, corners->at, 4, 1.5, colour);
}

ctgl_stroke_parts ctgl_strokes_of_scene(ctgl_strokes *strokes, const ctgl_scene *scene, bool scale_bar) {
  ctgl_stroke_parts parts;
  add_box(strokes, scene);
  add_letters(strokes, scene);
  add_field(strokes, scene);
  add_covered(strokes, scene);
  add_gantry(strokes, scene);
  parts.hidden = strokes->count;
  if (scene->has_axis) ctgl_strokes_dashes(strokes, &scene->axis, 17, 1.5, axis_colour);
  add_shadow(strokes, scene);
  add_ray(strokes, &scene->ray, scene->cross, ray_colour);
  if (scene->is_pointing) add_ray(strokes, &scene->pointed, NULL, pointed_colour);
  add_source(strokes, scene);
  parts.shining = strokes->count;
  if (scale_bar) add_scale_bar(strokes);
  parts.over = strokes->count;
  return parts;
}
