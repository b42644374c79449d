/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume to be shown as a whole: its values, averaged in blocks where it is large, its box and its histogram.
 * Immutable and reference-counted, so that a worker can make it for the main loop. */
#pragma once

#include <glib-object.h>

#include "recon/geom/grid.h"

G_BEGIN_DECLS

/* Voxels along a side that software OpenGL can still draw; and of a volume in the making, which comes again and again.
 */
#define GANTRY_SOLID_SIDE 256
#define GANTRY_SOLID_SIDE_COARSE 96
#define GANTRY_SOLID_BINS 128

typedef struct {
  /*< public, read only >*/
  int size[3];
  double low[3], high[3]; /* mm */
  float least, most;
  float *values;                 /* [size[2]][size[1]][size[0]]; 0 for what is not finite */
  float low_grey, high_grey;     /* least and most without streaks (ct_grey_range) */
  guint bins[GANTRY_SOLID_BINS]; /* histogram between those; what lies beyond is in the outer bins */
  float threshold;               /* of a surface: parts the histogram in two classes (Otsu 1979) */
} GantrySolid;

/* Of [nz][ny][nx] values, `side` voxels along each side at most. NULL when memory is short. */
GantrySolid *gantry_solid_new(const float *values, const ct_grid *grid, int side);
/* The same from one slice of each block alone, which `read` fetches, [ny][nx]; FALSE of it ends this, with NULL. */
typedef gboolean (*GantryReadSlice)(gpointer user, int z, float *slice);
GantrySolid *gantry_solid_new_from_slices(const ct_grid *grid, int side, GantryReadSlice read, gpointer user);
GantrySolid *gantry_solid_ref(GantrySolid *solid);
void gantry_solid_unref(GantrySolid *solid);

G_END_DECLS
