/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps dispatches short: the desktop draws between them, no watchdog fires, and a cancel is soon answered. Work is cut
 * into units (work groups, say); the pace learns from fences how many fit the time, and keeps two dispatches on their
 * way so that the card does not wait. */
#ifndef CTGL_COMPUTE_PACE_PRIVATE_H
#define CTGL_COMPUTE_PACE_PRIVATE_H

#include "render/compute/device-private.h"

/* Seconds that one dispatch should take. */
#define CTGL_DISPATCH_SECONDS 0.03

/* Units of kinds of work that follow each other, each with a time of its own. */
typedef enum { CTGL_WORK_ADDING, CTGL_WORK_MAKING_READY, CTGL_WORK_FILTERING, CTGL_WORK_TURNING, CTGL_WORKS } ctgl_work;

typedef struct ctgl_pace {
  ct_bp_device *device;
  double (*clock)(void);       /* seconds; NULL: ct_now */
  ctgl_work work;              /* of the dispatches that come */
  double per_unit[CTGL_WORKS]; /* seconds of each kind, measured; 0: not yet */
  double last_end;             /* when the last dispatch was done, or the present one begun; 0: nobody looked */
  GLsync pending;
  ctgl_work pending_work;
  int pending_units;
  bool lost; /* the device, for ever */
} ctgl_pace;

/* Units for the next dispatch, 1 .. left; right before it. */
int ctgl_pace_next(ctgl_pace *pace, int left);
/* After a dispatch of so many units: waits until the one before is done. False when the device was lost:
 * ctgl_device_check tells. */
bool ctgl_pace_sent(ctgl_pace *pace, int units);
/* Other things come before the next dispatch: the last one is not waited for, and not measured. */
void ctgl_pace_rest(ctgl_pace *pace);
/* Waits for the last one; false as above. */
bool ctgl_pace_drain(ctgl_pace *pace);

/* A box of work groups that goes out in dispatches of so many as fit the time: whole layers, else rows of one layer,
 * else a part of a row. Begins with zeros but for its size. */
typedef struct ctgl_boxes {
  int across, down, layers; /* work groups */
  int done;                 /* of all of them, row by row */
  int x, y, z;              /* where the present dispatch begins */
  GLuint nx, ny, nz;        /* its groups */
} ctgl_boxes;

/* The next dispatch; false when all are made. */
bool ctgl_boxes_next(ctgl_boxes *boxes, ctgl_pace *pace);
/* Makes it and tells the pace; false as ctgl_pace_sent. */
bool ctgl_boxes_send(ctgl_boxes *boxes, ctgl_pace *pace);

#endif
