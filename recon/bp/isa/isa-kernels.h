/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of this folder at the level being compiled; kernels-private.h declares them for the table. */
#ifndef CT_BP_ISA_KERNELS_H
#define CT_BP_ISA_KERNELS_H

#include "recon/bp/isa/isa.h"
#include "recon/bp/kernels-private.h"

#include <omp.h>

static inline int ct_team_thread(void) {
  return omp_get_thread_num();
}

#endif
