/* SPDX-License-Identifier: GPL-3.0-or-later */
/* W voxels of a line that runs steeply across the detector's lines, or over too many samples for a window: each reads
 * pairs of neighbouring samples, one from either line, as numbers of eight bytes (of four, where samples have two).
 * Plain loads, joined in registers: they take as long however steep the line is, and from about six detector lines on
 * less than windows do. */
#ifndef CT_BP_WINDOW_LINE_PAIRS_H
#define CT_BP_WINDOW_LINE_PAIRS_H

#include "recon/bp/window/line.h"

/* Segments whose places are stored before they are read one by one. */
enum { paired_segments = 8 };

/* Two samples side by side, anywhere; and as many pairs as a vector holds. */
typedef double sample_pair __attribute__((aligned(4), may_alias));
typedef double vpairs __attribute__((vector_size(4 * W)));

typedef struct pairs {
  int at[paired_segments * W]; /* from the segment's corner */
  float a[paired_segments * W], b[paired_segments * W], weight[paired_segments * W];
} pairs;

#if defined(CT_BP_SAMPLE_FLOAT16) || defined(CT_BP_SAMPLE_INT16)
CT_INLINE vf load_pairs(const ct_sample *row, const int *at) {
  typedef int32_t short_pair __attribute__((aligned(2), may_alias));
  int32_t words[W / 2];
  for (int l = 0; l < W / 2; l++) words[l] = *(const short_pair *)(row + at[l]);
  return vsample((const ct_sample *)(const void *)words);
}
#else
CT_INLINE vf load_pairs(const ct_sample *row, const int *at) {
#define PAIR(l) *(const sample_pair *)(row + at[l])
#if W == 16
  return (vf)(vpairs){PAIR(0), PAIR(1), PAIR(2), PAIR(3), PAIR(4), PAIR(5), PAIR(6), PAIR(7)};
#else
  return (vf)(vpairs){PAIR(0), PAIR(1), PAIR(2), PAIR(3)};
#endif
#undef PAIR
}
#endif

CT_INLINE vf lerp_pairs(vf first, vf second, vf fraction) {
  const vf low = veven(first, second);
  return vfma(fraction, vodd(first, second) - low, low);
}

/* Between a row and the next one. */
CT_INLINE vf value_of_pairs(const ct_sample *row, ptrdiff_t pitch, const int *at, vf a, vf b) {
  const vf near0 = load_pairs(row, at), far0 = load_pairs(row + pitch, at);
  const vf near1 = load_pairs(row, at + W / 2), far1 = load_pairs(row + pitch, at + W / 2);
  const vf near = lerp_pairs(near0, near1, a);
  return vfma(b, lerp_pairs(far0, far1, a) - near, near);
}

#endif
