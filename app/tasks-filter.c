/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the filter does to a row, read from the pipeline as it stands. */
#include "app/tasks-filter.h"

#include "app/speeds.h"
#include "app/tasks-private.h"

#include "recon/base/memory.h"
#include "recon/filter/fft.h"
#include "recon/geom/sequence.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>

/* Lags on each side of the tap in the middle. */
#define LAGS 24
/* On each side of the row. */
#define ROWS 8

static void add_response(GantryFilterReport *report, const ct_filter_response *response) {
  const int half = response->length / 2, lags = MIN(LAGS, half);
  gantry_filter_report_add(report, GANTRY_FILTER_GAIN, (gsize)half + 1);
  for (int k = 0; k <= half; k++) {
    report->x[GANTRY_FILTER_GAIN][k] = (double)k / half;
    report->y[GANTRY_FILTER_GAIN][k] = (double)response->gain[k];
  }
  gantry_filter_report_add(report, GANTRY_FILTER_TAPS, 2 * (gsize)lags + 1);
  for (int n = -lags; n <= lags; n++) {
    report->x[GANTRY_FILTER_TAPS][n + lags] = n;
    report->y[GANTRY_FILTER_TAPS][n + lags] = (double)response->taps[ABS(n)];
  }
}

/* Of the row behind as many zeros. */
static gboolean add_spectrum(GantryFilterReport *report, GantryFilterCurve curve, const float *row, int columns,
                             ct_error **error) {
  const int length = 2 * ct_fft_good_length(columns), half = length / 2;
  ct_fft *fft = ct_fft_new(length, 1, error);
  float *padded = fft ? ct_alloc_zero((size_t)length, sizeof *padded, "the row", error) : NULL;
  float *pairs = padded ? ct_alloc(2 * ((size_t)half + 1), sizeof *pairs, "the row's spectrum", error) : NULL;
  if (pairs) {
    memcpy(padded, row, (size_t)columns * sizeof *row);
    ct_fft_forward(fft, padded, pairs);
    gantry_filter_report_add(report, curve, (gsize)half + 1);
    for (int k = 0; k <= half; k++) {
      report->x[curve][k] = (double)k / half;
      report->y[curve][k] = hypot((double)pairs[2 * k], (double)pairs[2 * k + 1]);
    }
  }
  ct_free(pairs);
  ct_free(padded);
  ct_fft_free(fft);
  return pairs != NULL;
}

static gboolean add_row(GantryFilterReport *report, GantryFilterCurve curve, GantryFilterCurve spectrum,
                        const float *row, int columns, double first, ct_error **error) {
  gantry_filter_report_add(report, curve, (gsize)columns);
  for (int i = 0; i < columns; i++) {
    report->x[curve][i] = i + first;
    report->y[curve][i] = (double)row[i];
  }
  return add_spectrum(report, spectrum, row, columns, error);
}

/* Rows about the middle one, of the view alone. */
static void add_block(GantryFilterReport *report, const ct_stack *stack, const ct_filtered_place *place) {
  const gsize columns = (gsize)ct_stack_nu(stack);
  report->block_first = MAX(report->row - ROWS, 0);
  report->block_rows = MIN(report->row + ROWS + 1, place->rows) - report->block_first;
  report->block =
      g_memdup2(ct_stack_get_view(stack, place->view) + (gsize)(place->row0 + report->block_first) * columns,
                columns * (gsize)report->block_rows * sizeof *report->block);
}

static void drop_rows(GantryFilterReport *report) {
  for (int curve = GANTRY_FILTER_BEFORE; curve < GANTRY_FILTER_CURVES; curve++) {
    g_clear_pointer(&report->x[curve], g_free);
    g_clear_pointer(&report->y[curve], g_free);
    report->count[curve] = 0;
  }
  g_clear_pointer(&report->block, g_free);
}

