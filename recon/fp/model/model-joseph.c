/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's model (IEEE Trans. Med. Imaging 1, 192, 1982): at every step the ray lies between two pixels of the minor
 * axis, which get the linear weights 1 - |x - m| times the length of the step. */
#include "recon/fp/model/ray-model-private.h"

#include <math.h>

/* Pixels nearer than 1: above x - 1 and below x + 1. */
void ct_model_joseph_lines(ct_model_ray *ray) {
  ray->low = ray->high = ray->middle;
  ray->low.p += CT_MODEL_REACH;
  ray->high.p += 1 - CT_MODEL_REACH;
}

void ct_model_joseph_weights(const ct_model_ray *ray, const ct_model_runs *runs, float *weights) {
  const double p = ray->middle.p, q = ray->middle.q, step = ray->step;
  for (int s = runs->from; s < runs->to; s++) {
    const double x = p + q * s - runs->first[s];
    weights[0] = (float)(step * (1 - fabs(x)));
    weights[1] = (float)(step * (1 - fabs(x - 1)));
    weights += runs->count[s];
  }
}
