/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterative run made last, or under way: its number among the curves of the convergence page, its plan, how many
 * iterations it has, and whether the engine keeps it, so that more can be added. Owns all of that; the volume is the
 * shelf's. */
#pragma once

#include "app/session/jobs.h"
#include "app/session/shelf.h"
#include "app/tasks.h"

G_BEGIN_DECLS

typedef struct _GantryIterations GantryIterations;
/* jobs and shelf are borrowed. */
GantryIterations *gantry_iterations_new(GantryContext *context, GantryJobs *jobs, GantryShelf *shelf);
void gantry_iterations_free(GantryIterations *self);
/* Of another scan: no run, and no curves. */
void gantry_iterations_reset(GantryIterations *self);

/* The task of a volume is about to be pushed: fills in what it needs when it iterates. reference: what its curve is
 * compared with; may be NULL. */
void gantry_iterations_begin(GantryIterations *self, GantryVolumeTask *task, GantryResult *reference);
/* The curve of a run so far. */
void gantry_iterations_show(GantryIterations *self, guint run, const ct_iteration *points, gsize count);
/* The task was answered. */
void gantry_iterations_end(GantryIterations *self, const GantryVolumeTask *task);
/* The last point of the run under way; NULL: there is none. */
const ct_iteration *gantry_iterations_get_point(GantryIterations *self);

/* Whether more iterations can be added to the run; plan: the present one, for the engine. */
gboolean gantry_iterations_can_continue(GantryIterations *self, const ct_plan *plan);
/* How many are added by default. */
int gantry_iterations_get_step(GantryIterations *self);
/* How many the plan must ask for so that `more` (less than 1: the default, else the new default) are added. */
int gantry_iterations_extend(GantryIterations *self, int more);
/* The run under way goes on with one whose plan asked for so many. */
void gantry_iterations_continued_from(GantryIterations *self, int iterations);
/* What the plan asked for before that, if it still asks for what the run was to make; 0: nothing is to be taken back.
 */
int gantry_iterations_take_back(GantryIterations *self, const ct_plan *plan);
/* Whether the result is all that a run of this plan would make. */
gboolean gantry_iterations_is_complete(GantryIterations *self, const ct_plan *plan);

G_END_DECLS
