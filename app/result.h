/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reconstructed volume and what it was made with. It never changes, so that any thread may read it;
 * reference-counted. */
#pragma once

#include <glib.h>

#include "app/kept-iterations.h"
#include "recon/data/volume.h"
#include "recon/solve/iterative/iterate.h"
#include "recon/solve/plan.h"
#include "ui/image.h"

G_BEGIN_DECLS

typedef struct {
  gint references;
  ct_volume *volume;
  ct_plan plan;         /* as asked for */
  int views, views_all; /* taken, and of the whole scan: fewer when it was finished early */
  double seconds, gups;
  int iterations;             /* made in all; 0: a direct reconstruction */
  ct_stopped stopped;         /* why they ended */
  ct_iteration *curve;        /* [iterations] */
  guint run;                  /* number of that curve on screen; 0: none */
  GantryKeptIterations *kept; /* its axial slice by iteration; NULL: there are none, or they went with the volume */
  gpointer identity;          /* shared by this and those made alike: which result it is, wherever its volume lies */
  guint64 truth;              /* digest of a truth's values: of the same object on the same grid; 0: it is none */
  char *file;        /* name of the file that it was read from, with no plan or run of its own; NULL: made here */
  gboolean anywhere; /* that file takes its values from others outside its folder, which somebody allowed */
} GantryResult;

/* Takes the volume. */
GantryResult *gantry_result_new(ct_volume *volume, const ct_plan *plan);
GantryResult *gantry_result_new_from_file(ct_volume *volume, const char *path);
/* With the facts of another and this volume, which it takes; NULL: the facts alone. */
GantryResult *gantry_result_new_alike(const GantryResult *result, ct_volume *volume);
GantryResult *gantry_result_ref(GantryResult *result);
void gantry_result_unref(GantryResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryResult, gantry_result_unref)

/* "volume 256³, 361 views", "volume …, 120 of 361 views", "volume …, SIRT, 20 of 50 iterations",
 * "truth.mha, volume 256³" */
char *gantry_result_dup_title(const GantryResult *result);
/* One plane by its index; NULL when memory is short. */
GantryImage *gantry_result_read_plane(const GantryResult *result, ct_plane plane, int index);
/* The plane at a position (mm along the normal), interpolated between the two nearest; NULL outside the volume as well.
 */
GantryImage *gantry_result_read_position(const GantryResult *result, ct_plane plane, double position);

/* The middle axial plane, its longer side at most `side` pixels, each the mean of those in its place; NULL when memory
 * is short. */
GantryImage *gantry_result_read_thumbnail(const GantryResult *result, int side);

gboolean gantry_grids_agree(const ct_grid *a, const ct_grid *b);
/* Whether two plans give the same picture: output, batch and threads may differ. */
gboolean gantry_plans_agree(const ct_plan *a, const ct_plan *b);
/* Whether they differ in how they iterate at most: filtered back-projection makes the same of both. */
gboolean gantry_plans_agree_directly(const ct_plan *a, const ct_plan *b);
/* Whether they differ in the number of iterations at most. */
gboolean gantry_plans_iterate_alike(const ct_plan *a, const ct_plan *b);

G_END_DECLS
