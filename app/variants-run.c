/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running variants one after the other. */
#include "app/variants-run.h"

#include "app/variants-frozen.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/base/untold.h"
#include "recon/data/resample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct runner {
  gantry_variants *variants;
  const gantry_variants_request *request;
  const gantry_variants_watcher *watcher;
  ct_scan *scan;
  const ct_backend *backend;
  ct_pipeline *pipeline;
  ct_job *job;
  ct_volume *own; /* the reference, where a plan was run for it */
  const ct_volume *reference;
  double updates, update_time; /* of all runs so far */
} runner;

/* Time and updates of back-projection since the last call: the job adds up those of all runs. */
static void take_speed(runner *r, double updates, gantry_variant *row) {
  ct_progress progress;
  ct_job_get_progress(r->job, &progress);
  ct_job_begin_stage(r->job, CT_STAGE_WAITING, 0); /* what follows is no back-projection */
  row->backprojection = row->gups = NAN;
  const ct_iterative_options *o = &row->plan.iterative;
  if (!(progress.gups > 0) || (ct_method_iterates(o->method) && o->start != CT_START_DIRECT)) return;
  r->updates += updates;
  const double time = r->updates / progress.gups * 1e-9, own = time - r->update_time;
  r->update_time = time;
  if (ct_method_iterates(o->method)) return; /* a start's */
  row->backprojection = own;
  row->gups = updates / own * 1e-9;
}

static void take_facts(runner *r, gantry_variant *row) {
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(r->pipeline);
  const bool direct = !ct_method_iterates(row->plan.iterative.method);
  const char *id = direct ? (facts->kernel ? facts->kernel->id : "") : facts->projector ? facts->projector->id : "";
  snprintf(row->kernel, sizeof row->kernel, "%s", id);
  row->warnings = facts->warnings ? *facts->warnings : (ct_warnings){0};
  size_t points = 0;
  if (!direct) ct_pipeline_get_curve(r->pipeline, &points);
  row->iterations = (int)points;
  row->views_all = facts->geometry ? facts->views_all : facts->views_taken;
  row->views = direct ? facts->views_taken : row->views_all;
}

/* Before anything is read: whether one variant will fit. */
static bool check_memory(const runner *r, ct_error **error) {
  const ct_plan *plan = &r->variants->rows[0].plan;
  ct_estimate estimate;
  if (!(r->request->one_slice ? ct_plan_estimate_planes(plan, r->scan, r->backend, 0, &estimate, error)
                              : ct_plan_estimate(plan, r->scan, r->backend, &estimate, error)))
    return false;
  return estimate.fits || estimate.available <= 0 || estimate.total < estimate.available ||
         ct_error_set(error, CT_ERROR_MEMORY, "%s", estimate.advice);
}

/* Whether the row's volume fits beside what is there already, projections and the reference among it. */
static bool check_row(const runner *r, const ct_plan *plan, ct_error **error) {
  ct_estimate estimate;
  char needs[32], has[32];
  if (!ct_plan_estimate(plan, r->scan, r->backend, &estimate, error)) return false;
  const double more = estimate.volume + estimate.kernel + estimate.iterative;
  if (estimate.available > 0 && more > estimate.available)
    return ct_error_set(error, CT_ERROR_MEMORY, "The volume needs %s more and %s are free; one slice needs less.",
                        ct_format_bytes(more, needs, sizeof needs),
                        ct_format_bytes(estimate.available, has, sizeof has));
  if (r->request->one_slice && ct_method_iterates(plan->iterative.method) &&
      ct_pipeline_slice_is_preview(r->pipeline, plan, r->request->plane))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s", GANTRY_SLICE_NEEDS_VOLUME);
  return true;
}

/* One run; the row's numbers are those of the quickest. Filtered projections are made beforehand, so that they do not
 * count as back-projection. */
