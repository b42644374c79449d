/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Density at a point and line integrals of a phantom: sums over its shapes, each exact to rounding. */
#include "recon/phantom/phantom-private.h"

#include <math.h>

#define LARGEST_SUB 64

void ct_placed_init(ct_placed *placed, const ct_shape *shape, double radius, const double growth[3]) {
  placed->kind = shape->kind;
  placed->phi = shape->phi;
  placed->density = shape->density;
  for (int i = 0; i < 3; i++) {
    placed->centre[i] = shape->centre[i] * radius;
    placed->half[i] = shape->half[i] * radius * (growth ? growth[i] : 1);
  }
  ct_ray_frame_init(&placed->frame, placed->centre, placed->half, placed->phi);
}

bool ct_placed_contains(const ct_placed *placed, const double point[3]) {
  double p[3];
  ct_ray_frame_point(&placed->frame, point, p);
  switch (placed->kind) {
  case CT_SHAPE_ELLIPSOID:
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= 1;
  case CT_SHAPE_CYLINDER:
    return p[0] * p[0] + p[1] * p[1] <= 1 && fabs(p[2]) <= 1;
  case CT_SHAPE_BOX:
    return fabs(p[0]) <= 1 && fabs(p[1]) <= 1 && fabs(p[2]) <= 1;
  case CT_SHAPE_WEDGE:
    return fabs(p[0]) <= 1 && fabs(p[1]) <= 0.5 * (1 + p[0]) && fabs(p[2]) <= 1;
  }
  return false;
}

bool ct_placed_hit(const ct_placed *placed, const double point[3], const double direction[3], double *enter,
                   double *leave) {
  double p[3], d[3];
  ct_ray_frame_point(&placed->frame, point, p);
  ct_ray_frame_direction(&placed->frame, direction, d);
  switch (placed->kind) {
  case CT_SHAPE_ELLIPSOID:
    return ct_ray_ball(p, d, enter, leave);
  case CT_SHAPE_CYLINDER:
    return ct_ray_cylinder(p, d, enter, leave);
  case CT_SHAPE_BOX:
    return ct_ray_box(p, d, enter, leave);
  case CT_SHAPE_WEDGE:
    return ct_ray_wedge(p, d, enter, leave);
  }
  return false;
}

bool ct_phantom_check(const ct_phantom *phantom, double radius, double mu, int sub, ct_error **error) {
  if (!(radius > 0) || !isfinite(radius))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The radius of the phantom must be a positive number of mm, not %g.",
                        radius);
  if (!isfinite(mu))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The attenuation of density 1 must be a number (1/mm), not %g.", mu);
  if (sub < 1 || sub > LARGEST_SUB)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The sub-sampling of a phantom must lie in 1..%d, not at %d.",
                        LARGEST_SUB, sub);
  return true;
}

double ct_phantom_density(const ct_phantom *phantom, const double point[3]) {
  double density = 0;
  for (size_t i = 0; i < phantom->count; i++) {
    ct_placed placed;
    ct_placed_init(&placed, &phantom->shapes[i], 1, NULL);
    if (ct_placed_contains(&placed, point)) density += placed.density;
  }
  return density;
}

double ct_phantom_line_integral(const ct_phantom *phantom, double radius, const double point[3],
                                const double direction[3]) {
  double sum = 0;
  for (size_t i = 0; i < phantom->count; i++) {
    ct_placed placed;
    double enter, leave;
    ct_placed_init(&placed, &phantom->shapes[i], radius, NULL);
    if (ct_placed_hit(&placed, point, direction, &enter, &leave)) sum += placed.density * (leave - enter);
  }
  return sum;
}
