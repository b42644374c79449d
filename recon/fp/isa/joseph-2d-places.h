/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where W adjacent rays cross the rows of an image, and where W pixels side by side are seen: what the forms of the
 * projector joseph-2d have in common. */
#ifndef CT_FP_ISA_JOSEPH_2D_PLACES_H
#define CT_FP_ISA_JOSEPH_2D_PLACES_H

#include "recon/fp/isa/joseph-2d.h"

#include <math.h>

enum { block = 32, tile_rows = CT_J2D_TILE };

/* Rows first .. first + block - 1 of W rays. */
typedef struct places {
  int start[block];
  float fraction[block]; /* of lane 0 in its window */
  float height[block];   /* positions grow by this times `steps`; 1 in a parallel beam */
} places;

/* Of W rays, the group's lane `lane` on. */
typedef struct bundle {
  double a, b, h0, h1;
  vf steps;
  int mask; /* of windows' starts */
} bundle;

/* False where windows do not hold the positions. */
CT_INLINE bool find_rays(bool divergent, const ct_j2d_group *group, int lane, int first, int end, bundle *out) {
  double step = lane * group->d, d = group->d, span = (W - 1) * group->d;
  out->steps = vlane() * vset((float)d);
  if (divergent) {
    const double before = 1 + lane * group->g;
    const double h = fmax(fabs(group->h0 + group->h1 * first), fabs(group->h0 + group->h1 * (end - 1)));
    step = step / before, d = d / before;
    span = h * fabs((W - 1) * d / (before + (W - 1) * group->g));
    out->steps = vlane() * vset((float)(d / before)) / vfma(vlane(), vset((float)(group->g / before)), vset(1));
  }
  out->a = group->a + group->h0 * step, out->b = group->b + group->h1 * step;
  out->h0 = group->h0, out->h1 = group->h1;
  out->mask = span < 1.5 * W - 1.01 ? -(W / 2) : -1;
  return span < 2 * W - 2.01;
}

CT_INLINE void find_places(bool divergent, const bundle *rays, int first, int count, places *out) {
  const double a = rays->a, b = rays->b, h0 = rays->h0, h1 = rays->h1;
  const int mask = rays->mask;
  for (int part = 0; part < count; part += block / 2)
#pragma omp simd
    for (int n = part; n < part + block / 2; n++) {
      const double row = first + n, at = a + b * row;
      const int start = (int)floor(at) & mask;
      out->start[n] = start;
      out->fraction[n] = (float)(at - start);
      if (divergent) out->height[n] = (float)(h0 + h1 * row);
    }
}

/* W pixels of each row of a tile as seen by a source. */
typedef struct seen {
  const ct_j2d_source *source;
  int start[tile_rows];
  float at[tile_rows];      /* of lane 0 in its window */
  float slope, pitch, rest; /* per lane; of the rays, pixels; 1 - pitch */
} seen;

/* False where the tile lies beside all rays. */
CT_INLINE bool find_run(const ct_j2d_source *source, int column, int row, seen *out) {
  const double c = source->c0 + source->cl * column, step = source->cr;
  const double least = source->cl < 0 ? source->cl * (W - 1) : 0, low = -2 * W, high = source->count + W / 2;
  const double first = c + least + step * row, last = first + step * (tile_rows - 1);
  if ((first < -2 * W && last < -2 * W) || (first > source->count && last > source->count)) return false;
#pragma omp simd
  for (int n = 0; n < tile_rows; n++) {
    const double at = c + step * (row + n), below = at + least, above = below > low ? below : low;
    const int start = (int)floor(above < high ? above : high) & -(W / 2);
    out->start[n] = start;
    out->at[n] = (float)(at - start);
  }
  out->source = source;
  out->slope = (float)source->cl;
  out->pitch = source->alike;
  out->rest = 1 - source->alike;
  return true;
}

#endif
