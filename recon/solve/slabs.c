/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume in slabs: one pipeline, one slab after the other. */
#include "recon/solve/slabs.h"

#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/overview.h"

#include <math.h>
#include <string.h>

typedef struct work {
  ct_pipeline *pipeline;
  ct_plan plan; /* with the centre that was found */
  ct_slab_plan slabs;
  ct_overview overview;
  int views;      /* of every slab; 0 before the first is finished */
  int iterations; /* of an iterative method, in every slab; -1 before the first is finished */
  bool handed_on; /* the sink was given a slab */
  bool searched;  /* centre and weights, before the slabs; then how the centre was found */
  char how[sizeof((ct_pipeline *)NULL)->centre_how];
  double confidence;
  ct_warnings centre_warned;
  const ct_slab_sink *sink;
  const ct_publisher *publisher;
  ct_kernel_choice first; /* of the first slab */
  ct_warnings warnings;   /* of all slabs: each reads rows of its own */
  ct_job *job;
} work;

static bool prepare(work *w, const ct_grid *part, ct_error **error) {
  return ct_plan_is_iterative(&w->plan) ? ct_pipeline_prepare_integrals(w->pipeline, &w->plan, part, w->job, error)
                                        : ct_pipeline_prepare_part(w->pipeline, &w->plan, part, w->job, error);
}

/* Lets go what is held of all rows: each slab reads what it needs. */
static void forget(ct_pipeline *p) {
  ct_projections_free(p);
  p->rows = 0;
}

/* The data made another grid of the plan than was known when the slabs were cut. */
static bool cut_anew(work *w, ct_error **error) {
  ct_grid grid;
  ct_plan settled;
  if (!ct_pipeline_settled(w->pipeline, &w->plan, &settled, &grid, error)) return false;
  if (ct_grid_matches(&grid, &w->slabs.grid)) return true;
  if (!ct_plan_slabs(&settled, w->pipeline->scan, &w->pipeline->backend, w->slabs.budget, &w->slabs, error))
    return false;
  w->slabs.grid = grid;
  w->pipeline->projector = w->slabs.projector;
  w->pipeline->frugal = w->slabs.copies < 2;
  if (w->slabs.copies) return prepare(w, NULL, error);
  forget(w->pipeline);
  return true;
}

/* All projections, or where something is to be found out from them those of the middle slab: all slabs must turn about
 * the same axis, and be weighted alike. */
static bool begin(work *w, ct_error **error) {
  ct_geometry g;
  if (!ct_plan_geometry(&w->plan, w->pipeline->scan, &g, error)) return false;
  const bool told = ct_plan_grid_is_told(&w->plan, w->pipeline->scan, &g);
  ct_geometry_clear(&g);
  if (w->slabs.copies && told) return prepare(w, NULL, error);
  if (told) return true;
  const ct_grid middle = ct_slab_grid(&w->slabs, w->slabs.count / 2);
  if (!prepare(w, w->slabs.copies ? NULL : &middle, error)) return false;
  w->searched = !ct_centre_is_told(&w->plan, w->pipeline->scan, w->pipeline->geometry.beam);
  if (w->searched) {
    memcpy(w->how, w->pipeline->centre_how, sizeof w->how);
    w->confidence = w->pipeline->confidence;
    w->centre_warned = w->pipeline->warned[CT_WARNED_CENTRE];
    w->plan.centre_method = CT_CENTRE_FOUND;
    w->plan.centre_u = w->pipeline->centre;
  }
  return cut_anew(w, error);
}

static ct_volume *try_backproject(work *w, const ct_grid *grid, ct_error **error) {
  ct_pipeline *p = w->pipeline;
  if (!w->slabs.copies && !ct_pipeline_prepare_volume(p, &w->plan, grid, w->job, error)) return NULL;
  if (w->slabs.copies) ct_pipeline_warn_held_ramp(p, &w->plan);
  if (w->searched) {
    p->warned[CT_WARNED_CENTRE] = w->centre_warned;
    ct_pipeline_join_warnings(p);
  }
  ct_job_begin_stage(w->job, CT_STAGE_BACKPROJECTING,
                     (uint64_t)(w->views ? w->views : ct_plan_most_views(&w->plan, ct_stack_views(p->filtered))));
  const ct_part slab = {.plan = &w->plan, .grid = grid, .overview = &w->overview, .publisher = w->publisher};
  return ct_pipeline_backproject(p, &slab, w->views, &w->views, w->job, error);
}

static ct_volume *backproject(work *w, const ct_grid *grid, ct_error **error) {
  ct_volume *volume;
  ct_error *fault = NULL;
  do volume = try_backproject(w, grid, &fault);
  while (!volume && ct_pipeline_try_again(w->pipeline, &fault, error));
  return volume;
}

static ct_volume *iterate(work *w, const ct_grid *grid, ct_error **error) {
  const ct_part slab = {.plan = &w->plan, .grid = grid, .overview = &w->overview, .publisher = w->publisher};
  return ct_pipeline_iterate_slab(w->pipeline, &slab, w->slabs.copies > 0, &w->iterations, &w->views, w->job, error);
}

