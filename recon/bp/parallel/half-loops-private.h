/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of parallel beam in half precision with wide vectors (half.c). */
#ifndef CT_BP_PARALLEL_HALF_LOOPS_PRIVATE_H
#define CT_BP_PARALLEL_HALF_LOOPS_PRIVATE_H

#include "recon/bp/kernels-private.h"
#include "recon/bp/parallel/parallel-private.h"

typedef struct ct_half_loops {
  ct_parallel_add *add;
} ct_half_loops;

CT_SIMD_DECLARE(ct_half_loops, ct_half_loops);

#endif
