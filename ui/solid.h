/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume to be shown as a whole: its values, averaged in blocks where it is large, and its box. Immutable and
 * reference-counted, so that a worker can make it for the main loop. */
#pragma once

#include <glib-object.h>

#include "recon/geom/grid.h"

G_BEGIN_DECLS

/* Voxels along a side that software OpenGL can still draw. */
#define GANTRY_SOLID_SIDE 256

typedef struct {
  /*< public, read only >*/
  int size[3];
  double low[3], high[3]; /* mm */
  float least, most;
  float *values; /* [size[2]][size[1]][size[0]]; 0 for what is not finite */
} GantrySolid;

/* Of [nz][ny][nx] values, `side` voxels along each side at most. NULL when memory is short. */
GantrySolid *gantry_solid_new(const float *values, const ct_grid *grid, int side);
GantrySolid *gantry_solid_ref(GantrySolid *solid);
void gantry_solid_unref(GantrySolid *solid);

G_END_DECLS
