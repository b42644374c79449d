/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan, the pipeline of the shown plan and the one of a reference plan, and the memory they need. */
#include "app/engine.h"

#include "app/backend.h"
#include "app/tuning-file.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <string.h>

struct _GantryEngine {
  GantryScan *scan;
  ct_pipeline *pipelines[GANTRY_SIDES];
  gantry_backend *backend[GANTRY_SIDES]; /* NULL before the first plan: the processor alone */
  char *device[GANTRY_SIDES];            /* that the backend was made for; NULL: to be made anew */
  GantryResult *start, *reference;       /* of A's iterative volumes; the pipeline borrows them */
  GantryKeptRedundancy redundancy;
  ct_volume *truth; /* of a simulated scan on the grid of the last iterative volume */
};

void gantry_outcome_free(GantryOutcome *outcome) {
  if (!outcome) return;
  ct_geometry_clear(&outcome->geometry);
  g_free(outcome->centre_how);
  g_free(outcome->record);
  g_free(outcome);
}

GantryEngine *gantry_engine_new(void) {
  return g_new0(GantryEngine, 1);
}

static void clear(GantryEngine *engine) {
  for (int side = 0; side < GANTRY_SIDES; side++) {
    ct_pipeline_free(engine->pipelines[side]);
    engine->pipelines[side] = NULL;
  }
  g_clear_pointer(&engine->start, gantry_result_unref);
  g_clear_pointer(&engine->reference, gantry_result_unref);
  gantry_kept_redundancy_clear(&engine->redundancy);
  ct_volume_free(engine->truth);
  engine->truth = NULL;
  g_clear_pointer(&engine->scan, gantry_scan_unref);
}

void gantry_engine_free(GantryEngine *engine) {
  if (!engine) return;
  clear(engine);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    gantry_backend_free(engine->backend[side]);
    g_free(engine->device[side]);
  }
  g_free(engine);
}

static const ct_backend *backend_of(GantryEngine *engine, GantrySide side) {
  return engine->backend[side] ? gantry_backend_get(engine->backend[side]) : NULL;
}

gboolean gantry_engine_set_scan(GantryEngine *engine, GantryScan *scan, ct_error **error) {
  ct_pipeline *pipeline = scan ? ct_pipeline_new(gantry_scan_get(scan), backend_of(engine, GANTRY_A), error) : NULL;
  if (scan && !pipeline) return FALSE;
  clear(engine);
  engine->pipelines[GANTRY_A] = pipeline;
  engine->scan = scan ? gantry_scan_ref(scan) : NULL;
  return TRUE;
}

GantryScan *gantry_engine_get_scan(GantryEngine *engine) {
  return engine->scan;
}

ct_pipeline *gantry_engine_get_pipeline(GantryEngine *engine, GantrySide side, ct_error **error) {
  if (!engine->scan) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "No scan is open.");
    return NULL;
  }
  if (!engine->pipelines[side])
    engine->pipelines[side] = ct_pipeline_new(gantry_scan_get(engine->scan), backend_of(engine, side), error);
  return engine->pipelines[side];
}

ct_pipeline *gantry_engine_pipeline_for(GantryEngine *engine, GantrySide side, const ct_plan *plan, ct_error **error) {
  ct_pipeline *pipeline = gantry_engine_get_pipeline(engine, side, error);
  if (!pipeline || g_strcmp0(engine->device[side], plan->device) == 0) return pipeline;
  gantry_backend *backend = gantry_backend_new(plan->device, error);
  if (!backend) return NULL;
  ct_pipeline_set_backend(pipeline, gantry_backend_get(backend));
  gantry_backend_free(engine->backend[side]);
  engine->backend[side] = backend;
  g_free(engine->device[side]);
  engine->device[side] = g_strdup(plan->device);
  return pipeline;
}

