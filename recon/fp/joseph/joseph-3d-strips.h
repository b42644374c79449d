/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strips: detector columns made ready for the way back, and strips that keep even and odd samples apart. In these,
 * eight positions that follow each other in steps below 1.85 lie within one vector of even and one of odd samples: two
 * permutes instead of four, and no choices between them. Vectors of 16 permute two registers at once and need no such
 * thing. */
#ifndef CT_FP_JOSEPH_3D_STRIPS_H
#define CT_FP_JOSEPH_3D_STRIPS_H

#include "recon/fp/joseph/joseph-3d-windows.h"

/* Zeros on either side of the even, and of the odd samples. */
enum { split_pad = CT_JOSEPH_PAD / 2 };

#if W == 8

/* Even and odd ones of 2 W samples. Left to itself, GCC takes four permutes across halves. */
CT_INLINE void split_pair(vf a, vf b, vf *even, vf *odd) {
#if CT_SIMD_PORTABLE
  *even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  *odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#else
  const vf low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
  *even = _mm256_shuffle_ps(low, high, 0x88);
  *odd = _mm256_shuffle_ps(low, high, 0xdd);
#endif
}

/* read_strips of split ones, `step` < 1.85. */
CT_INLINE void read_split(int count, int halves, const reading *r) {
  const double *first = r->first, *step = r->step;
  const float *const *fetch = r->fetch;
  const size_t half = r->half, half_out = r->half_out, half_fetch = r->half_fetch;
  const int to = r->to;
  float *out = r->out;
  vf ramp[CT_JOSEPH_SOURCES];
#pragma GCC unroll 4
  for (int s = 0; s < count; s++) ramp[s] = vset((float)(0.5 * step[s])) * vlane();
  for (int begin = r->from; begin < to; begin += block) {
    const int groups = to - begin < block ? to - begin : block;
    places p[CT_JOSEPH_SOURCES];
#pragma GCC unroll 4
    for (int s = 0; s < count; s++)
      find_places(0.5 * (first[s] + step[s] * (begin * W)), 0.5 * step[s], -split_pad, r->high / 2, &p[s]);
    for (int g = 0; g < groups; g++) {
      const int at = (begin + g) * W;
      vf sum[2] = {vload(out + at), halves == 2 ? vload(out + half_out + at) : vset(0)};
#pragma GCC unroll 4
      for (int s = 0; s < count; s++) {
        /* In pairs of samples: even sample m is nearest, odd sample q begins the pair. */
        const vf pair = ramp[s] + vset(p[s].fraction[g]);
        const vi q = vtrunc(pair), m = vtrunc(pair + vset(0.5f));
        const vf even = vabs(vfma(vset(2), pair - vfloat(q), vset(-1))), odd = vset(1) - even;
        const float *window = r->strips + (size_t)s * r->strip + split_pad + p[s].start[g];
#pragma GCC unroll 2
        for (int h = 0; h < halves; h++) {
          if (fetch) __builtin_prefetch(fetch[s] + (size_t)h * half_fetch + at);
          const vf evens = vload(window + (size_t)h * half), odds = vload(window + (size_t)h * half + half / 2);
          sum[h] = vfma(even, vlookup1(&evens, m), sum[h]);
          sum[h] = vfma(odd, vlookup1(&odds, q), sum[h]);
        }
      }
      vstore(out + at, sum[0]);
      if (halves == 2) vstore(out + half_out + at, sum[1]);
    }
  }
}

#endif

/* Views whose detector columns are in strips, and whether they are the first and the last of a product. */
typedef struct filled_views {
  const int *views;
  int count;
  const float *strips;
  bool begin, end;
} filled_views;

/* What lies beyond the mirror. */
static inline void ct_joseph_mirror_strip(const ct_joseph_fold *rows, float *strip) {
  float *upper = strip + CT_JOSEPH_PAD, *lower = upper + ct_joseph_strip_half(rows);
  if (rows->centred) lower[0] = upper[0];
  for (int n = 1; n <= CT_JOSEPH_PAD && n <= rows->stride; n++) {
    upper[-n] = lower[n - 1 + rows->centred];
    lower[-n] = upper[n - 1 + rows->centred];
  }
}

static inline void ct_joseph_mirror_split_strip(const ct_joseph_fold *rows, float *strip) {
  float *upper = strip, *lower = upper + ct_joseph_strip_half(rows);
  if (rows->centred) *ct_joseph_split_sample(rows, lower, 0) = *ct_joseph_split_sample(rows, upper, 0);
  for (int n = 1; n <= CT_JOSEPH_PAD && n <= rows->stride; n++) {
    const int from = n - 1 + rows->centred;
    *ct_joseph_split_sample(rows, upper, -n) = *ct_joseph_split_sample(rows, lower, from);
    *ct_joseph_split_sample(rows, lower, -n) = *ct_joseph_split_sample(rows, upper, from);
  }
}

/* A detector column times sqrt(flat + (shift + n slope)^2) of row n into a strip, with what lies beyond the mirror. */
static inline void ct_joseph_fill_strip(const ct_joseph *joseph, float flat, float shift, float slope, const float *y,
                                        float *strip) {
  const ct_joseph_fold *rows = &joseph->rows;
  const size_t half = ct_joseph_strip_half(rows);
  for (int h = 0; h < rows->halves; h++) {
    float *to = strip + (size_t)h * half;
    const float *from = y + h * rows->stride;
    if (joseph->split_rows) {
      float *even = to + split_pad, *odd = even + half / 2;
#pragma omp simd
      for (int n = 0; n < rows->stride / 2; n++) {
        const float rise0 = shift + (float)(2 * n) * slope, rise1 = shift + (float)(2 * n + 1) * slope;
        even[n] = from[2 * n] * sqrtf(flat + rise0 * rise0);
        odd[n] = from[2 * n + 1] * sqrtf(flat + rise1 * rise1);
      }
    } else {
#pragma omp simd
      for (int n = 0; n < rows->stride; n++) {
        const float rise = shift + (float)n * slope;
        to[CT_JOSEPH_PAD + n] = from[n] * sqrtf(flat + rise * rise);
      }
    }
  }
  if (rows->halves == 2) (joseph->split_rows ? ct_joseph_mirror_split_strip : ct_joseph_mirror_strip)(rows, strip);
}

#endif
