/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shape of a phantom placed in the world (mm), ready for tests of points and rays. */
#ifndef CT_PHANTOM_PRIVATE_H
#define CT_PHANTOM_PRIVATE_H

#include "recon/fp/ray.h"
#include "recon/phantom/phantom.h"

typedef struct ct_placed {
  ct_shape_kind kind;
  ct_ray_frame frame;
  double centre[3], half[3]; /* mm */
  double phi, density;
} ct_placed;

/* The shape scaled by radius, its half sizes also by `growth` per axis of its own frame (NULL: 1). */
void ct_placed_init(ct_placed *placed, const ct_shape *shape, double radius, const double growth[3]);
bool ct_placed_contains(const ct_placed *placed, const double point[3]);
bool ct_placed_hit(const ct_placed *placed, const double point[3], const double direction[3], double *enter,
                   double *leave);

/* Whether a phantom, a radius, mu and sub make sense. */
bool ct_phantom_check(const ct_phantom *phantom, double radius, double mu, int sub, ct_error **error);

#endif