gboolean gantry_engine_leave_device(GantryEngine *engine, GantrySide side, const ct_plan *plan) {
  if (g_strcmp0(engine->device[side], plan->device) != 0) return TRUE; /* it did not open */
  const ct_pipeline *pipeline = engine->pipelines[side];
  const gboolean iterates = ct_method_iterates(plan->iterative.method);
  const ct_backend *backend = backend_of(engine, side);
  const ct_projector *projector =
      iterates ? ct_projector_find_in(&backend->projectors, plan->iterative.projector) : NULL;
  const gboolean back_projects = !iterates || plan->iterative.start == CT_START_DIRECT;
  const ct_bp_kernel *kernel = back_projects ? ct_bp_find(&backend->kernels, plan->kernel) : NULL;
  if (!kernel && pipeline && back_projects) kernel = ct_pipeline_get_facts(pipeline)->kernel;
  if (!(kernel && kernel->gpu) && !(projector && projector->gpu)) return FALSE;
  g_clear_pointer(&engine->device[side], g_free);
  return TRUE;
}

/* Settings that cannot be read were written a moment ago: the ones before go on serving. */
void gantry_engine_take_tuning(GantryEngine *engine, const char *device) {
  for (int side = 0; side < GANTRY_SIDES; side++) {
    ct_bp_device *open = engine->backend[side] ? backend_of(engine, (GantrySide)side)->device : NULL;
    for (; open; open = ctgl_device_next(open))
      if (g_str_equal(ctgl_device_get_facts(open)->name, device)) gantry_tuning_load(open, NULL);
  }
}

void gantry_engine_drop_reference(GantryEngine *engine) {
  ct_pipeline_free(engine->pipelines[GANTRY_B]);
  engine->pipelines[GANTRY_B] = NULL;
}

GantryKeptRedundancy *gantry_engine_get_redundancy(GantryEngine *engine) {
  return &engine->redundancy;
}

void gantry_engine_start_from(GantryEngine *engine, GantryResult *start) {
  GantryResult *old = engine->start;
  engine->start = start ? gantry_result_ref(start) : NULL;
  if (engine->pipelines[GANTRY_A]) ct_pipeline_set_start(engine->pipelines[GANTRY_A], start ? start->volume : NULL);
  gantry_result_unref(old);
}

static gboolean make_truth(GantryEngine *engine, const ct_plan *plan, ct_job *job, ct_error **error) {
  ct_geometry geometry;
  ct_grid grid;
  if (!ct_plan_geometry(plan, gantry_scan_get(engine->scan), &geometry, error)) return FALSE;
  const gboolean good = ct_plan_grid(plan, &geometry, &grid, error);
  ct_geometry_clear(&geometry);
  if (!good || (engine->truth && gantry_grids_agree(ct_volume_grid(engine->truth), &grid))) return good;
  ct_volume *old = engine->truth;
  engine->truth = ct_simulation_truth(gantry_scan_get_simulation(engine->scan), &grid, job, error);
  ct_pipeline_set_reference(engine->pipelines[GANTRY_A], engine->truth);
  ct_volume_free(old);
  return engine->truth != NULL;
}

gboolean gantry_engine_compare_with(GantryEngine *engine, const ct_plan *plan, GantryResult *reference, ct_job *job,
                                    ct_error **error) {
  if (!engine->pipelines[GANTRY_A]) return TRUE;
  if (gantry_scan_get_simulation(engine->scan)) return make_truth(engine, plan, job, error);
  GantryResult *old = engine->reference;
  engine->reference = reference ? gantry_result_ref(reference) : NULL;
  ct_pipeline_set_reference(engine->pipelines[GANTRY_A], reference ? reference->volume : NULL);
  gantry_result_unref(old);
  return TRUE;
}

/* The planes on screen are held by the engine, by the mailbox and as textures. */
#define PLANE_COPIES 3

