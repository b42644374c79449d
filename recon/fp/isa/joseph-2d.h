/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vector code of the projector joseph-2d at the level being compiled; joseph-2d-kernels.c gathers it. Positions
 * that 16 adjacent rays (or pixels) have in a row ascend in steps below 2: they lie within two vectors from the first
 * one's place on, which are loaded, and each position picks its two neighbours by register permutes. Starts of windows
 * are made in double precision; they are put on half vectors where that fits, so that fewer loads cross cache lines. */
#ifndef CT_FP_ISA_JOSEPH_2D_H
#define CT_FP_ISA_JOSEPH_2D_H

#include "recon/fp/isa/isa.h"
#include "recon/simd/vector.h"
#include "recon/fp/joseph-2d-private.h"

extern ct_j2d_forward CT_ISA_SYMBOL(ct_j2d_forward), CT_ISA_SYMBOL(ct_j2d_pair), CT_ISA_SYMBOL(ct_j2d_pairs2),
    CT_ISA_SYMBOL(ct_j2d_pairs4);
extern ct_j2d_back CT_ISA_SYMBOL(ct_j2d_back), CT_ISA_SYMBOL(ct_j2d_back_pair), CT_ISA_SYMBOL(ct_j2d_back_pairs2),
    CT_ISA_SYMBOL(ct_j2d_back_pairs4);
extern ct_j2d_back_places CT_ISA_SYMBOL(ct_j2d_back_places);
extern ct_j2d_back_row CT_ISA_SYMBOL(ct_j2d_back_row);
extern ct_j2d_fan CT_ISA_SYMBOL(ct_j2d_fan);
extern ct_j2d_slices CT_ISA_SYMBOL(ct_j2d_slices);
extern ct_j2d_eights_spread CT_ISA_SYMBOL(ct_j2d_eights_spread);
extern ct_j2d_eights_forward CT_ISA_SYMBOL(ct_j2d_eights_forward);
extern ct_j2d_eights_back CT_ISA_SYMBOL(ct_j2d_eights_back);

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
#ifdef CT_SIMD_PORTABLE
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
