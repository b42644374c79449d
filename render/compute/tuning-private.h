/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings that are best on a device, as far as they were searched for. */
#ifndef CTGL_COMPUTE_TUNING_PRIVATE_H
#define CTGL_COMPUTE_TUNING_PRIVATE_H

#include "render/compute/cone-private.h"
#include "render/compute/parallel-private.h"

/* Parallel beam is tuned for 1, 2 and 4 slices at a time. */
enum { CTGL_TUNED_SLICES = 3 };

typedef struct ctgl_tuning {
  ctgl_cone_setting cone;
  ctgl_parallel_setting parallel[CTGL_TUNED_SLICES];
  double cone_gups, parallel_gups[CTGL_TUNED_SLICES]; /* 0: not measured, the setting is a guess */
} ctgl_tuning;

/* What is known to be good on most cards. */
ctgl_tuning ctgl_tuning_guess(void);
/* Of the device that a request names; see device.c. */
ctgl_tuning *ctgl_device_tuning(ct_bp_device *device);
/* The parallel setting for a request: as many slices at a time as it has and as pay. */
const ctgl_parallel_setting *ctgl_tuning_for_slices(const ctgl_tuning *tuning, int slices);

#endif
