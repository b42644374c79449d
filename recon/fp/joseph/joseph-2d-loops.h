/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the loops of the projector joseph-2d share, for the variant being compiled. Positions
 * that 16 adjacent rays (or pixels) have in a row ascend in steps below 2: they lie within two vectors from the first
 * one's place on, which are loaded, and each position picks its two neighbours by register permutes. Starts of windows
 * are made in double precision; they are put on half vectors where that fits, so that fewer loads cross cache lines. */
#ifndef CT_FP_JOSEPH_2D_LOOPS_H
#define CT_FP_JOSEPH_2D_LOOPS_H

#include "recon/simd/vector.h"
#include "recon/fp/joseph/joseph-2d-private.h"

typedef lanes lanes_anywhere __attribute__((aligned(4), may_alias));

/* Index and fraction of positions >= 0. */
CT_INLINE vi vsplit(vf at, vf *fraction) {
  const vi index = vtrunc(at);
  *fraction = at - vfloat(index);
  return index;
}

CT_INLINE void vload_window(const float *from, vf window[2]) {
  window[0] = vload(from);
  window[1] = vload(from + W);
}

/* The larger of a and 0. Compilers take the portable form apart where it stands alone in a loop, but not a mask. */
CT_INLINE vf vpositive(vf a) {
#if CT_SIMD_PORTABLE
  return (vf)((lanes)a & (lanes)(a > vset(0)));
#else
  return vmax(a, vset(0));
#endif
}

/* Entries of a window counted from its end. */
CT_INLINE vi vfrom_end(vi index) {
  return (vi)((lanes)viset(2 * W - 1) - (lanes)index);
}

#endif
