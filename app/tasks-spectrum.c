/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice and its picture stay while views change. */
#include "app/tasks-spectrum.h"

#include "app/tasks-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/slice-spectrum.h"

/* Voxels times frequencies that one view may take, about 0.2 s: of large slices fewer frequencies are measured. */
#define MOST_WORK 2e8

struct _GantrySpectrum {
  gatomicrefcount references;
  float *slice; /* NULL: none; */
  GantryImage *image;
  ct_pipeline *pipeline; /* of this pipeline, scan, plan and slice */
  GantryScan *scan;
  ct_plan plan;
  int index;
};

GantrySpectrum *gantry_spectrum_new(void) {
  GantrySpectrum *spectrum = g_new0(GantrySpectrum, 1);
  g_atomic_ref_count_init(&spectrum->references);
  return spectrum;
}

GantrySpectrum *gantry_spectrum_ref(GantrySpectrum *spectrum) {
  g_atomic_ref_count_inc(&spectrum->references);
  return spectrum;
}

static void drop(GantrySpectrum *spectrum) {
  ct_free(spectrum->slice);
  spectrum->slice = NULL;
  g_clear_pointer(&spectrum->image, gantry_image_unref);
  g_clear_pointer(&spectrum->scan, gantry_scan_unref);
}

void gantry_spectrum_unref(GantrySpectrum *spectrum) {
  if (!g_atomic_ref_count_dec(&spectrum->references)) return;
  drop(spectrum);
  g_free(spectrum);
}

static gboolean make_image(GantrySpectrum *s, const ct_grid *grid, ct_error **error) {
  s->image = gantry_image_new(grid->nx, grid->ny);
  if (!s->image) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a spectrum.");
  s->image->spacing_x = 1 / (grid->nx * grid->dx);
  s->image->spacing_y = 1 / (grid->ny * grid->dy);
  s->image->origin_x = -(grid->nx / 2) * s->image->spacing_x;
  s->image->origin_y = -(grid->ny / 2) * s->image->spacing_y;
  return ct_slice_spectrum(s->slice, grid->nx, grid->ny, s->image->pixels, error);
}

/* *k: the slice. */
static gboolean bring(GantrySpectrumTask *self, const ct_plan *plan, ct_pipeline *pipeline, int *k, ct_error **error) {
  GantrySpectrum *s = self->spectrum;
  if (!ct_pipeline_prepare_planes(pipeline, plan, self->work.task.job, error)) return FALSE;
  const ct_grid grid = ct_pipeline_get_facts(pipeline)->grid;
  *k = gantry_wanted_index(&self->wanted, &grid, CT_AXIAL);
  if (s->slice && s->pipeline == pipeline && s->scan == self->scan && s->index == *k &&
      gantry_plans_agree(&s->plan, &self->plan))
    return TRUE;
  drop(s);
  s->slice = ct_alloc((gsize)grid.nx * (gsize)grid.ny, sizeof *s->slice, "a slice", error);
  if (!s->slice || !ct_pipeline_slice(pipeline, plan, CT_AXIAL, *k, s->slice, self->work.task.job, error) ||
      !make_image(s, &grid, error)) {
    drop(s);
    return FALSE;
  }
  s->pipeline = pipeline;
  s->scan = gantry_scan_ref(self->scan);
  s->plan = self->plan;
  s->index = *k;
  return TRUE;
}

static int count_frequencies(const ct_grid *grid, int nu) {
  const double fit = MOST_WORK / ((double)grid->nx * grid->ny);
  return (int)CLAMP(MIN((double)nu, fit), 16, 4096);
}

