/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blurs of an image [nv][nu], separable, the border pixels going on beyond it. */
#ifndef CT_PHANTOM_BLUR_PRIVATE_H
#define CT_PHANTOM_BLUR_PRIVATE_H

#include <stdbool.h>

/* Taps of the longest kernel: 2 CT_BLUR_REACH + 1. */
enum { CT_BLUR_REACH = 200 };

typedef struct ct_blur {
  int reach;
  double taps[2 * CT_BLUR_REACH + 1]; /* add up to 1 */
} ct_blur;

/* A Gaussian of this standard deviation, and a box of this width, in px, each averaged over pixels; what lies beyond
 * CT_BLUR_REACH is left out. */
ct_blur ct_blur_gaussian(double deviation);
ct_blur ct_blur_box(double width);
/* `line` has room for max(nu, nv) + 2 CT_BLUR_REACH numbers. */
void ct_blur_apply(const ct_blur *along_u, const ct_blur *along_v, float *image, int nu, int nv, double *line);
/* Three running means, each of 2 half + 1 pixels: close to a Gaussian, at a cost that does not grow with it. */
void ct_blur_wide(float *image, int nu, int nv, int half_u, int half_v, double *line);

#endif
