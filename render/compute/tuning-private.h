/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings that are best on a device, as far as they were searched for. */
#ifndef CTGL_COMPUTE_TUNING_PRIVATE_H
#define CTGL_COMPUTE_TUNING_PRIVATE_H

#include "render/compute/cone-private.h"
#include "render/compute/parallel-private.h"

/* Parallel beam is tuned for 1, 2 and 4 slices at a time. */
enum { CTGL_TUNED_SLICES = 3 };

/* What is asked for changes what is best: fetches cost half in half precision, the nearest pixel needs no arithmetic,
 * and four samples a pixel are read from the cache alone. */
typedef enum { CTGL_TUNED_LINEAR, CTGL_TUNED_HALF, CTGL_TUNED_NEAREST, CTGL_TUNED_OVERSAMPLED } ctgl_tuned_mode;
enum { CTGL_TUNED_MODES = 4 };

/* Oversampling is for parallel beam. */
static inline bool ctgl_tuned_for_cone(int mode) {
  return mode != CTGL_TUNED_OVERSAMPLED;
}

typedef struct ctgl_tuned {
  ctgl_cone_setting cone;
  ctgl_parallel_setting parallel[CTGL_TUNED_SLICES];
  double cone_gups, parallel_gups[CTGL_TUNED_SLICES]; /* 0: not measured, the setting is a guess */
} ctgl_tuned;

typedef struct ctgl_tuning {
  ctgl_tuned modes[CTGL_TUNED_MODES];
  int slices; /* at a time, chosen by hand: 1, 2, 4; 0: as pays */
} ctgl_tuning;

/* What is known to be good on most cards. */
ctgl_tuning ctgl_tuning_guess(void);
/* Of the device that a request names; see device.c. */
ctgl_tuning *ctgl_device_tuning(ct_bp_device *device);
/* The settings for a request; parallel beam: as many slices at a time as it has and as pay. */
const ctgl_cone_setting *ctgl_tuning_for_cone(const ctgl_tuning *tuning, const ct_bp_request *request);
const ctgl_parallel_setting *ctgl_tuning_for_parallel(const ctgl_tuning *tuning, const ct_bp_request *request);

#endif
