/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted by one thread: the main loop starts no team while the worker uses all cores. */
#include "ui/window/numbers.h"

#include "recon/metric/metric.h"
#include "ui/colour-limits.h"
#include "ui/window/samples.h"

#include <math.h>

#define BINS 256

struct _GantryNumbers {
  GantryDisplay *display;
  GantryPlots *plots;
  GantryQuad *quad;
  GantryHistogram *histogram;
  GantryStatisticsPage *statistics;
};

GantryNumbers *gantry_numbers_new(GantryDisplay *display, GantryPlots *plots, GantryQuad *quad) {
  GantryNumbers *self = g_new0(GantryNumbers, 1);
  self->display = g_object_ref(display);
  self->plots = plots;
  self->quad = quad;
  self->histogram = GANTRY_HISTOGRAM(gantry_histogram_new(display));
  self->statistics = GANTRY_STATISTICS_PAGE(gantry_statistics_page_new());
  gantry_plots_add(plots, GTK_WIDGET(self->histogram), "histogram", "Histogram");
  gantry_plots_add(plots, GTK_WIDGET(self->statistics), "statistics", "Statistics");
  return self;
}

void gantry_numbers_free(GantryNumbers *self) {
  g_object_unref(self->display);
  g_free(self);
}

GantryStatisticsPage *gantry_numbers_get_statistics(GantryNumbers *self) {
  return self->statistics;
}

/* In the unit in which they are shown. Freed by g_free. */
static float *sample(GantryNumbers *self, gsize *count) {
  const ctgl_mode mode = gantry_display_get_mode(self->display);
  const ctgl_scale scale = ctgl_mode_get(mode)->scale;
  if (!ctgl_mode_tells_difference(mode))
    return gantry_sample_slices(self->quad, mode, GANTRY_SAMPLE_SHOWN, GANTRY_MOST_SAMPLES, count);
  float *values = gantry_sample_differences(self->quad, self->display, mode, GANTRY_MOST_SAMPLES, count);
  for (gsize i = 0; i < *count && scale == CTGL_SCALE_RELATIVE; i++) values[i] *= 100;
  for (gsize i = 0; i < *count && scale == CTGL_SCALE_SIMILARITY; i++) values[i] = 1 - values[i];
  return values;
}

void gantry_numbers_refresh(GantryNumbers *self) {
  gsize count, bins[BINS] = {0};
  double low, high, limit[2];
  const char *unit;
  if (!gantry_plots_is_shown(self->plots, "histogram")) return;
  g_autofree float *values = sample(self, &count);
  if (!count) {
    gantry_histogram_set_bins(self->histogram, 0, 1, NULL, 0);
    return;
  }
  ct_percentiles(values, count, 0.0002, 0.9998, &low, &high);
  gantry_limits_get(self->display, limit, &unit);
  low = fmin(low, limit[0]), high = fmax(high, limit[1]);
  const double margin = 0.05 * (high - low);
  low -= margin, high += margin;
  for (gsize i = 0; i < count; i++) {
    const double place = ((double)values[i] - low) / (high - low) * BINS;
    if (place >= 0 && place < BINS) bins[(int)place]++;
  }
  gantry_histogram_set_bins(self->histogram, low, high, bins, BINS);
}
