/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Siddon's model (Med. Phys. 12, 252, 1985): the length of the ray in each pixel. Between two borders of the major axis
 * the ray moves by at most one pixel along the minor axis, so that it meets one pixel or two. */
#include "recon/fp/model/ray-model-private.h"

#include <math.h>

void ct_model_siddon_lines(ct_model_ray *ray) {
  const double half = 0.5 * fabs(ray->middle.q);
  ray->low = ray->high = ray->middle;
  ray->low.p += 0.5 - half + CT_MODEL_REACH;
  ray->high.p += 0.5 + half - CT_MODEL_REACH;
}

void ct_model_siddon_weights(const ct_model_ray *ray, const ct_model_runs *runs, float *weights) {
  const double half = 0.5 * fabs(ray->middle.q), top = ray->minors;
  for (int s = runs->from; s < runs->to; s++) {
    if (!runs->count[s]) continue;
    const int a = ct_model_floor(ray->low.p + ray->low.q * s, top),
              b = ct_model_floor(ray->high.p + ray->high.q * s, top);
    /* The part in the first of two; along a border (b < a) both have half. */
    const double start = ray->middle.p + ray->middle.q * s - half;
    const double part = a == b ? 1 : b < a ? 0.5 : (a + 0.5 - start) / (2 * half);
    const double both[2] = {ray->step * part, ray->step * (1 - part)};
    const int skip = runs->first[s] - (a < b ? a : b);
    for (int k = 0; k < runs->count[s]; k++) *weights++ = (float)both[skip + k];
  }
}
