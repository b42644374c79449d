/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines, dots and letters of the scene as triangles in clip coordinates. */
#ifndef CTGL_STROKES_PRIVATE_H
#define CTGL_STROKES_PRIVATE_H

#include "render/scene/orbit.h"
#include "render/scene/scene.h"

typedef struct ctgl_scene_vertex {
  float place[4], extra[4]; /* clip coordinates; colour, or place in a picture */
} ctgl_scene_vertex;

/* Triangles so far; ended with ctgl_strokes_clear. */
typedef struct ctgl_strokes {
  const ctgl_orbit *camera;
  double reach; /* of the scene from the camera's target, mm */
  double ratio; /* device pixels per logical one */
  ctgl_scene_vertex *vertices;
  size_t count, room;
  bool cut_short; /* memory was short: some are missing */
} ctgl_strokes;

void ctgl_strokes_clear(ctgl_strokes *strokes);
/* Widths, radii and sizes are in logical pixels. */
void ctgl_strokes_line(ctgl_strokes *strokes, const double from[3], const double to[3], double width,
                       ctgl_colour colour);
void ctgl_strokes_dashes(ctgl_strokes *strokes, const ctgl_segment *line, int dashes, double width, ctgl_colour colour);
/* A disc that faces the camera. */
void ctgl_strokes_dot(ctgl_strokes *strokes, const double at[3], double radius, ctgl_colour colour);
/* A line whose end is a point of an arrow. */
void ctgl_strokes_arrow(ctgl_strokes *strokes, const double from[3], const double to[3], double width,
                        ctgl_colour colour);
/* x, y or z, beside a point of the scene in the direction away from another. */
void ctgl_strokes_letter(ctgl_strokes *strokes, char letter, const double at[3], const double away_from[3], double size,
                         ctgl_colour colour);
/* A box in device pixels from the upper left corner, before all else. */
void ctgl_strokes_box(ctgl_strokes *strokes, double left, double top, double right, double bottom, ctgl_colour colour);

/* strokes-of-scene.c: the scene's lines in three parts, which end at these counts: those that are hidden by what is
 * before them, those that shine through it, and those over all. */
typedef struct ctgl_stroke_parts {
  size_t hidden, shining, over;
} ctgl_stroke_parts;
ctgl_stroke_parts ctgl_strokes_of_scene(ctgl_strokes *strokes, const ctgl_scene *scene, bool scale_bar);
/* The frame of a slice, in the colour of its plane. */
void ctgl_strokes_frame(ctgl_strokes *strokes, const ctgl_corners *corners, ctgl_colour colour);

#endif
