/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline's memory: line integrals, centre and filtered projections, each re-made only when the part of the plan
 * that it depends on has changed. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A centre found with less confidence than this is not taken by the automatic method. */
static const double least_confidence = 0.5;

ct_pipeline *ct_pipeline_new(ct_scan *scan, const ct_backend *backend, ct_error **error) {
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
  ct_geometry_clear(&pipeline->geometry);
  ct_geometry_clear(&pipeline->seen);
  free(pipeline);
}

ct_warnings *ct_pipeline_warn(ct_pipeline *pipeline, ct_warned stage) {
  pipeline->warned[stage] = (ct_warnings){0};
  return &pipeline->warned[stage];
}

void ct_pipeline_join_warnings(ct_pipeline *pipeline) {
  pipeline->warnings = (ct_warnings){0};
  for (int i = 0; i < CT_WARNED_STAGES; i++) ct_warnings_join(&pipeline->warnings, &pipeline->warned[i]);
  pipeline->facts.warnings = &pipeline->warnings;
}

/* Detector rows (binned) that the grid needs; the tilt and divergence of all views included. */
static bool needed_rows(const ct_geometry *geometry, const ct_grid *grid, int *row0, int *rows, ct_error **error) {
  if (ct_grid_detector_rows(grid, geometry, row0, rows)) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "No view sees the volume: its shadow falls beside the detector. Check the centre of rotation "
                      "(%.1f of %d columns), "
                      "the central row, the distances and the position of the volume.",
                      geometry->centre_u, geometry->nu);
}

bool ct_slab_rows(const ct_geometry *geometry, const ct_grid *grid, const ct_grid *part, int *row0, int *rows,
                  ct_error **error) {
  enum { NEIGHBOURS = 4 }; /* that the corrections of a pixel look at */
  int first, all;
  if (!needed_rows(geometry, grid, &first, &all, error)) return false;
  if (!ct_grid_detector_rows(part, geometry, row0, rows)) {
    *row0 = first;
    *rows = 1;
  }
  int low = *row0 - first - NEIGHBOURS, high = *row0 - first + *rows + NEIGHBOURS;
  low = low < 0 ? 0 : low & ~1;
  high = high > all ? all : high + (high & 1 && high < all);
  *row0 = first + low;
  *rows = high - low;
  return true;
}

static bool search_by_correlation(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, bool must, ct_job *job,
                                  ct_error **error) {
  double centre, confidence;
  ct_error *fault = NULL;
  const bool found = ct_centre_by_correlation(p->integrals, g, &centre, &confidence, job, &fault);
  ct_warnings *warnings = ct_pipeline_warn(p, CT_WARNED_CENTRE);
  if (found && (must || confidence >= least_confidence)) {
    p->centre = ct_unbinned_column(centre, plan->bin);
    p->confidence = confidence;
    snprintf(p->centre_how, sizeof p->centre_how, "found by mirror correlation of opposite views");
    return true;
  }
  if (must || (fault && fault->code == CT_ERROR_CANCELLED)) {
    if (error && !*error)
      *error = fault;
    else
      ct_error_clear(&fault);
    return false;
  }
  p->centre = ct_unbinned_column(g->centre_u, plan->bin);
  p->confidence = NAN;
  if (found)
    snprintf(p->centre_how, sizeof p->centre_how, "middle of the detector, because opposite views do not agree");
  else
    snprintf(p->centre_how, sizeof p->centre_how, "middle of the detector, because no opposite views were taken");
  ct_warnings_add(
      warnings, CT_WARNING_CENTRE,
      "The centre of rotation was not found: the %s is used (%.2f px). A wrong centre doubles edges and makes "
      "values wrong: sweep it (centre.method=sweep), or set it by hand (centre.method=manual, centre.column).",
      "middle of the detector", p->centre);
  ct_error_clear(&fault);
  return true;
}

bool ct_centre_is_told(const ct_plan *plan, const ct_scan *scan, ct_beam beam) {
  const ct_centre_method method = ct_plan_centre_method(plan);
  return method == CT_CENTRE_MANUAL || method == CT_CENTRE_SCAN || !ct_beam_takes(beam, CT_TAKES_CENTRE) ||
         (method == CT_CENTRE_AUTO && ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE);
}

