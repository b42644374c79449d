/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The camera of the scene: it looks at a point of the world from a direction given by two angles, +z upwards. From
 * azimuth 0 it looks along +y, as at a coronal picture (x to the right), from 90 degrees along -x, as at a sagittal one
 * (y to the right); from an elevation of 90 degrees at azimuth 0 down -z, as at an axial one (x right, y up). */
#ifndef CTGL_ORBIT_H
#define CTGL_ORBIT_H

#include "render/slice-renderer.h"

typedef struct ctgl_orbit {
  int width, height;         /* of the viewport, device pixels */
  double target[3];          /* mm, seen in the middle of the viewport */
  double azimuth, elevation; /* radians */
  double zoom;               /* device pixels per mm at the target */
  bool perspective;          /* else lengths are the same at every depth */
} ctgl_orbit;

typedef enum { CTGL_LOOK_FRONT, CTGL_LOOK_SIDE, CTGL_LOOK_TOP, CTGL_LOOK_CORNER, CTGL_LOOKS } ctgl_look;
/* Turns the camera; the straight ones are without perspective. */
void ctgl_orbit_look(ctgl_orbit *orbit, ctgl_look look);
/* Shows a sphere whole. */
void ctgl_orbit_fit(ctgl_orbit *orbit, const double centre[3], double radius);
/* Shows all of these points, as large as they go. */
void ctgl_orbit_fit_points(ctgl_orbit *orbit, const double (*points)[3], int count);
/* By angles, radians; the elevation stays between straight down and straight up. */
void ctgl_orbit_turn(ctgl_orbit *orbit, double azimuth, double elevation);
/* The scene follows the pointer by so many device pixels, right and down. */
void ctgl_orbit_pan(ctgl_orbit *orbit, double right, double down);
/* By a factor; what lies in the target's plane under (x, y), device pixels from the upper left, stays there. */
void ctgl_orbit_zoom(ctgl_orbit *orbit, double x, double y, double factor);

/* Unit vectors to the right and up on the screen, and towards the camera. */
void ctgl_orbit_axes(const ctgl_orbit *orbit, double right[3], double up[3], double back[3]);
/* Clip coordinates (x, y, z, w) of a world point, for a scene that reaches `reach` mm from the target. */
void ctgl_orbit_clip(const ctgl_orbit *orbit, double reach, const double point[3], double clip[4]);
/* Where a point is drawn, device pixels from the upper left corner; false where it lies behind the camera. */
bool ctgl_orbit_project(const ctgl_orbit *orbit, const double point[3], ctgl_point *screen);
/* The line of sight through device pixels from the upper left corner: from the eye (far before the scene without
 * perspective) to a point behind the target's plane. */
void ctgl_orbit_sight(const ctgl_orbit *orbit, double x, double y, double from[3], double to[3]);
/* A round length of about a fifth of the viewport, mm, as it is seen at the target. */
double ctgl_orbit_bar_length(const ctgl_orbit *orbit);

#endif
