/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounding of positions as nearest.h tells, in vectors: compiled with the loops that use it. */
#ifndef CT_BP_NEAREST_VECTOR_H
#define CT_BP_NEAREST_VECTOR_H

#include "recon/bp/nearest.h"
#include "recon/simd/vector.h"

/* Positions of small magnitude. size: of a step, in pixels, 1 / steps; 0: as they are. A branch that always goes one
 * way costs next to nothing; of loops for both cases compilers would make too many. */
CT_INLINE vf ct_vnearest(float size, vf position) {
  int any = size > 0;
  CT_OWN_REGISTER(any);
  if (!any) return position;
  const vf rounder = vset(CT_ROUNDER * size);
  return position + vset((float)CT_BP_TIE * size) + rounder - rounder;
}

#endif
