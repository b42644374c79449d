/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays against unit shapes. Roots are taken about the point of the ray nearest to the shape's centre, not from
 * b^2 - 4ac: with a source a thousand radii away the latter would lose six digits, the cross product three. */
#include "recon/fp/ray.h"

#include <math.h>

void ct_ray_frame_init(ct_ray_frame *frame, const double centre[3], const double half[3], double phi) {
  for (int i = 0; i < 3; i++) {
    frame->centre[i] = centre[i];
    frame->inverse_half[i] = 1.0 / half[i];
  }
  frame->cosine = cos(phi);
  frame->sine = sin(phi);
}

void ct_ray_frame_direction(const ct_ray_frame *frame, const double direction[3], double local[3]) {
  local[0] = (frame->cosine * direction[0] + frame->sine * direction[1]) * frame->inverse_half[0];
  local[1] = (frame->cosine * direction[1] - frame->sine * direction[0]) * frame->inverse_half[1];
  local[2] = direction[2] * frame->inverse_half[2];
}

void ct_ray_frame_point(const ct_ray_frame *frame, const double point[3], double local[3]) {
  const double offset[3] = {point[0] - frame->centre[0], point[1] - frame->centre[1], point[2] - frame->centre[2]};
  ct_ray_frame_direction(frame, offset, local);
}

/* From d.d, p.d and the square of p x d: the ray's distance from the centre is |p x d| / |d|, so that rays that miss
 * cost no division. */
static bool round_hit(double dd, double pd, double cross, double *enter, double *leave) {
  const double room = dd - cross;
  if (!(room >= 0)) return false;
  const double inverse = 1 / dd, nearest = -pd * inverse, half = sqrt(room) * inverse;
  *enter = nearest - half;
  *leave = nearest + half;
  return true;
}

/* Narrows [*enter, *leave] to |x| <= 1 along one coordinate. */
static bool slab_hit(double point, double direction, double *enter, double *leave) {
  if (direction == 0) return fabs(point) <= 1;
  const double s = (-1 - point) / direction, t = (1 - point) / direction;
  *enter = fmax(*enter, fmin(s, t));
  *leave = fmin(*leave, fmax(s, t));
  return *enter <= *leave;
}

bool ct_ray_ball(const double p[3], const double d[3], double *enter, double *leave) {
  const double x = p[1] * d[2] - p[2] * d[1], y = p[2] * d[0] - p[0] * d[2], z = p[0] * d[1] - p[1] * d[0];
  return round_hit(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], p[0] * d[0] + p[1] * d[1] + p[2] * d[2],
                   x * x + y * y + z * z, enter, leave);
}

bool ct_ray_cylinder(const double p[3], const double d[3], double *enter, double *leave) {
  const double dd = d[0] * d[0] + d[1] * d[1], z = p[0] * d[1] - p[1] * d[0];
  if (dd > 0) {
    if (!round_hit(dd, p[0] * d[0] + p[1] * d[1], z * z, enter, leave)) return false;
  } else { /* along the axis: inside all the way, or never */
    if (!(p[0] * p[0] + p[1] * p[1] <= 1)) return false;
    *enter = -INFINITY;
    *leave = INFINITY;
  }
  return slab_hit(p[2], d[2], enter, leave);
}

bool ct_ray_box(const double point[3], const double direction[3], double *enter, double *leave) {
  *enter = -INFINITY;
  *leave = INFINITY;
  for (int i = 0; i < 3; i++)
    if (!slab_hit(point[i], direction[i], enter, leave)) return false;
  return true;
}

/* Narrows [*enter, *leave] to where room + s less >= 0. */
static bool side_hit(double room, double less, double *enter, double *leave) {
  if (less == 0) return room >= 0;
  const double s = -room / less;
  if (less > 0)
    *enter = fmax(*enter, s);
  else
    *leave = fmin(*leave, s);
  return *enter <= *leave;
}

bool ct_ray_wedge(const double p[3], const double d[3], double *enter, double *leave) {
  *enter = -INFINITY;
  *leave = INFINITY;
  return slab_hit(p[0], d[0], enter, leave) && slab_hit(p[2], d[2], enter, leave) &&
         side_hit(0.5 * (1 + p[0]) - p[1], 0.5 * d[0] - d[1], enter, leave) &&
         side_hit(0.5 * (1 + p[0]) + p[1], 0.5 * d[0] + d[1], enter, leave);
}
