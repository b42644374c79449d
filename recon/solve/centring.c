/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The centre of rotation of a pipeline: told by plan or scan, or searched in the line integrals, by comparing opposite
 * rays or by a sweep of trial slices; searched again only when what it depends on has changed. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/digest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The automatic method takes a centre that is not sure all the same where this much speaks for it: nothing is better
 * known. */
static const double least_evidence = 8;

/* "also possible: 52.3, 88.1" and what trial slices say of it. */
static void warn_of_doubt(ct_warnings *warnings, const ct_plan *plan, const ct_centre_found *found,
                          const ct_slices_say *say) {
  char others[96] = "", slices[128] = "";
  size_t used = 0;
  for (int i = 1; i < found->count && used < sizeof others; i++)
    used += (size_t)snprintf(others + used, sizeof others - used, "%s %.1f", i == 1 ? "; also possible:" : ",",
                             ct_unbinned_column(found->candidates[i], plan->bin));
  char spread[48] = "";
  if (isfinite(found->spread)) snprintf(spread, sizeof spread, " +- %.1f", found->spread * plan->bin);
  if (say->decided)
    snprintf(slices, sizeof slices, " The best of %d trial slices is taken, %.2f px, by %.2g %% ahead of the next.",
             say->slices, ct_unbinned_column(say->centre, plan->bin), 100 * say->better);
  else if (say->slices)
    snprintf(slices, sizeof slices, " %d trial slices decide nothing.", say->slices);
  ct_warnings_add(
      warnings, CT_WARNING_CENTRE,
      "The centre of rotation is doubtful: opposite views say %.2f%s px (confidence %.2f%s).%s A wrong centre "
      "doubles edges and makes values wrong: look at a sweep (centre.method=sweep), or set it by hand "
      "(centre.method=manual, centre.column).",
      ct_unbinned_column(found->centre, plan->bin), spread, found->confidence, others, slices);
}

ct_sweep_request ct_pipeline_sweep_request(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *geometry,
                                           const ct_grid *grid, int index) {
  return (ct_sweep_request){.plan = plan,
                            .options = ct_plan_filter_options(plan, p->scan),
                            .backend = &p->backend,
                            .integrals = p->integrals,
                            .geometry = geometry,
                            .grid = grid,
                            .index = index};
}

/* Trial slices decide where the search leaves the centre open; that none can be made is no fault. */
static bool decide_by_slices(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid,
                             const ct_centre_found *found, ct_slices_say *say, ct_job *job, ct_error **error) {
  ct_error *fault = NULL;
  ct_geometry about = *g; /* borrows the angles */
  about.centre_u = found->centre;
  *say = (ct_slices_say){0};
  /* Trials are weighted and extended as the volume will be. */
  if (!ct_pipeline_look_at_edges(p, plan, &about, job, error)) return false;
  ct_sweep_request request = ct_pipeline_sweep_request(p, plan, &about, grid, grid->nz / 2);
  request.options = ct_pipeline_filter_options(p, plan);
  if (ct_centre_by_slices(&request, found, say, job, &fault)) return true;
  const bool cancelled = fault && fault->code == CT_ERROR_CANCELLED;
  if (cancelled) ct_error_set(error, CT_ERROR_CANCELLED, "%s", fault->message);
  ct_error_clear(&fault);
  return !cancelled;
}

static ct_centre_found unbinned(const ct_centre_found *found, int bin) {
  ct_centre_found same = *found;
  same.centre = ct_unbinned_column(found->centre, bin);
  same.spread *= bin;
  for (int i = 0; i < found->count; i++) same.candidates[i] = ct_unbinned_column(found->candidates[i], bin);
  return same;
}

/* Takes what was found: the place itself, or what trial slices make of it. */
static bool take_found(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid,
                       const ct_centre_found *result, ct_job *job, ct_error **error) {
  ct_slices_say say = {0};
  const bool sure = result->confidence >= CT_CENTRE_SURE;
  if (!sure && grid && !decide_by_slices(p, plan, g, grid, result, &say, job, error)) return false;
  p->centre = ct_unbinned_column(say.decided ? say.centre : result->centre, plan->bin);
  p->confidence = result->confidence;
  snprintf(p->centre_how, sizeof p->centre_how, "%s",
           say.decided ? "found by comparing opposite views, and decided by trial slices"
                       : "found by comparing opposite views");
  if (!sure) warn_of_doubt(&p->warned[CT_WARNED_CENTRE], plan, result, &say);
  return true;
}

/* grid: of the trial slices that decide where doubt is left; NULL: none. */
static bool search_by_correlation(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid,
                                  bool must, ct_job *job, ct_error **error) {
  ct_centre_found result;
  ct_error *fault = NULL;
  const bool found = ct_centre_search(p->integrals, g, &result, job, &fault);
  ct_warnings *warnings = ct_pipeline_warn(p, CT_WARNED_CENTRE);
  const bool sure = found && result.confidence >= CT_CENTRE_SURE;
  if (found) p->found = unbinned(&result, plan->bin);
  if (found && (must || sure || result.evidence >= least_evidence))
    return take_found(p, plan, g, grid, &result, job, error);
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
    snprintf(p->centre_how, sizeof p->centre_how, "middle of the detector, because the views do not tell another");
  ct_warnings_add(warnings, CT_WARNING_CENTRE,
                  "The centre of rotation was not found: the middle of the detector is used (%.2f px). A wrong centre "
                  "doubles edges "
                  "and makes values wrong: sweep it (centre.method=sweep), or set it by hand (centre.method=manual, "
                  "centre.column).",
                  p->centre);
  ct_error_clear(&fault);
  return true;
}

