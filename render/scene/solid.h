/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways of showing the volume in the scene. */
#ifndef CTGL_SOLID_H
#define CTGL_SOLID_H

#include <stdbool.h>

typedef enum {
  CTGL_SOLID_NONE,
  CTGL_SOLID_MAXIMUM,     /* largest value along the line of sight */
  CTGL_SOLID_MEAN,        /* twice the mean */
  CTGL_SOLID_SURFACE,     /* where a threshold is reached, lit */
  CTGL_SOLID_TRANSLUCENT, /* colours of the grey window, the denser the brighter */
  CTGL_SOLIDS
} ctgl_solid;

/* What of the volume is shown; zeros: all of it. */
typedef struct ctgl_solid_part {
  double off_low[3], off_high[3]; /* shares of its box that are left out at either end of x, y, z; below 1 together */
  bool corner;                    /* the eighth from `at` (mm) towards the eye is left out, too */
  double at[3];
} ctgl_solid_part;

#endif
