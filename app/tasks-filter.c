/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the filter does to a row, read from the pipeline as it stands. */
#include "app/tasks-filter.h"

#include "app/tasks-private.h"

#include "recon/base/memory.h"
#include "recon/filter/fft.h"

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
                        const ct_stack *stack, double first, ct_error **error) {
  const int columns = ct_stack_nu(stack);
  const float *row = ct_stack_get_view(stack, report->view) + (gsize)report->row * (gsize)columns;
  gantry_filter_report_add(report, curve, (gsize)columns);
  for (int i = 0; i < columns; i++) {
    report->x[curve][i] = i + first;
    report->y[curve][i] = (double)row[i];
  }
  return add_spectrum(report, spectrum, row, columns, error);
}

static void add_block(GantryFilterReport *report, const ct_stack *stack) {
  const gsize columns = (gsize)ct_stack_nu(stack);
  report->block_first = MAX(report->row - ROWS, 0);
  report->block_rows = MIN(report->row + ROWS + 1, ct_stack_nv(stack)) - report->block_first;
  report->block = g_memdup2(ct_stack_get_view(stack, report->view) + (gsize)report->block_first * columns,
                            columns * (gsize)report->block_rows * sizeof *report->block);
}

static gboolean fill(GantryFilterTask *self, const ct_pipeline *pipeline, ct_error **error) {
  const ct_stack *before = ct_pipeline_get_line_integrals(pipeline), *after = ct_pipeline_get_filtered(pipeline);
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  if (!before || !after || !facts || !facts->geometry)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "Line integrals and filtered projections are not both in memory: show slices of a direct "
                        "reconstruction.");
  ct_filter_options options = self->plan.filter;
  options.threads = 1;
  ct_filter *filter = ct_filter_new(facts->geometry, &options, error);
  ct_filter_response response;
  const gboolean good = filter && ct_filter_get_response(filter, &response, error);
  ct_filter_free(filter);
  if (!good) return FALSE;
  GantryFilterReport *report = self->report = g_new0(GantryFilterReport, 1);
  report->view = CLAMP(self->view, 0, ct_stack_views(before) - 1);
  report->row = ct_stack_nv(before) / 2;
  report->cutoff = options.cutoff;
  report->ramp = options.ramp;
  report->interp = (ct_interp)self->plan.interp;
  report->has_ramp = options.window != CT_WINDOW_NONE;
  add_response(report, &response);
  ct_free(response.gain);
  ct_free(response.taps);
  add_block(report, after);
  /* A displaced detector's rows are longer when they are filtered: in both pictures the axis lies in one place. */
  const double first = facts->geometry->centre_u - 0.5 * (ct_stack_nu(after) - 1);
  return add_row(report, GANTRY_FILTER_BEFORE, GANTRY_FILTER_SPECTRUM_BEFORE, before, 0, error) &&
         add_row(report, GANTRY_FILTER_AFTER, GANTRY_FILTER_SPECTRUM_AFTER, after,
                 ct_stack_nu(after) > ct_stack_nu(before) ? first : 0, error);
}

static void filter_run(GantryTask *task) {
  GantryFilterTask *self = (GantryFilterTask *)task;
  ct_error *error = NULL;
  const ct_pipeline *pipeline = NULL;
  if (gantry_work_is_stale(self->engine, self->scan, &error) ||
      !(pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, &error)) || !fill(self, pipeline, &error))
    gantry_work_fail(task, &error);
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
