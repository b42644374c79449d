/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of several graphics devices (ctgl_device_next) that make one volume together. */
#ifndef CTGL_COMPUTE_TOGETHER_PRIVATE_H
#define CTGL_COMPUTE_TOGETHER_PRIVATE_H

#include "recon/bp/kernel.h"

enum { CTGL_MOST_TOGETHER = 16 }; /* devices */

typedef struct ctgl_together_kernel {
  ct_bp_kernel kernel; /* the first member: what is given out */
  const ct_bp_kernel *inner;
} ctgl_together_kernel;

/* The kernel as one of all devices of the request's. Each makes a share of the slices, as nearly equal as groups of
 * four slices allow, from the detector rows of all views that see them: what one device alone would make of them. */
ctgl_together_kernel ctgl_together(const ct_bp_kernel *kernel);
/* How many rows from *row0 on the n-th share's device gets; 0: there is no such share. */
int ctgl_together_rows(ct_bp_state *state, int n, int *row0);

#endif
