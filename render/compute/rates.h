/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the units of a graphics device do per second, each of them alone: the micro-benchmarks of Chilingaryan et al.
 * (2019), sections 3.4 and 3.7, for their Table 10. */
#ifndef CTGL_COMPUTE_RATES_H
#define CTGL_COMPUTE_RATES_H

#include "render/compute/device.h"

typedef struct ctgl_rate {
  const char *id, *title, *unit; /* "shared-64", "shared memory, 64-bit reads", "GB/s" */
  double each;                   /* of the unit, what one read or operation of a thread counts, times 1e9 */
  int operation;                 /* 1 .. 8 of rates.comp; 0: reads */
  int reads, words;              /* kinds of rates.comp; numbers of 32 bits (or 16, `half`) of a read */
  bool half, linear, curve;      /* of fetches from a texture */
  bool updates;                  /* of memory: read and written */
  size_t bytes;                  /* of memory, that are read over and over; 0: too much for any cache */
} ctgl_rate;

/* All of them; *count. */
const ctgl_rate *ctgl_rates(int *count);
const ctgl_rate *ctgl_rate_find(const char *id);

/* *per_second in the rate's unit, by the device's own clock, which ctgl_device_measure must have started: the best of
 * some runs of a few milliseconds. */
bool ctgl_rate_measure(ct_bp_device *device, const ctgl_rate *rate, double *per_second, ct_error **error);
/* Two kinds of operations, mixed one to one in every thread: the time of a pair over that of the slower of them alone.
 * 1: different units do them side by side; what the sum of their times gives: the same unit does both. */
bool ctgl_rate_measure_pair(ct_bp_device *device, const ctgl_rate *one, const ctgl_rate *other, double *times,
                            double *sum, ct_error **error);

#endif
