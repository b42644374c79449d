/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps dispatches short: the desktop draws between them, no watchdog fires, and a cancel is soon answered. Work is cut into
 * units (layers of work groups, say); the pace learns from fences how many fit the time, and keeps two dispatches on
 * their way so that the card does not wait. */
#ifndef CTGL_COMPUTE_PACE_PRIVATE_H
#define CTGL_COMPUTE_PACE_PRIVATE_H

#include "render/compute/device-private.h"

/* Seconds that one dispatch should take. */
#define CTGL_DISPATCH_SECONDS 0.03

typedef struct ctgl_pace {
  ct_bp_device *device;
  double per_unit; /* seconds, measured; 0: not yet */
  double last_end; /* when the last dispatch was done */
  GLsync pending;
  int pending_units;
} ctgl_pace;

/* Units for the next dispatch, 1 .. left. */
int ctgl_pace_next(const ctgl_pace *pace, int left);
/* After a dispatch of so many units: waits until the one before is done. False when the device was lost: ctgl_device_check tells. */
bool ctgl_pace_sent(ctgl_pace *pace, int units);
/* Waits for the last one; false as above. */
bool ctgl_pace_drain(ctgl_pace *pace);

#endif
