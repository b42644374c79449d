/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table: each row is a choice of the page and the function that fills the plot. */
#include "ui/errors/curves.h"

#include <math.h>

typedef struct {
  GantryPlot *plot;
  const ct_analysis *analysis;
  const char *unit;
  GantryScale scale; /* of the ordinate */
} Target;

static void show_errors(const Target *target) {
  const ct_analysis *analysis = target->analysis;
  double x[CT_ANALYSIS_BINS], y[CT_ANALYSIS_BINS];
  gantry_plot_set_axes(target->plot, "error, A − B", target->unit, "voxels", NULL);
  gantry_plot_set_scales(target->plot, GANTRY_SCALE_LINEAR, target->scale);
  for (int i = 0; i < CT_ANALYSIS_BINS; i++) {
    x[i] = analysis->range * ((2 * i + 1) / (double)CT_ANALYSIS_BINS - 1);
    y[i] = (double)analysis->bins[i];
  }
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_A, "voxels", x, y, analysis->range > 0 ? CT_ANALYSIS_BINS : 0);
  gantry_plot_set_style(target->plot, GANTRY_CURVE_A, GANTRY_CURVE_BARS);
}

static void show_magnitudes(const Target *target) {
  const ct_analysis *analysis = target->analysis;
  double x[CT_ANALYSIS_LOG_BINS], y[CT_ANALYSIS_LOG_BINS];
  gantry_plot_set_axes(target->plot, "|error|", target->unit, "voxels", NULL);
  gantry_plot_set_scales(target->plot, GANTRY_SCALE_LOG, target->scale);
  for (int i = 0; i < CT_ANALYSIS_LOG_BINS; i++) {
    x[i] = sqrt(analysis->log_edges[i] * analysis->log_edges[i + 1]);
    y[i] = (double)analysis->log_bins[i];
  }
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_A, "voxels", x, y, analysis->range > 0 ? CT_ANALYSIS_LOG_BINS : 0);
  gantry_plot_set_style(target->plot, GANTRY_CURVE_A, GANTRY_CURVE_BARS);
}

/* Below, how many voxels each value has. */
static void show_against_value(const Target *target) {
  enum { COUNT = CT_ANALYSIS_VALUES };
  const ct_analysis *analysis = target->analysis;
  double x[COUNT], mean[COUNT], above[COUNT], below[COUNT], voxels[COUNT];
  gantry_plot_set_axes(target->plot, "value of B", target->unit, "error, A − B", target->unit);
  gantry_plot_set_scales(target->plot, GANTRY_SCALE_LINEAR, GANTRY_SCALE_LINEAR);
  gantry_plot_set_lower(target->plot, "voxels", NULL, GANTRY_SCALE_LOG, FALSE);
  for (int i = 0; i < COUNT; i++) {
    const ct_value_bin *bin = &analysis->values[i];
    x[i] = analysis->value_low + (i + 0.5) / COUNT * (analysis->value_high - analysis->value_low);
    mean[i] = bin->mean;
    above[i] = bin->mean + bin->deviation;
    below[i] = bin->mean - bin->deviation;
    voxels[i] = (double)bin->count;
  }
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_A, "mean", x, mean, COUNT);
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_A + GANTRY_CURVE_COLOURS, "mean + deviation", x, above, COUNT);
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_DIFFERENCE + GANTRY_CURVE_COLOURS, "mean − deviation", x, below,
                        COUNT);
  gantry_plot_set_panel_curve(target->plot, GANTRY_PANEL_LOWER, GANTRY_CURVE_OTHER, "voxels", x, voxels, COUNT);
  gantry_plot_set_style(target->plot, GANTRY_CURVE_A, GANTRY_CURVE_LINE);
  gantry_plot_set_style(target->plot, GANTRY_CURVE_OTHER, GANTRY_CURVE_BARS);
}

