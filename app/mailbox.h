/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the worker leaves pictures for the main loop. However many arrive, only the newest of each view is kept and at
 * most one low-priority idle is armed to fetch them. What the main loop would like to see (planes by their position in
 * mm, a projection) lies here too, so that a running reconstruction follows the crosshair. Reference-counted; safe from
 * any thread. */
#pragma once

#include "app/kept-iterations.h"
#include "app/projection-picture.h"
#include "app/wanted.h"
#include "recon/data/stack.h"
#include "recon/solve/pipeline.h"
#include "ui/solid.h"

G_BEGIN_DECLS

typedef struct _GantryMailbox GantryMailbox;

/* arrived(data) is called in the present thread-default main context after something was posted. */
GantryMailbox *gantry_mailbox_new(void (*arrived)(gpointer data), gpointer data);
GantryMailbox *gantry_mailbox_ref(GantryMailbox *mailbox);
void gantry_mailbox_unref(GantryMailbox *mailbox);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryMailbox, gantry_mailbox_unref)
/* No more calls of arrived; whatever lies inside is dropped. */
void gantry_mailbox_close(GantryMailbox *mailbox);

void gantry_mailbox_set_wanted(GantryMailbox *mailbox, const GantryWanted *wanted);
void gantry_mailbox_get_wanted(GantryMailbox *mailbox, GantryWanted *wanted);

/* Takes the image; it replaces one of the same side and kind that was not fetched yet. grid: of A's planes, else NULL.
 */
void gantry_mailbox_post(GantryMailbox *mailbox, GantrySide side, GantryImage *image, const ct_grid *grid);
/* The same for several views of one state, by kind, NULL where there is none: they are fetched together. The array is
 * empty thereafter. */
void gantry_mailbox_post_views(GantryMailbox *mailbox, GantrySide side, GantryImage *images[GANTRY_VIEWS],
                               const ct_grid *grid);
/* Moves all images out (NULL where nothing new is); TRUE, the grid that an A plane was posted with last, and that
 * plane's generation, if there was one. */
gboolean gantry_mailbox_take(GantryMailbox *mailbox, GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS], ct_grid *grid,
                             guint64 *generation);

/* The volume in the making, taken; it replaces one that was not fetched yet. generation: of A. */
void gantry_mailbox_post_solid(GantryMailbox *mailbox, GantrySolid *solid, guint64 generation);
/* The one that came since the last take (gantry_solid_unref); NULL without a new one. */
GantrySolid *gantry_mailbox_take_solid(GantryMailbox *mailbox, guint64 *generation);

/* The convergence curve of run number `run` so far, copied; it replaces one that was not fetched yet. */
void gantry_mailbox_post_curve(GantryMailbox *mailbox, guint run, const ct_iteration *points, gsize count);
/* The curve that came since the last take, to be freed with g_free; NULL without a new one. */
ct_iteration *gantry_mailbox_take_curve(GantryMailbox *mailbox, guint *run, gsize *count);

/* A publisher for ct_pipeline_volume: posts the wanted planes after a batch, unless the last ones have not been fetched
 * yet or are only just on screen; those that are asked for while the job is paused at once. */
typedef struct {
  GantryMailbox *mailbox;
  const ct_pipeline *pipeline;      /* for the projection; may be NULL */
  const ct_plan *plan;              /* the pipeline's */
  guint run;                        /* number of the curve of an iterative volume */
  GantryKeptIterations *kept;       /* gets one of its slices after every iteration; may be NULL */
  GantryKeptRedundancy *redundancy; /* beside a sinogram; NULL without a pipeline */
  /* Kept by the publisher: */
  int views_done;
  gint64 last_time, last_solid, solid_cost; /* µs */
  GantryWanted posted;                      /* the projection posted last */
} GantryPublication;
ct_publisher gantry_mailbox_publisher(GantryPublication *publication);

G_END_DECLS
