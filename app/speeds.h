/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast kernels were on this machine, and how far from the textbook: what runs and tables of variants have measured,
 * kept in the user's cache folder in a file for each machine (processor, cores, instructions). Knows no GLib. */
#ifndef GANTRY_SPEEDS_H
#define GANTRY_SPEEDS_H

#include "recon/base/error.h"
#include "recon/bp/kernel.h"
#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stddef.h>

enum { GANTRY_SPEED_TEXT = 96 };

/* One kernel on one problem. */
typedef struct gantry_speed {
  char kernel[CT_PLAN_TEXT];      /* its id */
  char device[GANTRY_SPEED_TEXT]; /* name of the graphics device; empty: the processor */
  char scan[GANTRY_SPEED_TEXT];   /* its name */
  char beam[CT_PLAN_TEXT];        /* id */
  ct_interp interp;
  ct_precision precision;
  int size[3]; /* voxels */
  int views;
  int threads;
  double gups;  /* of back-projection */
  double error; /* relative RMSE against textbook in double precision, linear interpolation; NaN: not compared */
  double when;  /* s since 1970 */
} gantry_speed;

typedef struct gantry_speeds {
  gantry_speed *rows; /* [count], the newest last */
  size_t count;
} gantry_speeds;

/* Where this machine's file lies; ct_free. */
char *gantry_speeds_path(ct_error **error);
/* What is kept; nothing where there is no file. False with an error that names the file where it cannot be read:
 * nothing then, too. */
bool gantry_speeds_read(gantry_speeds *speeds, ct_error **error);
/* Adds [count] measurements to what is kept now (another window may have added some) and writes the file. Each takes
 * the place of the one before on the same problem, whose error stays where the new one has none. The oldest beyond a
 * thousand go. False with an error where it cannot be written: speeds has them all the same. */
bool gantry_speeds_add(gantry_speeds *speeds, const gantry_speed *fresh, size_t count, ct_error **error);
void gantry_speeds_clear(gantry_speeds *speeds);

/* The measurement of this kernel on this device, for the same beam, interpolation and precision, whose problem is the
 * nearest; NULL: there is none. *same (may be NULL): it is the same problem. */
const gantry_speed *gantry_speeds_find(const gantry_speeds *speeds, const gantry_speed *like, bool *same);

#endif