/* *idle: the view has weight 0. */
static gboolean add_rows(GantryFilterReport *report, const ct_filtering *filtering, const ct_geometry *integrals,
                         const ct_geometry *seen, const ct_stack *before, const ct_stack *after, gboolean *idle,
                         ct_error **error) {
  /* A sequence's view stands among those of its angle when it is filtered, and by itself before. */
  const gboolean turns = ct_geometry_is_sequence(seen), sorted = ct_filtering_sorts(filtering) && !turns;
  const ct_filtered_place place = ct_filtered_find(seen, report->view);
  const int nu = sorted ? ct_stack_nu(after) : ct_stack_nu(before),
            nv = sorted ? ct_stack_nv(after) : ct_stack_nv(before);
  const gsize row = (gsize)place.row0 + (gsize)report->row, row_before = turns ? (gsize)report->row : row;
  float *unfiltered = ct_alloc((gsize)nu * (gsize)nv, sizeof *unfiltered, "a view before the filter", error);
  if (!unfiltered) return FALSE;
  ct_filtering_sort(filtering, before, turns ? report->view : place.view, unfiltered);
  /* A displaced detector's rows are longer when they are filtered: in both pictures the axis lies in one place. */
  const double first = ct_stack_nu(after) > nu ? integrals->centre_u - 0.5 * (ct_stack_nu(after) - 1) : 0;
  const gboolean good =
      add_row(report, GANTRY_FILTER_BEFORE, GANTRY_FILTER_SPECTRUM_BEFORE, unfiltered + row_before * (gsize)nu, nu, 0,
              error) &&
      add_row(report, GANTRY_FILTER_AFTER, GANTRY_FILTER_SPECTRUM_AFTER,
              ct_stack_get_view(after, place.view) + row * (gsize)ct_stack_nu(after), ct_stack_nu(after), first, error);
  *idle =
      good && !gantry_is_zero(unfiltered + row_before * (gsize)nu, (gsize)nu) &&
      gantry_is_zero(ct_stack_get_view(after, place.view) + row * (gsize)ct_stack_nu(after), (gsize)ct_stack_nu(after));
  ct_free(unfiltered);
  if (good) add_block(report, after, &place);
  return good;
}

/* H(0) with each ramp, everything else being equal. */
static void add_dc(GantryFilterReport *report, const ct_geometry *integrals, const ct_filter_options *used) {
  for (int ramp = CT_RAMP_BAND_LIMITED; report->has_ramp && ramp <= CT_RAMP_SAMPLED; ramp++) {
    ct_filter_options options = *used;
    ct_geometry seen = {0};
    ct_filter_response response;
    ct_error *fault = NULL;
    options.ramp = (ct_ramp)ramp;
    ct_filtering *filtering = ct_filtering_new(integrals, &options, &seen, &fault);
    const ct_filter *filter = filtering ? ct_filtering_get_filter(filtering) : NULL;
    if (filter && ct_filter_get_response(filter, &response, &fault)) {
      report->dc[ramp] = (double)response.gain[0];
      ct_free(response.gain);
      ct_free(response.taps);
    }
    ct_error_clear(&fault);
    ct_filtering_free(filtering);
    ct_geometry_clear(&seen);
  }
}

/* What is shown where the slices are of another method than that of the page, or its rows are not the detector's. */
static char *dup_note(const ct_plan *plan, gboolean sorted) {
  const char *method = ct_choice_title(ct_method_choices, plan->iterative.method);
  if (ct_method_iterates(plan->iterative.method))
    return g_strdup_printf("%s uses neither this filter nor this kernel: these are those of filtered back-projection.",
                           method);
  if (plan->iterative.method == CT_METHOD_FOURIER)
    return g_strdup_printf("%s: rows are filtered so, but read by no such kernel.", method);
  if (sorted) return g_strdup("The spiral's rays are sorted into parallel views: rows and columns are theirs.");
  return NULL;
}

static gboolean has_no_rows(ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Katsevich's filter runs along curves over the detector, and this page shows filters of rows: "
                      "choose the weighted spiral (Filter, Spiral), which has one.");
}

/* What keeps the plan from being filtered, or that it is not kept. */
static gboolean tell_why(const ct_geometry *geometry, const ct_plan *plan, ct_error **error) {
  ct_filter_options options = plan->filter;
  ct_geometry seen = {0};
  options.threads = 1;
  ct_filtering *filtering = ct_filtering_new(geometry, &options, &seen, error);
  ct_geometry_clear(&seen);
  if (!filtering) return FALSE;
  ct_filtering_free(filtering);
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "Line integrals and filtered projections are not both in memory: show slices of a direct "
                      "reconstruction.");
}