/* A tilt is told where it is this many standard deviations, and moves the axis by this many columns at the ends of the
 * detector. */
static const double tilt_deviations = 4, tilt_columns = 0.3;

static bool tilt_matters(const ct_tilt_found *tilt, const ct_geometry *g) {
  const double columns = 0.5 * g->nv * fabs(tan(tilt->tilt)) * g->dv / g->du;
  return fabs(tilt->tilt) > tilt_deviations * tilt->spread && columns > tilt_columns;
}

/* The tilt of the axis in the detector's plane is looked for beside the centre, and offered. */
static bool find_tilt(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, ct_job *job, ct_error **error) {
  if (!isnan(plan->tilt_deg) || g->tilt != 0 || p->found.count == 0) return true;
  ct_tilt_found tilt;
  if (!ct_centre_tilt(p->integrals, g, ct_binned_column(p->centre, plan->bin), &tilt, job, error)) return false;
  if (!tilt_matters(&tilt, g)) return true;
  p->tilt = tilt;
  p->tilt.centre = ct_unbinned_column(tilt.centre, plan->bin);
  const double degrees = tilt.tilt * 180 / M_PI;
  ct_warnings_add(
      &p->warned[CT_WARNED_CENTRE], CT_WARNING_CENTRE,
      "The axis is tilted in the detector's plane by %.2f +- %.2f degrees, as the centres at several heights "
      "say, and no tilt is in use: edges are doubled above and below the middle. Set geometry.tilt=%.2f.",
      degrees, tilt.spread * 180 / M_PI, degrees);
  return true;
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

/* What was searched last outlives plans that tell the centre. */
static void keep(ct_pipeline *p) {
  ct_searched_centre *kept = &p->searched_centre;
  *kept = (ct_searched_centre){.centre = p->centre,
                               .confidence = p->confidence,
                               .found = p->found,
                               .tilt = p->tilt,
                               .warned = p->warned[CT_WARNED_CENTRE]};
  memcpy(kept->how, p->centre_how, sizeof kept->how);
}

static void take_kept(ct_pipeline *p) {
  const ct_searched_centre *kept = &p->searched_centre;
  p->centre = kept->centre;
  p->confidence = kept->confidence;
  p->found = kept->found;
  p->tilt = kept->tilt;
  p->warned[CT_WARNED_CENTRE] = kept->warned;
  memcpy(p->centre_how, kept->how, sizeof kept->how);
}

bool ct_pipeline_centre(ct_pipeline *p, const ct_plan *plan, ct_geometry *g, const ct_grid *grid, ct_job *job,
                        ct_error **error) {
  const unsigned known = ct_scan_get_facts(p->scan)->known;
  const ct_centre_method method = ct_plan_centre_method(plan);
  if (ct_centre_is_told(plan, p->scan, g->beam)) {
    p->found.count = 0;
    p->tilt = (ct_tilt_found){NAN, NAN, NAN};
    ct_pipeline_warn(p, CT_WARNED_CENTRE);
    p->centre = ct_unbinned_column(g->centre_u, plan->bin);
    p->confidence = NAN;
    snprintf(p->centre_how, sizeof p->centre_how, "%s",
             !ct_geometry_takes(g, CT_TAKES_CENTRE)                                 ? "from the projection matrices"
             : plan->centre_method == CT_CENTRE_FOUND && method == CT_CENTRE_MANUAL ? "as found before"
             : method == CT_CENTRE_MANUAL                                           ? "set by hand"
             : known & CT_KNOWN_CENTRE                                              ? "as the scan says"
                                                                                    : "middle of the detector");
    return true;
  }
  const uint64_t key = centre_key(p, plan, g, grid);
  if (!(p->centre_found && key == p->centre_key)) {
    if (!ct_integrals_hold(p, g, job, error)) return false;
    p->found.count = 0;
    p->tilt = (ct_tilt_found){NAN, NAN, NAN};
    if (method == CT_CENTRE_SWEEP) {
      ct_centre_trial *trials;
      size_t count;
      double best;
      /* Round about what opposite views say, where they say it. */
      if (!search_by_correlation(p, plan, g, NULL, false, job, error)) return false;
      ct_geometry about = *g;
      about.centre_u = ct_binned_column(p->centre, plan->bin);
      /* Trials are weighted and extended as the volume will be. */
      if (!ct_pipeline_look_at_edges(p, plan, &about, job, error)) return false;
      ct_sweep_request request = ct_pipeline_sweep_request(p, plan, &about, grid, grid->nz / 2);
      request.options = ct_pipeline_filter_options(p, plan);
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
    } else if (!search_by_correlation(p, plan, g, grid, method == CT_CENTRE_CORRELATION, job, error) ||
               !find_tilt(p, plan, g, job, error))
      return false;
    p->centre_found = true;
    p->centre_key = key;
    keep(p);
  } else
    take_kept(p);
  g->centre_u = ct_binned_column(p->centre, plan->bin);
  return true;
}