static ct_volume *run_once(runner *r, gantry_variant *row, ct_error **error) {
  const double begun = ct_now();
  gantry_variant now = *row;
  ct_pipeline_drop_run(r->pipeline);
  if ((!ct_method_iterates(row->plan.iterative.method) || r->request->one_slice) &&
      !ct_pipeline_prepare_planes(r->pipeline, &row->plan, r->job, error))
    return NULL;
  if (!check_row(r, &row->plan, error)) return NULL;
  ct_volume *volume = ct_pipeline_volume(r->pipeline, &row->plan, NULL, r->job, error);
  if (!volume) return NULL;
  now.seconds = ct_now() - begun;
  take_facts(r, &now);
  const int views = ct_pipeline_get_facts(r->pipeline)->views_taken;
  take_speed(r, (double)ct_grid_voxels(ct_volume_grid(volume)) * views, &now);
  if (!(row->seconds > 0 && row->seconds <= now.seconds)) *row = now;
  return volume;
}

static ct_volume *run_row(runner *r, gantry_variant *row, ct_error **error) {
  ct_volume *volume = NULL;
  for (int i = 0; i < r->request->repeat || i < 1; i++) {
    ct_volume_free(volume);
    if (!(volume = run_once(r, row, error))) return NULL;
  }
  return volume;
}

/* The volume against the reference, which is brought onto its voxels where it lies elsewhere. */
static bool compare(const runner *r, gantry_variant *row, const ct_volume *volume, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(volume);
  const ct_volume *reference = r->reference ? r->reference : volume;
  ct_volume *moved = NULL;
  if (!ct_grid_matches(grid, ct_volume_grid(reference))) {
    if (!(moved = ct_volume_resample(reference, grid, NULL, error))) return false;
    reference = moved;
  }
  const ct_comparison pair = {.a = ct_volume_get_data(volume),
                              .b = ct_volume_get_data(reference),
                              .nx = grid->nx,
                              .ny = grid->ny,
                              .nz = grid->nz,
                              .peak = NAN};
  row->compared = ct_compare(&pair, &row->metrics, r->job, error);
  row->resampled = moved != NULL;
  ct_volume_free(moved);
  return row->compared;
}

/* False where the job was cancelled; everything else is the row's own fault. */
static bool settle(runner *r, gantry_variant *row, bool good, ct_error **error) {
  if (good) {
    row->state = GANTRY_VARIANT_DONE;
    return true;
  }
  if (*error && (*error)->code == CT_ERROR_CANCELLED) return false;
  row->state = GANTRY_VARIANT_FAILED;
  row->reason = ct_strdup(*error ? (*error)->message : "failed for an unknown reason", NULL);
  ct_error_clear(error);
  ct_untold_forget(); /* the row tells it */
  return true;
}

static bool run_and_compare(runner *r, size_t i, ct_volume *made, ct_error **error) {
  gantry_variant *row = &r->variants->rows[i];
  const gantry_variants_watcher *w = r->watcher;
  ct_volume *volume = made;
  ct_error *fault = NULL;
  if (!made) {
    if (w->begins) w->begins(w->user, i, row->name);
    volume = run_row(r, row, &fault);
  }
  const bool good = settle(r, row,
                           volume && (!(r->own || r->reference) || compare(r, row, volume, &fault)) &&
                               (!w->keep || w->keep(w->user, i, volume, &fault)),
                           &fault);
  if (volume != r->own) ct_volume_free(volume);
  if (good && w->ended) w->ended(w->user, i);
  if (good) return true;
  if (error)
    *error = fault;
  else
    ct_error_clear(&fault);
  return false;
}

/* The row whose plan is the reference's; count: there is none. */
static size_t find_row(const gantry_variants *v, const ct_plan *plan) {
  size_t i = 0;
  while (i < v->count && ct_plans_differ(&v->rows[i].plan, plan)) i++;
  return i;
}

/* Runs the reference's plan; *at is its row, which then has its numbers. */
static bool make_reference(runner *r, const ct_plan *plan, size_t *at, ct_error **error) {
  const gantry_variants_watcher *w = r->watcher;
  gantry_variants *v = r->variants;
  gantry_variant alone = {.plan = *plan};
  *at = find_row(v, plan);
  gantry_variant *row = *at < v->count ? &v->rows[*at] : &alone;
  if (w->begins) w->begins(w->user, *at, *at < v->count ? row->name : "the reference");
  r->own = run_row(r, row, error);
  r->reference = r->own;
  if (!r->own) {
    if (error && *error && (*error)->code != CT_ERROR_CANCELLED) ct_error_prefix(error, "The reference");
    return false;
  }
  if (*at == v->count && w->ended) w->ended(w->user, *at);
  return true;
}

