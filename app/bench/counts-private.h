/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an update costs: arithmetic and traffic with the first-level cache, counted in the innermost loops. */
#ifndef GANTRY_BENCH_COUNTS_PRIVATE_H
#define GANTRY_BENCH_COUNTS_PRIVATE_H

#include "recon/bp/kernel.h"

/* Of one update of one voxel by one view, with linear interpolation where the kernel has that. flops: additions and
 * products, a fused one being two, and divisions; where samples are kept as integers, these are integer operations for
 * the most part. bytes: loaded and stored. */
typedef struct bench_count {
  double flops, bytes;
} bench_count;

/* Of the request's batch, the views that one sweep of the kernel over the volume takes. */
int bench_pass_views(const ct_bp_kernel *kernel, const ct_bp_request *request);
/* False: the kernel's loops are not counted. */
bool bench_count_of(const ct_bp_kernel *kernel, const ct_bp_request *request, bench_count *count);

#endif