/* Bytes of the three planes; refused where no texture could hold one. */
static gboolean planes_bytes(const ct_plan *plan, const ct_scan *scan, double *bytes, ct_error **error) {
  ct_geometry geometry;
  ct_grid grid;
  if (!ct_plan_geometry(plan, scan, &geometry, error)) return FALSE;
  const gboolean good = ct_plan_grid(plan, &geometry, &grid, error);
  ct_geometry_clear(&geometry);
  if (!good) return FALSE;
  if (MAX(grid.nx, MAX(grid.ny, grid.nz)) > GANTRY_PLANE_SIDE_MAX)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The slices of %d × %d × %d voxels are too large for the screen: at most %d voxels along each "
                        "side can be shown. Choose fewer or larger voxels.",
                        grid.nx, grid.ny, grid.nz, GANTRY_PLANE_SIDE_MAX);
  const double nx = grid.nx, ny = grid.ny, nz = grid.nz;
  *bytes = (nx * ny + nx * nz + ny * nz) * sizeof(float) * PLANE_COPIES;
  return TRUE;
}

gboolean gantry_check_memory(GantryScan *scan, const ct_plan *plan, const ct_backend *backend, gboolean volume,
                             double held, ct_estimate *estimate, ct_error **error) {
  double bytes = 0;
  ct_estimate planes;
  if (!ct_plan_estimate(plan, gantry_scan_get(scan), backend, estimate, error)) return FALSE;
  if (!volume && (!planes_bytes(plan, gantry_scan_get(scan), &bytes, error) ||
                  !ct_plan_estimate_planes(plan, gantry_scan_get(scan), backend, bytes, &planes, error)))
    return FALSE;
  const ct_estimate *asked = volume ? estimate : &planes;
  if (asked->fits || asked->available <= 0 || asked->total - held <= asked->available) return TRUE;
  if (volume) return ct_error_set(error, CT_ERROR_MEMORY, "%s", estimate->advice);
  /* What helps the volume alone is no way to a preview. */
  estimate->suggested_bin = planes.suggested_bin;
  estimate->suggested_grid = planes.suggested_grid;
  estimate->slab_height = 0;
  memcpy(estimate->advice, planes.advice, sizeof planes.advice);
  const char *rest = strstr(planes.advice, " needs ");
  return ct_error_set(error, CT_ERROR_MEMORY, "This preview%s", rest);
}

double gantry_outcome_held(const GantryOutcome *outcome) {
  const ct_geometry *g = &outcome->geometry;
  return 2.0 * g->nu * g->nv * g->views * sizeof(float);
}

gboolean gantry_engine_check_memory(GantryEngine *engine, GantrySide side, const ct_plan *plan, gboolean volume,
                                    ct_estimate *estimate, ct_error **error) {
  ct_pipeline *pipeline = gantry_engine_get_pipeline(engine, side, error);
  if (!pipeline) return FALSE;
  return gantry_check_memory(engine->scan, plan, backend_of(engine, side), volume, ct_pipeline_get_held(pipeline),
                             estimate, error);
}

static GantryOutcome *outcome_of(const ct_pipeline_facts *facts, const char *record) {
  if (!facts || !facts->geometry) return NULL;
  GantryOutcome *outcome = g_new0(GantryOutcome, 1);
  if (!ct_geometry_copy(&outcome->geometry, facts->geometry, NULL)) {
    g_free(outcome);
    return NULL;
  }
  outcome->facts = *facts;
  outcome->facts.geometry = &outcome->geometry;
  outcome->centre_how = g_strdup(facts->centre_how);
  outcome->record = g_strdup(record);
  outcome->facts.centre_how = outcome->centre_how;
  if (facts->warnings) outcome->warnings = *facts->warnings;
  outcome->facts.warnings = &outcome->warnings;
  return outcome;
}

GantryOutcome *gantry_outcome_copy(const GantryOutcome *outcome) {
  return outcome ? outcome_of(&outcome->facts, outcome->record) : NULL;
}

GantryOutcome *gantry_engine_dup_outcome(GantryEngine *engine, GantrySide side, const ct_plan *plan) {
  const ct_pipeline *pipeline = engine->pipelines[side];
  if (!pipeline) return NULL;
  char *record = ct_pipeline_record(pipeline, plan, NULL, NULL);
  GantryOutcome *outcome = outcome_of(ct_pipeline_get_facts(pipeline), record);
  ct_free(record);
  return outcome;
}
