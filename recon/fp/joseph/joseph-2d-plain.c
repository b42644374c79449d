/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's model ray by ray and pixel by pixel, for what vectors are not made for: rays two pixels apart and more, a
 * source between the rows of the image, adjacent rays much closer than a pixel in a fan. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <math.h>

static float between(const float *row, int along, double at) {
  if (!(at > -1 && at < along)) return 0;
  const int k = (int)(at + 1) - 1;
  const float f = (float)(at - k);
  return (1 - f) * row[k] + f * row[k + 1];
}

void ct_j2d_plain_forward(const ct_j2d_group *group, int first, int end, const ct_j2d_sheet *sheet) {
  for (int l = 0; l < group->lanes; l++) {
    const double step = l * group->d / (1 + l * group->g);
    const double a = group->a + group->h0 * step, b = group->b + group->h1 * step;
    for (int m = 0; m < sheet->members; m++) {
      double straight = 0, mirrored = 0;
      for (int j = first; j < end; j++) {
        const float *row = sheet->from[m] + j * sheet->stride[m];
        const double at = a + b * j;
        const float *other = sheet->paired && sheet->members == 1 ? sheet->behind - j * sheet->stride[0] : row;
        straight += (double)between(row, sheet->along, at);
        if (sheet->paired) mirrored += (double)between(other, sheet->along, sheet->along - 1 - at);
      }
      sheet->straight[m][group->ray + l] += (float)straight;
      if (sheet->paired) sheet->mirrored[m][group->ray + l] += (float)mirrored;
    }
  }
}

/* Rays from `t` on, up (step 1) or down (-1), for as long as they are nearer than a pixel; nearly along the detector,
 * where their density grows faster than their distance, others may follow that are again. */
static double walk(const ct_j2d_source *source, double c, double w, int t, int step) {
  double sum = 0;
  for (; t >= 0 && t < source->count; t += step) {
    const double density = fabs(source->r0 + source->r1 * t), weight = density - fabs(t - c) * w;
    if (weight <= 0 && w >= fabs(source->r1)) break;
    if (weight > 0) sum += weight * (double)source->straight[0][t];
  }
  return sum;
}

void ct_j2d_plain_fan(const ct_j2d_source *source, int first, int end, int row, int lanes, float *to) {
  for (int i = first; i < end; i++)
    for (int l = 0; l < lanes; l++, to++) {
      const double w = source->w0 + source->wl * i + source->wr * (row + l),
                   c = (source->c0 + source->cl * i + source->cr * (row + l)) / w;
      if (!(fabs(c) < INFINITY)) continue;
      const double below = fmax(fmin(floor(c), source->count - 1), -1);
      *to += (float)(walk(source, c, fabs(w), (int)below, -1) + walk(source, c, fabs(w), (int)below + 1, 1));
    }
}
