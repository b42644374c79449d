/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the projection and the back-projection along z share: tiles of 16 x 16 voxel columns, where a detector column's
 * line meets the planes of a tile, and windows. W positions that follow each other in even steps lie within one, two or
 * four vectors from the first one's place on: these are loaded, and each position picks its samples by register
 * permutes instead of gathers. Starts of windows are made in double precision, positions in them are exact to 2e-6. */
#ifndef CT_FP_JOSEPH_3D_WINDOWS_H
#define CT_FP_JOSEPH_3D_WINDOWS_H

#include "recon/simd/vector.h"
#include "recon/fp/joseph/joseph-3d-private.h"

#include <math.h>

enum { tile_side = 16, block = 8 };

/* fmin and fmax are calls where a number may be none. */
CT_INLINE double lesser(double a, double b) {
  return a < b ? a : b;
}
CT_INLINE double greater(double a, double b) {
  return a > b ? a : b;
}

/* Where W positions each begin. */
typedef struct places {
  int start[block];      /* of the window, samples from the run's sample 0 */
  float fraction[block]; /* of the first position in it */
} places;

/* Positions first + n W step, n = 0 .. block - 1 (step > 0). Those before `low` or behind all of `high` samples read
 * zeros, wherever in the border their window is put. */
CT_INLINE void find_places(double first, double step, double low, int high, places *out) {
  const double stride = step * W;
#pragma omp simd
  for (int g = 0; g < block; g++) {
    const double at = first + g * stride, whole = floor(at), above = whole > low ? whole : low;
    out->fraction[g] = (float)(at - whole);
    out->start[g] = (int)(above < high ? above : high);
  }
}

/* Vectors of a window that holds W positions and `more` samples behind each one's first; 0: more than four. */
CT_INLINE int windows_for(double step, int more) {
  const double last = (W - 1) * step + more + 1e-3;
  return last < W - 1 ? 1 : last < 2 * W - 1 ? 2 : last < 4 * W - 1 ? 4 : 0;
}

/* A window's vectors in registers: without the barrier GCC loads them again for every permute, which overwrite one. */
CT_INLINE void load_window(int windows, const float *from, vf *table) {
#pragma GCC unroll 4
  for (int w = 0; w < windows; w++) {
    table[w] = vload(from + w * W);
#if !CT_SIMD_PORTABLE
    CT_IN_REGISTER(table[w]);
#endif
  }
}

/* What is read from strips into a run `out` of samples n, vectors from .. to - 1 of each half: strip s at its places
 * first[s] + n step[s]. Strips lie `strip` floats apart, their halves `half`, all of them `high` samples long. `fetch`
 * (may be NULL): a voxel column for each strip that is wanted soon. */
typedef struct reading {
  const float *strips;
  size_t strip, half;
  const double *first, *step;
  int high, from, to;
  float *out;
  size_t half_out;
  const float *const *fetch;
  size_t half_fetch;
} reading;

CT_INLINE void read_strips(int count, int halves, int windows, const reading *r) {
  const double *first = r->first, *step = r->step;
  const float *const *fetch = r->fetch;
  const size_t half = r->half, half_out = r->half_out, half_fetch = r->half_fetch;
  const int to = r->to;
  float *out = r->out;
  vf ramp[CT_JOSEPH_SOURCES];
#pragma GCC unroll 4
  for (int s = 0; s < count; s++) ramp[s] = vset((float)step[s]) * vlane();
  for (int begin = r->from; begin < to; begin += block) {
    const int groups = to - begin < block ? to - begin : block;
    places p[CT_JOSEPH_SOURCES];
#pragma GCC unroll 4
    for (int s = 0; s < count; s++)
      find_places(first[s] + step[s] * (begin * W), step[s], -CT_JOSEPH_PAD, r->high, &p[s]);
    for (int g = 0; g < groups; g++) {
      const int at = (begin + g) * W;
      vf sum[2] = {vload(out + at), halves == 2 ? vload(out + half_out + at) : vset(0)};
#pragma GCC unroll 4
      for (int s = 0; s < count; s++) {
        const vf position = ramp[s] + vset(p[s].fraction[g]);
        const vi index = vtrunc(position), above = viadd(index, viset(1));
        const vf fraction = position - vfloat(index), rest = vset(1) - fraction;
        const float *window = r->strips + (size_t)s * r->strip + CT_JOSEPH_PAD + p[s].start[g];
#pragma GCC unroll 2
        for (int h = 0; h < halves; h++) {
          vf table[4];
          if (fetch) __builtin_prefetch(fetch[s] + (size_t)h * half_fetch + at);
          load_window(windows, window + (size_t)h * half, table);
          sum[h] = vfma(rest, vlookup(windows, table, index), sum[h]);
          sum[h] = vfma(fraction, vlookup(windows, table, above), sum[h]);
        }
      }
      vstore(out + at, sum[0]);
      if (halves == 2) vstore(out + half_out + at, sum[1]);
    }
  }
}

/* The planes of a tile as a line meets them. */
typedef struct meets {
  ptrdiff_t column0[tile_side], column1[tile_side]; /* floats from the image's beginning to both voxel columns */
  float weight0[tile_side], weight1[tile_side];
  double slope[tile_side], shift[tile_side];
} meets;

/* Planes `from` on; columns outside low <= column < high weigh nothing. */
CT_INLINE void find_meets(const ct_joseph *joseph, const ct_joseph_ray *ray, int from, int low, int high, meets *out) {
  const ptrdiff_t column = (ptrdiff_t)joseph->column, row = (ptrdiff_t)joseph->image_row;
  const ptrdiff_t ahead = ray->axis ? row : column, across = ray->axis ? column : row;
  const double minor = ray->minor, minor_step = ray->minor_step, slope = ray->slope, slope_step = ray->slope_step;
  const double shift = ray->shift, shift_step = ray->shift_step;
#pragma omp simd
  for (int n = 0; n < tile_side; n++) {
    const double plane = from + n, at = minor + plane * minor_step, whole = floor(at), fraction = at - whole;
    const int near = (int)whole, far = near + 1;
    const int near_in = (near >= low) & (near < high), far_in = (far >= low) & (far < high);
    out->weight0[n] = near_in ? (float)(1 - fraction) : 0;
    out->weight1[n] = far_in ? (float)fraction : 0;
    out->column0[n] = (from + n) * ahead + (near_in ? near : low) * across;
    out->column1[n] = (from + n) * ahead + (far_in ? far : low) * across;
    out->slope[n] = slope + plane * slope_step;
    out->shift[n] = shift + plane * shift_step;
  }
}

/* The columns u whose rays pass between two points of voxel indices, with one to spare; all, where that is not so. */
CT_INLINE void between(const double m[12], double i, double j, double *least, double *most) {
  const double w = m[8] * i + m[9] * j + m[11], u = (m[0] * i + m[1] * j + m[3]) / w;
  *least = w > 0 && u < *least ? u : w > 0 ? *least : -INFINITY;
  *most = w > 0 && u > *most ? u : w > 0 ? *most : INFINITY;
}

CT_INLINE void clip_columns(double least, double most, int *first, int *end) {
  *first = least - 1 > *first ? (int)lesser(least - 1, *end) : *first;
  *end = most + 2 < *end ? (int)greater(most + 2, *first) : *end;
}

#endif
