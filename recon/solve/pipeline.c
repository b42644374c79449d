/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline's memory: line integrals, centre and filtered projections, each re-made only when the part of the plan
 * that it depends on has changed. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "recon/solve/digest.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ct_pipeline *ct_pipeline_new(ct_scan *scan, const ct_backend *backend, ct_error **error) {
  if (!ct_scan_check_layout(scan, error)) return NULL;
  if (ct_scan_get_facts(scan)->shape == CT_SHAPE_CURVED) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "The projections are of a curved detector: write them to a file, and open that.");
    return NULL;
  }
  ct_pipeline *pipeline = calloc(1, sizeof *pipeline);
  if (!pipeline) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a pipeline.");
    return NULL;
  }
  pipeline->scan = scan;
  pipeline->backend = backend ? *backend : ct_backend_of_processor();
  return pipeline;
}

void ct_pipeline_set_backend(ct_pipeline *pipeline, const ct_backend *backend) {
  ct_pipeline_leave_device(pipeline);
  pipeline->backend = *backend;
}

void ct_pipeline_free(ct_pipeline *pipeline) {
  if (!pipeline) return;
  ct_pipeline_drop_run(pipeline);
  ct_free(pipeline->slice_curve);
  ct_projections_free(pipeline);
  ct_ramp_filter_clear(&pipeline->ramp);
  ct_stack_free(pipeline->sample);
  ct_geometry_clear(&pipeline->geometry);
  ct_geometry_clear(&pipeline->seen);
  free(pipeline);
}

bool ct_pipeline_prepare(ct_pipeline *p, const ct_plan *plan, ct_job *job, ct_error **error) {
  return ct_pipeline_prepare_part(p, plan, NULL, job, error);
}

/* The geometry that the plan's filter makes of that of the line integrals, to be cleared. */
static bool see(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *integrals, ct_geometry *seen,
                ct_error **error) {
  const ct_filter_options options = ct_pipeline_filter_options(p, plan);
  return ct_filtered_geometry(integrals, &options, seen, error);
}

const ct_bp_kernel *ct_pipeline_choose_kernel(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *seen,
                                              const ct_grid *grid, bool part, ct_bp_request *request,
                                              char why[CT_BP_WHY], ct_error **error) {
  const ct_extent extent = part ? CT_EXTENT_SLAB : CT_EXTENT_VOLUME;
  const ct_bp_kernel *kernel = ct_plan_kernel(plan, &p->backend, seen, grid, extent, request, why, error);
  if (kernel && p->ramp.spectrum) request->ramp = &p->ramp;
  return kernel;
}

void ct_pipeline_tell_ramp(ct_pipeline *p) {
  char *why = p->facts.kernel_why;
  const size_t told = strlen(why);
  if (p->ramp.spectrum) snprintf(why + told, CT_BP_WHY - told, " It filters on the card, too.");
}

/* Takes the geometry, and tells what was found. Without need a kernel that does not serve the grid is no fault. */
static bool settle(ct_pipeline *p, const ct_plan *plan, ct_geometry g, const ct_grid *grid, bool part,
                   bool needs_kernel, ct_error **error) {
  ct_geometry seen;
  if (!see(p, plan, &g, &seen, error)) {
    ct_geometry_clear(&g);
    return false;
  }
  ct_geometry_clear(&p->geometry);
  ct_geometry_clear(&p->seen);
  p->geometry = g;
  p->seen = seen;
  p->has_geometry = true;
  p->views_taken = 0;
  const ct_pipeline_facts before = p->facts;
  const int row_bin = ct_row_bin(ct_scan_get_facts(p->scan)->geometry.nv, plan->bin);
  p->facts = (ct_pipeline_facts){.projector = before.projector,
                                 .projector_shape = before.projector_shape,
                                 .projector_fell_back = before.projector_fell_back,
                                 .geometry = &p->geometry,
                                 .bin_u = plan->bin,
                                 .bin_v = row_bin,
                                 .row0 = p->row0 * row_bin,
                                 .grid = *grid,
                                 .units = ct_plan_units(plan, p->scan),
                                 .views_all = ct_method_iterates(plan->iterative.method)
                                                  ? p->geometry.views
                                                  : ct_filtered_size(&p->seen, plan->filter.spiral).views,
                                 .centre_u = p->centre,
                                 .centre_confidence = p->confidence,
                                 .centre_how = p->centre_how,
                                 .found = p->found,
                                 .tilt = p->tilt,
                                 .prep = p->report};
  ct_pipeline_warn_idle(p, plan);
  ct_pipeline_join_warnings(p);
  memcpy(p->facts.projector_why, before.projector_why, sizeof before.projector_why);
  ct_bp_request request;
  p->facts.kernel = ct_pipeline_choose_kernel(p, plan, &p->seen, grid, part, &request, p->facts.kernel_why,
                                              needs_kernel ? error : NULL);
  return p->facts.kernel || !needs_kernel;
}

