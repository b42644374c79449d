/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a ray meets in A and B: values along it and their integral, beside what its pixel measured. */
#pragma once

#include "recon/metric/ray.h"
#include "ui/display.h"

G_BEGIN_DECLS

enum { GANTRY_RAY_OF_A, GANTRY_RAY_OF_B, GANTRY_RAY_SIDES };

typedef struct {
  GantryRay ray;
  double measured; /* line integral, without a unit; NAN: not known */
  /* count 0: nothing is known of that side. step: mm. */
  ct_ray_profile sides[GANTRY_RAY_SIDES];
} GantryRayValues;

static inline gboolean gantry_ray_equal(const GantryRay *a, const GantryRay *b) {
  return a->view == b->view && a->uv[0] == b->uv[0] && a->uv[1] == b->uv[1];
}

G_END_DECLS