static bool run_rows(runner *r, const ct_plan *reference, ct_error **error) {
  size_t at = r->variants->count;
  if (reference && !make_reference(r, reference, &at, error)) return false;
  if (at < r->variants->count && !run_and_compare(r, at, r->own, error)) return false;
  for (size_t i = 0; i < r->variants->count; i++)
    if (i != at && !run_and_compare(r, i, NULL, error)) return false;
  return true;
}

static bool check_kernel(const ct_plan *plan, const ct_backend *backend, ct_error **error) {
  if (!strcmp(plan->kernel, "auto") || ct_bp_find(&backend->kernels, plan->kernel)) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no kernel \"%s\".", plan->kernel);
}

bool gantry_variants_check(const gantry_variants *variants, const ct_plan *reference, const ct_backend *backend,
                           ct_error **error) {
  for (size_t i = 0; i < variants->count; i++)
    if (!check_kernel(&variants->rows[i].plan, backend, error)) return false;
  return !reference || check_kernel(reference, backend, error);
}

bool gantry_variants_run(gantry_variants *variants, const gantry_variants_request *request, ct_scan *scan,
                         const ct_backend *backend, const gantry_variants_watcher *watcher,
                         char frozen[GANTRY_FROZEN_TEXT], ct_job *job, ct_error **error) {
  static const gantry_variants_watcher nobody = {0};
  runner r = {.variants = variants,
              .request = request,
              .watcher = watcher ? watcher : &nobody,
              .scan = scan,
              .backend = backend,
              .job = job,
              .reference = request->reference_volume};
  gantry_frozen values;
  if (frozen) frozen[0] = 0;
  if (!gantry_variants_check(variants, request->reference, backend, error)) return false;
  r.pipeline = ct_pipeline_new(scan, backend, error);
  bool good = r.pipeline && check_memory(&r, error) &&
              gantry_freeze(variants, request, r.pipeline, &values, frozen, job, error);
  if (good) {
    for (size_t i = 0; i < variants->count; i++) gantry_apply_frozen(&values, &variants->rows[i].plan);
    ct_plan reference;
    const ct_plan *plan = request->reference_volume ? NULL : request->reference;
    if (plan) {
      reference = *plan;
      gantry_apply_frozen(&values, &reference);
    }
    good = run_rows(&r, plan ? &reference : NULL, error);
  }
  ct_volume_free(r.own);
  ct_pipeline_free(r.pipeline);
  return good;
}

static bool set_words(ct_plan *plan, const char *text, ct_error **error) {
  while (*text) {
    char word[2 * CT_PLAN_TEXT];
    const size_t length = strcspn(text, ",");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
    char *value = strchr(word, '=');
    if (!value)
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "A reference is textbook, first, KEY=VALUE,... or the file of a volume, not \"%s\".", word);
    *value++ = 0;
    if (!ct_plan_set_text(plan, word, value, error)) return false;
    text += length + (text[length] == ',');
  }
  return true;
}

bool gantry_variants_reference(const gantry_variants *variants, const char *text, ct_plan *plan, ct_error **error) {
  static const char textbook[] = "textbook", first[] = "first";
  *plan = variants->base;
  const size_t length = strcspn(text, ",");
  const char *rest = text[length] ? text + length + 1 : text + length;
  if (length == strlen(textbook) && !strncmp(text, textbook, length))
    return set_words(plan,
                     "reconstruction.kernel=textbook,reconstruction.precision=float64,"
                     "reconstruction.interpolation=linear",
                     error) &&
           set_words(plan, rest, error);
  if (length == strlen(first) && !strncmp(text, first, length)) {
    *plan = variants->rows[0].plan;
    return set_words(plan, rest, error);
  }
  return set_words(plan, text, error);
}
