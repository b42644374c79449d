/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of GPU kernels. */
#include "render/compute/device.h"
#include "render/compute/kernels-private.h"

static const ct_bp_kernel *const gpu_kernels[] = {
    &ctgl_bp_cone[0],
    &ctgl_bp_cone[1],
    &ctgl_bp_cone[2],
    &ctgl_bp_cone[3],
    &ctgl_bp_cone[4],
    &ctgl_bp_cone[5],
    &ctgl_bp_cone[6],
    &ctgl_bp_cone[7],
    &ctgl_bp_cone[8],
    &ctgl_bp_cone[9],
    &ctgl_bp_cone[10],
    &ctgl_bp_cone[11],
    &ctgl_bp_cone[12],
    &ctgl_bp_cone[13],
    &ctgl_bp_cone[14],
};

ct_bp_table ctgl_bp_kernels(ct_bp_device *device) {
  return (ct_bp_table){gpu_kernels, sizeof gpu_kernels / sizeof *gpu_kernels, device};
}