/* What a search for the centre depends on. A sweep makes trial slices, and so filters and has a grid, too. */
static uint64_t centre_key(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid) {
  const bool sweeps = ct_plan_centre_method(plan) == CT_CENTRE_SWEEP;
  const uint64_t parts[] = {p->integrals_version, ct_plan_stage_digest(plan, CT_PLAN_CENTRE),
                            sweeps ? ct_plan_stage_digest(plan, CT_PLAN_SWEEP) : 0,
                            sweeps ? ct_plan_stage_digest(plan, CT_PLAN_FILTERED) : 0};
  const int counts[] = {grid->nx, grid->ny, grid->nz};
  const double places[] = {grid->dx, grid->dy, grid->dz, grid->x0, grid->y0, grid->z0};
  const uint64_t key = ct_digest(ct_geometry_digest(g, true), parts, sizeof parts);
  return sweeps ? ct_digest(ct_digest(key, counts, sizeof counts), places, sizeof places) : key;
}

/* Of the line integrals that are held. */
static ct_sweep_request sweep_request(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *geometry,
                                      const ct_grid *grid, int index) {
  return (ct_sweep_request){.plan = plan,
                            .options = ct_plan_filter_options(plan, p->scan),
                            .backend = &p->backend,
                            .integrals = p->integrals,
                            .geometry = geometry,
                            .grid = grid,
                            .index = index};
}

/* Decides the centre column; *g has that of the scan or of the plan's hand. */
static bool find_centre(ct_pipeline *p, const ct_plan *plan, ct_geometry *g, const ct_grid *grid, ct_job *job,
                        ct_error **error) {
  const unsigned known = ct_scan_get_facts(p->scan)->known;
  const ct_centre_method method = ct_plan_centre_method(plan);
  if (ct_centre_is_told(plan, p->scan, g->beam)) {
    ct_pipeline_warn(p, CT_WARNED_CENTRE);
    p->centre = ct_unbinned_column(g->centre_u, plan->bin);
    p->confidence = NAN;
    snprintf(p->centre_how, sizeof p->centre_how, "%s",
             !ct_geometry_takes(g, CT_TAKES_CENTRE) ? "from the projection matrices"
             : method == CT_CENTRE_MANUAL           ? "set by hand"
             : known & CT_KNOWN_CENTRE              ? "as the scan says"
                                                    : "middle of the detector");
    return true;
  }
  const uint64_t key = centre_key(p, plan, g, grid);
  if (!(p->centre_found && key == p->centre_key)) {
    if (!ct_integrals_hold(p, g, job, error)) return false;
    if (method == CT_CENTRE_SWEEP) {
      ct_centre_trial *trials;
      size_t count;
      double best;
      /* Round about what opposite views say, where they say it. */
      if (!search_by_correlation(p, plan, g, false, job, error)) return false;
      ct_geometry about = *g;
      about.centre_u = ct_binned_column(p->centre, plan->bin);
      const ct_sweep_request request = sweep_request(p, plan, &about, grid, grid->nz / 2);
      if (!ct_sweep_centres(&request, &trials, &count, &best, job, error)) return false;
      const double from = ct_unbinned_column(trials[0].centre, plan->bin),
                   to = ct_unbinned_column(trials[count - 1].centre, plan->bin);
      ct_free(trials);
      if (isnan(best))
        return ct_error_set(error, CT_ERROR_DATA,
                            "The best trial centre is an end of the sweep from %.2f to %.2f px: widen its range, or "
                            "choose another measure.",
                            from, to);
      p->centre = ct_unbinned_column(best, plan->bin);
      p->confidence = NAN;
      snprintf(p->centre_how, sizeof p->centre_how, "best of a sweep over %zu centres", count);
    } else if (!search_by_correlation(p, plan, g, method == CT_CENTRE_CORRELATION, job, error))
      return false;
    p->centre_found = true;
    p->centre_key = key;
    p->centre_warned = p->warned[CT_WARNED_CENTRE];
  }
  p->warned[CT_WARNED_CENTRE] = p->centre_warned;
  g->centre_u = ct_binned_column(p->centre, plan->bin);
  return true;
}

bool ct_pipeline_prepare(ct_pipeline *p, const ct_plan *plan, ct_job *job, ct_error **error) {
  return ct_pipeline_prepare_part(p, plan, NULL, job, error);
}

/* Geometry and grid of the plan (of a part of its grid), the line integrals that they need (to be read later, where the
 * centre does not ask for them now), and the centre. */
