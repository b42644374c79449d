/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time that a device's own clock gives its back-projecting and its filtering dispatches: a timestamp before and one
 * behind each, read when they have long been there, so that the card never waits for being measured. What lies between
 * dispatches (uploads, the making of sinograms, read-backs) does not count. */
#ifndef CTGL_COMPUTE_METER_PRIVATE_H
#define CTGL_COMPUTE_METER_PRIVATE_H

#include "render/gl.h"

/* Dispatches on their way at a time; the pace keeps to two. */
enum { CTGL_METER_PAIRS = 16 };

typedef enum { CTGL_METER_ADDING, CTGL_METER_FILTERING, CTGL_METERED } ctgl_metered;

typedef struct ctgl_meter {
  bool on;
  bool flushes; /* a software renderer sees the time only when told to work */
  GLuint stamps[CTGL_METER_PAIRS][2];
  ctgl_metered kinds[CTGL_METER_PAIRS];
  int next, waiting;            /* pair of the next dispatch; pairs not read yet, the oldest first */
  double seconds[CTGL_METERED]; /* of those read */
} ctgl_meter;

/* All while the device is entered. False: the device has no clock. */
bool ctgl_meter_start(ctgl_meter *meter, bool software);
void ctgl_meter_stop(ctgl_meter *meter);
/* Around a dispatch. */
void ctgl_meter_begin(ctgl_meter *meter, ctgl_metered kind);
void ctgl_meter_end(ctgl_meter *meter);
/* Seconds of all dispatches of a kind since the last taking; waits for them. */
double ctgl_meter_take(ctgl_meter *meter, ctgl_metered kind);

#endif