static void show_shares(const Target *target) {
  enum { COUNT = CT_ANALYSIS_LOG_BINS + 1 };
  const ct_analysis *analysis = target->analysis;
  double y[COUNT];
  gantry_plot_set_axes(target->plot, "|error|", target->unit, "voxels with less", "%");
  gantry_plot_set_scales(target->plot, GANTRY_SCALE_LOG, GANTRY_SCALE_LINEAR);
  for (int i = 0; i < COUNT; i++) y[i] = 100 * analysis->shares[i];
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_A, "share of voxels", analysis->log_edges, y,
                        analysis->range > 0 ? COUNT : 0);
  gantry_plot_set_style(target->plot, GANTRY_CURVE_A, GANTRY_CURVE_LINE);
}

static void show_slices(const Target *target, const char *title, const char *unit, gsize member) {
  const ct_analysis *analysis = target->analysis;
  if (analysis->slice_count < 1) return;
  g_autofree double *x = g_new(double, analysis->slice_count), *y = g_new(double, analysis->slice_count);
  for (int i = 0; i < analysis->slice_count; i++) {
    x[i] = analysis->first_slice + i;
    y[i] = G_STRUCT_MEMBER(double, &analysis->slices[i], member);
  }
  gantry_plot_set_axes(target->plot, "axial slice", NULL, title, unit);
  gantry_plot_set_scales(target->plot, GANTRY_SCALE_WHOLE, target->scale);
  gantry_plot_set_curve(target->plot, GANTRY_CURVE_A, title, x, y, (gsize)analysis->slice_count);
  gantry_plot_set_style(target->plot, GANTRY_CURVE_A, GANTRY_CURVE_LINE);
}

static void show_slice_rmse(const Target *target) {
  show_slices(target, "RMSE", target->unit, G_STRUCT_OFFSET(ct_slice_errors, rmse));
}

static void show_slice_ssim(const Target *target) {
  show_slices(target, "SSIM", NULL, G_STRUCT_OFFSET(ct_slice_errors, ssim));
}

static const struct {
  GantryErrorCurve row;
  void (*show)(const Target *target);
} curves[] = {
    {{"histogram", "Error histogram", "How often each error, A − B, occurs: a narrow peak at 0 is what rounding leaves",
      .logarithmic = TRUE},
     show_errors},
    {{"sizes", "Sizes of errors", "How often errors of each size occur, whatever their sign, over eight decades",
      .logarithmic = TRUE},
     show_magnitudes},
    {{"against-value", "Error against value",
      "Mean and standard deviation of the error where B has each value, and below how many voxels have it: tells a "
      "wrong "
      "scale or offset from noise",
      .linear = TRUE},
     show_against_value},
    {{"cumulative", "Cumulative share", "Share of voxels whose error is smaller, whatever its sign", .linear = TRUE},
     show_shares},
    {{"slice-rmse", "RMSE by slice", "Root mean square error of each axial slice; click to go to a slice",
      .by_slice = TRUE},
     show_slice_rmse},
    {{"slice-ssim", "SSIM by slice", "Structural similarity (Wang 2004) of each axial slice; click to go to a slice",
      .linear = TRUE, .by_slice = TRUE},
     show_slice_ssim},
};

guint gantry_error_curves_count(void) {
  return G_N_ELEMENTS(curves);
}

const GantryErrorCurve *gantry_error_curve_get(guint curve) {
  g_return_val_if_fail(curve < G_N_ELEMENTS(curves), NULL);
  return &curves[curve].row;
}

void gantry_error_curve_show(guint curve, GantryPlot *plot, const ct_analysis *analysis, const char *unit,
                             gboolean logarithmic) {
  g_return_if_fail(curve < G_N_ELEMENTS(curves));
  gantry_plot_clear(plot);
  gantry_plot_set_legend(plot, !curves[curve].row.by_slice);
  if (!analysis) return;
  const Target target = {plot, analysis, unit,
                         logarithmic && !curves[curve].row.linear ? GANTRY_SCALE_LOG : GANTRY_SCALE_LINEAR};
  curves[curve].show(&target);
}
