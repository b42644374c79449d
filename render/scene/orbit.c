/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orbiting camera. In its own axes a point p is at e = (p - target) . (right, up, back); with perspective its eye
 * is `distance` before the target, and lengths shrink by distance / (distance - e_back). */
#include "render/scene/orbit.h"

#include <math.h>

/* Half of the angle of view: small, so that lengths at different depths may still be compared. */
static const double half_angle = 12 * M_PI / 180;
/* What comes nearer to the eye than this share of the distance is not drawn. */
static const double nearest = 0.02;
/* Part of the viewport that a fitted scene leaves free. */
static const double fit_margin = 0.04;

void ctgl_orbit_look(ctgl_orbit *orbit, ctgl_look look) {
  static const double angles[CTGL_LOOKS][2] = {{0, 0}, {90, 0}, {0, 90}, {35, 25}};
  orbit->azimuth = angles[look][0] * M_PI / 180;
  orbit->elevation = angles[look][1] * M_PI / 180;
  orbit->perspective = look == CTGL_LOOK_CORNER;
}

static double distance_of(const ctgl_orbit *orbit) {
  return fmin(orbit->width, orbit->height) / (2 * tan(half_angle) * orbit->zoom);
}

void ctgl_orbit_axes(const ctgl_orbit *orbit, double right[3], double up[3], double back[3]) {
  const double ca = cos(orbit->azimuth), sa = sin(orbit->azimuth), ce = cos(orbit->elevation),
               se = sin(orbit->elevation);
  const double r[3] = {ca, sa, 0}, u[3] = {-sa * se, ca * se, ce}, b[3] = {sa * ce, -ca * ce, se};
  for (int i = 0; i < 3; i++) right[i] = r[i], up[i] = u[i], back[i] = b[i];
}

void ctgl_orbit_fit(ctgl_orbit *orbit, const double centre[3], double radius) {
  for (int i = 0; i < 3; i++) orbit->target[i] = centre[i];
  const double side = (1 - fit_margin) * fmin(orbit->width, orbit->height);
  orbit->zoom = radius > 0 && side > 0 ? side / (2 * radius) : 1;
  /* A sphere looks larger from near: the tangent to it, not its radius, is seen. */
  if (orbit->perspective) orbit->zoom *= cos(half_angle);
}

/* With perspective the extent depends on where the middle lies: some rounds settle it. */
void ctgl_orbit_fit_points(ctgl_orbit *orbit, const double (*points)[3], int count) {
  double middle[3] = {0}, radius = 0;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 3; i++) middle[i] += points[k][i] / count;
  for (int k = 0; k < count; k++)
    radius = fmax(radius, sqrt(pow(points[k][0] - middle[0], 2) + pow(points[k][1] - middle[1], 2) +
                               pow(points[k][2] - middle[2], 2)));
  ctgl_orbit_fit(orbit, middle, radius);
  for (int round = 0; round < 6 && radius > 0; round++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < count; k++) {
      ctgl_point at;
      if (!ctgl_orbit_project(orbit, points[k], &at)) continue;
      low[0] = fmin(low[0], at.x), high[0] = fmax(high[0], at.x);
      low[1] = fmin(low[1], at.y), high[1] = fmax(high[1], at.y);
    }
    if (!(high[0] > low[0] || high[1] > low[1])) return;
    ctgl_orbit_pan(orbit, orbit->width / 2.0 - (low[0] + high[0]) / 2, orbit->height / 2.0 - (low[1] + high[1]) / 2);
    orbit->zoom *= (1 - 2 * fit_margin) *
                   fmin(orbit->width / fmax(high[0] - low[0], 1), orbit->height / fmax(high[1] - low[1], 1));
  }
}

void ctgl_orbit_turn(ctgl_orbit *orbit, double azimuth, double elevation) {
  orbit->azimuth = remainder(orbit->azimuth + azimuth, 2 * M_PI);
  orbit->elevation = fmin(fmax(orbit->elevation + elevation, -M_PI / 2), M_PI / 2);
  orbit->perspective = true;
}

void ctgl_orbit_pan(ctgl_orbit *orbit, double right, double down) {
  double r[3], u[3], b[3];
  ctgl_orbit_axes(orbit, r, u, b);
  for (int i = 0; i < 3; i++) orbit->target[i] += (down * u[i] - right * r[i]) / orbit->zoom;
}

void ctgl_orbit_zoom(ctgl_orbit *orbit, double x, double y, double factor) {
  const double before = orbit->zoom;
  orbit->zoom *= factor;
  const double dx = x - orbit->width / 2.0, dy = y - orbit->height / 2.0;
  const double kept = orbit->zoom / before - 1;
  ctgl_orbit_pan(orbit, -dx * kept, -dy * kept);
}

static double eye_of(const ctgl_orbit *orbit, const double point[3], double eye[3]) {
  double axes[3][3];
  ctgl_orbit_axes(orbit, axes[0], axes[1], axes[2]);
  for (int k = 0; k < 3; k++) {
    eye[k] = 0;
    for (int i = 0; i < 3; i++) eye[k] += axes[k][i] * (point[i] - orbit->target[i]);
  }
  return orbit->perspective ? 1 - eye[2] / distance_of(orbit) : 1;
}

void ctgl_orbit_clip(const ctgl_orbit *orbit, double reach, const double point[3], double clip[4]) {
  double eye[3];
  clip[3] = eye_of(orbit, point, eye);
  clip[0] = 2 * orbit->zoom * eye[0] / orbit->width;
  clip[1] = 2 * orbit->zoom * eye[1] / orbit->height;
  if (orbit->perspective) {
    const double whole = distance_of(orbit), near = fmax(whole - reach, nearest * whole), far = whole + reach;
    clip[2] = ((far + near) * clip[3] * whole - 2 * far * near) / ((far - near) * whole);
  } else {
    clip[2] = -eye[2] / reach;
  }
}

bool ctgl_orbit_project(const ctgl_orbit *orbit, const double point[3], ctgl_point *screen) {
  double clip[4];
  ctgl_orbit_clip(orbit, 1, point, clip);
  if (clip[3] < nearest) return false;
  screen->x = orbit->width * (1 + clip[0] / clip[3]) / 2;
  screen->y = orbit->height * (1 - clip[1] / clip[3]) / 2;
  return true;
}

void ctgl_orbit_sight(const ctgl_orbit *orbit, double x, double y, double from[3], double to[3]) {
  double right[3], up[3], back[3];
  const double across = (x - orbit->width / 2.0) / orbit->zoom, above = (orbit->height / 2.0 - y) / orbit->zoom;
  const double whole = distance_of(orbit);
  ctgl_orbit_axes(orbit, right, up, back);
  for (int i = 0; i < 3; i++) {
    const double at = orbit->target[i] + across * right[i] + above * up[i];
    from[i] = orbit->perspective ? orbit->target[i] + whole * back[i] : at + 1000 * whole * back[i];
    to[i] = at;
  }
}

double ctgl_orbit_bar_length(const ctgl_orbit *orbit) {
  const ctgl_camera flat = {.width = orbit->width, .height = orbit->height, .zoom = orbit->zoom};
  return ctgl_scale_bar_length(&flat);
}