/* The row, its transform and the slice's. */
static gboolean compare(GantrySpectrumTask *self, const ct_plan *plan, const ct_pipeline *pipeline, int k,
                        ct_error **error) {
  GantrySpectrumReport *report = self->report;
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  const ct_geometry *g = facts->geometry;
  const ct_stack *integrals = ct_pipeline_get_line_integrals(pipeline);
  if (!integrals)
    return ct_error_set(error, CT_ERROR_MEMORY,
                        "There is not enough memory for line integrals beside filtered projections: bin the detector's "
                        "pixels.");
  const ct_grid plane = ct_grid_plane(&facts->grid, CT_AXIAL, k);
  g_autofree float *row = g_new(float, g->nu);
  ct_geometry parallel = {0};
  char damping[80];
  gboolean good = ct_slice_theorem_gather(&facts->grid, k, g, integrals, report->view, &parallel, row, error);
  if (good) {
    report->count = count_frequencies(&plane, g->nu);
    report->samples = g_new(ct_slice_theorem_sample, report->count);
    report->rebinned = ct_geometry_diverges(g);
    good = ct_slice_theorem(&plane, self->spectrum->slice, &parallel, 0, row, report->count, report->samples, error);
    report->difference = ct_slice_theorem_difference(report->samples, report->count, GANTRY_SPECTRUM_SHARE);
    if (ct_slice_theorem_pass(plan, g, report->samples, report->count, damping, sizeof damping))
      report->damping = g_strdup(damping);
    report->rest = ct_slice_theorem_rest(report->samples, report->count, GANTRY_SPECTRUM_SHARE);
  }
  ct_geometry_clear(&parallel);
  return good;
}

static gboolean fill(GantrySpectrumTask *self, ct_error **error) {
  ct_plan plan = self->plan;
  ct_pipeline *pipeline;
  ct_error *refusal = NULL;
  int k;
  plan.mask = 1;
  if (ct_method_iterates(plan.iterative.method)) plan.iterative.method = CT_METHOD_DIRECT;
  g_strlcpy(plan.device, "none", sizeof plan.device);
  if (gantry_work_is_stale(self->engine, self->scan, error) ||
      !(pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, error)) ||
      !bring(self, &plan, pipeline, &k, error))
    return FALSE;
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  const ct_geometry *g = facts->geometry;
  GantrySpectrumReport *report = self->report = g_new0(GantrySpectrumReport, 1);
  report->spectrum = gantry_image_ref(self->spectrum->image);
  report->views = g->views;
  report->view = CLAMP(self->view, 0, g->views - 1);
  report->angles = g->angles ? g_memdup2(g->angles, (gsize)g->views * sizeof *g->angles) : NULL;
  report->nyquist = 0.5 / ct_geometry_pitch_at_axis(g);
  report->units = facts->units;
  if (ct_method_iterates(self->plan.iterative.method))
    report->note = g_strdup_printf("This is the slice of filtered back-projection, not that of %s.",
                                   ct_choice_title(ct_method_choices, self->plan.iterative.method));
  if (compare(self, &plan, pipeline, k, &refusal)) return TRUE;
  report->refused = g_strdup(refusal ? refusal->message : "");
  g_clear_pointer(&report->samples, g_free);
  report->count = 0;
  ct_error_clear(&refusal);
  return TRUE;
}

static void spectrum_run(GantryTask *task) {
  ct_error *error = NULL;
  if (!fill((GantrySpectrumTask *)task, &error)) gantry_work_fail(task, &error);
}

static void spectrum_free(GantryTask *task) {
  GantrySpectrumTask *self = (GantrySpectrumTask *)task;
  gantry_scan_unref(self->scan);
  gantry_spectrum_unref(self->spectrum);
  gantry_spectrum_report_free(self->report);
  gantry_work_free(task);
}

GantrySpectrumTask *gantry_spectrum_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                             GantrySpectrum *spectrum, const ct_plan *plan, int view) {
  GantrySpectrumTask *self = gantry_work_init(g_new0(GantrySpectrumTask, 1), owner, done, spectrum_run, spectrum_free);
  self->work.task.slot = GANTRY_SLOT_SPECTRUM;
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->spectrum = gantry_spectrum_ref(spectrum);
  self->plan = *plan;
  self->view = view;
  return self;
}
