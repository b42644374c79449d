/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One axial slice of an iterative volume after each of its iterations, as far as the memory for them goes: where they
 * become too many every second of them is given up, the last one never. While the run goes on its worker alone adds to
 * it; thereafter it does not change. Reference-counted. */
#pragma once

#include "recon/geom/grid.h"
#include "ui/image.h"

G_BEGIN_DECLS

typedef struct {
  int iteration; /* 1: after the first */
  GantryImage *slice;
} GantryKeptIteration;

typedef struct _GantryKeptIterations GantryKeptIterations;
/* bytes: for all slices. before: of the run that goes on, copied; NULL: a run of its own. */
GantryKeptIterations *gantry_kept_iterations_new(double bytes, const GantryKeptIterations *before);
GantryKeptIterations *gantry_kept_iterations_ref(GantryKeptIterations *kept);
/* NULL is none. */
void gantry_kept_iterations_unref(GantryKeptIterations *kept);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryKeptIterations, gantry_kept_iterations_unref)

/* Whether that iteration is still to be added. */
gboolean gantry_kept_iterations_lacks(const GantryKeptIterations *kept, int iteration);
/* Index of the slice that is kept; `index` where none is yet. */
int gantry_kept_iterations_choose(const GantryKeptIterations *kept, int index);
/* Takes the slice, which lies on a grid of one slice. One that no two would fit of is dropped. */
void gantry_kept_iterations_add(GantryKeptIterations *kept, int iteration, GantryImage *slice, const ct_grid *grid);

/* Ordered by iteration; borrowed. */
const GantryKeptIteration *gantry_kept_iterations_get(const GantryKeptIterations *kept, int *count);
const ct_grid *gantry_kept_iterations_grid(const GantryKeptIterations *kept);
double gantry_kept_iterations_bytes(const GantryKeptIterations *kept);

G_END_DECLS