bool ct_pipeline_look(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, ct_job *job, ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  return ct_pipeline_make_ready(p, plan, part, true, &g, &grid, job, error) &&
         settle(p, plan, g, &grid, part != NULL, false, error);
}

/* What is filtered from now on gets its ramp from the processor. */
static void keep_ramp(ct_pipeline *p) {
  ct_ramp_filter_clear(&p->ramp);
  ct_pipeline_warn(p, CT_WARNED_FILTER);
}

static void warn_of_filter(ct_pipeline *p, const char *why) {
  ct_warnings_add(ct_pipeline_warn(p, CT_WARNED_FILTER), CT_WARNING_SETTING,
                  "The processor filters, not the card (filter.on_card): %s", why);
}

static bool wants_ramp_on_card(const ct_plan *plan, const ct_filter_options *options) {
  return plan->filter.on_card && !options->filtered && options->window != CT_WINDOW_NONE;
}

void ct_pipeline_warn_held_ramp(ct_pipeline *p, const ct_plan *plan) {
  const ct_filter_options options = ct_pipeline_filter_options(p, plan);
  if (!wants_ramp_on_card(plan, &options)) return;
  warn_of_filter(p, "The volume is made in slabs, for all of which the projections are filtered once.");
  ct_pipeline_join_warnings(p);
}

/* Leaves the ramp to the kernel where the plan wants that and the kernel can; else tells why not. */
static void leave_ramp(ct_pipeline *p, const ct_plan *plan, const ct_geometry *seen, const ct_bp_kernel *kernel,
                       const ct_bp_request *request) {
  const ct_filter_options options = ct_pipeline_filter_options(p, plan);
  ct_bp_request bare = *request;
  ct_error *fault = NULL;
  if (!wants_ramp_on_card(plan, &options)) return;
  bare.ramp = &p->ramp;
  if (ct_ramp_filter_make(seen, &options, &p->ramp, &fault) && ct_bp_accepts(kernel, &bare, &fault)) return;
  warn_of_filter(p, fault->message);
  ct_error_clear(&fault);
  ct_ramp_filter_clear(&p->ramp);
}

static bool prepare_filtered(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, bool needs_kernel, ct_job *job,
                             ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  if (!ct_pipeline_make_ready(p, plan, part, false, &g, &grid, job, error)) return false;
  keep_ramp(p);
  if (ct_filtered_begin(p, plan, &g, 0, job, error) && ct_filtered_all(p, job, error))
    return settle(p, plan, g, &grid, part != NULL, needs_kernel, error);
  ct_geometry_clear(&g);
  return false;
}

bool ct_pipeline_prepare_part(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, ct_job *job, ct_error **error) {
  return prepare_filtered(p, plan, part, true, job, error);
}

bool ct_pipeline_prepare_planes(ct_pipeline *p, const ct_plan *plan, ct_job *job, ct_error **error) {
  return prepare_filtered(p, plan, NULL, false, job, error);
}

/* A volume for which memory was estimated before the data made it wider may not fit. */
static bool fits_still(const ct_plan *plan, const ct_pipeline *p, const ct_grid *grid, ct_error **error) {
  ct_geometry g;
  ct_grid before;
  char needs[32], has[32];
  const double bytes = (double)ct_grid_voxels(grid) * sizeof(float), available = (double)ct_memory_available();
  if (p->memory > 0 || !(available > 0) || bytes <= CT_MEMORY_USABLE * available) return true;
  if (!ct_plan_geometry(plan, p->scan, &g, error)) return false;
  const bool good = ct_plan_grid(plan, &g, &before, error);
  ct_geometry_clear(&g);
  if (!good || bytes <= (double)ct_grid_voxels(&before) * sizeof(float)) return good;
  return ct_error_set(
      error, CT_ERROR_MEMORY,
      "The axis was found at column %.2f, and the detector is displaced: the volume of %d x %d x %d voxels "
      "needs %s, and %s are free. Set this centre by hand (centre.column) and "
      "filter.redundancy to displaced, so that the volume can be made in slabs, or take larger voxels.",
      p->centre, grid->nx, grid->ny, grid->nz, ct_format_bytes(bytes, needs, sizeof needs),
      ct_format_bytes(available, has, sizeof has));
}