static gboolean show(GantryFilterReport *report, const ct_plan *plan, const ct_pipeline *pipeline,
                     const ct_geometry *scanned, ct_error **error) {
  const ct_stack *before = ct_pipeline_get_line_integrals(pipeline), *after = ct_pipeline_get_filtered(pipeline);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  if (!before || !after || !facts || !facts->geometry)
    return tell_why(facts && facts->geometry ? facts->geometry : scanned, plan, error);
  ct_filter_options options = plan->filter;
  options.threads = 1;
  ct_geometry seen = {0};
  ct_filtering *filtering = ct_filtering_new(facts->geometry, &options, &seen, error);
  if (!filtering) return FALSE;
  const ct_filter *filter = ct_filtering_get_filter(filtering);
  ct_filter_response response;
  report->view = CLAMP(report->view, 0, ct_stack_views(before) - 1);
  report->row = ct_stack_nv(before) / 2;
  report->note = dup_note(plan, ct_filtering_sorts(filtering) && !ct_geometry_is_sequence(&seen));
  gboolean idle = FALSE, good = filter ? ct_filter_get_response(filter, &response, error) : has_no_rows(error);
  if (good) {
    add_response(report, &response);
    add_dc(report, facts->geometry, &options);
    report->in_pixels = ct_units_are_pixels(facts->units);
    ct_free(response.gain);
    ct_free(response.taps);
    good = add_rows(report, filtering, facts->geometry, &seen, before, after, &idle, error);
    if (good && idle) {
      const int asked = report->view;
      drop_rows(report);
      report->view = ct_stack_views(before) / 2;
      good = add_rows(report, filtering, facts->geometry, &seen, before, after, &idle, error);
      if (!report->note)
        report->note = g_strdup_printf("View %d has weight 0, at an end of the short scan: view %d is shown.", asked,
                                       report->view);
    }
  }
  ct_filtering_free(filtering);
  ct_geometry_clear(&seen);
  return good;
}

static void add_rates(GantryFilterReport *report, const ct_plan *plan, const ct_pipeline *pipeline) {
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  gantry_speeds speeds = {0};
  ct_error *fault = NULL;
  gantry_speeds_read(&speeds, &fault);
  if (fault) g_debug("speeds: %s", fault->message);
  ct_error_clear(&fault);
  for (gsize i = 0; i < speeds.count && facts && facts->geometry; i++) {
    const gantry_speed *speed = &speeds.rows[i];
    if ((guint)speed->interp >= G_N_ELEMENTS(report->rates) || *speed->device ||
        speed->precision != (ct_precision)plan->precision || strcmp(speed->beam, ct_beam_id(facts->geometry->beam)))
      continue;
    GantryInterpRate *rate = &report->rates[speed->interp];
    if (speed->gups <= rate->gups) continue;
    rate->gups = speed->gups;
    g_strlcpy(rate->kernel, speed->kernel, sizeof rate->kernel);
  }
  gantry_speeds_clear(&speeds);
}

/* The plan's values are told whatever can be shown. */
static void fill(GantryFilterTask *self, const ct_pipeline *pipeline) {
  GantryFilterReport *report = self->report = g_new0(GantryFilterReport, 1);
  ct_error *refusal = NULL;
  report->view = self->view;
  report->cutoff = self->plan.filter.cutoff;
  report->ramp = self->plan.filter.ramp;
  report->interp = (ct_interp)self->plan.interp;
  for (int ramp = 0; ramp <= CT_RAMP_SAMPLED; ramp++) report->dc[ramp] = NAN;
  report->has_ramp = self->plan.filter.window != CT_WINDOW_NONE;
  add_rates(report, &self->plan, pipeline);
  if (show(report, &self->plan, pipeline, &gantry_scan_get_facts(self->scan)->geometry, &refusal)) return;
  gantry_filter_report_drop_curves(report);
  report->refused = g_strdup(refusal ? refusal->message : "");
  ct_error_clear(&refusal);
}

static void filter_run(GantryTask *task) {
  GantryFilterTask *self = (GantryFilterTask *)task;
  ct_error *error = NULL;
  const ct_pipeline *pipeline = NULL;
  if (gantry_work_is_stale(self->engine, self->scan, &error) ||
      !(pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, &error)))
    gantry_work_fail(task, &error);
  else
    fill(self, pipeline);
}

static void filter_free(GantryTask *task) {
  GantryFilterTask *self = (GantryFilterTask *)task;
  gantry_scan_unref(self->scan);
  gantry_filter_report_free(self->report);
  gantry_work_free(task);
}

GantryFilterTask *gantry_filter_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                         const ct_plan *plan, int view) {
  GantryFilterTask *self = gantry_work_init(g_new0(GantryFilterTask, 1), owner, done, filter_run, filter_free);
  self->work.task.slot = GANTRY_SLOT_FILTER;
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->plan = *plan;
  self->view = view;
  return self;
}
