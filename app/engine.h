/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine of one session: its scan and the pipelines over it. Only tasks of the session's engine worker may touch
 * it, one at a time; nothing here knows the main loop. */
#pragma once

#include "app/mailbox.h"
#include "app/result.h"
#include "app/scan.h"
#include "recon/solve/pipeline.h"

G_BEGIN_DECLS

typedef struct _GantryEngine GantryEngine;

/* What a pipeline made of a plan, copied, so that the main loop can keep it. */
typedef struct {
  ct_geometry geometry;
  char *centre_how;
  char *record; /* the header of what was made: JSON with what automatic values came to; NULL: memory was short */
  ct_warnings warnings;
  ct_pipeline_facts facts; /* points into this struct */
} GantryOutcome;

/* NULL of NULL, and when memory is short. */
GantryOutcome *gantry_outcome_copy(const GantryOutcome *outcome);
void gantry_outcome_free(GantryOutcome *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GantryOutcome, gantry_outcome_free)

GantryEngine *gantry_engine_new(void);
void gantry_engine_free(GantryEngine *engine);

/* Makes the scan (NULL: none) the engine's; on failure the one before stays. */
gboolean gantry_engine_set_scan(GantryEngine *engine, GantryScan *scan, ct_error **error);
GantryScan *gantry_engine_get_scan(GantryEngine *engine);
/* NULL before a scan. B's is made when first asked for. As it stands (its line integrals may be asked for). */
ct_pipeline *gantry_engine_get_pipeline(GantryEngine *engine, GantrySide side, ct_error **error);
/* The same with the graphics device that the plan names, opened when it is another than before. NULL with an error when
 * it is not here. */
ct_pipeline *gantry_engine_pipeline_for(GantryEngine *engine, GantrySide side, const ct_plan *plan, ct_error **error);
/* After a failure: whether the plan's work was for a graphics device, so that the processor can do it instead. That
 * device is opened anew next time: its context may be lost. */
gboolean gantry_engine_leave_device(GantryEngine *engine, GantrySide side, const ct_plan *plan);
/* After a device was tuned: where it is open, it takes the settings that are kept for it now. */
void gantry_engine_take_tuning(GantryEngine *engine, const char *device);
void gantry_engine_drop_reference(GantryEngine *engine);

/* What is told beside sinograms of A's pipeline. */
GantryKeptRedundancy *gantry_engine_get_redundancy(GantryEngine *engine);

/* What the iterative volumes of A's pipeline start from, where their plan says so (NULL: nothing), and what their curve
 * is compared with: for a simulated scan its truth, else `reference` (NULL: nothing). Another one ends the run
 * that could go on. */
void gantry_engine_start_from(GantryEngine *engine, GantryResult *start);
gboolean gantry_engine_compare_with(GantryEngine *engine, const ct_plan *plan, GantryResult *reference, ct_job *job,
                                    ct_error **error);

/* Planes with a longer side are not previewed: graphics cards take no larger texture. */
#define GANTRY_PLANE_SIDE_MAX 16384

/* What the plan needs with these kernels, less the `held` bytes that are there already, against the free memory.
 * CT_ERROR_MEMORY with the advice when it does not fit; volume: the whole volume, else the projections and the three
 * planes on screen. Touches no engine: any thread may ask. */
gboolean gantry_check_memory(GantryScan *scan, const ct_plan *plan, const ct_backend *backend, gboolean volume,
                             double held, ct_estimate *estimate, ct_error **error);
/* The most that the pipeline behind an outcome holds, bytes. */
double gantry_outcome_held(const GantryOutcome *outcome);
/* The same with what the pipeline of that side holds. */
gboolean gantry_engine_check_memory(GantryEngine *engine, GantrySide side, const ct_plan *plan, gboolean volume,
                                    ct_estimate *estimate, ct_error **error);
/* Of what was made with this plan. */
GantryOutcome *gantry_engine_dup_outcome(GantryEngine *engine, GantrySide side, const ct_plan *plan);

G_END_DECLS
