/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted by one thread: the main loop starts no team while the worker uses all cores. */
#include "ui/window/numbers.h"

#include "recon/metric/metric.h"
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

void gantry_numbers_refresh(GantryNumbers *self) {
  gsize count, bins[BINS] = {0};
  double low, high, window[2];
  if (!gantry_plots_is_shown(self->plots, "histogram")) return;
  g_autofree float *values = gantry_sample_slices(self->quad, gantry_display_get_mode(self->display),
                                                  GANTRY_SAMPLE_SHOWN, GANTRY_MOST_SAMPLES, &count);
  if (!count) {
    gantry_histogram_set_bins(self->histogram, 0, 1, NULL, 0);
    return;
  }
  ct_percentiles(values, count, 0.0002, 0.9998, &low, &high);
  gantry_display_get_window(self->display, &window[0], &window[1]);
  low = fmin(low, window[0]), high = fmax(high, window[1]);
  const double margin = 0.05 * (high - low);
  low -= margin, high += margin;
  for (gsize i = 0; i < count; i++) {
    const double place = ((double)values[i] - low) / (high - low) * BINS;
    if (place >= 0 && place < BINS) bins[(int)place]++;
  }
  gantry_histogram_set_bins(self->histogram, low, high, bins, BINS);
}