bool ct_pipeline_prepare_volume(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, ct_job *job,
                                ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  ct_bp_request request;
  ct_geometry seen;
  if (!ct_pipeline_make_ready(p, plan, part, true, &g, &grid, job, error)) return false;
  const bool widened = see(p, plan, &g, &seen, error);
  keep_ramp(p);
  const ct_bp_kernel *kernel =
      widened ? ct_pipeline_choose_kernel(p, plan, &seen, &grid, part != NULL, &request, NULL, error) : NULL;
  if (kernel) leave_ramp(p, plan, &seen, kernel, &request);
  request.ramp = p->ramp.spectrum ? &p->ramp : NULL;
  const double more = (double)ct_grid_voxels(&grid) * sizeof(float) +
                      (kernel && kernel->memory ? (double)kernel->memory(kernel, &request) : 0);
  if (widened) ct_geometry_clear(&seen);
  if (!kernel || !(part || fits_still(plan, p, &grid, error)) || !ct_filtered_begin(p, plan, &g, more, job, error)) {
    ct_geometry_clear(&g);
    return false;
  }
  const bool good = settle(p, plan, g, &grid, part != NULL, true, error);
  if (good) ct_pipeline_tell_ramp(p);
  return good;
}

bool ct_pipeline_prepare_integrals(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, ct_job *job,
                                   ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  if (ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "These projections are weighted and filtered already; iterative methods need line integrals: "
                        "choose the direct method.");
  if (!ct_pipeline_make_ready(p, plan, part, false, &g, &grid, job, error)) return false;
  /* A spiral that filtered back-projection refuses is served all the same. */
  const bool needs_kernel = !ct_geometry_is_sorted(&g);
  if (ct_integrals_hold(p, &g, job, error)) return settle(p, plan, g, &grid, part != NULL, needs_kernel, error);
  ct_geometry_clear(&g);
  return false;
}

const ct_stack *ct_pipeline_get_line_integrals(const ct_pipeline *pipeline) {
  return pipeline->loader ? NULL : pipeline->integrals;
}

const ct_stack *ct_pipeline_get_filtered(const ct_pipeline *pipeline) {
  const ct_stack *filtered = pipeline->ramp.spectrum ? NULL : pipeline->filtered;
  return filtered && pipeline->filtered_count == ct_stack_views(filtered) ? filtered : NULL;
}

double ct_pipeline_get_held(const ct_pipeline *p) {
  const ct_stack *integrals = ct_pipeline_get_line_integrals(p);
  return (integrals ? (double)ct_stack_bytes(integrals) : 0) + (p->filtered ? (double)ct_stack_bytes(p->filtered) : 0);
}

const ct_pipeline_facts *ct_pipeline_get_facts(const ct_pipeline *pipeline) {
  return &pipeline->facts;
}

bool ct_pipeline_sweep(ct_pipeline *p, const ct_plan *plan, int index, ct_centre_trial **trials, size_t *count,
                       double *best, ct_job *job, ct_error **error) {
  *trials = NULL;
  *count = 0;
  ct_plan around = *plan;
  /* The sweep goes round the present centre; it must not start a sweep of its own. */
  if (around.centre_method == CT_CENTRE_SWEEP) around.centre_method = CT_CENTRE_AUTO;
  ct_geometry g;
  ct_grid grid;
  if (!ct_pipeline_make_ready(p, &around, NULL, false, &g, &grid, job, error) ||
      !settle(p, &around, g, &grid, false, true, error))
    return false;
  if (!ct_geometry_takes(&p->geometry, CT_TAKES_CENTRE))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A scan with projection matrices has its centre in them; there is nothing to sweep.");
  if (ct_geometry_climbs(&p->geometry))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Trial slices are made of circular scans; set the centre of a spiral or sequence by hand (centre.column).");
  if (!ct_integrals_hold(p, &p->geometry, job, error)) return false;
  ct_sweep_request request = ct_pipeline_sweep_request(p, plan, &p->geometry, &p->facts.grid, index);
  request.options = ct_pipeline_filter_options(p, plan);
  if (!ct_sweep_centres(&request, trials, count, best, job, error)) return false;
  for (size_t i = 0; i < *count; i++) (*trials)[i].centre = ct_unbinned_column((*trials)[i].centre, plan->bin);
  *best = ct_unbinned_column(*best, plan->bin);
  return true;
}
