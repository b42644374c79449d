/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reconstructions run on: kernels, projectors and the graphics device. The processor alone, a device
 * (render/compute), or both joined (app). A value; what it points to outlives it. */
#ifndef CT_SOLVE_BACKEND_H
#define CT_SOLVE_BACKEND_H

#include "recon/bp/kernel.h"
#include "recon/fp/projector.h"

typedef struct ct_backend {
  ct_bp_table kernels;
  ct_projector_table projectors; /* besides the processor's, which always serve */
  ct_bp_device *device;          /* for the requests; NULL: none */
} ct_backend;

/* The processor alone. */
static inline ct_backend ct_backend_of_processor(void) {
  return (ct_backend){.kernels = ct_bp_cpu_kernels()};
}

#endif
