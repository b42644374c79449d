/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several of the processor's back-projection kernels need beyond support.h. */
#ifndef CT_BP_SUPPORT_PRIVATE_H
#define CT_BP_SUPPORT_PRIVATE_H

#include "recon/bp/support.h"

/* The loops of the highest usable level for samples as the precision keeps them. */
const void *ct_bp_loops(const ct_bp_kernel *kernel, ct_precision precision);

/* What kernels of parallel beam that interleave slices accept: a detector line that is the same for a whole slice. */
bool ct_bp_accepts_untilted(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);

/* The row below position v of a detector of nv rows, where v lies above -1 and below nv: -1 .. nv - 1. What is positive
 * is truncated to its floor; just below nv the sum rounds up. */
static inline int ct_bp_row_below(double v, int nv) {
  const int row = (int)(v + 1) - 1;
  return row < nv ? row : nv - 1;
}

#endif
