/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest job: a volume. Owns no more than the iterative run (app/session/iterations.h); begins a run, refuses one
 * that surely cannot be made, and puts what came of it on the shelf and on screen. */
#pragma once

#include "app/session/iterations.h"
#include "app/session/reference.h"
#include "app/session/slices.h"
#include "app/session/speeds.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_RUN (gantry_run_get_type())
G_DECLARE_FINAL_TYPE(GantryRun, gantry_run, GANTRY, RUN, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryBanner *banner;
  GantryPreview *preview;
  GantrySlices *slices;
  GantryReference *reference;
  GantryKernelSpeeds *speeds;
} GantryRunParts;

GantryRun *gantry_run_new(const GantryRunParts *parts);
/* Of another scan. */
void gantry_run_reset(GantryRun *self);
/* path: slab by slab to that file; NULL: in memory. */
void gantry_run_begin(GantryRun *self, const char *path);
/* In memory, its result named so on the shelf. */
void gantry_run_begin_named(GantryRun *self, const char *name);
/* The convergence curve of a run so far. */
void gantry_run_show_curve(GantryRun *self, guint run, const ct_iteration *points, gsize count);

/* How many iterations Continue would add; 0: there is no run to go on with. */
int gantry_run_get_continue(GantryRun *self);
/* more: iterations; 0: as many as that. */
void gantry_run_continue(GantryRun *self, int more);

G_END_DECLS