static bool make_ready(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, bool later, ct_geometry *g,
                       ct_grid *grid, ct_job *job, ct_error **error) {
  int row0 = 0, rows = 0;
  if (!ct_plan_geometry(plan, p->scan, g, error)) return false;
  bool good = ct_plan_grid(plan, g, grid, error);
  if (good && part) {
    good = ct_slab_rows(g, grid, part, &row0, &rows, error);
    *grid = *part;
  }
  /* Which rows are needed hangs on the centre only by the tilt; a band for the scan's own centre serves both. */
  else if (good && g->tilt != 0)
    rows = g->nv;
  else
    good = good && needed_rows(g, grid, &row0, &rows, error);
  later = later && ct_centre_is_told(plan, p->scan, g->beam);
  good = good && ct_integrals_make(p, plan, g, row0, rows, later, job, error);
  if (good) {
    ct_geometry_crop_rows(g, p->row0, p->rows);
    good = find_centre(p, plan, g, grid, job, error) && (part || needed_rows(g, grid, &row0, &rows, error));
  }
  if (!good) ct_geometry_clear(g);
  return good;
}

/* The geometry that the plan's filter makes of that of the line integrals, to be cleared. */
static bool see(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *integrals, ct_geometry *seen,
                ct_error **error) {
  const ct_filter_options options = ct_plan_filter_options(plan, p->scan);
  return ct_filter_output(integrals, &options, seen, error);
}

const ct_bp_kernel *ct_pipeline_choose_kernel(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *seen,
                                              const ct_grid *grid, bool part, ct_bp_request *request,
                                              char why[CT_BP_WHY], ct_error **error) {
  return ct_plan_kernel(plan, &p->backend, seen, grid, part ? CT_EXTENT_SLAB : CT_EXTENT_VOLUME, request, why, error);
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
                                 .centre_u = p->centre,
                                 .centre_confidence = p->confidence,
                                 .centre_how = p->centre_how,
                                 .prep = p->report};
  ct_pipeline_join_warnings(p);
  memcpy(p->facts.projector_why, before.projector_why, sizeof before.projector_why);
  ct_bp_request request;
  p->facts.kernel = ct_pipeline_choose_kernel(p, plan, &p->seen, grid, part, &request, p->facts.kernel_why,
                                              needs_kernel ? error : NULL);
  return p->facts.kernel || !needs_kernel;
}

static bool prepare_filtered(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, bool needs_kernel, ct_job *job,
                             ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  if (!make_ready(p, plan, part, false, &g, &grid, job, error)) return false;
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

bool ct_pipeline_prepare_volume(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, ct_job *job,
                                ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  ct_bp_request request;
  ct_geometry seen;
  if (!make_ready(p, plan, part, true, &g, &grid, job, error)) return false;
  const bool widened = see(p, plan, &g, &seen, error);
  const ct_bp_kernel *kernel =
      widened ? ct_pipeline_choose_kernel(p, plan, &seen, &grid, part != NULL, &request, NULL, error) : NULL;
  const double more = (double)ct_grid_voxels(&grid) * sizeof(float) +
                      (kernel && kernel->memory ? (double)kernel->memory(kernel, &request) : 0);
  if (widened) ct_geometry_clear(&seen);
  if (kernel && ct_filtered_begin(p, plan, &g, more, job, error))
    return settle(p, plan, g, &grid, part != NULL, true, error);
  ct_geometry_clear(&g);
  return false;
}

bool ct_pipeline_prepare_integrals(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, ct_job *job,
                                   ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  if (ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "These projections are weighted and filtered already; iterative methods need line integrals: "
                        "choose the direct method.");
  if (!make_ready(p, plan, part, false, &g, &grid, job, error)) return false;
  if (ct_integrals_hold(p, &g, job, error)) return settle(p, plan, g, &grid, part != NULL, true, error);
  ct_geometry_clear(&g);
  return false;
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
  if (!make_ready(p, &around, NULL, false, &g, &grid, job, error) || !settle(p, &around, g, &grid, false, true, error))
    return false;
  if (!ct_geometry_takes(&p->geometry, CT_TAKES_CENTRE))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A scan with projection matrices has its centre in them; there is nothing to sweep.");
  if (!ct_integrals_hold(p, &p->geometry, job, error)) return false;
  const ct_sweep_request request = sweep_request(p, plan, &p->geometry, &p->facts.grid, index);
  if (!ct_sweep_centres(&request, trials, count, best, job, error)) return false;
  for (size_t i = 0; i < *count; i++) (*trials)[i].centre = ct_unbinned_column((*trials)[i].centre, plan->bin);
  *best = ct_unbinned_column(*best, plan->bin);
  return true;
}
