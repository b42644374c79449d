/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways of showing the volume in the scene. */
#ifndef CTGL_SOLID_H
#define CTGL_SOLID_H

typedef enum {
  CTGL_SOLID_NONE,
  CTGL_SOLID_MAXIMUM, /* largest value along the line of sight */
  CTGL_SOLID_MEAN,    /* twice the mean */
  CTGL_SOLID_SURFACE, /* where a threshold is reached, lit */
  CTGL_SOLIDS
} ctgl_solid;

#endif
