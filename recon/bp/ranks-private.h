/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the table of ranks tells the lists of kernels. */
#ifndef CT_BP_RANKS_PRIVATE_H
#define CT_BP_RANKS_PRIVATE_H

#include "recon/bp/kernel.h"

/* Whether its rank hangs on the class of the problem: it is what `auto` takes for some. */
bool ct_bp_is_ranked_by_class(const ct_bp_kernel *kernel);

#endif
