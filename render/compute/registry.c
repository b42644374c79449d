/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of GPU kernels and projectors. */
#include "render/compute/device.h"
#include "render/compute/kernels-private.h"
#include "render/compute/projectors-private.h"
#include "render/compute/together-private.h"

#include <pthread.h>

/* clang-format off */
static const ct_bp_kernel *const gpu_kernels[] = {
    &ctgl_bp_cone[0], &ctgl_bp_cone[1], &ctgl_bp_cone[2], &ctgl_bp_cone[3],
    &ctgl_bp_cone[4], &ctgl_bp_cone[5], &ctgl_bp_cone[6], &ctgl_bp_cone[7],
    &ctgl_bp_cone[8], &ctgl_bp_cone[9], &ctgl_bp_cone[10], &ctgl_bp_cone[11],
    &ctgl_bp_cone[12], &ctgl_bp_cone[13], &ctgl_bp_cone[14], &ctgl_bp_cone[15],
    &ctgl_bp_cone[16], &ctgl_bp_cone[17], &ctgl_bp_cone[18], &ctgl_bp_cone[19],
    &ctgl_bp_cone[20], &ctgl_bp_cone[21],
    &ctgl_bp_parallel[0], &ctgl_bp_parallel[1], &ctgl_bp_parallel[2], &ctgl_bp_parallel[3],
    &ctgl_bp_parallel[4], &ctgl_bp_parallel[5], &ctgl_bp_parallel[6], &ctgl_bp_parallel[7],
    &ctgl_bp_parallel[8], &ctgl_bp_parallel[9], &ctgl_bp_parallel[10], &ctgl_bp_parallel[11],
    &ctgl_bp_parallel[12], &ctgl_bp_parallel[13], &ctgl_bp_parallel[14], &ctgl_bp_parallel[15],
    &ctgl_bp_parallel[16], &ctgl_bp_parallel[17], &ctgl_bp_parallel[18], &ctgl_bp_parallel[19],
    &ctgl_bp_parallel[20], &ctgl_bp_parallel[21], &ctgl_bp_parallel[22], &ctgl_bp_parallel[23],
    &ctgl_bp_parallel[24], &ctgl_bp_parallel[25], &ctgl_bp_parallel[26], &ctgl_bp_parallel[27],
    &ctgl_bp_tuned[0], &ctgl_bp_tuned[1],
};
/* clang-format on */
_Static_assert(sizeof gpu_kernels / sizeof *gpu_kernels ==
                   CTGL_CONE_KERNELS + CTGL_PARALLEL_KERNELS + CTGL_TUNED_KERNELS,
               "all kernels");

static const ct_projector *const gpu_projectors[] = {&ctgl_projector_joseph,    &ctgl_projector_matrix[0],
                                                     &ctgl_projector_matrix[1], &ctgl_projector_matrix[2],
                                                     &ctgl_projector_matrix[3], &ctgl_projector_merge};
_Static_assert(sizeof gpu_projectors / sizeof *gpu_projectors == 2 + CTGL_MATRIX_PROJECTORS, "all projectors");

enum { KERNELS = sizeof gpu_kernels / sizeof *gpu_kernels };
static ctgl_together_kernel joint[KERNELS];
static const ct_bp_kernel *joint_kernels[KERNELS];
static pthread_once_t joined = PTHREAD_ONCE_INIT;

static void join(void) {
  for (int n = 0; n < KERNELS; n++) {
    joint[n] = ctgl_together(gpu_kernels[n]);
    joint_kernels[n] = &joint[n].kernel;
  }
}

ct_backend ctgl_backend(ct_bp_device *device) {
  const bool several = device && ctgl_device_next(device);
  if (several) pthread_once(&joined, join);
  return (ct_backend){.kernels = {several ? joint_kernels : gpu_kernels, KERNELS},
                      .projectors = {gpu_projectors, sizeof gpu_projectors / sizeof *gpu_projectors},
                      .device = device};
}
