/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Separable blurs, line by line. */
#include "recon/phantom/blur-private.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static ct_blur finish(ct_blur blur) {
  double sum = 0;
  for (int n = 0; n <= 2 * blur.reach; n++) sum += blur.taps[n];
  for (int n = 0; n <= 2 * blur.reach; n++) blur.taps[n] /= sum;
  return blur;
}

static int reach_of(double px) {
  return (int)fmin(fmax(ceil(px), 0), CT_BLUR_REACH);
}

ct_blur ct_blur_gaussian(double deviation) {
  ct_blur blur = {.reach = deviation > 0 ? reach_of(4 * deviation + 0.5) : 0};
  for (int n = -blur.reach; n <= blur.reach; n++)
    blur.taps[n + blur.reach] =
        blur.reach ? erf((n + 0.5) / (M_SQRT2 * deviation)) - erf((n - 0.5) / (M_SQRT2 * deviation)) : 1;
  return finish(blur);
}

ct_blur ct_blur_box(double width) {
  ct_blur blur = {.reach = width > 0 ? reach_of(0.5 * width) : 0};
  for (int n = -blur.reach; n <= blur.reach; n++)
    blur.taps[n + blur.reach] = blur.reach ? fmax(fmin(n + 0.5, 0.5 * width) - fmax(n - 0.5, -0.5 * width), 0) : 1;
  return finish(blur);
}

/* A line of `count` pixels, `step` apart, with its ends repeated `reach` times. */
static void take(const float *pixels, int count, ptrdiff_t step, int reach, double *line) {
  for (int n = -reach; n < count + reach; n++) line[n + reach] = pixels[step * (n < 0 ? 0 : n < count ? n : count - 1)];
}

static void blur_line(const ct_blur *blur, float *pixels, int count, ptrdiff_t step, double *line) {
  take(pixels, count, step, blur->reach, line);
  for (int n = 0; n < count; n++) {
    double sum = 0;
    for (int k = 0; k <= 2 * blur->reach; k++) sum += blur->taps[k] * line[n + k];
    pixels[step * n] = (float)sum;
  }
}

void ct_blur_apply(const ct_blur *along_u, const ct_blur *along_v, float *image, int nu, int nv, double *line) {
  if (along_u->reach)
    for (int v = 0; v < nv; v++) blur_line(along_u, image + (ptrdiff_t)v * nu, nu, 1, line);
  if (along_v->reach && nv > 1)
    for (int u = 0; u < nu; u++) blur_line(along_v, image + u, nv, nu, line);
}

static void mean_line(float *pixels, int count, ptrdiff_t step, int half, double *line) {
  take(pixels, count, step, half, line);
  double sum = 0;
  for (int k = 0; k < 2 * half; k++) sum += line[k];
  for (int n = 0; n < count; n++) {
    sum += line[n + 2 * half];
    pixels[step * n] = (float)(sum / (2 * half + 1));
    sum -= line[n];
  }
}

void ct_blur_wide(float *image, int nu, int nv, int half_u, int half_v, double *line) {
  half_u = half_u < CT_BLUR_REACH ? half_u : CT_BLUR_REACH;
  half_v = half_v < CT_BLUR_REACH ? half_v : CT_BLUR_REACH;
  for (int pass = 0; pass < 3; pass++) {
    if (half_u > 0)
      for (int v = 0; v < nv; v++) mean_line(image + (ptrdiff_t)v * nu, nu, 1, half_u, line);
    if (half_v > 0 && nv > 1)
      for (int u = 0; u < nu; u++) mean_line(image + u, nv, nu, half_v, line);
  }
}
