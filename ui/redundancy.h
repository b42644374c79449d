/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a sinogram's rays counts how much: redundancy weights, which rays are measured twice, and the arc that the
 * views span. A value beside pictures, immutable and reference-counted: all rows of a scan share it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  /* The whole sinogram in cells, which share its rows and columns evenly: the sinogram's own where they are few. */
  int columns, rows;
  guint8 *map;   /* [rows][columns] mean weight in a cell, as part of `largest`: 0 to 255 */
  guint8 *twice; /* [rows][columns] 1: the ray in the cell's middle is measured twice */
  int views, rays;
  float *low, *mean, *high; /* [views] of the weights of a view */
  float *across;            /* [rays] mean over the views, of a column */
  double largest, least;    /* weight */
  double share;             /* of the cells that are measured twice, 0 to 1 */
  double origin, spacing;   /* of the rays, in the sinogram's columns: the first one's middle, and the step */
  double first, last;       /* degrees of the first and last view; NAN: not known */
  double arc, needed;       /* degrees: that the views stand for; the shortest that measures every line, NAN: none */
  gboolean fan;             /* the rays diverge */
  const char *title;        /* of the weights */
  gatomicrefcount references;
} GantryRedundancy;

/* Everything 0 but the sizes; NULL when memory is short. */
GantryRedundancy *gantry_redundancy_new(int columns, int rows, int rays, int views);
GantryRedundancy *gantry_redundancy_ref(GantryRedundancy *redundancy);
/* NULL, too. */
void gantry_redundancy_unref(GantryRedundancy *redundancy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryRedundancy, gantry_redundancy_unref)

/* "Arc 0° to 218° (220°); 180° and the fan are 209.3°", and "Short scan (Parker): weight 0 to 1, 14 % measured
 * twice". */
char *gantry_redundancy_arc_text(const GantryRedundancy *redundancy);
char *gantry_redundancy_weights_text(const GantryRedundancy *redundancy);

G_END_DECLS