static bool make_slab(work *w, int slab, ct_error **error) {
  const ct_grid grid = ct_slab_grid(&w->slabs, slab);
  ct_job_begin_part(w->job, slab, w->slabs.count);
  ct_volume *volume = ct_plan_is_iterative(&w->plan) ? iterate(w, &grid, error) : backproject(w, &grid, error);
  if (!volume) return false;
  ct_job_begin_stage(w->job, CT_STAGE_WRITING, (uint64_t)grid.nz);
  w->handed_on = true;
  const bool good = w->sink->write(w->sink->user, &w->slabs.grid, volume, slab * w->slabs.height, w->job, error);
  if (good && slab == 0) {
    w->first.kernel = w->pipeline->facts.kernel;
    memcpy(w->first.why, w->pipeline->facts.kernel_why, sizeof w->first.why);
  }
  if (good) {
    ct_overview_add(&w->overview, volume);
    ct_warnings_join(&w->warnings, &w->pipeline->warnings);
  }
  ct_volume_free(volume);
  return good;
}

bool ct_pipeline_plan_slabs(const ct_pipeline *p, const ct_plan *plan, double budget, ct_slab_plan *slabs,
                            ct_error **error) {
  if (!(budget > 0)) {
    /* What writes the slabs needs some memory of its own, whatever their size (the HDF5 library at start-up). */
    static const double writers = 32 << 20;
    const double available = (double)ct_memory_available();
    budget = fmin(CT_MEMORY_USABLE * available, fmax(available - writers, 0.5 * available));
    if (budget > 0 && p->integrals) budget += (double)ct_stack_bytes(p->integrals);
    if (budget > 0 && p->filtered) budget += (double)ct_stack_bytes(p->filtered);
  }
  return ct_plan_slabs(plan, p->scan, &p->backend, budget, slabs, error);
}

/* All slabs of fresh work, once cut. */
static bool make_slabs(work *w, ct_slab_plan *slabs, int *views_done, ct_error **error) {
  ct_pipeline *p = w->pipeline;
  if (ct_plan_is_iterative(&w->plan)) ct_pipeline_drop_run(p);
  p->projector = slabs->projector;
  p->frugal = w->slabs.copies < 2;
  if (!w->slabs.copies) forget(p);
  bool good = begin(w, error);
  p->whole = &w->slabs.grid;
  p->searched_by = w->searched ? w->how : NULL;
  good = good && ct_overview_init(&w->overview, &w->slabs.grid, w->slabs.overview_step, error);
  for (int slab = 0; good && slab < w->slabs.count; slab++) good = make_slab(w, slab, error);
  if (good) {
    if (w->searched) {
      memcpy(p->centre_how, w->how, sizeof w->how);
      p->confidence = p->facts.centre_confidence = w->confidence;
    }
    p->facts.grid = w->slabs.grid;
    p->warnings = w->warnings;
    *slabs = w->slabs;
    p->facts.kernel = w->first.kernel;
    memcpy(p->facts.kernel_why, w->first.why, sizeof w->first.why);
    if (views_done) *views_done = w->views ? w->views : p->geometry.views;
  }
  p->frugal = false;
  p->projector = NULL;
  p->whole = NULL;
  p->searched_by = NULL;
  ct_overview_clear(&w->overview);
  return good;
}

/* Slabs for what is free by now, and thinner ones in any case. */
static bool cut_thinner(const ct_pipeline *p, const ct_plan *plan, ct_slab_plan *slabs) {
  static const double shares[] = {0.6, 0.8, 0.9};
  const double taken = fmin(slabs->budget, slabs->total);
  ct_slab_plan thinner;
  if (ct_pipeline_plan_slabs(p, plan, 0, &thinner, NULL) && thinner.budget < taken && thinner.height < slabs->height) {
    *slabs = thinner;
    return true;
  }
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
    if (ct_plan_slabs(plan, p->scan, &p->backend, shares[i] * taken, &thinner, NULL)) {
      *slabs = thinner;
      return true;
    }
  return false;
}

bool ct_pipeline_slabs(ct_pipeline *p, const ct_plan *plan, ct_slab_plan *slabs, const ct_slab_sink *sink,
                       const ct_publisher *publisher, int *views_done, ct_job *job, ct_error **error) {
  enum { TRIES = 4 };
  for (int tries = 1;; tries++) {
    ct_error *fault = NULL;
    const unsigned untold = ct_untold(NULL);
    work w = {.pipeline = p,
              .plan = *plan,
              .slabs = *slabs,
              .iterations = -1,
              .sink = sink,
              .publisher = publisher,
              .job = job};
    if (make_slabs(&w, slabs, views_done, &fault)) return true;
    const bool again = !w.handed_on && tries < TRIES && fault && fault->code == CT_ERROR_MEMORY;
    if (again) {
      forget(p);
      ct_untold_forgive(untold);
    }
    if (!again || !cut_thinner(p, plan, slabs)) {
      if (error)
        *error = fault;
      else
        ct_error_clear(&fault);
      return false;
    }
    ct_error_clear(&fault);
  }
}
