/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of all GPU kernels. */
#ifndef CTGL_COMPUTE_KERNELS_PRIVATE_H
#define CTGL_COMPUTE_KERNELS_PRIVATE_H

#include "recon/bp/kernel.h"

enum { CTGL_CONE_KERNELS = 22 };
extern const ct_bp_kernel ctgl_bp_cone[CTGL_CONE_KERNELS];

enum { CTGL_PARALLEL_KERNELS = 28 };
extern const ct_bp_kernel ctgl_bp_parallel[CTGL_PARALLEL_KERNELS];

enum { CTGL_TUNED_KERNELS = 2 };
extern const ct_bp_kernel ctgl_bp_tuned[CTGL_TUNED_KERNELS];

#endif
